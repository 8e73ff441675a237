"""A command as the user typed it: where that was, and what it may become in a folder of a test."""

from __future__ import annotations

from os.path import dirname, normpath, relpath
from typing import NamedTuple

from wynot.oracles.protocol import FileBeside


class PathForm(NamedTuple):
    """A way to run a command in a folder of a test."""

    argv: tuple[str, ...]
    beside: tuple[FileBeside, ...] = ()
    """What its words name there."""


class TypedCommand(NamedTuple):
    """Where the user has the input, and the command as it was typed there.

    A folder of a test represents the user's working folder, or one above that: then `within` is the path from there to
    the working folder, in which the test runs.
    """

    path: str
    """The input's path, as typed."""
    cwd: str
    """The user's working folder."""
    words: tuple[str, ...]
    """The command's words, as typed."""
    ways: tuple[PathForm, ...] = ()
    """What the command may be in a test, the best first; it begins with that one."""

    @property
    def name(self) -> str:
        """The input's own name."""
        return self.full_path.rpartition("/")[2]

    @property
    def full_path(self) -> str:
        """The input's full path."""
        return normpath(f"{self.cwd}/{self.path}") if not self.path.startswith("/") else normpath(self.path)

    def base(self, within: str = "") -> str:
        """The user's folder that a folder of a test represents; nothing for `/`.

        >>> TypedCommand("a.c", "/p/src", ()).base("src")
        '/p'
        """
        return (self.cwd.removesuffix(f"/{within}") if within else self.cwd).rstrip("/")

    def place(self, within: str = "") -> str:
        """The input's place in a folder of a test: the user's, if that is below the base, so that `../x.h` is found.

        >>> typed = TypedCommand("../inc/a.c", "/p/src", ())
        >>> typed.place(), typed.place("src")
        ('a.c', 'inc/a.c')
        """
        below = relpath(self.full_path, self.base(within) or "/")
        return self.name if below == ".." or below.startswith("../") else below

    def typed_path(self, name: str) -> str:
        """The path of a file beside the input, in the form in which the input was typed."""
        folder, slash, _ = self.path.rstrip("/").rpartition("/")
        return f"{folder}{slash}{name}"

    def levels(self, above: str) -> list[str]:
        """What `within` may be: the working folder itself, then from each folder above it, the nearest first.

        Neither `above`, the user's home, nor what holds it is among them: that is no part of a project. But if the
        input is below none of them, `/` is the last one: tests find the folders above the input as the user has them.

        >>> TypedCommand("a.c", "/home/me/p/src", ()).levels("/home/me")
        ['', 'src']
        >>> TypedCommand("/q/a.c", "/home/me/p/src", ()).levels("/home/me")
        ['', 'src', 'home/me/p/src']
        """
        found, base = [""], dirname(self.cwd)  # noqa: PTH120 - as text
        while base != "/" and not f"{above}/".startswith(f"{base}/"):
            found.append(self.cwd.removeprefix(f"{base}/"))
            base = dirname(base)  # noqa: PTH120
        if not any(self.full_path.startswith(f"{self.base(within)}/") for within in found):
            found.append(self.cwd.strip("/"))
        return found
