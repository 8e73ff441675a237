"""End a run at its time budget although no test is under way: parsing or preparing a pass may take longer.

Between tests the budget is checked anyway, so the alarm has a grace period. It raises BudgetEnded wherever the main
thread is at work, as Ctrl-C raises KeyboardInterrupt.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from wynot.engine.budget import Budget

GRACE = 0.5
"""Seconds after the end of the budget at which the alarm goes off."""


@contextmanager
def budget_alarm(budget: Budget) -> Iterator[None]:
    """End what is done in here when the time is up. Only in the main thread: others receive no signals."""
    if budget.seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return

    def check(_number: int, _frame: object) -> None:
        left = budget.left()
        if left is not None and left > 0:  # the user paused the run in between
            signal.setitimer(signal.ITIMER_REAL, left + GRACE)
        else:
            budget.check_time()

    before = signal.signal(signal.SIGALRM, check)
    _armed.append(True)
    signal.setitimer(signal.ITIMER_REAL, max(budget.left() or 0.0, 0.0) + GRACE)
    try:
        yield
    finally:
        cancel_alarm()
        signal.signal(signal.SIGALRM, before)


def cancel_alarm() -> None:
    """Let what follows the end of a run take its time."""
    if _armed:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        _armed.clear()


_armed: list[bool] = []
"""Not empty: the timer of this process is ours."""
