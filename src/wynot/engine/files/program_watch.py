"""A watch on the files that make up a test: another version of one of them is another test.

An outcome is kept only if these files are what they were when the run began. A look costs one `stat` for each file; its
content is compared where that differs. To the files that are known by the words of the command, the baseline adds the
code files that its runs open (engine.files.opened_files), and others that its runs open each time and none writes to.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from wynot.core.text import pasted
from wynot.engine.files.opened_files import OpenedFiles
from wynot.engine.files.output_file import written_here
from wynot.errors import TestChanged

MAX_DIGESTED = 1 << 22
"""Bytes; of larger files size, time and inode tell whether they changed."""

MAX_DATA = 200
"""Files that are no code; if tests read more of them, none is watched: a look at all would take too long."""

MIN_LOOKS = 2
"""Runs that show whether it is the test that writes to a file."""

State = tuple[int, int, int, int]


class ProgramWatch:
    """Files as they were at the start."""

    def __init__(self, paths: Iterable[str], but: Path | None = None, texts: Iterable[str] = ()) -> None:
        self._states: dict[str, State | None] = {}
        self._digests: dict[str, bytes] = {}
        self.output = str(but.absolute()) if but is not None else None
        """What wynot itself writes."""
        self._texts = tuple(texts)
        """What the test says besides: scripts among its words."""
        self._opened: OpenedFiles | None = None
        self._data: dict[str, State | None] = {}
        """Other files that the first run of the unchanged input opens, as they were then."""
        self._unsteady: set[str] = set()
        """Those of them that were written to."""
        self.observed: list[str] = []
        """Code files that the runs of the unchanged input open..."""
        self._made: set[str] = set()
        """...and those of them that were written when they were first seen: a test may build them once."""
        self._add(paths)
        self._copied: list[str] = []
        self._looks = 0
        self._changes: dict[str, int] = {}

    def _add(self, paths: Iterable[str]) -> None:
        for path in paths:
            self._states[path] = _state(path)
            self._digests[path] = _digest(path)

    def digests(self) -> dict[str, str]:
        """The contents of the observed files, to recognise them in a later run."""
        self._keep_data()
        return {path: self._digests[path].hex() for path in self.observed if path not in self._changes}

    def watch_copied(self, paths: Iterable[str]) -> None:
        """Watch these, too, until the unchanged input runs again: tests have copies, but as typed it writes to them."""
        new = [path for path in paths if path not in self._states]
        self._add(new)
        self._copied += new

    def observe(self) -> None:
        """The runs of the unchanged input begin: see which code files they open."""
        for path in self._copied:
            self._states.pop(path, None)
        self._copied.clear()
        self._opened = OpenedFiles(self._states, self._texts)

    def skip(self) -> None:
        """What was opened since the last look was not opened by a test."""
        if self._opened is not None:
            self._opened.skip()

    def end_observation(self) -> None:
        """No more runs of the unchanged input."""
        if self._opened is not None:
            self._keep_data()
            self._opened.close()
            self._opened = None

    def changed(self) -> list[str]:
        """The files that are no longer what they were."""
        return [path for path, state in self._states.items() if _state(path) != state and self._differs(path)]

    def _differs(self, path: str) -> bool:
        """Whether the content differs; the same bytes written again are no change."""
        if _digest(path) != self._digests[path]:
            return True
        self._states[path] = _state(path)
        return False

    def check(self) -> None:
        """End the search if a file changed."""
        if changed := self.changed():
            raise _ended(changed[0])

    def look(self) -> None:
        """A run of the unchanged input has ended: remember what changed meanwhile."""
        self._looks += 1
        written = self._see()
        changed = self.changed()
        for path in dict.fromkeys((*changed, *(path for path in self.observed if path in written))):
            self._changes[path] = self._changes.get(path, 0) + 1
            self._states[path], self._digests[path] = _state(path), _digest(path)

    def _see(self) -> set[str]:
        """Add the code files that the run has opened; gives what was written to meanwhile."""
        if self._opened is None:
            return set()
        written = self._opened.take()
        new = [path for path in self._opened.code() if path not in self._states and not self._ours(path)]
        self._add(new)
        self.observed += new
        self._made.update(path for path in new if path in written)
        self._unsteady |= written
        if self._looks == 1:
            self._data = {path: _state(path) for path in self._opened.data()}
            self._opened.skip()  # what was opened here; nothing else runs meanwhile
        return written

    def _keep_data(self) -> None:
        """Watch the data files that all runs have opened, and that nothing has written to."""
        many = self._opened.data() if self._opened is not None else {}
        least = min(MIN_LOOKS, self._looks)
        new = [
            path
            for path, state in self._data.items()
            if path not in self._states
            and many.get(path, 0) >= least
            and path not in self._unsteady
            and _state(path) == state
            and not self._ours(path)
            and not written_here(path)
        ]
        if len(new) <= MAX_DATA:
            self._add(new)
            self.observed += new

    @property
    def unsettled(self) -> bool:
        """Whether one more run of the unchanged input shows what a change was."""
        return bool(self._changes) and self._looks < MIN_LOOKS

    def settle(self) -> None:
        """All runs of the unchanged input have ended. A file that each of them changed is written by the test itself.

        Such a file is no longer watched. One that changed between two of the runs was edited.
        """
        for path, times in self._changes.items():
            if times == 1 and path in self._made:
                continue
            if times < max(MIN_LOOKS, self._looks):
                raise _ended(path)
            del self._states[path]
        self._changes.clear()

    def _ours(self, path: str) -> bool:
        return self.output is not None and f"{path}/".startswith(f"{self.output}/")


def changed_since(digests: dict[str, str]) -> str:
    """A file whose content is not what it was in an earlier run; nothing if there is none."""
    return next((path for path, before in digests.items() if _digest(path).hex() != before), "")


def _ended(path: str) -> TestChanged:
    return TestChanged(
        f"{path} changed while the search ran: nothing that was tested after that is kept",
        f"begin again with it as it is now: the same command; to see what changed it: ls -l {pasted(path)}",
    )


def _state(path: str) -> State | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - for each outcome
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino, status.st_ctime_ns


def _digest(path: str) -> bytes:
    """The digest of a file's content; of a large one, of its state."""
    try:
        if os.stat(path).st_size > MAX_DIGESTED:  # noqa: PTH116
            return repr((_state(path) or ())[:3]).encode()
        return blake2b(Path(path).read_bytes(), digest_size=32).digest()
    except OSError:
        return b""
