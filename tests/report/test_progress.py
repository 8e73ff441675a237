"""Plain lines, where there is no terminal: they come now and then, also while one test takes long."""

from __future__ import annotations

import io
import time

import pytest

from wynot.core.outcome import FAIL
from wynot.core.run_events import PassStarted, TrialAnswered
from wynot.report.live.progress import SELDOM, Progress, RunInfo


def test_one_long_test_is_not_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for a test is to come back in time, and to ask."""
    clock = iter((0.0, 0.0, 4.0, 10.5, 10.5)).__next__
    stream = io.StringIO()
    monkeypatch.setattr(time, "monotonic", clock)
    shown = Progress(10, stream=stream)
    assert shown.patience == SELDOM
    shown.wish()
    assert stream.getvalue() == ""
    shown.wish()
    assert stream.getvalue() == "10 bytes · before the search · 10 s\n"
    assert Progress(10, quiet=True, stream=stream).patience is None


def test_one_of_them_is_one() -> None:
    shown = Progress(1, RunInfo(unit="suspects"), stream=io.StringIO())
    shown(PassStarted("changes", 4))
    shown(TrialAnswered(FAIL, 1, cached=False))
    assert shown.line(0.0).startswith("1 suspect · 1 test (0 cached) · ")


def test_a_pass_over_one_change() -> None:
    shown = Progress(1, RunInfo(unit="suspects"), stream=io.StringIO())
    shown(PassStarted("changes, one by one", 1))
    assert shown.line(0.0).endswith(" · changes, one by one: 1")
