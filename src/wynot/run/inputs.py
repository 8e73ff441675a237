"""Inputs, read once, and what to call them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from wynot.domains.protected import MarkError, free_regions
from wynot.errors import UsageError


class Input(NamedTuple):
    """An input: its content, its name, and what to call it when speaking of it."""

    data: bytes
    name: str
    shown: str


Source = Path | str | bytes | Input


def read_input(source: Source, name: str | None = None) -> Input:
    """Read an input, once."""
    if isinstance(source, Input):
        return source
    if isinstance(source, bytes):
        return Input(source, name or "input", name or "the input")
    path = Path(source)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file", "check the path: ls -l " + str(path.parent)) from None
    except IsADirectoryError:
        raise UsageError(f"{path} is a folder; give a file", f"see what is in it: ls {path}") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", f"see who may: ls -l {path}") from None
    return Input(data, name or path.name, str(path))


def check_marks(data: bytes) -> None:
    """See that protected regions are marked well."""
    try:
        free_regions(data)
    except MarkError as error:
        raise UsageError(f"protected regions: {error}", "mend the DDBEGIN and DDEND lines") from None
