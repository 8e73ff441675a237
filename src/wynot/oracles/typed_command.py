"""A command as the user typed it, and the files that belong to it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator
from os.path import dirname, normpath, relpath
from pathlib import Path
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


# The files that make up a test: the script, the program, and the code files that their text names.
#
# Another version of one of them is another test. A module that a program imports, or a script that a wrapper calls, is
# found by its name in the text: `import helper`, `require('./helper')`, `. ./lib.sh`, `exec /home/me/check.py "$1"`.


MAX_TEXT = 1 << 16
"""Bytes; larger files are not read for names."""
MAX_FILES = 16
"""Files found by their names; a test that consists of more is watched in part."""
_WORD = re.compile(r"[\w./+@-]+")
_AS_NOW = {"effective_ids": os.access in os.supports_effective_ids}


def own_files(paths: Iterable[str]) -> tuple[str, ...]:
    """These files, and the code files that their text names, in turn, without repetition.

    Code files are those with the same suffix as the file that names them, and those with a `#!` line: a log that a
    script writes is none of them.
    """
    found = dict.fromkeys(paths)
    waiting = list(found)
    while waiting and len(found) < MAX_FILES:
        for each in _named(Path(waiting.pop(0))):
            if each not in found and len(found) < MAX_FILES:
                found[each] = None
                waiting.append(each)
    return tuple(found)


def program_of(words: tuple[str, ...], *, inside: bool = False) -> tuple[str, ...]:
    """The program of a command, and the files that its words name.

    `inside`: it runs in the folder that is tested. Words that are no full paths name files in there.
    """
    program = shutil.which(words[0]) if words and not inside else words[0] if words else None
    files = [program] if program is not None and Path(program).is_absolute() else []
    for word in words[1:]:
        path = Path(word)
        try:
            if (path.is_absolute() or not inside) and path.is_file():
                files.append(str(path.absolute()))
        except (OSError, ValueError):  # too long for a name, or none at all
            continue
    return tuple(files)


def _named(path: Path) -> Iterator[str]:
    """The code files that a text names."""
    try:
        if not path.is_file() or path.stat().st_size > MAX_TEXT:
            return
        data = path.read_bytes()
    except OSError:
        return
    if b"\0" in data:
        return
    folder, suffix = path.parent, path.suffix
    words = dict.fromkeys(_WORD.findall(data.decode("utf-8", "replace")))
    beside = _beside(folder)
    for word in words:
        for name in _names(word, suffix):
            if name.lstrip("./").split("/", 1)[0] not in beside and not name.startswith("/"):
                continue
            candidate = folder / name
            try:
                if candidate.is_file() and _is_code(candidate, suffix) and os.access(candidate, os.R_OK, **_AS_NOW):
                    yield str(candidate)
            except OSError:
                continue


def _beside(folder: Path) -> frozenset[str]:
    """The names in a folder: most words of a text need no closer look."""
    try:
        return frozenset(os.listdir(folder))  # noqa: PTH208 - names are enough
    except OSError:
        return frozenset()


def _names(word: str, suffix: str) -> Iterator[str]:
    """What a word may name: a file as it stands there, or a module without its suffix, dots for slashes."""
    yield word
    bare = word.strip(".")
    if suffix and bare:
        yield f"{word}{suffix}"
        if "." in bare and "/" not in bare:
            yield bare.replace(".", "/") + suffix


def _is_code(path: Path, suffix: str) -> bool:
    """Whether it has the suffix of the file that names it, or a `#!` line."""
    if suffix and path.suffix == suffix:
        return True
    with path.open("rb") as file:
        return file.read(2) == b"#!"
