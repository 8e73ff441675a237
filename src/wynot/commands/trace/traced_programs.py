"""What kind of program is traced, and how it is recorded and replayed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wynot.core.shell_quote import pasted
from wynot.errors import UsageError

HOME = Path(__file__).parent
_PYTHON = re.compile(r"(?:python|pypy)[0-9.]*")
_WITH_VALUE = frozenset({"-W", "-X", "--check-hash-based-pycs"})
_PYTEST = ("--assert=plain", "-p", "no:cacheprovider")
"""Assertions as they are written, and nothing left in the folder."""
REPEATABLE = ("env", "PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1")


@dataclass(frozen=True, slots=True)
class TracedProgram:
    """A program to be traced."""

    kind: str
    """python, perl or native."""
    start: tuple[str, ...]
    """What begins a recording or a replay; the path of the options follows."""
    words: tuple[str, ...]
    """The program and its arguments, for those."""
    typed: tuple[str, ...]
    """What the user typed, with full paths."""


def program_of(words: tuple[str, ...]) -> TracedProgram:
    """The kind of a program, by its name, by its first line, by its first bytes."""
    path = shutil.which(words[0]) or words[0]
    name = Path(path).name
    if _PYTHON.fullmatch(name):
        return _python((path,), words[1:], words)
    if name.startswith("perl"):
        return _perl((path,), words[1:], words)
    try:
        with Path(path).open("rb") as file:
            first = file.readline(256)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", f"see who may: ls -l {pasted(path)}") from None
    if first.startswith(b"\x7fELF"):
        return _native((path, *words[1:]), words)
    if first.startswith(b"#!"):
        return _script(path, os.fsdecode(first[2:]).split(), words)
    raise UsageError(
        f"{words[0]} is neither a Python program, nor a Perl program, nor a native one",
        "give the program itself: wynot trace -- python prog.py ARGS",
    )


def _script(path: str, interpreter: list[str], words: tuple[str, ...]) -> TracedProgram:
    """A script with an interpreter in its first line."""
    if interpreter and Path(interpreter[0]).name == "env":
        interpreter = [word for word in interpreter[1:] if word != "-S"]
    found = shutil.which(interpreter[0]) if interpreter else None
    if found and _PYTHON.fullmatch(Path(found).name):
        return _python((found, *interpreter[1:]), (path, *words[1:]), words)
    if found and Path(found).name.startswith("perl"):
        return _perl((found, *interpreter[1:]), (path, *words[1:]), words)
    raise UsageError(
        f"{words[0]} is run by {' '.join(interpreter)}: that cannot be traced",
        "trace the Python, Perl or native program that it runs: wynot trace -- python prog.py ARGS",
    )


def _options(words: Sequence[str], with_value: frozenset[str], last: str) -> int:
    """How many words belong to the interpreter."""
    place = 0
    while place < len(words) and words[place].startswith("-") and words[place][:2] not in last.split():
        place += 2 if words[place] in with_value else 1
    return place


def _python(interpreter: tuple[str, ...], rest: tuple[str, ...], typed: tuple[str, ...]) -> TracedProgram:
    count = _options(rest, _WITH_VALUE, "-m -c -")
    flags, words = rest[:count], rest[count:]
    if len(words) < (2 if words[:1] in (("-m",), ("-c",)) else 1):
        raise UsageError("which Python program is to be traced?", "for example: wynot trace -- python prog.py ARGS")
    if not words[0].startswith("-") and not Path(words[0]).is_file():
        raise UsageError(f"{words[0]}: no such file", f"check the path: ls -l {pasted(Path(words[0]).parent)}")
    interpreter = (_itself(interpreter[0]), *interpreter[1:])
    if words[:2] == ("-m", "pytest"):
        words = (*words[:2], *_PYTEST, *words[2:])
    return TracedProgram(
        "python", (*REPEATABLE, *interpreter, *flags, str(HOME / "python" / "python_start.py")), words, typed
    )


def _itself(interpreter: str) -> str:
    """The interpreter that a name stands for: it may be a script that looks for one, each time."""
    asked = (interpreter, "-S", "-c", "import sys; print(sys.executable)")
    try:
        said = subprocess.run(asked, capture_output=True, check=True, timeout=60, text=True).stdout.strip()
    except (OSError, subprocess.SubprocessError) as error:
        raise UsageError(f"cannot run {interpreter}: {error}", f"try it by hand: {interpreter} --version") from None
    return said or interpreter


def _perl(interpreter: tuple[str, ...], rest: tuple[str, ...], typed: tuple[str, ...]) -> TracedProgram:
    count = _options(rest, frozenset({"-I", "-M"}), "-e -E")
    if len(rest) == count or rest[count].startswith("-"):
        raise UsageError("which Perl program is to be traced?", "for example: wynot trace -- perl prog.pl ARGS")
    if not Path(rest[count]).is_file():
        raise UsageError(f"{rest[count]}: no such file", f"check the path: ls -l {pasted(Path(rest[count]).parent)}")
    with Path(rest[count]).open("rb") as file:
        first = os.fsdecode(file.readline(256))
    flags = tuple(first.split()[1:]) if first.startswith("#!") and "perl" in first.split()[0] else ()
    start = ("env", "PERL_HASH_SEED=0", "PERL_PERTURB_KEYS=0", *interpreter, *flags, *rest[:count])
    return TracedProgram("perl", start, rest[count:], typed)


def _native(words: tuple[str, ...], typed: tuple[str, ...]) -> TracedProgram:
    debugger = shutil.which("gdb")
    if debugger is None:
        raise UsageError("native programs are traced by gdb, which is not installed", "install it: apt install gdb")
    start = (debugger, "--batch", "-nx", "-q", "-x", str(HOME / "native" / "gdb_start.py"))
    return TracedProgram("native", start, words, typed)
