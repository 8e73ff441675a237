"""Which of the user's files a command reads: strace shows that; without it, small files of the folder are assumed.

What is read outside of the working folder and of the input's folder has the same path wherever the command runs, and
is of no interest here.
"""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wynot.core.artifact import Artifact
from wynot.engine.baseline.repeated_runs import Observer
from wynot.engine.files.working_copies import SKIPPED, SYSTEM
from wynot.oracles.protocol import Examination, FileBeside, Invocation, Oracle
from wynot.oracles.wrapper import altered, with_commands

if TYPE_CHECKING:  # loaded where a command is run
    from wynot.oracles.typed_command import TypedCommand

MAX_FILES = 1000
"""Files that are laid beside each candidate, at most: laying one takes some 10 microseconds in each test."""
MAX_GUESSED = 200
"""Files that are laid without having been seen to be read, at most."""
MAX_FILES_OF_A_FOLDER = 16
"""If more files of a folder are read, the folder is laid as a whole, by one link."""
MAX_SMALL = 1 << 20
"""Bytes of a file that is laid without having been seen to be read."""
_OPTIONS = ("-A", "-f", "-y", "-qq", "-s", "4096", "-e", "signal=none", "-e", "trace=%file")
_CALL = re.compile(
    r'(?P<call>\w+)\((?:(?:AT_FDCWD|\d+)(?:<(?P<at>[^>]*)>)?, )?"(?P<path>(?:[^"\\]|\\.)*)"(?P<rest>.*)\) += \d+'
)
_UNFINISHED = " <unfinished ...>"
_RESUMED = re.compile(r"<\.\.\. \w+ resumed>(.*)")
_WRITING = re.compile(r"O_(?:WRONLY|RDWR|CREAT|TRUNC)")
_MAKING = re.compile(r"O_TRUNC|O_CREAT\|O_EXCL|O_EXCL\|O_CREAT")
_OPENING = frozenset({"open", "openat", "openat2", "execve", "execveat"})
_RENAMING = frozenset({"rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat"})
_CHANGING = frozenset({"rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir", "mkdirat", "truncate"})
_SECOND = re.compile(r'^, (?:(?:AT_FDCWD|\d+)(?:<(?P<at>[^>]*)>)?, )?"(?P<path>(?:[^"\\]|\\.)*)"')


class StraceRun:
    """Runs what an oracle runs under strace, which writes to a log."""

    def __init__(self, oracle: Oracle, strace: str, log: str) -> None:
        self._oracle = with_commands(oracle, lambda command: replace(command, debugger=None))
        self._words = (strace, *_OPTIONS, "-o", log, "--")

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Observe."""
        return (yield from altered(Observer(self._oracle).examine(artifact, folder), self._traced))

    def _traced(self, invocation: Invocation) -> Invocation:
        return replace(invocation, argv=(*self._words, *invocation.argv))


def find_strace() -> str | None:
    """Its path, where it is installed."""
    return shutil.which("strace")


class FileRead(NamedTuple):
    """A file or a folder that a command has used, or has looked for and found."""

    path: str
    written: bool = False


class FilesRead(NamedTuple):
    """What the run of a command has used."""

    used: list[FileRead]
    """Files and folders that it has used, or has looked for and found, each once for each way in which it is..."""
    made: frozenset[str]
    """...but not those that it has made before it read them: what they hold comes from this run."""


def reads_in(log: Iterable[str], original: TypedCommand) -> FilesRead:
    """What a log shows to be used."""
    found: dict[FileRead, None] = {}
    opened: set[str] = set()
    made: set[str] = set()
    for call, at, path, rest in _calls(log):
        full = _full(at, path, original)
        found[FileRead(full, call in _CHANGING or bool(_WRITING.search(rest)))] = None
        second = _SECOND.match(rest) if call in _RENAMING else None
        if second is not None:
            full = _full(_plain(second["at"] or ""), _plain(second["path"]), original)
        if full not in opened and (second is not None or call == "creat" or _MAKING.search(rest)):
            made.add(full)
        elif call in _OPENING and full not in made:
            opened.add(full)
    return FilesRead([read for read in found if read.path not in made], frozenset(made))


def _full(at: str, path: str, original: TypedCommand) -> str:
    return os.path.normpath(os.path.join(at or original.cwd, path))  # noqa: PTH118


def files_in(reads: Iterable[FileRead], original: TypedCommand, within: str = "") -> tuple[FileBeside, ...]:
    """The files of the user's folders that are read, each where a test finds it."""
    laid: dict[str, FileBeside] = {}
    written: set[str] = set()
    folders = _folders(original, within)
    for path, changed in reads:
        name = _name(path, original, folders)
        if not name or (not folders[0] and path.startswith(SYSTEM)):
            continue
        target = _target(name, folders)
        if changed:
            written.add(name)
        if os.path.isdir(target):  # noqa: PTH112
            laid.setdefault(name, FileBeside(name, ""))
        elif os.path.isfile(target):  # noqa: PTH113
            laid[name] = FileBeside(name, target)
    working = f"{within}/." if within else "."
    return _folded(laid, written, {*written, original.place(within), working})


