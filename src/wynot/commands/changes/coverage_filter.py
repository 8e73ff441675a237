"""Set aside the changes that the failing run does not execute."""

from __future__ import annotations

import os
import tempfile
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from wynot.commands.changes.coverage_recorders import (
    CompilerCoverage,
    LineRecorder,
    NodeCoverage,
    PythonCoverage,
    read_data,
)
from wynot.commands.changes.old_and_new import Sources
from wynot.core.artifact import Artifact
from wynot.core.call import Variable
from wynot.core.config import Config
from wynot.core.folder import EntryKind, Folder
from wynot.core.outcome import FAIL, PASS, Outcome
from wynot.core.text import pasted
from wynot.domains.changes.change import Change, ChangeKind
from wynot.domains.changes.change_index import paths_of
from wynot.domains.coverage.line_counts import ExecutedFiles, ExecutedLines, Table, UnreadableError, executed_of
from wynot.domains.coverage.report_formats import read_cobertura, read_coveragepy, read_gcov, read_lcov
from wynot.engine.executors.executor import ProgramExecutor, TestSettings
from wynot.engine.executors.local import LocalExecutor, LocalSettings
from wynot.engine.executors.sandbox import MIB, Limits
from wynot.engine.tester import Tester
from wynot.errors import UsageError
from wynot.oracles.protocol import Examination, Invocation, Oracle, Report, altered

# What a test executes of a tree: by what it reads, by what its languages tell, or by what the user has recorded.
#
# A test is run once with its tree on a file system that notes when a file was last read: what was not read was not
# executed, whatever the language. Of some languages recorders tell the lines as well.


RECORDERS: tuple[type[LineRecorder], ...] = (PythonCoverage, NodeCoverage, CompilerCoverage)
SLOWER = 5
"""A test that is recorded may take so many times as long as others."""
MOST = 1024 * MIB
"""What a packed file may hold."""


@dataclass(frozen=True, slots=True)
class RecordedTest:
    """A test of a tree, and what it has executed."""

    report: Report
    executed: ExecutedFiles | None
    """None: it cannot be told."""
    how: str = ""
    """In a few words, how it was found out."""
    tests: int = 1
    """How often the test was run."""


def record(
    oracle: Oracle,
    name: str,
    tree: Folder,
    limits: Limits,
    about: Collection[str] | None = None,
    *,
    expected: Outcome | None = None,
    alone: bool = False,
) -> RecordedTest:
    """Test a tree and see what is executed; of these files, where not all are of interest.

    If the outcome is not as expected, the recording has changed it: then it is tested again, and only looked at. It
    has folders of its own and leaves nothing behind.

    Both trees should be recorded: a change matters if the new tree's run executes what it adds, or the old tree's run
    what it removes. Of code that only the old run executes, the new run says nothing.
    """
    wanted = frozenset(tree.files if about is None else tree.files.keys() & about)
    slow = limits.looking()
    slow = replace(slow, seconds=None if slow.seconds is None else SLOWER * slow.seconds)
    executor = LocalExecutor(oracle, name, 1, slow, LocalSettings(alone, tree.size, lasting=True))
    found: dict[str, ExecutedLines] = {}
    tests = 1
    try:
        suiting = [kind for kind in RECORDERS if any(path.endswith(kind.suffixes) for path in wanted)]
        recorders = [kind(Path(executor.root, kind.__name__), executor.path) for kind in suiting]
        report, files = _tried(executor, tree, recorders)
        if expected in {None, report.outcome}:
            for recorder in recorders:
                found |= recorder.found(tree, wanted)
        elif recorders:
            report, files = _tried(executor, tree, [])
            tests = 2
    finally:
        executor.close()
    found = {path: each for path, each in found.items() if files is None or path in files}
    return RecordedTest(report, *_understood(tree, files, found, wanted), tests)


def _understood(
    tree: Folder, files: frozenset[str] | None, found: dict[str, ExecutedLines], wanted: frozenset[str]
) -> tuple[ExecutedFiles | None, str]:
    """What follows, and from what."""
    if files is None and not found:
        return None, "nothing is known of what the test reads"
    everything = frozenset(path for path, entry in tree.entries.items() if entry.kind is not EntryKind.FOLDER)
    links = frozenset(path for path, entry in tree.entries.items() if entry.kind is EntryKind.LINK)
    if files is None:
        recorded = {path.rpartition(".")[2] for path in found}
        files = everything - {path for path in wanted - found.keys() if path.rpartition(".")[2] in recorded}
    lines = {path: each.lines for path, each in found.items()}
    idle = {path: each.idle for path, each in found.items()}
    how = "by the lines that it executes" if lines else "by the files that it reads"
    return ExecutedFiles((files & everything) | links, lines or None, idle or None), how


class _Recording:
    """An oracle whose programs are recorded."""

    def __init__(self, oracle: Oracle, env: tuple[Variable, ...]) -> None:
        self._oracle, self._env = oracle, env

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """As the oracle does, with more in the environment."""
        return altered(self._oracle.examine(artifact, folder), self._recorded)

    def _recorded(self, invocation: Invocation) -> Invocation:
        return replace(invocation, env=(*invocation.env, *self._env))


