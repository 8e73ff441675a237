"""A test that is newer than the tree that it is to pass on."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from pathlib import Path
from shlex import quote

from wynot.errors import NoFailureError

_SCRIPT = re.compile(r"[\w./-]{0,200}\w\.[a-z]{1,4}")
"""The name of a file, by its looks."""


def newer(
    error: NoFailureError, command: Sequence[str], ends: tuple[Container[str], Container[str]], name: str
) -> NoFailureError:
    """What to type where the command names a file that only the new tree has; `name`: what the old one is called."""
    old, new = ends
    for word in command if error.reason == "old fails" else ():
        path = word.partition("::")[0].removeprefix("./")
        if path in new and path not in old:
            hint = f"{path} is newer than {name}: copy it out of the tree, and name the copy: cp {quote(path)} /tmp"
            return NoFailureError(str(error), hint, error.evidence, error.reason)
        if _SCRIPT.fullmatch(path) and path not in old and path not in new and not Path(path).exists():
            hint = f"neither tree has {path}: is that its name? If it is not needed: {error.hint}"
            return NoFailureError(str(error), hint, error.evidence, error.reason)
    return error


def in_a_copy(error: NoFailureError, end: str, revision: str) -> NoFailureError:
    """What to type where the one that is to fail is no folder; `end`: what it is called on the command line."""
    if error.reason != "not shown":
        return error
    copy = f"git worktree add --detach ../try {quote(revision)}"
    return NoFailureError(
        str(error),
        f"{end} is to be the one that fails; try it by hand, in a copy: {copy}",
        error.evidence,
        error.reason,
    )
