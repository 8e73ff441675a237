"""A file that stands where a result will be written. If wynot did not write it, its content is kept elsewhere."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from wynot.core.run_events import Listener, Note
from wynot.engine.files.file_states import keep_content
from wynot.engine.files.output_file import PRIVATE, write_whole
from wynot.engine.journal import runs_folder
from wynot.errors import PlaceError


def keep_if_not_ours(paths: Iterable[Path], listener: Listener) -> None:
    """Keep the content of files that a result will overwrite, unless wynot has written them."""
    for path in paths:
        try:
            data = path.read_bytes() if path.is_file() else b""
        except OSError:
            continue
        if data and _recorded(path) != _digest(data):
            kept = keep_content(os.fspath(path), data)
            listener(Note(f"{path} exists: a copy is kept in {kept}"))


def note_ours(path: Path) -> None:
    """Note that what stands there now is a result: the next one may replace it."""
    with contextlib.suppress(OSError, PlaceError):
        if path.is_file():
            write_whole(_record(path), _digest(path.read_bytes()).encode(), PRIVATE)


def _recorded(path: Path) -> str:
    try:
        return _record(path).read_text()
    except OSError:
        return ""


def _record(path: Path) -> Path:
    name = blake2b(os.fsencode(path.absolute()), digest_size=8).hexdigest()
    return runs_folder().parent / "outputs" / f"{name}.digest"


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()
