"""Modules that are loaded while tests run: an interruption comes before or after, not in between."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from wynot.engine.warmup import COMMAND, RESULT, SEARCH, SUMMARY, Warmup, load

MODULE = """\
import os, signal, time

class Named:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.01)

class Made:
    interrupted = Named()

done = True
"""


class InterruptedHereError(Exception):
    """What the handler raises."""


def test_an_interruption_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_number: int, _frame: object) -> None:
        raise InterruptedHereError

    (tmp_path / "made_meanwhile.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        with pytest.raises(InterruptedHereError):
            load("made_meanwhile")
        assert signal.getsignal(signal.SIGTERM) is interrupt
    finally:
        signal.signal(signal.SIGTERM, before)
    assert sys.modules.pop("made_meanwhile").done


def test_what_cannot_be_loaded_leaves_signals_as_they_were() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(ModuleNotFoundError):
        load("wynot.no_such_module")
    assert signal.getsignal(signal.SIGINT) is before


def test_the_modules_exist() -> None:
    assert all(map(find_spec, (*SEARCH, *RESULT, *SUMMARY, COMMAND)))


@pytest.mark.parametrize("command", [True, False])
def test_the_steps_that_are_left(monkeypatch: pytest.MonkeyPatch, *, command: bool) -> None:
    """The search comes first. What prints a result is loaded for the command only."""
    monkeypatch.setitem(sys.modules, COMMAND, sys) if command else monkeypatch.delitem(sys.modules, COMMAND, False)
    done: list[str] = []

    def doing(*names: str) -> Iterator[None]:
        for name in names:
            done.append(name)
            yield

    warmup = Warmup(doing("first", "second"), idle=False)
    next(warmup.steps())
    assert done == ["first"]
    steps = list(warmup.steps(doing("more")))
    assert done == ["first", "second", "more"]
    assert len(steps) == 2 + len(RESULT) + len(SUMMARY) * command
    assert list(warmup.result) == []


def test_nothing_is_done_where_nobody_may_miss_the_end_of_a_test() -> None:
    warmup = Warmup(iter([None]), idle=True)
    assert [*warmup.steps(iter([None])), *warmup.result] == []
