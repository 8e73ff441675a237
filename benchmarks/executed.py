"""How many changes a failing run executes, and what a tree costs a test, on the changes of the corpus.

For each case the test is recorded on the old tree and on the new one. A change counts as *read* if one of the two runs
reads the file that it is in, as *executed* if one of them may execute a line of it. *guilty* is how many of the known
guilty changes are executed. Then the new tree is laid out: the first time, again, with one file changed; *anew* is
what writing and removing all of it costs. Milliseconds of processor time, least of several.
"""

from __future__ import annotations

import re
import shutil
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

from common import MEMORY, progress, save, table, tell, words, work_folder
from common import parser as arguments
from corpus import CORPUS
from wynot.commands.changes.coverage_filter import record
from wynot.commands.changes.old_and_new import sources
from wynot.core.folder import EntryKind as What
from wynot.core.folder import Folder
from wynot.domains.changes.change import Change, ChangeKind
from wynot.domains.coverage.line_counts import ExecutedFiles
from wynot.engine.executors.sandbox import Limits
from wynot.engine.executors.work_tree import WorkTree
from wynot.engine.files.folder_io import write_folder
from wynot.oracles.script import Script

HEADS = (
    "case",
    "files",
    "changes",
    "read",
    "executed",
    "guilty",
    "seconds",
    "first ms",
    "same ms",
    "one ms",
    "anew ms",
)


def executes(runs: tuple[ExecutedFiles, ExecutedFiles], change: Change) -> bool:
    old, new = runs
    if change.kind is not ChangeKind.HUNK:
        return change.path in new.files or change.old_path in old.files
    removed = old.touches(change.old_path, change.old_start, change.old_count)
    return removed or new.touches(change.path, change.new_start, change.new_count)


def guilty(case: Path, executed: set[tuple[str, str]]) -> str:
    known = {(path, header) for path, header in tomllib.loads((case / "case.toml").read_text())["guilty"]}
    return f"{len(known & executed)} of {len(known)}"


def least(action: Callable[[], object], times: int = 5) -> float:
    """Milliseconds of processor time."""
    taken = []
    for _ in range(times):
        begun = time.process_time()
        action()
        taken.append(time.process_time() - begun)
    return 1000 * min(taken)


def laid(new: Folder) -> list[float]:
    """What laying out costs: the first time, the same again, one file more, and all of it anew."""
    path = next(path for path, entry in new.entries.items() if entry.kind is What.FILE)
    other = [new, new.replaced(path, b"changed")]
    with work_folder(MEMORY if MEMORY.is_dir() else None) as folder:
        tree = WorkTree(str(folder / "tree"))
        first = least(lambda: tree.become(new), 1)
        same = least(lambda: tree.become(new))

        def turn() -> None:
            other.reverse()
            tree.become(other[0])

        def anew() -> None:
            write_folder(new, str(folder / "anew"))
            shutil.rmtree(folder / "anew")

        return [first, same, least(turn, 10), least(anew)]


def measured(case: Path, tools: Path) -> list[object]:
    found = sources(str(tools / case.name / "old"), str(tools / case.name / "new"))
    oracle = Script(str(case / "check"), inside=True)
    about = {path for change in found.changes for path in (change.path, change.old_path)}
    begun = time.perf_counter()
    runs: list[ExecutedFiles] = []
    for tree in (found.old, found.new):
        recorded = record(oracle, "tree", tree, Limits(), about)
        progress(f"{case.name}: {recorded.report.outcome.value}, {recorded.how}")
        assert recorded.executed is not None
        runs.append(recorded.executed)
    seconds = time.perf_counter() - begun
    both = (runs[0], runs[1])
    read = sum(change.path in both[1].files or change.old_path in both[0].files for change in found.changes)
    live = {
        (change.path, re.sub("^added$", "added file", change.header))
        for change in found.changes
        if executes(both, change)
    }
    row = [case.name, found.new.count, len(found.changes), read, len(live), guilty(case, live), seconds]
    return [*row, *laid(found.new)]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--cases", type=Path, default=CORPUS, metavar="DIR", help="where cases are [../shared/corpus]")
    parser.add_argument("--tools", type=Path, default=Path.home() / ".cache/corpus-tools", metavar="DIR")
    parser.add_argument("--only", type=words, metavar="NAMES", help="these cases only")
    given = parser.parse_args()
    cases = sorted(case for case in given.cases.glob("changes-*") if (given.tools / case.name).is_dir())
    rows = [measured(case, given.tools) for case in cases if not given.only or case.name in given.only]
    tell(table(HEADS, rows))
    save(given.json, [dict(zip(HEADS, row, strict=True)) for row in rows])


if __name__ == "__main__":
    main()
