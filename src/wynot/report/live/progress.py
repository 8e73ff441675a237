"""The progress of a run, counted from its events and shown live."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self, TextIO

from wynot.core.outcome import Outcome
from wynot.core.run_events import Caution, Event, Improved, Note, PassStarted, Request, TrialAnswered, Visible, Working
from wynot.core.text import counted
from wynot.report.escape import printable
from wynot.report.live.key_input import KeyInput, foreground

if TYPE_CHECKING:
    from wynot.report.live.live_view import LiveView
    from wynot.report.live.terminal_rows import TerminalRows


# What is known of a run before it begins: for those who show it.


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What is done to what, and what is known of the end."""

    title: str = "wynot"
    unit: str = "bytes"
    """What is counted: this is to become less."""
    name: str = ""
    """The file's, which says how the best so far is coloured..."""
    language: str | None = None
    """...unless its language is given."""
    budget_tests: int | None = None
    budget_time: float | None = None
    best: Callable[[], Visible] | None = None
    """What there is to see in the beginning: the original."""
    halving: bool = False
    """Each test halves what is left."""


# How a run stands, as far as its events tell: numbers only, and nothing that is shown.


MOST = 2000
"""So many points of the curve are kept; when there are more, every other one goes."""


class SizePoint(NamedTuple):
    """A size, and when it was reached."""

    seconds: float
    size: int


@dataclass(slots=True)
class ProgressState:
    """What was heard so far. Times are seconds since the beginning."""

    size: int
    unit: str = "bytes"
    tests: int = 0
    """Tests that the search was given the outcome of."""
    cached: int = 0
    outcomes: dict[Outcome, int] = field(default_factory=lambda: dict.fromkeys(Outcome, 0))
    stage: PassStarted | None = None
    passes: int = 0
    """How many there were, with this one."""
    working: Working = field(default_factory=lambda: Working(0, 1, 0, 0))
    busy: int = 0
    """The most tests that ran at once since the last look: between two tests there is always a moment without one."""
    points: list[SizePoint] = field(default_factory=list)
    best: Callable[[], Visible] | None = None
    _earlier: tuple[int, int] = (0, 0)
    """Tests and predictions of the searches before this one."""

    def __post_init__(self) -> None:
        self.points.append(SizePoint(0.0, self.size))

    def take(self, event: Event, seconds: float) -> None:
        """Take an event in."""
        match event:
            case TrialAnswered():
                self.tests += not event.cached
                self.cached += event.cached
                self.outcomes[event.outcome] += 1
            case Improved():
                self.size, self.best = event.size, event.best
                self._mark(SizePoint(seconds, event.size))
            case PassStarted():
                self.stage = event
                self.passes += 1

    def work(self, working: Working) -> None:
        """Take in what is in progress."""
        if working.tests < self.working.tests - 1:  # another search, with its own count; a look takes one back
            self._earlier = self.run, self.predicted
        self.working = working
        self.busy = max(self.busy, working.running)

    def _mark(self, point: SizePoint) -> None:
        if self.points[0].size == 0:  # it was not known at first
            self.points[0] = SizePoint(0.0, point.size)
        self.points.append(point)
        if len(self.points) > MOST:
            self.points = [self.points[0], *self.points[1:-1:2], self.points[-1]]

    def looked(self) -> None:
        """Somebody has looked at it."""
        self.busy = self.working.running

    @property
    def first(self) -> int:
        """The size in the beginning."""
        return self.points[0].size

    @property
    def run(self) -> int:
        """Tests run to their end, also those whose outcome is not asked for yet."""
        return self._earlier[0] + self.working.tests

    @property
    def predicted(self) -> int:
        """Candidates that needed no test, as they could not be valid."""
        return self._earlier[1] + self.working.predicted


PAUSE = 0.1
"""Seconds between two looks of the live view at least, and as good as at most."""
SHARE = 20
"""A look may take one part of so many of the time: where it takes long, there are fewer..."""
SLOW = 2.0
"""...but one in so many seconds."""
SETTLED = 0.3
"""A size of the terminal that is so many seconds old is believed."""
SELDOM = 10.0
"""Seconds between two plain lines."""
_ASKED = {Request.STOP: "stopping …", Request.SKIP: "skipping this pass …"}


