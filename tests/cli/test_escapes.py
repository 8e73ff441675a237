"""Whatever programs, files, commits and sources hold: the terminal gets no escape sequence of theirs."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

import pytest

from tests.cli.terminal import Terminal
from tests.support.repos import Repo
from tests.support.stage import Done, Stage

EVIL = "\x1b]0;evil\x07\x1b[2J\x9b31m\x7f\u202eevil"
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
OURS = re.compile(r"\x1b\[(\?25[lh]|\?2004[lh]|[0-9;]*m|[0-9]*A|K|J)|\r")
"""Colours, and how the live view moves the cursor."""


def failing(stage: Stage) -> Stage:
    """A program that prints escape sequences and fails while there is a bug in its input."""
    stage.file("in.txt", f"a\n{EVIL} bug\nb\n")
    body = "import sys\nfor line in open(sys.argv[1]):\n    if 'bug' in line:\n        raise ValueError(line)\n"
    stage.python("prog", body)
    return stage


def check(stage: Stage) -> list[Done]:
    return [failing(stage).here("check", "in.txt", "--", "./prog", "{}")]


def check_output(stage: Stage) -> list[Done]:
    failing(stage).python("loud", f"import sys\nprint({'error: ' + EVIL!r})\nsys.exit(1)\n")
    return [stage.here("check", "in.txt", "--fail-if-output", f"(error|{EVIL[:3]}).*evil", "--", "./loud", "{}")]


def reduce_and_what_follows(stage: Stage) -> list[Done]:
    failing(stage)
    first = [stage.here("reduce", "in.txt", "--", "./prog", "{}"), stage.here("verify", "last"), stage.here("runs")]
    forms = [stage.here("report", "last", "--format", form, "-o", "-") for form in ("md", "json", "html", "svg")]
    return [*first, *forms]


def isolate(stage: Stage) -> list[Done]:
    failing(stage).file("good.txt", f"a\n{EVIL}\n")
    return [stage.here("isolate", "in.txt", "--passing", "good.txt", "--", "./prog", "{}")]


def broken_build(stage: Stage) -> list[Done]:
    history(stage)
    stage.script("build", f"printf '%s' '{EVIL}' >&2; exit 1")
    return [stage.here("changes", "HEAD~2", "HEAD", "--build", f"{stage.work}/build", "--", "sh", "t.sh")]


def names_in_errors(stage: Stage) -> list[Done]:
    lines = (("reduce", EVIL, "--", "true", "{}"), ("reduce", "x", f"--{EVIL}"), (EVIL,), ("report", EVIL),
             ("reduce", "x", "--jobs", EVIL), ("grammar", "check", EVIL), ("runs", "delete", EVIL),
             ("changes", EVIL, "HEAD", "--", "true"), ("options", "--config", EVIL, "--", "true"))  # fmt: skip
    return [stage.here(*line) for line in lines]


def names_of_files(stage: Stage) -> list[Done]:
    name = "in\udcff\udc9b" + EVIL.replace("\x7f", "")
    failing(stage).file(name, f"x\n{EVIL} bug\n")
    return [stage.wynot("reduce", name, "--", "./prog", "{}"), stage.wynot("runs"), stage.wynot("report", "last")]


def history(stage: Stage) -> Repo:
    repo = Repo(stage.work / "repo")
    repo.git("config", "user.name", EVIL.replace("\x07", ""))
    repo.commit("start", {"a.txt": b"old\n", "t.sh": b"! grep -q bad a.txt\n"})
    repo.commit(f"second {EVIL}", {f"b{EVIL}": b"x\n"})
    repo.commit(f"third {EVIL}", {"a.txt": f"bad {EVIL}\n".encode(), f"b{EVIL}": b"y\n"})
    stage.work = repo.path
    return repo


def changes(stage: Stage) -> list[Done]:
    history(stage)
    return [stage.here("changes", "HEAD~2", "HEAD", "--", "sh", "t.sh"),
            stage.here("bisect", "HEAD~2", "HEAD", "--", "sh", "t.sh"),
            *(stage.here("report", "last", "--format", form, "-o", "-") for form in ("md", "json"))]  # fmt: skip


def trace(stage: Stage) -> list[Done]:
    stage.file("prog.py", f"a = 1  # {EVIL}\nb = a + 1\nassert b != 2, {EVIL!r}  # {EVIL}\n")
    views = ("trace", "listing", "coverage", "slice")
    done = [stage.here("trace", "--view", each, "--", sys.executable, "prog.py") for each in views]
    return [*done, stage.here("report", "last", "--format", "md", "-o", "-")]


def options(stage: Stage) -> list[Done]:
    failing(stage).python("prog", f"import sys\nif {EVIL!r} in sys.argv:\n    raise ValueError({EVIL!r})\n")
    return [
        stage.here("options", "--", "./prog", "-a", EVIL),
        stage.here("report", "last", "--format", "md", "-o", "-"),
    ]


def grammar(stage: Stage) -> list[Done]:
    stage.file("g.lark", f'start: A+ // {EVIL}\nA: "a\x1b" | /[b\u202e]/\n')
    stage.file("in.txt", "a\x1bb")
    return [stage.here("grammar", "check", "g.lark", "in.txt"), stage.here("grammar", "convert", "g.lark")]


@pytest.mark.parametrize(
    "case",
    [check, check_output, reduce_and_what_follows, isolate, broken_build, names_in_errors, names_of_files, changes,
     trace, options, grammar],
    ids=lambda case: str(case.__name__),
)  # fmt: skip
def test_nothing_is_obeyed(case: Callable[[Stage], list[Done]], stage: Stage) -> None:
    found = case(stage)
    assert any(b"evil" in done.stdout + done.err.encode("utf-8", "replace") for done in found)
    for done in found:
        assert not done.crash
        for text in (done.stdout.decode(errors="surrogateescape"), done.err):
            assert not CONTROLS.search(text), text
            assert "\udc9b" not in text


def test_on_a_terminal_only_our_own_colours(stage: Stage) -> None:
    history(stage)
    terminal = Terminal(stage, "bisect", "HEAD~2", "HEAD", "--", "sh", "t.sh")
    assert terminal.end() == 0
    assert terminal.colours, "there are some"
    assert r"third \x1b]0;evil" in terminal.text
    assert not CONTROLS.search(OURS.sub("", terminal.text))


def test_a_result_on_standard_output_is_left_as_it_is(stage: Stage) -> None:
    failing(stage).script("check", 'grep -q bug "$1" && grep -q \'\x1b\' "$1"')
    done = stage.wynot("reduce", "in.txt", "--test", "./check", "-o", "-")
    assert done.code == 0, done.err
    assert b"\x1b" in done.stdout
    assert "\x1b" not in done.err
