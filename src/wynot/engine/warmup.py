"""Modules that `reduce` does not need before its first test: they are loaded while its first tests run.

The modules that are there before the first test import these in functions, with the comment `engine.warmup`: a search
that nobody has warmed up works, too. `tests/cli/test_loading.py` checks that none of them is loaded earlier.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import chain
from types import FrameType

SEARCH = (
    "wynot.search.trees.hdd",
    "wynot.engine.driver",
    "wynot.domains.syntax.edits.edit_candidates",
    "wynot.commands.reduce.parsed_text",
    "wynot.commands.reduce.passes.basic_passes",
    "wynot.domains.syntax.language_loading",
    "wynot.engine.pass_search",
    "wynot.commands.reduce.passes.tail_first",
    "wynot.commands.reduce.passes.substitute",
    "wynot.commands.reduce.pipeline",
    "wynot.commands.reduce.pass_runner",
    "wynot.engine.baseline.result_checks",
)
"""What the search needs, in steps of a few milliseconds..."""
RESULT = ("wynot.engine.results", "wynot.engine.record.read")
"""...what its result needs..."""
COMMAND = "wynot.cli.commands.reduce"
SUMMARY = ("wynot.cli.summaries",)
"""...and what the command needs to print it."""
_NOTHING: Iterator[None] = iter(())
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)


class Warmup:
    """What is done while the first tests run, in steps.

    `prepare`: steps that follow once the modules of the search are loaded. `idle`: there are no steps at all, because a
    step takes some milliseconds, in which nobody sees the end of a test.
    """

    def __init__(self, prepare: Iterator[None], *, idle: bool) -> None:
        summary = SUMMARY if COMMAND in sys.modules else ()
        self.idle = idle
        self._search = _NOTHING if idle else prepare
        self.result = _NOTHING if idle else loading((*RESULT, *summary))

    def steps(self, more: Iterator[None] = _NOTHING) -> Iterator[None]:
        """What is left to do: for the search, then `more`, then for the result."""
        return _NOTHING if self.idle else chain(self._search, more, self.result)


def loading(names: Iterable[str]) -> Iterator[None]:
    """Load modules, one in a step."""
    for name in names:
        load(name)
        yield


def load(name: str) -> None:
    """Load a module. Signals that end a run wait until it is there.

    What their handlers raise while a class is being made, Python 3.11 would turn into an error of its own.
    """
    if name in sys.modules:
        return
    if threading.current_thread() is not threading.main_thread():  # only there they are heard
        import_module(name)
        return
    with _undisturbed():
        import_module(name)


@contextmanager
def _undisturbed() -> Iterator[None]:
    handlers = {number: handler for number in ENDING if callable(handler := signal.getsignal(number))}
    heard: list[tuple[int, FrameType | None]] = []
    for number in handlers:
        signal.signal(number, lambda number, frame: heard.append((number, frame)))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    for told, frame in heard:
        handlers[signal.Signals(told)](told, frame)