class Progress:
    """Listens to what happens, shows it on standard error, and can be asked what the user wishes."""

    def __init__(
        self, size: int, about: RunInfo | None = None, *, quiet: bool = False, stream: TextIO | None = None
    ) -> None:
        self._stream = stream or sys.stderr
        self._quiet = quiet
        self._terminal = not quiet and self._stream.isatty() and os.environ.get("TERM", "") not in {"dumb", "unknown"}
        self._about = about or RunInfo()
        self._begun = self._shown = time.monotonic()
        self._cost = 0.0
        self.standing = ProgressState(size, self._about.unit, best=self._about.best)
        self._painter: TerminalRows | None = None
        self._view: LiveView | None = None
        self._keys = KeyInput(self._suspended)
        self._size, self._since = (0, 0), 0.0
        self._paused = False
        self._wish = Request.GO_ON

    def __enter__(self) -> Self:
        if self._terminal:
            from wynot.report.live.live_view import LiveView  # noqa: PLC0415
            from wynot.report.live.terminal_rows import TerminalRows  # noqa: PLC0415 - rich takes a tenth of a second to load

            self._painter = TerminalRows(self._stream)
            self._view = LiveView(self._about)
            self._keys.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._keys.close()
        if self._painter is not None:
            self._painter.erase()

    def __call__(self, event: Event) -> None:
        """Take an event in."""
        self.standing.take(event, time.monotonic() - self._begun)
        if isinstance(event, Caution):
            self.say(f"warning: {event.message}")
        elif isinstance(event, Note):
            self.say(event.message)
        self._show()

    def busy(self, working: Working) -> None:
        """Take in what is in progress."""
        self.standing.work(working)
        self._show()

    @property
    def patience(self) -> float | None:
        """The view is to move while a test takes long, and keys are to be heard; a plain line comes now and then."""
        if self._painter is not None:
            return PAUSE
        return None if self._quiet else max(PAUSE, self._shown + SELDOM - time.monotonic())

    def wish(self, wait: float = 0.0) -> Request:
        """What the keys say: `s` stops, `n` skips a pass, `p` pauses and goes on."""
        if self._painter is None:
            self._show()
            return Request.GO_ON
        pressed = self._keys.read(wait)
        if set(pressed) <= set("snp"):  # anything else was not meant for us: a text that was pasted, an arrow
            for key in pressed:
                self._press(key)
        self._paused = self._paused and self._keys.here  # without keys nobody could end it
        self._show()
        asked, self._wish = self._wish, Request.GO_ON
        return asked if asked is not Request.GO_ON else Request.PAUSE if self._paused else Request.GO_ON

    def _suspended(self) -> None:
        if self._painter is not None:
            self._painter.leave()

    def _press(self, key: str) -> None:
        if key == "p":
            self._paused = not self._paused
        else:
            self._wish = Request.STOP if key == "s" else Request.SKIP
            self._paused = False
        self._shown = 0.0

    def say(self, line: str) -> None:
        """Print a line of its own."""
        if self._painter is not None:
            self._painter.say(line)
        elif not self._quiet:
            try:
                print(printable(line), file=self._stream, flush=True)
            except BrokenPipeError:  # whoever read it has seen enough
                raise
            except OSError:  # the terminal is gone, or the disk is full: the run goes on
                self._quiet = True

    def _show(self) -> None:
        now = time.monotonic()
        pause = min(max(PAUSE, SHARE * self._cost), SLOW) if self._terminal else SELDOM
        if self._quiet or now - self._shown < pause:
            return
        if self._painter is None or self._view is None:
            self.say(self.line(now))
        elif self._steady(self._painter, now):
            self._draw(self._painter, self._view, now)
            self._cost = time.monotonic() - now
        self._shown = now

    def _steady(self, painter: TerminalRows, now: float) -> bool:
        """Whether there is a terminal for us, and it is not being resized right now."""
        size = painter.size()
        if size != self._size:
            self._since = now if self._size != (0, 0) else 0.0
            self._size = size
        return now - self._since >= SETTLED and not _behind(self._stream)

    def _draw(self, painter: TerminalRows, view: LiveView, now: float) -> None:
        from wynot.report.live.live_view import ViewState  # noqa: PLC0415

        width, height = self._size
        asked = _ASKED.get(self._wish, "")
        look = ViewState(width, height, now - self._begun, _plain(self._stream), self._keys.here, self._paused, asked)
        painter.draw(view.rows(self.standing, look))
        self.standing.looked()

    def line(self, now: float) -> str:
        """How it stands, in one line."""
        standing, passed = self.standing, max(now - self._begun, 1e-6)
        size = counted(standing.size, standing.unit.removesuffix("s"))
        if standing.stage is None:
            return f"{size} · before the search · {passed:.0f} s"
        stage = f"{standing.stage.name}: {standing.stage.deltas}"
        return (
            f"{size} · {counted(standing.tests, 'test')} ({standing.cached} cached)"
            f" · {standing.tests / passed:.1f} tests/s · {passed:.0f} s · {stage}"
        )


def _plain(stream: TextIO) -> bool:
    """Whether only ASCII can be shown."""
    try:
        "▁█→·─".encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def _behind(stream: TextIO) -> bool:
    """Whether this is a job in the background, and the terminal is somebody else's for the time being."""
    try:
        fd = stream.fileno()
        os.tcgetpgrp(fd)
    except (OSError, ValueError):
        return False
    return not foreground(fd)
