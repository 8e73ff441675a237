"""The words of a command that name files, and what they are in the folder of a test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from wynot.cli.common_options import same_file
from wynot.cli.oracle_options import OUTPUTS
from wynot.engine.baseline.files_read import without_overlaps
from wynot.oracles.command import Command
from wynot.oracles.protocol import HOLE, FileBeside
from wynot.oracles.typed_command import PathForm, TypedCommand

MAX_PATH = 4096


def typed_command(command: Command, words: tuple[str, ...], path: str) -> Command:
    """The command, which has full paths for the words that name files, with what was typed.

    Words are full paths, but `.` stays: it may as well be no folder. If the command then ends otherwise than as typed,
    all words stay, and what they name is laid beside the input; or `.` is a full path, too.

    Without `{}`, a folder that holds the input stays as typed in any case: by its full path, all tests would find the
    original there.
    """
    cwd = os.getcwd()  # noqa: PTH109
    original = TypedCommand(path, cwd, words)
    by_path = any(HOLE in word for word in words)
    every = tuple(
        word if not by_path and _holds(word, original) else _hole(full, original)
        for word, full in zip(words, command.argv, strict=True)
    )
    plain = tuple(word if word == "." else full for word, full in zip(words, every, strict=True))
    ways = (PathForm(plain), _linked(original, every), PathForm(every if by_path else plain))
    return replace(command, argv=plain, original=original._replace(ways=tuple(dict.fromkeys(ways))))


def _linked(original: TypedCommand, full: tuple[str, ...]) -> PathForm:
    """Words as typed, and links to what they name.

    What cannot be laid at the same place below another working folder keeps its full path: the input itself, what
    holds it, and what is outside of the working folder.
    """
    words, cwd = original.words, original.cwd
    beside: list[FileBeside] = []
    argv = [full[0]]
    for path, (before, word) in zip(full[1:], pairwise(words), strict=True):
        names = {} if before in OUTPUTS else {text: name for text in _parts(word) if (name := _named(text, cwd))}
        fits = [FileBeside(name, f"{cwd}/{name}") for name in names.values() if _fits(name, original)]
        argv.append(path if word in names and len(fits) < len(names) else word)
        beside += fits
    return PathForm(tuple(argv), without_overlaps(beside, original.place()))


def _parts(word: str) -> Iterator[str]:
    """What may be a path in a word: all of it; of an option, what follows `=` or its letter; of `@FILE`, the file.

    >>> [list(_parts(word)) for word in ("a.c", "--config=a.toml", "-Iinclude", "@list", "-")]
    [['a.c'], ['a.toml'], ['include'], ['@list', 'list'], []]
    """
    if not word.startswith("-"):
        yield word
    if word.startswith(("-", "@")):
        name, _, value = word.partition("=")
        yield from filter(None, (value or (word[1:] if name[0] == "@" else word[2:] if name[1:2] != "-" else ""),))


def _named(text: str, cwd: str) -> str:
    """The path, relative to the working folder, of the file or folder that a text names; nothing where it is none."""
    if not text or HOLE in text or len(text) > MAX_PATH or os.path.isabs(text):  # noqa: PTH117
        return ""
    try:
        there = Path(cwd, text).exists()
    except OSError:  # too long for a name
        return ""
    name = os.path.normpath(text)
    return name if there and name != "." else ""


def _hole(word: str, original: TypedCommand) -> str:
    """`{}` for the full path of the input that was typed as `/FOLDER/{}`; other words as they are."""
    whole = os.path.isabs(word) and word.endswith(f"/{HOLE}")  # noqa: PTH117
    return HOLE if whole and os.path.normpath(word.replace(HOLE, original.path)) == original.full_path else word


def _holds(word: str, original: TypedCommand) -> bool:
    """Whether a word is the relative path of a folder that holds the input."""
    if not word or os.path.isabs(word):  # noqa: PTH117
        return False
    folder = os.path.realpath(f"{original.cwd}/{word}")
    return os.path.realpath(original.full_path).startswith(f"{folder}/")


def _fits(name: str, original: TypedCommand) -> bool:
    """Whether it can be laid at its place: it is below the working folder, and not the input or what holds it."""
    outside = name == ".." or name.startswith("../")
    holds = original.place().startswith(f"{name}/")
    return not outside and not holds and not same_file(Path(name), Path(original.path))
