"""Whether processors have nothing to do."""

from __future__ import annotations

import pytest

from wynot.engine.executors.local import IdleProcessors


class Clock:
    """Time that passes, and processor time that is used, as told."""

    def __init__(self) -> None:
        self.now = self.used = 0.0
        self.idle: float | None = None


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("wynot.engine.executors.local._now", lambda: clock.now)
    monkeypatch.setattr("wynot.engine.executors.local._used", lambda: clock.used)
    monkeypatch.setattr("wynot.engine.executors.local._idle", lambda: clock.idle)
    return clock


@pytest.mark.parametrize(
    ("processors", "used", "left"), [(2, 0.2, True), (2, 1.1, True), (2, 1.9, False), (1, 0.9, False), (4, 2.0, True)]
)
def test_what_tests_take_is_not_left(clock: Clock, processors: int, used: float, left: bool) -> None:
    looking = IdleProcessors(processors)
    assert not looking.left
    clock.now, clock.used = 1.0, used
    looking.look()
    assert looking.left is left


def test_it_is_looked_at_now_and_then_only(clock: Clock) -> None:
    looking, seen = IdleProcessors(2), []
    for clock.now, clock.used in ((0.01, 0.0), (1.0, 0.0), (1.01, 5.0), (2.0, 5.0)):
        looking.look()
        seen.append(looking.left)
    assert seen == [False, True, True, False]


@pytest.mark.parametrize(("idle", "left"), [(0.1, False), (0.9, True)])
def test_what_others_take_is_not_left_either(clock: Clock, idle: float, left: bool) -> None:
    clock.idle = 100.0
    looking = IdleProcessors(2)
    clock.now, clock.used, clock.idle = 1.0, 0.2, 100.0 + idle
    looking.look()
    assert looking.left is left


def test_it_looks_at_the_machine_itself() -> None:
    assert IdleProcessors().left is False
