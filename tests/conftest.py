"""Signals as at a terminal: where tests are started in the background some are ignored, and programs inherit that."""

from __future__ import annotations

import signal

from tests.support.fixtures import commoner, executors, stage

__all__ = ["commoner", "executors", "stage"]

for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)
