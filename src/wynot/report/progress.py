"""The live line: how small it is, what was run, how fast. Plain lines where there is no terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from wynot.core.events import Answered, Event, Improved, Said, Stage, Warned

if TYPE_CHECKING:
    from rich.live import Live

PAUSE = 0.1  # seconds between two looks of the live line
SELDOM = 10.0  # and between two plain lines


class Progress:
    """A listener that shows what happens, on standard error."""

    def __init__(self, size: int, *, unit: str = "bytes", quiet: bool = False, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._quiet, self._unit = quiet, unit
        self._terminal = not quiet and self._stream.isatty()
        self._live: Live | None = None
        self._begun = self._shown = time.monotonic()
        self.size, self.tests, self.cached, self.stage = size, 0, 0, ""

    def __enter__(self) -> Self:
        if self._terminal:
            from rich.console import Console  # noqa: PLC0415 - rich takes a tenth of a second to load
            from rich.live import Live  # noqa: PLC0415

            self._live = Live(console=Console(file=self._stream), auto_refresh=False, transient=True)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, event: Event) -> None:
        """Take an event in."""
        match event:
            case Answered():
                self.tests += not event.cached
                self.cached += event.cached
            case Improved():
                self.size = event.size
            case Stage():
                self.stage = f"{event.deltas} {event.name}"
            case Warned():
                self.say(f"warning: {event.message}")
            case Said():
                self.say(event.message)
        self._show()

    def say(self, line: str) -> None:
        """Print a line of its own."""
        if self._live is not None:
            self._live.console.print(line, markup=False, highlight=False)
        elif not self._quiet:
            print(line, file=self._stream, flush=True)

    def _show(self) -> None:
        now = time.monotonic()
        if self._quiet or now - self._shown < (PAUSE if self._terminal else SELDOM):
            return
        self._shown = now
        if self._live is not None:
            self._live.update(self.line(now), refresh=True)
        else:
            self.say(self.line(now))

    def line(self, now: float) -> str:
        """How it stands."""
        passed = max(now - self._begun, 1e-6)
        return (
            f"{self.size} {self._unit} · {self.tests} tests ({self.cached} cached) · {self.tests / passed:.1f} tests/s"
            f" · {passed:.0f} s · {self.stage}"
        )
