"""What the program says of itself: examples in --help, a manual page, completion in shells."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tests.support.stage import Stage
from wynot.cli.commands.man import man_page, walk
from wynot.cli.main import main

COMMANDS = list(walk(main, click.Context(main, info_name="wynot")))
PAGE = man_page(main)
PLAIN = PAGE.replace("\\-", "-").replace("\\e", "\\").replace("\\&", "")


@pytest.mark.parametrize(("path", "command"), [(path, command) for path, command, _ in COMMANDS])
def test_help_has_examples(path: str, command: click.Command) -> None:
    shown = CliRunner().invoke(main, [*path.split()[1:], "--help"])
    assert shown.exit_code == 0
    assert "Example" in shown.output
    assert path.rpartition(" ")[0] in shown.output.partition("Example")[2]


def test_the_page_has_every_command_and_every_option() -> None:
    for path, command, context in COMMANDS:
        part = PLAIN.partition(f'.SS "{path}"\n')[2].partition("\n.SS ")[0]
        assert part, path
        for option in command.get_params(context):
            names = option.opts if isinstance(option, click.Option) and not option.hidden else ()
            assert all(name in part for name in names), (path, names)


def test_no_line_of_the_page_is_taken_for_a_command() -> None:
    known = (".TH", ".SH", ".SS", ".TP", ".PP", ".nf", ".fi")
    assert [line for line in PAGE.split("\n") if line[:1] in {".", "'"} and not line.startswith(known)] == []
    assert "\b" not in PAGE


@pytest.mark.skipif(shutil.which("man") is None and os.environ.get("CI") != "true", reason="man is not installed")
def test_man_shows_it(tmp_path: Path) -> None:
    (tmp_path / "wynot.1").write_text(PAGE)
    env = {"PATH": "/usr/bin:/bin", "MANWIDTH": "80", "LC_ALL": "C.UTF-8"}
    words = ["man", "--warnings", "-l", str(tmp_path / "wynot.1")]
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "WYNOT(1)" in done.stdout
    assert "wynot reduce bug.c -- gcc -O2 -c {}" in done.stdout


def completed(shell: str, env: dict[str, str]) -> str:
    """What click says to a shell."""
    shown = CliRunner().invoke(main, [], prog_name="wynot", env={"_WYNOT_COMPLETE": f"{shell}_complete", **env})
    return shown.output


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_is_told(shell: str) -> None:
    script = CliRunner().invoke(main, ["completion", shell]).output
    assert f"_WYNOT_COMPLETE={shell}_complete" in script
    words = {"COMP_WORDS": "wynot red", "COMP_CWORD": "red" if shell == "fish" else "1"}
    assert "reduce" in completed(shell, words)
    words = {"COMP_WORDS": "wynot reduce --at", "COMP_CWORD": "--at" if shell == "fish" else "2"}
    assert "--atoms" in completed(shell, words)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("wynot reduce --algorithm hdd", "hdd hdd_parents hdd_plus hdd_star"),
        ("wynot reduce --algorithm dd", "dd1999 ddmin ddplus"),
        ("wynot isolate --algorithm dd", "dd ddmax"),
        ("wynot changes --algorithm dd", "dd dd1999 ddmax ddmin ddplus"),
        ("wynot trace --algorithm dd", "dd1999 ddmin ddplus"),
        ("wynot bisect --algorithm dd", ""),
    ],
)
def test_algorithms_are_completed(line: str, names: str) -> None:
    """Each command has its own; and what is completed is taken."""
    said = completed("bash", {"COMP_WORDS": line, "COMP_CWORD": "3"})
    assert said.split() == [f"plain,{name}" for name in names.split()]


def test_runs_are_completed(problem: Stage) -> None:
    assert completed("bash", {"COMP_WORDS": "wynot report ", "COMP_CWORD": "2"}).strip() == ""
    run = problem.wynot("reduce", "in.txt", "--json", "--test", "./check").json["run"][:8]
    for line in ("wynot report ", "wynot verify ", "wynot runs resume ", "wynot runs delete "):
        words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()))}
        assert completed("bash", words).split() == ["plain,last", f"plain,{run}"]
    about = completed("zsh", {"COMP_WORDS": f"wynot report {run[:3]}", "COMP_CWORD": "2"}).splitlines()
    assert about[:2] == ["plain", run]
    assert about[2].startswith("reduce in.txt, 46 -> 3 bytes, done, ")


def test_an_unknown_shell_is_told() -> None:
    assert CliRunner().invoke(main, ["completion", "csh"]).exit_code == 2


@pytest.mark.skipif(shutil.which("bash") is None and os.environ.get("CI") != "true", reason="bash is not installed")
def test_bash_completes(stage: Stage) -> None:
    stage.script("wynot", "from wynot.__main__ import main\nmain()", sys.executable)
    script = 'eval "$(wynot completion bash)"; COMP_WORDS=(wynot isol); COMP_CWORD=1; _wynot_completion wynot; '
    script += 'echo "${COMPREPLY[@]}"; complete -p wynot'
    env = {**stage.env, "PATH": f"{stage.work}:{stage.env['PATH']}"}
    done = subprocess.run(["bash", "--norc", "-c", script], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0] == "isolate"
    assert "_wynot_completion" in done.stdout