def _tried(
    executor: LocalExecutor, tree: Folder, recorders: list[LineRecorder]
) -> tuple[Report, frozenset[str] | None]:
    """Test a tree that is laid out from the beginning; gives which files were read, too.

    Python's bytecode goes elsewhere, for where there is some, the source is not even read.
    """
    bytecode = tempfile.mkdtemp(prefix="bytecode", dir=executor.root)
    env = [("PYTHONPYCACHEPREFIX", bytecode)]
    more: dict[str, bytes] = {}
    for recorder in recorders:
        env += recorder.env()
        more |= recorder.files(tree)
    executor.afresh()
    recording = _Recording(executor.oracle, tuple(Variable(name, value) for name, value in env))
    executor.submit(b"", Folder.of({**tree.entries, **more}) if more else tree, TestSettings(recording))
    reports: list[tuple[bytes, Report]] = []
    while not reports:
        reports = executor.wait()
    return reports[0][1], executor.reads() if notes_reading(executor.root) else None


def read_coverage(path: Path, tree: Folder) -> ExecutedFiles:
    """What a file of coverage says (LCOV, Cobertura, gcov, coverage.py), for the files of this tree."""
    hint = "give what lcov, gcov --json-format, gcovr --cobertura, coverage json or coverage run has written"
    try:
        data = path.read_bytes()
        table = _table(path, data)
    except OSError as error:
        raise UsageError(
            f"cannot read {path}: {error.strerror}", f"check the path: ls -l {pasted(path.parent)}"
        ) from None
    except UnreadableError as error:
        raise UsageError(f"{path} holds no coverage data: {error}", hint) from None
    executed = executed_of(table, tree)
    if not executed.lines:
        raise UsageError(f"{path} names no file of the new tree", "was it recorded there?")
    return executed


def _table(path: Path, data: bytes) -> Table:
    """The counts in a file, whatever its format."""
    if data.startswith(b"SQLite format 3"):
        return read_data(path)
    if data.startswith(b"\x1f\x8b"):
        data = _unpacked(data)
    text = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if text.startswith(b"<"):
        return read_cobertura(text)
    words = data.decode("utf-8", "replace")
    if text.startswith(b"{"):
        return read_coveragepy(words) if b'"executed_lines"' in text else read_gcov(words)
    if b"SF:" in text:
        return read_lcov(words)
    raise UnreadableError("none of its formats is known")


def _unpacked(data: bytes) -> bytes:
    unpacking = zlib.decompressobj(wbits=31)
    try:
        found = unpacking.decompress(data, MOST)
    except zlib.error:
        raise UnreadableError("it cannot be unpacked") from None
    if unpacking.unconsumed_tail:
        raise UnreadableError(f"it is larger than {MOST} bytes")
    return found


def notes_reading(folder: str) -> bool:
    """Whether the file system notes when a file was last read."""
    probe = f"{folder}/probe"
    Path(probe).write_bytes(b"read me")
    os.utime(probe, ns=(10**9, 2 * 10**9))
    Path(probe).read_bytes()
    noted = Path(probe).stat().st_atime_ns != 10**9
    Path(probe).unlink()
    return noted


_MOVED = {ChangeKind.DELETED, ChangeKind.RENAMED, ChangeKind.LINK}


class CoverageFilter:
    """Finds out what tests execute, by running both ends once more; what was found out is kept in the journal."""

    def __init__(self, tester: Tester[Folder], sources: Sources, name: str, *, alone: bool) -> None:
        self.tester, self.sources, self.name, self.alone = tester, sources, name, alone

    def told(self, executed: ExecutedFiles) -> Iterator[tuple[Config, str]]:
        """Which changes are executed, by what the user has recorded."""
        yield from self._some(executed, None, "by what was recorded")

    def recorded(self) -> Iterator[tuple[Config, str]]:
        """Which changes are executed, and how that is known; the fewest first."""
        if not isinstance(self.tester.executor, ProgramExecutor):
            return
        new = self._executed(self.tester.executor, self.sources.new, FAIL, "new")
        if new is None:
            return
        old = self._executed(self.tester.executor, self.sources.old, PASS, "old")
        if new.idle:
            yield from self._some(new, old, "by the lines that tests execute")
        yield from self._some(_files(new), old and _files(old), "by the files that tests read")

    def _some(self, new: ExecutedFiles, old: ExecutedFiles | None, how: str) -> Iterator[tuple[Config, str]]:
        changes = self.sources.changes
        live = Config.of(
            number for number, change in enumerate(changes) if any(_executes(new, old, part) for part in change.parts)
        )
        if 0 < len(live) < len(changes):
            yield live, how

    def _executed(self, executor: ProgramExecutor, tree: Folder, expected: Outcome, end: str) -> ExecutedFiles | None:
        journal = self.tester.journal
        known = journal.fact(f"executed {end}") if journal is not None else None
        if isinstance(known, dict):
            return ExecutedFiles.from_json(known["executed"]) if known["executed"] is not None else None
        about = {path for change in self.sources.changes for path in paths_of(change)}
        found = record(executor.oracle, self.name, tree, executor.limits, about, expected=expected, alone=self.alone)
        self.tester.counts.add_baseline(found.tests)
        executor.charge(away=found.report.seconds * found.tests)
        executed = found.executed if found.report.outcome is expected else None
        if journal is not None:
            journal.state(f"executed {end}", {"executed": executed and executed.as_json()})
        return executed


def _files(executed: ExecutedFiles) -> ExecutedFiles:
    return replace(executed, lines=None, idle=None)


def _executes(new: ExecutedFiles, old: ExecutedFiles | None, change: Change) -> bool:
    """Whether the failing run may have executed what a change adds, or the passing one what it removes."""
    if new.touches(change.path, change.new_start, change.new_count):
        return True
    if change.kind in _MOVED:
        return change.path in new.files or old is None or change.old_path in old.files
    if change.path not in new.files:
        return False
    if old is None:
        return bool(change.removed)  # what only the old run executes, nobody knows
    return old.touches(change.old_path, change.old_start, change.old_count)
