"""Files that a command names are not changed by tests: they are looked at before the first test and after each one.

A file that is named itself is put back. One that is only in a named folder is not: far more often than a test, the user
changes it, who goes on working in there. Its content before is kept, and the run stops.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from stat import S_ISREG

from wynot.core.text import pasted
from wynot.engine.files import file_states
from wynot.engine.files.file_states import UserFiles
from wynot.engine.files.folder_io import walk
from wynot.engine.files.output_file import written_here
from wynot.engine.files.working_copies import SKIPPED, SYSTEM, argument
from wynot.errors import UsageError

FEW, PAUSE = 100, 1.0
"""A look at a file takes a microsecond. More files than these are looked at after so many seconds, and at the end."""
MAX_PATH = 4096
WRITABLE = 0o222
REMADE = frozenset(("__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache"))
"""Folders that programs make anew where they are not there."""
MAX_FILES = 20_000
"""Files in folders that are named, which are looked at: 20,000 are read in a second."""


def named_files(words: Iterable[str]) -> list[str]:
    """The files that words of a command name, or may name, and the files in folders that they name.

    Programs and files of the system do not count, nor what is in the hole for a candidate.
    """
    return _named(words)[0]


def files_and_within(words: Iterable[str]) -> tuple[list[str], list[str]]:
    """The files that words name, and those that are only in folders that they name.

    A folder that is a part of an option is one to look for files in, as in `-I.`: it does not count.
    """
    words = list(words)
    named = [path for word in words for path in paths_in(word) if not os.path.isdir(path)]  # noqa: PTH112
    files = named_files(named)
    own = set(files)
    return files, [path for path in named_files(word for word in words if word[:1] != "-") if path not in own]


def looked_at(paths: Iterable[str]) -> tuple[list[str], list[str]]:
    """The files of these paths, and those in folders; and the folders of too many files, which are not looked at."""
    paths = list(paths)
    files, unkept = _named(paths)
    asked = set(map(os.path.realpath, paths))
    return files, [path for path in unkept if path in asked and os.path.basename(path) not in SKIPPED]  # noqa: PTH119


def exposed(words: Iterable[str], files: UserFiles) -> list[str]:
    """What a test that is given these words could destroy: it cannot be put back, and the user may write to it.

    Such are large files, folders of many files, and the folders of installed programs and of history in them.
    """
    _, large = _named(words)
    return [*large, *(path for path in files.unkept if os.stat(path).st_mode & WRITABLE)]  # noqa: PTH116


def refuse_large(paths: Iterable[str]) -> None:
    """Refuse tests on files that they may write to, and that are too large to be put back."""
    room = file_states.MOST_BYTES
    for path in paths:
        with suppress(OSError):
            state = os.stat(path)  # noqa: PTH116
            if state.st_size <= room:
                room -= state.st_size
            elif S_ISREG(state.st_mode) and state.st_mode & WRITABLE:
                raise UsageError(
                    f"{path} is too large to be put back if a test changes it",
                    f"make it read-only meanwhile: chmod a-w {pasted(path)}; or name a smaller file",
                )


def _named(words: Iterable[str]) -> tuple[list[str], list[str]]:
    """Files, and folders that are not looked at."""
    paths: dict[str, None] = {}
    links: dict[str, None] = {}
    for word in words:
        for path in paths_in(word):
            if "{}" not in path and "\0" not in path and len(path) < MAX_PATH:
                full = os.path.realpath(path)
                if os.path.islink(path):  # noqa: PTH114
                    links[os.path.abspath(path)] = None  # noqa: PTH100 - the link itself
                if not full.startswith(SYSTEM):
                    paths[full] = None
    files: dict[str, None] = dict(links)
    unkept = [place for path in paths for place in _add(path, files)]
    return list(files), unkept


def paths_in(word: str) -> list[str]:
    """What may be a path in a word: all of it, or a part of an option.

    Of an assignment, only a file: a variable may name the user's home. For the words of a script for a shell see
    engine.files.script_files.

    >>> [paths_in(word) for word in ("a.c", "--config=a.toml", "-Iinclude", "--check", "@list")]
    [['a.c'], ['a.toml'], ['include'], [], ['@list', 'list']]
    """
    if word.startswith("-"):
        path = argument(word)[1]
        return [path] if path else []
    found = [word] if word else []
    if word[:1] == "@" and word[1:]:
        found.append(word[1:])
    value = word.partition("=")[2]
    if os.path.isfile(value):  # noqa: PTH113
        found.append(value)
    return found


def guard_of(paths: Iterable[str], within: Iterable[str] = ()) -> FileGuard | None:
    """A guard for these files, and for others that are in named folders; None where there are none."""
    files = UserFiles(paths)
    others = UserFiles(within)
    return FileGuard(files, others) if len(files) + len(others) else None


class Looks:
    """When to look at files: after each test, or now and then where there are many."""

    def __init__(self) -> None:
        self._latest = time.monotonic() - PAUSE
        self.before: float | None = None
        """When the look before the latest one began, where tests may have ended since then."""

    def due(self, many: int, *, last: bool = False) -> bool:
        """Whether to look now; the last look is always due."""
        now = time.monotonic()
        if many > FEW and now < self._latest + PAUSE and not last:
            return False
        self.before, self._latest = self._latest if many > FEW else None, now
        return True


class FileGuard:
    """Looks whether the user's files are as they were."""

    def __init__(self, files: UserFiles, within: UserFiles) -> None:
        self.files, self._within = files, within
        self._looks = Looks()

    def check(self, *, last: bool = False) -> None:
        """Stop if a test has changed one; it is put back before. Of many files, this looks now and then only."""
        if not self._looks.due(len(self.files) + len(self._within), last=last):
            return
        if error := self._error():
            error.since = self._looks.before
            raise error

    def _error(self) -> UsageError | None:
        """What has changed."""
        changed = changed_by_others(self.files)
        if not changed:
            said = self._changed_within()
            return UsageError(f"{said}: the run was stopped", "to go on: the same command") if said else None
        lost = self.files.restore()
        names = _names(changed)
        if lost:
            return UsageError(
                f"{names} changed while tests ran, and {lost[0]} cannot be put back: the run was stopped",
                f"restore it, and name a copy of it that tests may change: cp {pasted(lost[0])} /tmp",
            )
        return UsageError(
            f"{names} changed while tests ran: it was put back as it was, and the run was stopped",
            f"if a test writes to it, name a copy that it may change{kept_text(self.files)}{self._own_edit()}",
        )

    def _own_edit(self) -> str:
        """What to type if it was the user who changed the file."""
        if len(self.files.saved) != 1:
            return ""
        [(path, kept)] = self.files.saved.items()
        return f"; if it was your own edit: cp {pasted(kept)} {pasted(path)}, and the same command again"

    def restored(self) -> str:
        """Put back what has changed, at the end of a run; gives what there is to report of it."""
        changed = changed_by_others(self.files)
        if not changed:
            return self._changed_within()
        lost = self.files.restore()
        how = f"{lost[0]} cannot be put back" if lost else "it was put back as it was"
        return f"{', '.join(changed[:3])} changed while tests ran: {how}{kept_text(self.files)}"

    def _changed_within(self) -> str:
        """What there is to report of files in named folders, once of each; their content before is kept."""
        changed = changed_by_others(self._within)
        if not changed:
            return ""
        place = self._within.keep(changed)
        self._within.forget(changed)
        kept = f" (the content before: {place})" if place else ""
        return f"{_names(changed)} changed while tests ran, by a test or by somebody else{kept}"


def changed_by_others(files: UserFiles) -> list[str]:
    """What has changed, and was not written by this process: a result may be in a folder that is named."""
    changed = files.changed()
    files.forget(filter(written_here, changed))
    return [path for path in changed if not written_here(path)]


def _names(changed: list[str]) -> str:
    return ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")


def kept_text(files: UserFiles) -> str:
    """Where the content is that files had before they were put back, if anywhere."""
    return f"; the changed content: {files.kept_in}" if files.kept_in else ""


def _add(path: str, files: dict[str, None]) -> list[str]:
    """Add the file, or the files in a folder; gives the folders that are left out, or this one if it has too many."""
    if not os.path.isdir(path):  # noqa: PTH112 - as text: there may be many
        files[path] = None
        return []
    left = []
    for above, folders, names in walk(path):
        left += [f"{above}/{each}" for each in folders if each in SKIPPED and each not in REMADE]
        folders[:] = [each for each in folders if each not in SKIPPED]
        files.update(dict.fromkeys(f"{above}/{name}" for name in names))
        if len(files) > MAX_FILES:
            return [path]
    return left
