"""The files that a test opens: what a program imports, sources, loads or reads is seen when it does so.

Linux reports which files of a folder are opened, by whichever process (inotify). The folders are those of the test's
own files, the working folder, those below them, those in which variables such as PYTHONPATH let programs look, and
those of the packages that are installed with the programs. On other systems nothing is seen.
"""

from __future__ import annotations

import ctypes
import os
import re
import struct
import sys
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from glob import escape, glob
from pathlib import Path

from wynot.engine.files.working_copies import SKIPPED, SYSTEM
from wynot.engine.journal import runs_folder
from wynot.oracles.typed_command import MAX_TEXT

MAX_FOLDERS = 1000
"""Folders that are watched: more than these take longer than the test of a small program."""
MANIFEST = "package.json"
"""Node reads it in the folder of each package, and it holds the version: files deep in a package may not be watched."""
INSTALLED = ("lib/python*/site-packages", "lib/python*/dist-packages", "lib/node_modules")
"""Where the packages are that are installed with a program: beside its folder `bin`."""
CODE = frozenset(
    (
        ".bash", ".class", ".cjs", ".dll", ".dylib", ".jar", ".js", ".jsx", ".lua", ".mjs", ".php", ".pl", ".pm", ".py",
        ".rb", ".sh", ".so", ".tcl", ".ts", ".tsx",
    )
)  # fmt: skip
"""Files with these suffixes are code, and so are those with a `#!` line, and what the system loads (ELF)."""
_SKIPPED = SKIPPED | {".cache"}
_FULL_PATH = re.compile(r"(?<![\w./~-])~?/[\w.+@%~-]+(?:/+[\w.+@%~-]+)*")
_MEMORY = "/dev/shm"  # noqa: S108 - as in engine.executors.sandbox
_NO_CODE = (".dist-info", ".egg-info")
_PACKAGES = frozenset(("PATH", "PYTHONPATH", "NODE_PATH", "PERL5LIB", "RUBYLIB", "CLASSPATH", "LD_LIBRARY_PATH"))
_OPEN, _WRITTEN = 0x20, 0x2 | 0x8 | 0x80 | 0x100
"""IN_OPEN; IN_MODIFY, IN_CLOSE_WRITE, IN_MOVED_TO, IN_CREATE."""
_FOLDER, _NOT_BLOCKING, _NOT_INHERITED = 0x40000000, os.O_NONBLOCK, getattr(os, "O_CLOEXEC", 0)
_EVENT = struct.Struct("iIII")
_BUFFER = 1 << 16


class OpenedFiles:
    """Watches folders from now on."""

    def __init__(self, own: Iterable[str], texts: Iterable[str] = ()) -> None:
        own = list(own)
        self._suffixes = {Path(path).suffix for path in own} - {""} | CODE
        self._opened: dict[str, int] = {}
        """At how many looks each file was seen to have been opened."""
        self._kinds: dict[str, bool] = {}
        self._folders: dict[int, str] = {}
        self._watch = -1
        if sys.platform != "linux":
            return
        system = ctypes.CDLL(None, use_errno=True)
        self._watch = system.inotify_init1(_NOT_BLOCKING | _NOT_INHERITED)
        folders = dict.fromkeys((*_folders(own), *named_folders((*texts, *_texts(own))))) if self._watch >= 0 else {}
        for folder in folders:
            number = system.inotify_add_watch(self._watch, os.fsencode(folder), _OPEN | _WRITTEN)
            if number >= 0:
                self._folders[number] = folder

    def take(self) -> set[str]:
        """Take in what was opened since the last time; gives what was written to."""
        written, opened = set[str](), set[str]()
        for path, writing in self._events():
            (written if writing else opened).add(path)
        for path in opened:
            self._opened[path] = self._opened.get(path, 0) + 1
        return written

    def skip(self) -> None:
        """What was opened since the last time is of no interest."""
        for _ in self._events():
            pass

    def code(self) -> list[str]:
        """The code files that were opened."""
        return [path for path in dict.fromkeys(map(_source, self._opened)) if self._is_code(path)]

    def data(self) -> dict[str, int]:
        """The other files that were opened, and at how many looks that was seen."""
        return {path: times for path, times in self._opened.items() if not self._is_code(path) and _is_data(path)}

    def close(self) -> None:
        """Watch no longer."""
        if self._watch >= 0:
            os.close(self._watch)
            self._watch = -1

    def _events(self) -> Iterator[tuple[str, bool]]:
        """Paths, and whether they were written to."""
        while self._watch >= 0:
            try:
                data = os.read(self._watch, _BUFFER)
            except OSError:  # nothing more
                return
            at = 0
            while at < len(data):
                number, mask, _, length = _EVENT.unpack_from(data, at)
                at += _EVENT.size + length
                name = data[at - length : at].rstrip(b"\0")
                if name and number in self._folders and not mask & _FOLDER:
                    yield f"{self._folders[number]}/{os.fsdecode(name)}", bool(mask & _WRITTEN)

    def _is_code(self, path: str) -> bool:
        """Whether it is code, as it was when it was asked for first: a look at it is an event, too."""
        if path not in self._kinds:
            self._kinds[path] = self._looks_like_code(path)
        return self._kinds[path]

    def _looks_like_code(self, path: str) -> bool:
        name = os.path.basename(path)
        try:
            if not os.path.isfile(path):
                return False
            if os.path.splitext(name)[1] in self._suffixes or ".so." in name or name == MANIFEST:
                return True
            with open(path, "rb") as file:
                return file.read(4).startswith((b"#!", b"\x7fELF"))
        except OSError:
            return False


