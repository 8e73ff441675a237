"""Which commands a fork server can stand in for."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import PurePath
from typing import NamedTuple

from wynot.oracles.protocol import HOLE

_PYTHON = re.compile(r"python(3(\.\d+)?)?")
_FIRST_LINE = re.compile(r"#!\s*(/\S*/python(?:3(?:\.\d+)?)?)((?: -[bBdEIOPsSu]+)?)")
_FLAGS = re.compile(r"-[bBdEIOPsSu]+")


class ForkableProgram(NamedTuple):
    """A Python program: what runs it, a script or a module, and where its own words begin."""

    python: tuple[str, ...]
    """The interpreter, with its options."""
    kind: str
    name: str
    words: tuple[str, ...]
    """The command, up to where what the program itself is given begins."""

    @property
    def first(self) -> int:
        """The place of the first word that the program itself is given."""
        return len(self.words)


def python_program(argv: tuple[str, ...]) -> ForkableProgram | str:
    """The Python program that a command runs; or why there is none that could be kept ready.

    >>> python_program(("python3", "-O", "/a/prog.py", "{}", "-v"))
    ForkableProgram(python=('python3', '-O'), kind='script', name='/a/prog.py', words=('python3', '-O', '/a/prog.py'))
    >>> python_program(("python3", "-m", "json.tool", "{}")).name
    'json.tool'
    >>> python_program(("python3", "{}"))
    'the program itself is what is tested'
    """
    if not _PYTHON.fullmatch(PurePath(argv[0]).name):
        return _script(argv[0])
    at = 1
    while at < len(argv) and (_FLAGS.fullmatch(argv[at]) or argv[at] in {"-X", "-W"}):
        at += 2 if argv[at] in {"-X", "-W"} else 1
    if at >= len(argv):
        return "it names no program"
    if HOLE in argv[at] or (argv[at] == "-m" and at + 1 < len(argv) and HOLE in argv[at + 1]):
        return "the program itself is what is tested"
    if argv[at] == "-m" and at + 1 < len(argv):
        return ForkableProgram(argv[:at], "module", argv[at + 1], argv[: at + 2])
    if argv[at].startswith("-"):
        return f"its option {argv[at]} is not known here"
    return ForkableProgram(argv[:at], "script", argv[at], argv[: at + 1])


def _script(word: str) -> ForkableProgram | str:
    """A program whose first line names a Python."""
    found = shutil.which(word)
    try:
        with open(found or word, "rb") as file:  # noqa: PTH123
            first = file.readline(1000)
    except OSError:
        first = b""
    named = _FIRST_LINE.fullmatch(os.fsdecode(first).rstrip())
    if named is None or found is None:
        return f"{word} is not python"
    return ForkableProgram((named[1], *named[2].split()), "script", found, (word,))
