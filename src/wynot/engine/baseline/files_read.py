"""Files that a command reads beside its input: observed, then laid beside each candidate."""

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
from wynot.core.text import pasted
from wynot.engine.baseline.repeated_runs import Observer
from wynot.engine.files.file_guard import Looks, changed_by_others, named_files
from wynot.engine.files.file_states import UserFiles
from wynot.engine.files.working_copies import SKIPPED, SYSTEM
from wynot.errors import PlaceError, TestChanged
from wynot.oracles.protocol import Examination, FileBeside, Invocation, Oracle, altered, with_commands

if TYPE_CHECKING:  # loaded where a command is run
    from wynot.oracles.typed_command import TypedCommand


# The user's own files that a test finds beside its input, as links or as copies.
#
# A program that writes to a link writes to the user's file: after each test, one `stat` for each file shows that.


def lay_beside(work: str, beside: Iterable[FileBeside]) -> None:
    """Lay them into a work folder that holds the input already."""
    for name, target, copied in beside:
        path = f"{work}/{name}"
        try:
            if "/" in name:
                _make_folders(work, name)
            if not target:
                os.makedirs(path, exist_ok=True)  # noqa: PTH103 - once a test
            elif copied:
                shutil.copy2(target, path)
            else:
                os.symlink(target, path)  # noqa: PTH211 - once a test
        except FileExistsError:
            continue  # the input itself is there
        except OSError as error:
            raise PlaceError(
                f"cannot lay {target or name} beside the input: {error.strerror}",
                "name another place: WYNOT_TMP=/some/folder wynot ...",
            ) from error


def _make_folders(work: str, name: str) -> None:
    """The folders above a file; none of them may be a link, which would lead to the user's own folder."""
    at = name.find("/")
    while at >= 0:
        folder = f"{work}/{name[:at]}"
        if os.path.islink(folder):  # noqa: PTH114 - once a test
            raise FileExistsError(folder)
        os.makedirs(folder, exist_ok=True)  # noqa: PTH103
        at = name.find("/", at + 1)


def without_overlaps(beside: Iterable[FileBeside], candidate: str) -> tuple[FileBeside, ...]:
    """At most one for each name, none below a linked folder, none in the place of the candidate or above it.

    >>> found = [FileBeside("a/b", "/x/a/b"), FileBeside("a", "/x/a"), FileBeside("c", "/c")]
    >>> [each.name for each in without_overlaps(found, "c")]
    ['a']
    """
    kept: dict[str, FileBeside] = {}
    for each in sorted(beside, key=lambda each: (each.name, not each.copied)):
        name = each.name
        above = {name[:at] for at, letter in enumerate(name) if letter == "/"}
        linked = any(folder in kept and kept[folder].target for folder in above)
        in_the_way = name == candidate or (each.target and candidate.startswith(f"{name}/"))
        if name not in kept and not linked and not in_the_way:
            kept[name] = each
    return tuple(kept.values())


class LinkTargets:
    """The files that links lead to, also those in linked folders, as they were when they were first laid.

    Caches and installed packages in folders do not count. Who changes one may be the user, in an editor: it stays as
    it is. Its content before is kept.
    """

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._files = UserFiles(())
        self._looks = Looks()

    def watch(self, beside: Iterable[FileBeside]) -> None:
        """Remember the states of those that are new."""
        new = [each.target for each in beside if each.target and not each.copied and each.target not in self._known]
        if new:
            self._known.update(new)
            self._files.add(named_files(path for path in new if os.path.basename(path) not in SKIPPED))  # noqa: PTH119

    def check(self, *, last: bool = False) -> None:
        """See that no linked file has changed. Of many files, this looks now and then only."""
        if not self._looks.due(len(self._files), last=last):
            return
        changed = changed_by_others(self._files)
        if changed:
            place = self._files.keep(changed)
            kept = f" (the content before: {place})" if place else ""
            error = TestChanged(
                f"{changed[0]} changed while the search ran{kept}: nothing that was tested after that is kept",
                f"if the command writes to it, let it write elsewhere; see: ls -l {pasted(changed[0])}",
            )
            error.since = self._looks.before
            raise error


def state_of(path: str) -> tuple[int, int] | None:
    """Size and time of the last change of a file; None for what is none, or is not there."""
    try:
        status = os.stat(path)  # noqa: PTH116 - once a test
    except OSError:
        return None
    return (status.st_size, status.st_mtime_ns) if status.st_mode & 0o170000 == 0o100000 else None


# Which of the user's files a command reads: strace shows that; without it, small files of the folder are assumed.
#
# What is read outside of the working folder and of the input's folder has the same path wherever the command runs, and
# is of no interest here.


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
