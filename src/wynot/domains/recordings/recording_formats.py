"""Which format a recording has: by what is in it."""

from __future__ import annotations

from wynot.domains.recordings.devtools import read_devtools
from wynot.domains.recordings.json_lines import read_lines
from wynot.domains.recordings.playwright_script import read_script
from wynot.domains.recordings.recorded_steps import Recording, RecordingError


def read_recording(name: str, data: bytes) -> Recording:
    """A recording by its name and content."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise RecordingError("it is no text") from None
    if name.endswith(".py"):
        return read_script(text)
    if text.lstrip().startswith("{") and not name.endswith((".jsonl", ".ndjson")) and _whole(text):
        return read_devtools(text)
    return read_lines(text)


def _whole(text: str) -> bool:
    """Whether it looks like one JSON document, not like one a line."""
    first = text.strip().partition("\n")[0].rstrip()
    return not (first.endswith("}") and "\n" in text.strip())