def _calls(log: Iterable[str]) -> Iterable[tuple[str, str, str, str]]:
    """The calls that succeeded: their names, the folder that a path starts in, the path, and all that follows it."""
    begun: dict[str, str] = {}
    for line in log:
        process, _, said = line.rstrip("\n").partition(" ")
        said = said.lstrip()
        if said.endswith(_UNFINISHED):
            begun[process] = said.removesuffix(_UNFINISHED)
            continue
        resumed = _RESUMED.match(said)
        if resumed:
            said = begun.pop(process, "") + resumed[1]
        found = _CALL.match(said)
        if found:
            yield found["call"], _plain(found["at"] or ""), _plain(found["path"]), found["rest"]


def _plain(text: str) -> str:
    """A path as strace prints it, without the escapes."""
    if "\\" not in text:
        return text
    return os.fsdecode(text.encode("latin-1", "replace").decode("unicode_escape").encode("latin-1", "replace"))


def _name(path: str, original: TypedCommand, folders: Iterable[str]) -> str:
    """Where a file is laid: as it lies below the first of these folders that holds it; nothing where none does.

    The input itself is laid anyway.
    """
    if path in {original.full_path, os.path.realpath(original.full_path)}:
        return ""
    for folder in folders:
        if path.startswith(f"{folder}/"):
            return path[len(folder) + 1 :]
    return ""


def _folders(original: TypedCommand, within: str = "") -> tuple[str, ...]:
    """The user's folders that a folder of a test represents: the base; and the input's, if that is elsewhere."""
    base, own = original.base(within), os.path.dirname(original.full_path)  # noqa: PTH120
    return tuple(dict.fromkeys((base, os.path.realpath(base or "/"), own, os.path.realpath(own))))


def _target(name: str, folders: Iterable[str]) -> str:
    """The file that a name means; one in the working folder comes first."""
    paths = [f"{folder}/{name}" for folder in folders]
    return next(filter(os.path.exists, paths), paths[0])


def _folded(laid: dict[str, FileBeside], written: set[str], kept: set[str]) -> tuple[FileBeside, ...]:
    """With files that are also written as copies, and with one link for a folder of which many files are read.

    Folders that hold what is `kept` stay folders: tests lay the input there, or write.
    """
    counts = Counter(above for name in laid for above in _above(name))
    stay = {above for name in kept for above in _above(name)}
    folded: dict[str, FileBeside] = {}
    for name, each in laid.items():
        many = (above for above in _above(name) if counts[above] > MAX_FILES_OF_A_FOLDER and above not in stay)
        folder = next(many, "")
        if folder and each.target:
            folded[folder] = FileBeside(folder, each.target[: -len(name)] + folder)
        elif not folder:
            folded[name] = each._replace(copied=name in written and bool(each.target))
    return tuple(folded.values())


def _above(name: str) -> Iterator[str]:
    """The folders that a relative path leads through, from the top.

    >>> list(_above("a/b/c.h"))
    ['a', 'a/b']
    """
    return (name[:at] for at, letter in enumerate(name) if letter == "/")


def small_files(original: TypedCommand) -> list[FileRead]:
    """The small files of the input's folder and of the working folder, then of the folders below them, level by level.

    As many levels as hold few files; none where there are many in the first one.
    """
    found: list[FileRead] = []
    folders = list(_folders(original))
    while folders:
        entries = [entry for folder in folders for entry in sorted(os.scandir(folder), key=lambda entry: entry.name)]
        small = [FileRead(each.path) for each in entries if each.is_file() and each.stat().st_size <= MAX_SMALL]
        if len(found) + len(small) > MAX_GUESSED or len(entries) > MAX_FILES:
            break
        found += small
        folders = [each.path for each in entries if _is_inner(each)]
    return found


def _is_inner(entry: os.DirEntry[str]) -> bool:
    """Whether a program may look into a folder below the one that it runs in."""
    hidden = entry.name in SKIPPED or entry.name.startswith(".")
    return not hidden and entry.is_dir(follow_symlinks=False) and os.access(entry.path, os.R_OK | os.X_OK)


def read_log(path: str) -> list[str]:
    """The lines of a log; none where strace could not work."""
    try:
        return Path(path).read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