def _is_data(path: str) -> bool:
    """Whether it is a file of the user's, and neither one of a cache nor in a work folder of tests."""
    places = map(os.path.realpath, (os.environ.get("WYNOT_TMP") or _MEMORY, tempfile.gettempdir()))
    ours = tuple(f"{place}/wynot-" for place in places)
    return os.path.isfile(path) and not path.startswith(ours) and not _SKIPPED.intersection(path.split("/"))


def named_folders(texts: Iterable[str]) -> list[str]:
    """The folders of the user's files that these texts name by full paths."""
    found = dict[str, None]()
    for path in dict.fromkeys(path for text in texts for path in _FULL_PATH.findall(text)):
        real = os.path.realpath(os.path.expanduser(path))
        if os.path.isfile(real) and not real.startswith(SYSTEM):
            found[os.path.dirname(real)] = None
    return list(found)[:MAX_FOLDERS]


def _texts(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        with suppress(OSError):
            if os.path.isfile(path) and os.path.getsize(path) <= MAX_TEXT:
                yield Path(path).read_bytes().decode("utf-8", "surrogateescape")


def _source(path: str) -> str:
    """The file itself; of a module that Python has compiled, its source."""
    folder, name = os.path.split(path)
    if os.path.basename(folder) != "__pycache__":
        return path
    return f"{os.path.dirname(folder)}/{name.partition('.')[0]}.py"


def _folders(own: Iterable[str]) -> list[str]:
    """The folders to watch, the nearest first, each one once."""
    there = [os.path.dirname(os.path.realpath(path)) for path in own]
    with suppress(FileNotFoundError):
        there.insert(0, os.getcwd())
    for variable in _PACKAGES:
        there += [os.path.realpath(path) for path in os.environ.get(variable, "").split(os.pathsep) if path]
    programs = [os.path.dirname(path) for path in own]
    programs += os.environ.get("PATH", "").split(os.pathsep)
    packages = _installed(dict.fromkeys((*programs, *there)))
    waiting = deque(path for path in dict.fromkeys((*there, *packages)) if os.path.isdir(path))
    ours, found = str(runs_folder().parent), dict[str, None]()
    while waiting and len(found) < MAX_FOLDERS:
        path = waiting.popleft()
        system = f"{path}/".startswith(SYSTEM) and not path.startswith(tuple(packages))
        if path in found or path in {"/", ours} or system:
            continue
        found[path] = None
        with suppress(OSError), os.scandir(path) as entries:
            waiting += [each.path for each in entries if _inner(each)]
    return list(found)


def _installed(folders: Iterable[str]) -> list[str]:
    """The folders of packages that belong to programs in these folders, or that Node finds from there.

    What the system's own package manager installs in `/usr` is not among them.
    """
    found = dict[str, None]()
    for folder in folders:
        above, name = os.path.split(folder)
        if name == "bin" and above not in {"/", "/usr"}:
            for pattern in INSTALLED:
                found.update(dict.fromkeys(map(os.path.realpath, glob(f"{escape(above)}/{pattern}"))))
        if not f"{folder}/".startswith(SYSTEM):
            for each in (folder, *map(str, Path(folder).parents)):
                found[f"{each}/node_modules"] = None
    return [path for path in found if os.path.isdir(path)]


def _inner(entry: os.DirEntry[str]) -> bool:
    """Whether code may be in a folder: not in caches, history, hidden folders, and work folders of tests."""
    name = entry.name
    if name != "__pycache__" and (name in SKIPPED or name.startswith((".", "wynot-")) or name.endswith(_NO_CODE)):
        return False
    return entry.is_dir(follow_symlinks=False)
