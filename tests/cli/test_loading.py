"""What a command loads: nothing that only others need. Most of the time of a short run is loading."""

from __future__ import annotations

import subprocess
import sys

import pytest

LOADED = """
import sys
import click
from wynot.cli.main import main
main.get_command(click.Context(main), sys.argv[1])
print(*(name for name in sys.argv[2:] if name in sys.modules), len(sys.modules))
"""
ELSEWHERE = ("lark", "lxml", "coverage", "rich", "jinja2", "playwright", "wynot.run.grammars")
UNUSED = (
    "concurrent.futures", "importlib.metadata", "socket", "wynot.domains.tree.outline", "wynot.oracles.readers.all",
    "wynot.run.clang_delta", "wynot.run.server.forks",
)  # fmt: skip
"""What most reductions do not need: threads, readers of other programs' reports, a language of its own."""


@pytest.mark.parametrize(
    ("command", "others", "most"),
    [
        ("reduce", ("wynot.run.changes", "wynot.run.trace.trace", "wynot.cli.options", *UNUSED), 400),
        ("trace", ("wynot.run.changes", "wynot.domains.tree.outline"), 450),
    ],
)
def test_a_command_loads_only_what_it_needs(command: str, others: tuple[str, ...], most: int) -> None:
    words = (sys.executable, "-c", LOADED, command, *ELSEWHERE, *others)
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    assert said[:-1] == []
    assert int(said[-1]) < most
