"""Files of the user that tests have no copies of: scripts name them, or the command was seen to open them.

Without an option that keeps a program from writing, it may write: they are guarded. But to a file to which the command
writes as typed, each test writes. It is put back at the end, unless it is only appended to, as a log.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wynot.core.run_events import Caution, Listener, Note
from wynot.engine.baseline.files_read import StraceRun, find_strace, read_log, reads_in
from wynot.engine.executors.local import LocalExecutor
from wynot.engine.files.file_guard import kept_text
from wynot.engine.files.file_states import UserFiles
from wynot.engine.files.script_files import files_in_scripts
from wynot.engine.files.working_copies import SKIPPED, SYSTEM
from wynot.engine.journal import runs_folder
from wynot.oracles.typed_command import TypedCommand

_PROGRAMS = SKIPPED | {"site-packages", "dist-packages", ".cache"}
"""Folders of files that programs bring along, and of those that they keep for themselves."""


_MAX_NAMES = 3


def names(paths: list[str]) -> str:
    """A few of them."""
    more = f" and {len(paths) - _MAX_NAMES} more" if len(paths) > _MAX_NAMES else ""
    return ", ".join(os.path.relpath(path) for path in paths[:_MAX_NAMES]) + more


class ScriptFiles:
    """The files that scripts of a command name."""

    def __init__(self, words: tuple[str, ...], listener: Listener) -> None:
        paths, large = files_in_scripts(words)
        self._files, self._written, self._listener = UserFiles(paths), UserFiles(()), listener
        self.left_alone: list[str] = []
        """Those that it writes to."""
        self._seen = False
        for path in (*large, *self._files.unkept):
            listener(Caution(f"{path}: too large to be kept; if a test changes it, it cannot be put back"))

    @property
    def guarded(self) -> list[str]:
        """Those that the command does not write to."""
        return self._files.paths

    @contextmanager
    def as_typed(self) -> Iterator[None]:
        """The command runs as typed: see what it writes to."""
        yield
        if self._seen:
            return
        self._seen = True
        written = self.left_alone = self._files.written()
        rewritten = [path for path in written if not self._files.appended(path)]
        self._written = self._files.take(rewritten)
        self._files.forget(written)
        if rewritten:
            self._listener(Note(f"the command writes to {names(rewritten)}, as do tests: put back at the end"))

    @contextmanager
    def put_back(self) -> Iterator[None]:
        """At the end, put back what tests have written to."""
        changed: list[str] = []
        try:
            with self._written.on_disk():
                try:
                    yield
                finally:
                    changed += self._written.changed()
        finally:
            if changed:
                self._listener(Note(f"{names(changed)}: put back as it was{kept_text(self._written)}"))


@contextmanager
def seeing_opened(executor: LocalExecutor) -> Iterator[list[str]]:
    """Gives the user's files that a test has opened outside of its folder, and did not write to; where strace works."""
    found: list[str] = []
    strace = find_strace()
    if strace is None:
        yield found
        return
    with tempfile.TemporaryDirectory(prefix="wynot-strace-") as folder:
        executor.examiner = StraceRun(executor.oracle, strace, f"{folder}/log")
        try:
            yield found
        finally:
            executor.examiner = None
        used = reads_in(read_log(f"{folder}/log"), TypedCommand("", "/", ())).used
        written = {read.path for read in used if read.written}
        ours = (f"{executor.root}/", f"{folder}/", f"{runs_folder().parent}/", *SYSTEM)
        found += [read.path for read in used if read.path not in written and _is_users(read.path, ours)]


def _is_users(path: str, ours: tuple[str, ...]) -> bool:
    """Whether it is a file of the user's that a program may overwrite."""
    real = Path(os.path.realpath(path))
    if str(real).startswith(ours) or not _PROGRAMS.isdisjoint(real.parts):
        return False
    return real.is_file() and os.access(real, os.W_OK)
