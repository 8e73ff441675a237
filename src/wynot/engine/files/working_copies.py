"""Copies of the files that a call names, for tests to work on: a program may write to them.

A file in the user's working folder is laid at the same place below the folder of a test, so that the word that names it
stays as it is. Another one is laid in a folder of its own, and its word leads there. What belongs to the system, and
what is too large, is not copied.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wynot.core.call import HERE
from wynot.core.folder import Entry, EntryKind, Folder
from wynot.engine.files.folder_io import walk

MAX_BYTES = 128 << 20
MAX_FILES = 10_000
"""More is not copied: each test lays all of it out."""
OUTPUTS = frozenset(("-o", "--output", "--out", "--outfile", "-out", "--output-file"))
"""Options whose argument is a file that the command writes."""
OUTSIDE = ".outside"
"""The folder of a test that holds copies of what is not in the user's working folder."""
SKIPPED = frozenset(
    (
        ".git", ".hg", ".svn", ".venv", "venv", "node_modules", ".tox", ".nox", "__pycache__", ".pytest_cache",
        ".mypy_cache", ".ruff_cache",
    )
)  # fmt: skip
"""Folders that are not copied with the folder they are in: caches, installed programs, history."""
_FOLDERS = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/dev", "/proc", "/sys", "/run", "/nix", "/opt",
    sys.prefix, sys.base_prefix,
)  # fmt: skip
SYSTEM = tuple(f"{folder}/" for folder in _FOLDERS)
"""Where programs and their files are: no test is expected to change them."""
_PERMISSIONS = 0o777


@dataclass(frozen=True, slots=True)
class WorkingCopies:
    """What a test finds in its folder, and the words of the call that are others there."""

    folder: Folder
    words: tuple[tuple[str, str], ...] = ()
    """Words with full paths, and what tests say instead; HERE is the folder of the test."""
    large: tuple[str, ...] = ()
    """What is named and was too large to be copied."""


@dataclass(slots=True)
class _Copying:
    cwd: str
    skipped: frozenset[str]
    entries: dict[str, Entry | bytes] = field(default_factory=dict)
    large: list[str] = field(default_factory=list)
    outside: dict[str, str] = field(default_factory=dict)
    bytes: int = 0

    def place(self, path: str) -> str | None:
        """Where a path is laid, relative to the folder of a test; None where it is not."""
        full = os.path.realpath(path)
        below = _below(full, self.cwd) or _below(os.path.abspath(path), self.cwd)
        if below is None:
            if f"{full}/".startswith(SYSTEM) or full == "/":
                return None
            name = self.outside.setdefault(full, f"{OUTSIDE}/{len(self.outside)}/{os.path.basename(full)}")
        else:
            name = below
        return name if name in self.entries or self._copied(full, name) else None

    def output(self, path: str) -> str | None:
        """Where a file is written that is not there yet and would not be in the folder of a test; None for others."""
        full = os.path.abspath(path)
        inside = not os.path.isabs(path) and _below(full, self.cwd)
        if inside or not path or os.path.exists(full) or not os.path.isdir(os.path.dirname(full)):
            return None
        name = self.outside.setdefault(full, f"{OUTSIDE}/{len(self.outside)}/{os.path.basename(full)}")
        self.entries.setdefault(os.path.dirname(name), Entry(EntryKind.FOLDER, mode=0o755))
        return name

    def _copied(self, full: str, name: str) -> bool:
        """Copy a file or a folder; gives whether it is there now."""
        if full in self.large:
            return False
        found: dict[str, Entry | bytes] = {}
        room = MAX_BYTES - self.bytes
        for path, place in _walk(full, name, self.skipped):
            entry = _entry(path, full)
            if entry is None:
                continue
            found[place] = entry
            room -= len(entry.data)
            if room < 0 or len(self.entries) + len(found) > MAX_FILES:
                self.large.append(full)
                return False
        found.pop("", None)
        self.bytes = MAX_BYTES - room
        self.entries.update(found)
        return True


