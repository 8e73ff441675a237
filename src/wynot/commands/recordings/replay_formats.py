"""Replay recordings of any format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wynot.commands.recordings.replay_settings import Replayer, ReplayResult, ReplaySettings
from wynot.domains.recordings.recording_formats import read_recording
from wynot.errors import UsageError


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
