"""How recordings are replayed: settings for all formats, and the replay of each format."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, Protocol

from wynot.core.artifact import digest
from wynot.domains.recordings.recorded_steps import Recording
from wynot.domains.recordings.recording_formats import read_recording
from wynot.errors import UsageError

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
SEEN, LOST = 1, 125
"""Exit codes of a replay: the failure was seen; it could not be replayed."""


class ReplayResult(NamedTuple):
    """What a replay has come to: an exit code, and what was said."""

    code: int
    text: str


class Replayer(Protocol):
    """Replays one recording after the other."""

    def replay(self, recording: Recording, wanted: Callable[[], bool]) -> ReplayResult:
        """Replay, as long as somebody still wants to know."""
        ...

    def close(self) -> None:
        """Leave nothing behind."""
        ...


@dataclass(frozen=True, slots=True)
class ReplaySettings:
    """How to replay."""

    browser: str | None = None
    serve: str | None = None
    """A folder whose files stand for the pages of the recording..."""
    served: str = ""
    """...and what tells one state of it from another: what was found out holds for one of them only."""
    patience: float = 0.1
    """Seconds to wait for an element..."""
    settle: float = 0.2
    """...and for what the last action leads to."""
    pace: float = 0.0
    """Seconds between two actions."""
    strict: bool = False
    """Whether a recording cannot be replayed if one of its actions cannot be done; else such an action is left out."""
    screen: str = "1024x768"
    text: str | None = None
    """The failure shows iff this text is on the page..."""
    selector: str | None = None
    """...this element is there to be seen..."""
    script: str | None = None
    """...this JavaScript is true..."""
    console: str | None = None
    """...something like this is written to the console..."""
    error: str | None = None
    """...an error like this is not caught..."""
    check: str | None = None
    """...or this command exits 0. On X11 it sees the display; of a page it is given the HTML."""

    @property
    def conditions(self) -> bool:
        """Whether the user has said what counts."""
        return any((self.text, self.selector, self.script, self.console, self.error, self.check))

    def dumps(self) -> str:
        """As one word of a command line."""
        return json.dumps(asdict(self))


def state_of(folder: Path) -> str:
    """Tells states of a folder apart: by the names, sizes and times of its files."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    seen = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return digest(repr(seen).encode()).hex()[:16]


def find_browser(wished: str | None = None) -> str:
    """The browser that is installed."""
    if find_spec("playwright") is None:
        raise UsageError("Playwright is not installed", "install it: pip install 'wynot[events]'")
    wished = wished or os.environ.get("WYNOT_BROWSER")
    if wished is not None:
        found = shutil.which(wished)
        if found is None:
            raise UsageError(f"{wished}: no such browser", "install one: apt install chromium")
        return found
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise UsageError("no browser is installed", "install one: apt install chromium (or name it: --browser PATH)")
    return found


def check_x11() -> None:
    """See that there is an X server to replay on."""
    if shutil.which("Xvfb") is None:
        raise UsageError("Xvfb is not installed", "install it: apt install xvfb")
    if find_spec("Xlib") is None:
        raise UsageError("python-xlib is not installed", "install it: pip install 'wynot[events]'")


# Replay recordings of any format.


def replayer(form: str, how: ReplaySettings, program: Sequence[str]) -> Replayer:
    """Who replays recordings of this format."""
    if form == "x11":
        from wynot.commands.recordings.x11_replay import X11Replayer  # noqa: PLC0415 - one of the two is not needed

        return X11Replayer(how, program)
    if form == "lines":
        raise UsageError("nobody here knows how to replay these actions", "give a command that does: -- ./replay {}")
    from wynot.commands.recordings.browser_replay import Browser  # noqa: PLC0415

    return Browser(how)


def replay(path: Path, how: ReplaySettings, program: Sequence[str]) -> ReplayResult:
    """Replay once."""
    recording = read_recording(path.name, path.read_bytes())
    acting = replayer(recording.format, how, program)
    try:
        return acting.replay(recording, lambda: True)
    finally:
        acting.close()