def copies_of(
    words: Sequence[str], shown: Sequence[str], cwd: str, *, whole: bool, skipped: frozenset[str] = SKIPPED
) -> WorkingCopies | None:
    """Copies of what the words name, or of the `whole` working folder, too; None: that is too large.

    `shown` are the same words with full paths.
    """
    copying = _Copying(os.path.realpath(cwd), skipped)
    if whole and not copying._copied(copying.cwd, ""):  # noqa: SLF001 - its own module
        return None
    instead: dict[str, str] = {}
    for at, (word, full) in enumerate(zip(words, shown, strict=True)):
        head, path = ("", word) if not word.startswith("-") else argument(word)
        if (head.rstrip("=") or words[at - 1]) in OUTPUTS and copying.output(path):
            instead[full] = f"{head}{HERE}/{copying.output(path)}"
            continue
        if not path or (at == 0 and not _own_script(path)) or not os.path.exists(path):
            continue
        place = copying.place(path)
        if place is None:
            continue
        relative = not os.path.isabs(path) and not place.startswith(f"{OUTSIDE}/") and at > 0
        run = word if relative else f"{head}{HERE}/{place}" if place else f"{head}{HERE}"
        if run != full:
            instead[full] = run
    return WorkingCopies(Folder.of(copying.entries), tuple(instead.items()), tuple(copying.large))


def argument(word: str) -> tuple[str, str]:
    """The part of an option that may be a path, and what comes before it.

    >>> [argument(word) for word in ("--config=a.toml", "-Iinclude", "--check", "-x")]
    [('--config=', 'a.toml'), ('-I', 'include'), ('', ''), ('', '')]
    """
    name, sign, value = word.partition("=")
    if sign:
        return f"{name}=", value
    return (word[:2], word[2:]) if word[1:2] != "-" and len(word) > 2 else ("", "")


def _own_script(path: str) -> bool:
    """Whether a program is a script named by a path: it may write beside itself."""
    try:
        with open(path, "rb") as file:
            return "/" in path and file.read(2) == b"#!"
    except OSError:
        return False


def _below(path: str, folder: str) -> str | None:
    """A path relative to a folder that it is in; nothing for the folder itself."""
    if path == folder:
        return ""
    return path.removeprefix(f"{folder}/") if path.startswith(f"{folder}/") else None


def _walk(full: str, name: str, skipped: frozenset[str]) -> Iterator[tuple[str, str]]:
    """A file, or all that is in a folder, with the places where it is laid."""
    yield full, name
    if not os.path.isdir(full):
        return
    for above, folders, files in walk(full):
        folders[:] = sorted(each for each in folders if each not in skipped)
        for each in (*folders, *sorted(files)):
            path = f"{above}/{each}"
            below = path.removeprefix(f"{full}/")
            yield path, f"{name}/{below}" if name else below


def _entry(path: str, root: str) -> Entry | None:
    """A copy of one entry; None for what cannot be copied. A link out of the root becomes what it leads to."""
    try:
        state = os.lstat(path)
        if stat.S_ISLNK(state.st_mode):
            target = os.readlink(path)
            if not os.path.isabs(target) and _below(os.path.realpath(path), root) is not None:
                return Entry(EntryKind.LINK, os.fsencode(target), _PERMISSIONS)
            state = os.stat(path)
        mode = stat.S_IMODE(state.st_mode) & _PERMISSIONS
        if stat.S_ISREG(state.st_mode):
            if state.st_size > MAX_BYTES:
                return Entry(EntryKind.FILE, bytes(MAX_BYTES + 1), mode)
            return Entry(EntryKind.FILE, Path(path).read_bytes(), mode)
        return Entry(EntryKind.FOLDER, mode=mode | stat.S_IRWXU) if stat.S_ISDIR(state.st_mode) else None
    except OSError:
        return None
