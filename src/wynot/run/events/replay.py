"""Replay recordings of any format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wynot.domains.events.choose import read_recording
from wynot.errors import UsageError
from wynot.run.events.how import How, Replayer, Seen


def replayer(form: str, how: How, program: Sequence[str]) -> Replayer:
    """Who replays recordings of this format."""
    if form == "x11":
        from wynot.run.events.x11 import Screen  # noqa: PLC0415 - one of the two is not needed

        return Screen(how, program)
    if form == "lines":
        raise UsageError("nobody here knows how to replay these actions", "give a command that does: -- ./replay {}")
    from wynot.run.events.web import Browser  # noqa: PLC0415

    return Browser(how)


def replay(path: Path, how: How, program: Sequence[str]) -> Seen:
    """Replay once."""
    recording = read_recording(path.name, path.read_bytes())
    acting = replayer(recording.format, how, program)
    try:
        return acting.replay(recording, lambda: True)
    finally:
        acting.close()
