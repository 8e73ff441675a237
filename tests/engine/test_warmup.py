"""Modules that are loaded while tests run: an interruption comes before or after, not in between."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from wynot.engine.warmup import load

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
