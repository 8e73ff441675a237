"""What a test executes of a tree: by what it reads, by what its languages tell, or by what the user has recorded.

A test is run once with its tree on a file system that notes when a file was last read: what was not read was not
executed, whatever the language. Of some languages recorders tell the lines as well.
"""

from __future__ import annotations

import os
import tempfile
import zlib
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from wynot.commands.changes.coverage.gcc_recorder import CompilerCoverage
from wynot.commands.changes.coverage.line_recorder import LineRecorder
from wynot.commands.changes.coverage.node_recorder import NodeCoverage
from wynot.commands.changes.coverage.python_recorder import PythonCoverage, read_data
from wynot.core.artifact import Artifact
from wynot.core.call import Variable
from wynot.core.folder import EntryKind, Folder
from wynot.core.outcome import Outcome
from wynot.core.shell_quote import pasted
from wynot.domains.coverage.cobertura import read_cobertura
from wynot.domains.coverage.coverage_py import read_coveragepy
from wynot.domains.coverage.executed_lines import ExecutedFiles, ExecutedLines
from wynot.domains.coverage.gcov import read_gcov
from wynot.domains.coverage.lcov import read_lcov
from wynot.domains.coverage.line_counts import Table, UnreadableError, executed_of
from wynot.engine.executors.limits import MIB, Limits
from wynot.engine.executors.local import LocalExecutor
from wynot.errors import UsageError
from wynot.oracles.protocol import Examination, Invocation, Oracle, Report
from wynot.oracles.wrapper import altered

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
    executor = LocalExecutor(oracle, name, 1, slow, alone=alone, size=tree.size, lasting=True)
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
    executor.examiner = _Recording(executor.oracle, tuple(Variable(name, value) for name, value in env))
    executor.submit(b"", Folder.of({**tree.entries, **more}) if more else tree)
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
        raise UsageError(f"{path} tells no coverage: {error}", hint) from None
    executed = executed_of(table, tree)
    if not executed.lines:
        raise UsageError(f"{path} tells of no file that is in the new tree", "was it recorded there?")
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
