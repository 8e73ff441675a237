"""A test that is newer than the tree that it is to pass on."""

from __future__ import annotations

from collections.abc import Container, Sequence
from shlex import quote

from wynot.errors import NoFailureError


def newer(
    error: NoFailureError, command: Sequence[str], ends: tuple[Container[str], Container[str]], name: str
) -> NoFailureError:
    """What to type where the command names a file that only the new tree has; `name`: what the old one is called."""
    old, new = ends
    for word in command if str(error).startswith(f"{name} does not pass") else ():
        path = word.partition("::")[0].removeprefix("./")
        if path in new and path not in old:
            hint = f"{path} is newer than {name}: copy it out of the tree, and name the copy: cp {quote(path)} /tmp"
            return NoFailureError(str(error), hint)
    return error
