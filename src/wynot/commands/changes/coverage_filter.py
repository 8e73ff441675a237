"""Changes to code that the failing run never executes are set aside first (1999, section 10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wynot.commands.changes.coverage.record_coverage import record
from wynot.commands.changes.old_and_new import Sources
from wynot.core.config import Config
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, PASS, Outcome
from wynot.domains.changes.change import Change, ChangeKind
from wynot.domains.changes.needs.change_index import paths_of
from wynot.domains.coverage.executed_lines import ExecutedFiles
from wynot.engine.executors.program_executor import ProgramExecutor
from wynot.engine.tester import Tester

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
        self.tester.counts.baseline += found.tests
        executor.away += found.report.seconds * found.tests
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
