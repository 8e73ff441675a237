"""Before a command is at work, and after its output is of interest."""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

from tests.support.stage import Stage
from wynot.cli import main as main_module
from wynot.cli.main import main


def test_ctrl_c_while_a_command_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_module: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(main_module, "import_module", interrupted)
    monkeypatch.setattr(main, "commands", {})
    done = CliRunner().invoke(main, ["reduce", "x"])
    assert (done.exit_code, done.stderr) == (
        130,
        "wynot: interrupted before there was anything to keep\n  begin again: the same command\n",
    )


def test_whoever_reads_may_go(stage: Stage) -> None:
    stage.file("in.txt", "x" * 100_000 + "bug")
    stage.script("check", 'test "$(wc -c < "$1")" -gt 99000')
    words = (
        sys.executable,
        "-m",
        "wynot",
        "reduce",
        "in.txt",
        "--test",
        "./check",
        "-q",
        "-o",
        "-",
        "--atoms",
        "bytes",
    )
    command = " ".join((*words, "--atoms", "bytes", "--budget-tests", "3", "|", "head", "-c", "1"))
    done = subprocess.run(command, shell=True, cwd=stage.work, env=stage.env, capture_output=True, check=False)
    assert b"Broken pipe" not in done.stderr
    assert b"check permissions" not in done.stderr


def test_what_is_printed_to_standard_error_comes_first(stage: Stage) -> None:
    stage.file("in.txt", "bug\n")
    stage.script("prog", 'echo reading; echo "something odd" >&2; exit 4')
    done = stage.wynot("check", "in.txt", "--", "./prog", "{}")
    assert "something odd" in done.out + done.err
    assert "exit code 4: reading" not in done.out + done.err


def test_a_command_that_names_the_original_is_told(stage: Stage) -> None:
    stage.file("in.txt", "bug\n")
    done = stage.wynot("reduce", "in.txt", "--", "grep", "-v", "bug", "in.txt")
    assert "in.txt is of the original, and the same in all tests; what is tested is {}" in done.err
