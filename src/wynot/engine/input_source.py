"""Where the input comes from."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wynot.core.folder import Folder
from wynot.core.text import pasted
from wynot.domains.text.atoms import WideEncoding, encoding_of, wide
from wynot.domains.text.protected import MarkError, free_regions
from wynot.engine.files.folder_io import read_folder
from wynot.errors import UsageError

if TYPE_CHECKING:
    from wynot.engine.run_options import Options


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
    return Input(read_file(path), name or path.name, str(path))


def read_file(path: Path) -> bytes:
    """Read a file that a user names; where it cannot be read, that is told with what to look at."""
    try:
        if _endless(path):
            raise UsageError(
                f"{path} is a device: it may have no end", f"give a file: head -c 1M {pasted(path)} > FILE"
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file", f"check the path: ls -l {pasted(path.parent)}") from None
    except IsADirectoryError:
        raise UsageError(f"{path} is a folder; give a file", f"see what is in it: ls {pasted(path)}") from None
    except OSError as error:
        raise UsageError(
            f"cannot read {path}: {error.strerror}", f"check the permissions: ls -l {pasted(path)}"
        ) from None


def _endless(path: Path) -> bool:
    """Whether it may give data for ever, until there is no memory left: /dev/zero, a terminal; not /dev/null."""
    mode = path.stat().st_mode
    return stat.S_ISBLK(mode) or (stat.S_ISCHR(mode) and not path.samefile(os.devnull))


class InputFolder(NamedTuple):
    """A folder to reduce: what is in it, its name, where it is and what to call it when speaking of it."""

    data: Folder
    name: str
    path: Path
    shown: str


def read_given(source: Source | InputFolder, name: str | None = None) -> Input | InputFolder:
    """Read a file or a folder, once."""
    if isinstance(source, InputFolder):
        return source
    if not isinstance(source, str | Path) or not os.path.isdir(source):  # noqa: PTH112 - this one never raises
        return read_input(source, name)
    own = os.path.basename(os.path.abspath(source))  # noqa: PTH100, PTH119 - the name of "." and of "folder/.."
    return InputFolder(read_folder(Path(source)), name or own or "root", Path(source), str(source))


def protected_in(given: InputFolder) -> frozenset[str]:
    """The texts that have protected regions: they stay."""
    texts = ((path, data) for path, data in given.data.files.items() if encoding_of(data) is not None)
    return frozenset(path for path, data in texts if check_marks(data, f" in {given.path / path}"))


def check_marks(data: bytes, where: str = "") -> bool:
    """See that protected regions are marked well; gives whether there are some."""
    try:
        return free_regions(data) is not None
    except MarkError as error:
        raise UsageError(f"protected regions{where}: {error}", "fix the DDBEGIN and DDEND lines") from None


def searched_as_utf8(data: bytes, options: Options) -> WideEncoding | None:
    """The encoding of a file that UTF-8 stands for in the search; None if it is none, or places in the file count."""
    by_places = options.causes > 1 or options.delimiters or options.grammar is not None or options.atoms == "bytes"
    found = None if by_places else wide(data)
    return found if found is not None and found.narrowed(data) else None
