"""The file that a result goes to: whether it can be written is seen before anything is run."""

from __future__ import annotations

import stat
from pathlib import Path

from wynot.core.shell_quote import pasted
from wynot.errors import UsageError


def check_target(path: Path, other: str, inside: Path) -> None:
    """See that it can be: it is no folder and no device, and its folder is there.

    `other`: what to type where it cannot; `inside`: a file to name where it is a folder.
    """
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        mode = None
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}", other) from None
    if path.is_dir():
        raise UsageError(f"{path} is a folder", f"name a file in it: -o {pasted(inside)}")
    if mode is not None and not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
        raise UsageError(f"{path} is not a plain file", "for standard output: -o -")
    if not path.parent.is_dir():
        raise UsageError(f"{path.parent}: no such folder", f"make it: mkdir -p {pasted(path.parent)}")
