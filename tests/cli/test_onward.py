"""How to go on with what ended early: one line says it, and it is true."""

from __future__ import annotations

import contextlib
import re
import signal
import sys

import pytest

from tests.cli.conftest import TEXT
from tests.run.stage import Done, Stage, eventually
from wynot.errors import Stopped
from wynot.run.journal import Journal
from wynot.run.onward import telling_how

LOOP = "total = 0\nfor k in range(9):\n    total += k\nnoise = 1\nassert total != 36\n"


def onward(done: Done) -> str:
    """The name of the run that is to be gone on with."""
    found = re.fullmatch(r"  go on with: wynot runs resume (\w{8})", done.err.splitlines()[-1])
    assert found, done.err
    return found[1]


@pytest.mark.parametrize("command", ["reduce", "isolate"])
def test_what_was_begun_anew_is_not_begun_anew_again(problem: Stage, command: str) -> None:
    """Ctrl-C, with --fresh: the line that is said repeats no test."""
    problem.logging("check", f'[ -e {problem.folder}/go ] || [ $(wc -l < {problem.folder}/log) -lt 8 ] || sleep 1000\n'
                    'grep -q bug "$1"')  # fmt: skip
    process = problem.start(command, "in.txt", "--fresh", "--timeout", "1000s", "--test", "./check")
    eventually(lambda: len(problem.log) >= 8, "a test hangs")
    process.send_signal(signal.SIGINT)
    done = problem.ended(process)
    assert done.code == 130
    assert done.err.splitlines()[-2] == "wynot: interrupted"
    (problem.folder / "go").touch()
    again = problem.wynot("runs", "resume", onward(done))
    assert again.code == 0, again.err
    assert problem.repeated(TEXT) <= 1  # the one under way


def test_changes_go_on(stage: Stage) -> None:
    for name in ("old", "new"):
        (stage.work / name).mkdir()
        stage.file(f"{name}/a.txt", "".join(f"{n} {name if n % 6 == 0 else 'same'}\n" for n in range(60)))
    stage.script("check", f"echo run >> {stage.folder}/log; grep -q '^30 new' a.txt")
    words = ("changes", "old", "new", "--json", "--test", "./check")
    done = stage.wynot(*words, "--fresh", "--budget-tests", "2")
    assert done.code == 3
    run, count = onward(done), len(stage.log)
    again = stage.wynot("runs", "resume", run)
    assert again.json["run"][:8] == run
    assert again.json["cached"] > 0
    assert len(stage.log) - count <= 2 + 1  # as many again; and the one that no budget lets come to its end


def test_traces_go_on(stage: Stage) -> None:
    stage.file("prog.py", LOOP)
    done = stage.wynot("trace", "--json", "--fresh", "--budget-tests", "3", "--", sys.executable, "prog.py")
    assert done.code == 3
    again = stage.wynot("runs", "resume", onward(done))
    assert [column["run"][:8] for column in again.json["columns"]] == [onward(done)]
    assert again.json["columns"][0]["cached"] > 0


def test_nothing_is_promised_where_nothing_is_kept(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """No command, no journal, or one that cannot be written."""
    monkeypatch.setenv("WYNOT_HOME", str(stage.home))
    with contextlib.closing(Journal("0123456789abcdef")) as journal:
        for kept, typed, hint in (
            (journal, ("reduce",), "go on with: wynot runs resume 01234567"),
            (journal, (), ""),
            (None, ("reduce",), ""),
        ):
            with pytest.raises(Stopped) as stopped, telling_how(kept, typed):
                raise Stopped("stopped")
            assert stopped.value.hint == hint
        journal.broken = "no room"
        with pytest.raises(Stopped) as stopped, telling_how(journal, ("reduce",)):
            raise Stopped("stopped")
        assert stopped.value.hint == ""
