"""What a command loads: nothing that only others need. Most of the time of a short run is loading."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wynot.engine.warmup import RESULT, SEARCH, SUMMARY

LOADED = """
import sys
import click
from wynot.cli.main import main
main.get_command(click.Context(main), sys.argv[1])
print(*(name for name in sys.argv[2:] if name in sys.modules), len(sys.modules))
"""
ELSEWHERE = ("lark", "lxml", "coverage", "rich", "jinja2", "playwright", "wynot.engine.user_grammar")
UNUSED = (
    "concurrent.futures",
    "importlib.metadata",
    "socket",
    "wynot.domains.syntax.adapters.outline",
    "wynot.oracles.readers.registry",
    "wynot.commands.reduce.passes.cleanup_passes",
    "wynot.engine.executors.fork_server",
)
"""What most reductions do not need: threads, readers of other programs' reports, a language of its own."""


BEGUN = """
import os, subprocess, sys
class Begun(subprocess.Popen):
    def __init__(self, *given, **more):
        os.write(1, " ".join([name for name in sys.argv[2:] if name in sys.modules] + ["begun"]).encode())
        os._exit(0)
subprocess.Popen = Begun
from wynot.cli.main import main
main(["reduce", sys.argv[1], "--test", "/bin/true", "-o", sys.argv[1] + ".out"])
"""
LATER = (
    *SEARCH,
    *RESULT,
    *SUMMARY,
    "wynot.engine.record.repeat_proof",
    "wynot.engine.executors.dask.dask_client",
    "wynot.engine.executors.work_tree",
    "wynot.oracles.command",
    "wynot.oracles.failure_rate",
    "wynot.report.result_json",
    "wynot.report.result_text",
    "tree_sitter",
)
"""What a search or its result needs, or other commands: no test has to wait for it."""


@pytest.mark.parametrize(
    ("command", "others", "most"),
    [
        (
            "reduce",
            (
                "wynot.commands.changes.investigation",
                "wynot.commands.trace.trace_reduction",
                "wynot.cli.commands.options",
                *UNUSED,
            ),
            400,
        ),
        ("trace", ("wynot.commands.changes.investigation", "wynot.domains.syntax.adapters.outline"), 450),
    ],
)
def test_a_command_loads_only_what_it_needs(command: str, others: tuple[str, ...], most: int) -> None:
    words = (sys.executable, "-c", LOADED, command, *ELSEWHERE, *others)
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    assert said[:-1] == []
    assert int(said[-1]) < most


def test_the_first_test_does_not_wait_for_what_comes_later(tmp_path: Path) -> None:
    file = tmp_path / "input"
    file.write_text("input")
    words = (sys.executable, "-c", BEGUN, str(file), *LATER)
    home = {**os.environ, "WYNOT_HOME": str(tmp_path / "home")}
    said = subprocess.run(words, capture_output=True, text=True, check=True, env=home).stdout.split()
    assert said == ["begun"]
