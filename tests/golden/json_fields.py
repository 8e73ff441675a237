"""What `--json` prints for every command, as text: the exit code, and the name and the type of each field.

Values differ from run to run; those of `command`, `status` and `minimality` are words that programs compare, so they
are kept. To write all files again:

    python -m tests.golden.json_fields
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest

from tests.support.repos import Repo
from tests.support.stage import Done, Stage, open_stage
from wynot.cli.main import main as command_line

FIELDS = Path(__file__).with_name("json")
TEST = ("--test", "./check")
TEXT = "line\nline\nbug\n"
COMPARED = {"command", "status", "minimality"}
TYPES = {type(None): "null", bool: "bool", int: "number", float: "number", str: "string"}


@dataclass(frozen=True)
class Scenario:
    """A command line, what lies in its folder, and which commands come before it."""

    pose: Callable[[Stage], object]
    words: tuple[str, ...]
    before: tuple[tuple[str, ...], ...] = ()


def lines(stage: Stage) -> None:
    """A file that fails as long as there is a bug in it."""
    stage.posed(TEXT)


def lines_that_pass(stage: Stage) -> None:
    """A file without one."""
    stage.posed("fine\n")


def two_causes(stage: Stage) -> None:
    """A file with two bugs."""
    stage.posed(f"bug 1\n{TEXT}")


def folder(stage: Stage) -> None:
    """The same in a folder."""
    (stage.work / "tree").mkdir()
    stage.file("tree/a.txt", TEXT)
    stage.file("tree/b.txt", "other\n")
    stage.script("check", 'grep -q bug "$1/a.txt"')


def two_folders(stage: Stage) -> None:
    """Two versions of a folder, with two changes."""
    for name, word in (("old", "fine"), ("new", "bug")):
        (stage.work / name).mkdir()
        stage.file(f"{name}/a.txt", f"{word}\n")
        stage.file(f"{name}/b.txt", f"{name}\n")
    stage.script("check", 'grep -q bug "$1/a.txt"')


def history(stage: Stage) -> None:
    """Four commits, of which one is guilty."""
    repo = Repo(stage.work)
    repo.commit("start", {"a": b"fine\n"})
    repo.commit("other", {"b": b"1\n"})
    repo.commit("guilty", {"a": b"bug\n"})
    repo.commit("later", {"b": b"2\n"})


def script_of_words(stage: Stage) -> None:
    """A program that fails with two of its words."""
    stage.script("check", 'shift; case " $* " in *" -x "*) case " $* " in *" -y 1 "*) exit 0;; esac;; esac; exit 1')


def log(stage: Stage) -> None:
    """A log of actions."""
    stage.file("log.jsonl", "".join(f'{{"type": "{kind}"}}\n' for kind in ("cut", "zoom", "print", "undo")))
    stage.script("check", 'grep -q cut "$1" && grep -q print "$1"')


def program(stage: Stage) -> None:
    """A program that raises, if it is given a 3."""
    stage.file("prog.py", "import sys\nn = int(sys.argv[1])\nsize = n * 2\nprint(10 // (size - 6))\n")


COMMIT_TEST = ("--no-coverage", "--", "sh", "-c", "if grep -q bug a; then exit 3; fi")
PYTHON = (sys.executable, "-S")
REDUCE = ("reduce", "in.txt", *TEST, "--json")
SCENARIOS = {
    "reduce": Scenario(lines, REDUCE),
    "reduce-folder": Scenario(folder, ("reduce", "tree", *TEST, "--json")),
    "reduce-causes": Scenario(two_causes, (*REDUCE, "--causes", "3", "--atoms", "lines")),
    "reduce-budget": Scenario(lines, (*REDUCE, "--budget-tests", "3")),
    "reduce-not-shown": Scenario(lines_that_pass, REDUCE),
    "reduce-nothing": Scenario(lines, ("reduce", "nowhere", *TEST, "--json")),
    "reduce-again": Scenario(lines, REDUCE, (REDUCE,)),
    "isolate": Scenario(lines, ("isolate", "in.txt", *TEST, "--json")),
    "isolate-budget": Scenario(lines, ("isolate", "in.txt", *TEST, "--json", "--budget-tests", "2")),
    "isolate-not-shown": Scenario(lines_that_pass, ("isolate", "in.txt", *TEST, "--json")),
    "changes": Scenario(two_folders, ("changes", "old", "new", *TEST, "--json")),
    "changes-history": Scenario(history, ("changes", "HEAD~3", "HEAD", "--json", *COMMIT_TEST)),
    "changes-budget": Scenario(two_folders, ("changes", "old", "new", *TEST, "--json", "--budget-tests", "1")),
    "changes-not-shown": Scenario(two_folders, ("changes", "new", "old", *TEST, "--json")),
    "bisect": Scenario(history, ("bisect", "HEAD~3", "HEAD", "--json", *COMMIT_TEST)),
    "bisect-not-shown": Scenario(history, ("bisect", "HEAD~3", "HEAD~2", "--json", *COMMIT_TEST)),
    "options": Scenario(
        script_of_words, ("options", *TEST, "--json", "--", "cat", "-w", "-x", "-y", "1", "-z")
    ),
    "options-not-shown": Scenario(script_of_words, ("options", *TEST, "--json", "--", "cat", "-w")),
    "events": Scenario(log, ("events", "log.jsonl", *TEST, "--json")),
    "events-budget": Scenario(log, ("events", "log.jsonl", *TEST, "--json", "--budget-tests", "1")),
    "trace": Scenario(program, ("trace", "--json", "-q", "--", *PYTHON, "prog.py", "3")),
    "trace-not-shown": Scenario(program, ("trace", "--json", "-q", "--", *PYTHON, "prog.py", "4")),
    "trace-state": Scenario(
        program,
        ("trace", "--json", "-q", "--state", "3", "--passing", f"{sys.executable} prog.py 4", "--",
         sys.executable, "prog.py", "3"),
    ),
    "check": Scenario(lines, ("check", "in.txt", *TEST, "--json")),
    "check-not-shown": Scenario(lines_that_pass, ("check", "in.txt", *TEST, "--json")),
    "runs": Scenario(lines, ("runs", "--json"), (REDUCE,)),
    "runs-delete": Scenario(lines, ("runs", "delete", "--all", "--json"), (REDUCE,)),
    "verify": Scenario(lines, ("verify", "last", "--json"), (REDUCE,)),
    "verify-nothing": Scenario(lines, ("verify", "last", "--json")),
    "report": Scenario(lines, ("report", "last", "--format", "json", "-o", "-"), (REDUCE,)),
}  # fmt: skip


def described(stage: Stage, scenario: Scenario) -> str:
    """The exit code and the fields of what a command prints."""
    scenario.pose(stage)
    for words in scenario.before:
        assert stage.wynot(*words).code == 0  # in a process of its own: a record counts the runs of a process
    done = stage.here(*scenario.words)
    return "".join(f"{line}\n" for line in (f"exit {done.code}", *fields_of(done)))


def fields_of(done: Done) -> list[str]:
    """The fields, each with the types that it has; none where nothing is printed."""
    if not done.stdout:
        return []
    found: dict[str, set[str]] = {}
    for path, kind in fields("", json.loads(done.stdout)):
        found.setdefault(path, set()).add(kind)
    return [f"{path}: {' | '.join(sorted(kinds))}" for path, kinds in sorted(found.items())]


def fields(path: str, value: Any) -> Iterator[tuple[str, str]]:
    """Each field below a value, with its type."""
    if isinstance(value, Mapping):
        if not value:
            yield path, "{}"
        for name, each in value.items():
            yield from fields(f"{path}.{name}".removeprefix("."), each)
    elif isinstance(value, list):
        if not value:
            yield path, "[]"
        for each in value:
            yield from fields(f"{path}[]", each)
    elif path in COMPARED and value is not None:
        yield path, json.dumps(value)
    else:
        yield path, TYPES[type(value)]


def usage_errors() -> str:
    """The exit codes of each command: asked for help, and with an option that there is none of."""
    rows = []
    with tempfile.TemporaryDirectory() as place, open_stage(Path(place)) as stage:
        for name in command_line.list_commands(click.Context(command_line)):
            codes = (stage.here(name, word).code for word in ("--help", "--no-such-option"))
            rows.append(f"{name}: --help {next(codes)}, an unknown option {next(codes)}\n")
    return "".join(rows)


def main() -> None:
    """Write all files."""
    FIELDS.mkdir(exist_ok=True)
    (FIELDS / "usage.txt").write_text(usage_errors())
    for name, scenario in SCENARIOS.items():
        with (
            tempfile.TemporaryDirectory() as place,
            open_stage(Path(place)) as stage,
            pytest.MonkeyPatch.context() as at,
        ):
            for variable, value in stage.changed.items():
                at.setenv(variable, value)
            (FIELDS / f"{name}.txt").write_text(described(stage, scenario))


if __name__ == "__main__":
    main()
