"""Ways to lay out a folder of a test, so that a command ends there as it does where it was typed.

The words of the command stay or become full paths; files that it reads are laid at their places; and the folder of a
test represents the user's working folder or, for a file like `../inc/x.h`, one above it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wynot.engine.baseline.files_read import MAX_FILES, FileRead, files_in, without_overlaps
from wynot.oracles.protocol import HOLE, FileBeside

if TYPE_CHECKING:  # loaded where a command is run
    from wynot.oracles.command import Command
    from wynot.oracles.typed_command import TypedCommand

_COPIES = ".copies"
"""Where tests find copies of files from outside of the working folder."""


MAX_COPIED = 4 << 20
"""Bytes of all files that are copied for each test."""


class SandboxLayout(NamedTuple):
    """A way to lay out a folder of a test."""

    way: int = 0
    """Which of the ways of the words."""
    within: str = ""
    more: tuple[FileBeside, ...] = ()
    """What is laid beside that no word names."""
    relative: bool = False
    copied: frozenset[str] = frozenset()
    """The real paths of files of which tests find copies, as the command changes them."""

    def of(self, command: Command) -> Command:
        """The command, laid out so."""
        original = command.original
        if original is None or not original.ways:
            return command
        argv, named = original.ways[min(self.way, len(original.ways) - 1)]
        beside = [each._replace(name=f"{self.within}/{each.name}") if self.within else each for each in named]
        made = [FileBeside(self.within, "")] if self.within else []
        laid = without_overlaps((*made, *beside, *self.more), original.place(self.within))
        return with_copies(
            replace(command, argv=argv, beside=laid, within=self.within, relative=self.relative), self.copied
        )


def layouts(original: TypedCommand, reads: list[FileRead], copied: frozenset[str]) -> Iterator[SandboxLayout]:
    """Layouts with the files that the command reads: near ones first, the input's full path before a relative one."""
    ways = range(len(original.ways))
    found = _levels(original, reads)
    for within, files in found:
        yield from (SandboxLayout(way, within, files, copied=copied) for way in ways)
    for within, files in found:  # a program may see that it finds a link: git does
        if copies := _copies(files):
            yield from (SandboxLayout(way, within, copies, copied=copied) for way in ways)
    if os.path.isabs(original.path) or not any(HOLE in word for word in original.words):  # noqa: PTH117
        return
    for within, files in [("", ()), *found]:
        if not os.path.relpath(original.full_path, original.base(within) or "/").startswith(".."):
            yield SandboxLayout(
                min(1, len(ways) - 1), within, files, relative=True, copied=copied
            )  # the words as typed


def _levels(original: TypedCommand, reads: list[FileRead]) -> list[tuple[str, tuple[FileBeside, ...]]]:
    """The working folder and each folder above it in which more files are read; last, the one that holds it."""
    found: list[tuple[str, tuple[FileBeside, ...]]] = []
    for within in original.levels(str(Path.home())):
        files = files_in(reads, original, within)
        if len(files) > MAX_FILES:
            break
        targets = {os.path.realpath(each.target) for each in files if each.target}
        if targets - {os.path.realpath(each.target) for _, before in found for each in before}:
            found.append((within, files))
    own = os.path.basename(original.cwd)  # noqa: PTH119 - as text
    if own and all(within != own for within, _ in found):  # a program may use the name of its folder
        near = files_in(reads, original)[:MAX_FILES]
        found.append((own, tuple(each._replace(name=f"{own}/{each.name}") for each in near)))
    return found


def _copies(files: tuple[FileBeside, ...]) -> tuple[FileBeside, ...]:
    """The same files as copies; nothing where that is much, or a whole folder is among them."""
    targets = [each.target for each in files if each.target]
    if any(map(os.path.isdir, targets)) or sum(map(os.path.getsize, targets)) > MAX_COPIED:
        return ()
    return tuple(each._replace(copied=bool(each.target)) for each in files)


def with_copies(command: Command, paths: frozenset[str]) -> Command:
    """The command with copies of these files, at their own places where they are below the working folder."""
    original = command.original
    if original is None or not any(shares(command, path) for path in paths):
        return command

    def laid(each: FileBeside) -> FileBeside:
        return each._replace(copied=True) if os.path.realpath(each.target) in paths else each

    for way in original.ways:
        if any(os.path.realpath(each.target) in paths for each in way.beside):
            beside = [each._replace(name=_inside(command, each.name)) for each in way.beside]
            command = replace(command, argv=way.argv, beside=(*command.beside, *beside))
            break
    copies: dict[str, FileBeside] = {}
    argv = [command.argv[0]]
    for word in command.argv[1:]:
        head, sign, value = word.rpartition("=")
        path = os.path.realpath(value) if value.startswith("/") else ""
        if path in paths:
            name = f"{_COPIES}/{len(copies)}/{os.path.basename(path)}"  # noqa: PTH119
            copies.setdefault(path, FileBeside(name, path, copied=True))
        argv.append(f"{head}{sign}{copies[path].name}" if path in copies else word)
    outside = [each._replace(name=_inside(command, each.name)) for each in copies.values()]
    every = without_overlaps((*map(laid, command.beside), *outside), original.place(command.within))
    return replace(command, argv=tuple(argv), beside=every)


def _inside(command: Command, name: str) -> str:
    """A name relative to the working folder, relative to the folder of a test."""
    return f"{command.within}/{name}" if command.within else name


def shares(command: Command, path: str) -> bool:
    """Whether tests of a command reach this file of the user, by a word or by a link."""
    words = [word.rpartition("=")[2] for word in command.argv[1:]]
    reached = [word for word in words if word.startswith("/")]
    reached += [each.target for each in command.beside if each.target and not each.copied]
    return any(path == real or path.startswith(f"{real}/") for real in map(os.path.realpath, reached))
