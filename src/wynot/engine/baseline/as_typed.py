"""The command once as typed in the user's folder, and once in a folder of a test: both have to end alike.

If they do not, tests would look for another failure than the user's: a header or a data file is missing beside the
input, say. Then other ways to lay out a test are tried, until one ends as the command does where it was typed.
"""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Generic

from wynot.core.artifact import AnyContent
from wynot.core.outcome import FAIL
from wynot.core.run_events import Note
from wynot.engine.baseline.files_read import FileRead, StraceRun, find_strace, read_log, reads_in, small_files, state_of
from wynot.engine.baseline.repeated_runs import Looks, alike, look
from wynot.engine.baseline.sandbox_layouts import SandboxLayout, layouts, shares, with_copies
from wynot.engine.executors.executor import ProgramExecutor, TestSettings
from wynot.engine.executors.local import LocalExecutor
from wynot.engine.files.file_guard import kept_text, named_files
from wynot.engine.files.file_states import UserFiles
from wynot.engine.tester import NOTHING_TO_DO, Tester
from wynot.errors import NoFailureError, UsageError
from wynot.oracles.protocol import FileBeside, Oracle, Report, with_commands

if TYPE_CHECKING:  # loaded where a command is run
    from wynot.oracles.command import Command
    from wynot.oracles.typed_command import TypedCommand

SURE = 2
"""Runs of each kind before other ways are tried: a failure may show only sometimes..."""
VERY_SURE = 6
"""...and before the run is refused: one that shows in half of the runs is refused once in 2,000 times."""
MAX_SHOWN, MAX_LINES = 3, 4
"""Names in a line, and lines of what was printed, that are shown."""
_MARK = b" as typed"


class TypedAndSandboxed(Generic[AnyContent]):
    """Both kinds of runs of one command on its input."""

    def __init__(self, tester: Tester[AnyContent], executor: ProgramExecutor, data: AnyContent, oracle: Oracle) -> None:
        self.tester, self.executor, self.data = tester, executor, data
        self.commands = commands_of(oracle)
        self.typed = with_commands(oracle, lambda command: replace(command, in_place=command.original is not None))
        self.oracle = oracle
        """The one whose runs in folders of tests end as the command does where it was typed."""
        self.seen: Looks = []
        """Runs as typed..."""
        self.looks: Looks = []
        """...and in a folder of a test."""
        self._changed: set[str] = set()
        """Files that the command has changed when it ran as typed..."""
        self._appeared: set[str] = set()
        """...and files and folders that have appeared meanwhile."""

    @property
    def original(self) -> TypedCommand | None:
        """What was typed; None where that is not known, or where it says nothing: a script, a Python function."""
        return next((each.original for each in self.commands if each.original is not None), None)

    def look(self, meanwhile: Iterator[None] = NOTHING_TO_DO) -> None:
        """Run it once as typed, where that can be, and once as tests do.

        In turns the one or the other comes first: some failures alternate.
        """
        turn = len(self.looks) % 2
        if self.original is not None and not turn:
            self.seen += self._in_place(meanwhile)
        self.looks += look(self.tester, self.executor, self.oracle, self.data, 1, meanwhile)
        if self.original is not None and turn:
            self.seen += self._in_place(meanwhile)

    def settle(self, meanwhile: Iterator[None] = NOTHING_TO_DO) -> None:
        """Find the way to lay out a test in which the command ends as it does where it was typed; or refuse."""
        self.look(meanwhile)
        if self.original is None:
            return
        while not self.alike and len(self.looks) < SURE:
            self.look()
        if self.alike or self._laid_otherwise():
            return
        while not self.alike and len(self.looks) < VERY_SURE:
            self.look()
        if not self.alike:
            raise self._refused()

    @property
    def alike(self) -> bool:
        """Whether both kinds of runs end alike, as far as they were run."""
        return not self.seen or alike(self.looks, self.seen)

    def _in_place(self, meanwhile: Iterator[None] = NOTHING_TO_DO) -> Looks:
        """Run it as typed. Files that the command names are put back if it changes them."""
        guarded = UserFiles(self._named())
        before = self._listed()
        with guarded.on_disk(), self._local() as (tester, executor):
            try:
                looks = look(tester, executor, self.typed, self.data, 1, meanwhile, _MARK)
            except BaseException:
                tester.kill_all_but(set())
                raise
            self._put_back(guarded)
        self._report_new(before)
        return looks

    @contextmanager
    def _local(self) -> Iterator[tuple[Tester[AnyContent], ProgramExecutor]]:
        """An executor on this machine: on others the user's folder may not be there.

        Meanwhile nobody else watches the files that the command names: those that it changes are put back here.
        """
        if isinstance(self.executor, LocalExecutor):
            with self.tester.unwatched(), self.executor.unguarded():
                yield self.tester, self.executor
            return
        name = self.original.name if self.original is not None else "input"
        executor = LocalExecutor(self.executor.oracle, name, 1, self.executor.limits)
        try:
            yield Tester(executor, budget=self.tester.budget), executor
        finally:
            executor.close()
            self.executor.charge(executor.runs)
            self.tester.counts.add_baseline()

    def _named(self) -> list[str]:
        """The paths that the words of the commands name, whether there is a file or not."""
        paths = []
        for command in self.commands:
            if command.original is None:
                continue
            original = command.original
            named = [*original.words[1:], *(each.target for way in original.ways for each in way.beside), original.path]
            paths += named_files(word for word in named if word)
        return paths

    def _listed(self) -> set[str]:
        original = self.original
        if original is None:
            return set()
        folders = {original.cwd, os.path.dirname(original.full_path)}  # noqa: PTH120
        return {entry.path for folder in folders for entry in os.scandir(folder)}

    def _put_back(self, guarded: UserFiles) -> None:
        for path in guarded.created():  # the command names it and has just made it: an output, as `-o NAME`
            os.unlink(path)  # noqa: PTH108
        changed = guarded.changed()
        if not changed:
            return
        lost = guarded.restore()
        if lost:
            raise UsageError(
                f"the command changes {_shown(lost)}, which cannot be put back",
                "leave out what lets it write there, or name a copy of the file",
            )
        original = self.original
        own = os.path.realpath(original.full_path) if original is not None else ""
        new = [path for path in changed if path not in self._changed]
        self._changed.update(new)
        self.oracle = with_commands(self.oracle, partial(with_copies, paths=frozenset(self._changed)))
        commands = commands_of(self.oracle)
        shared = [path for path in changed if path != own and any(shares(command, path) for command in commands)]
        if shared:
            raise UsageError(
                f"the command changes {_shown(shared)}, which all tests would share; it was put back",
                f"leave out what lets it write there, or name a file in this folder{kept_text(guarded)}",
            )
        if new:
            how = f"put back as it was; tests run on copies{kept_text(guarded)}"
            self.tester.listener(Note(f"the command changes {_shown(new)}: {how}"))

    def _report_new(self, before: set[str]) -> None:
        self._appeared |= self._listed() - before
        new = sorted(path for path in self._listed() - before if not path.endswith("/__pycache__"))
        if new:
            self.tester.listener(Note(f"the command, run once as typed, has written {_shown(new)}"))

    def _laid_otherwise(self) -> bool:
        """Try other ways to lay out a test; gives whether one ends as the command does where it was typed."""
        for layout, said in self._layouts():
            oracle = with_commands(self.oracle, layout.of)
            looks = look(self.tester, self.executor, oracle, self.data)
            if alike(looks, self.seen):
                self.oracle, self.looks = oracle, looks
                if said:
                    self.tester.listener(Note(said))
                return True
        return False

    def _layouts(self) -> Iterator[tuple[SandboxLayout, str]]:
        """Ways to lay out a test, and what to report of them: other words; then with files that the command reads."""
        original = self.original
        if original is None:
            return
        copied = frozenset(self._changed)
        yield from ((SandboxLayout(way, copied=copied), "") for way in range(1, len(original.ways)))
        reads, observed = self._reads(original)
        how = "also reads" if observed else "may also read"
        known = {each.target for command in self.commands for each in _named_by_words(command)}
        for layout in layouts(original, reads, copied):
            laid = sorted({each.target for each in layout.more if each.target} - known)
            beside = f"{_shown(laid)} beside {original.path}: laid beside each candidate"
            yield layout, f"the command {how} {beside}" if laid else ""

    def _reads(self, original: TypedCommand) -> tuple[list[FileRead], bool]:
        """What it reads, and whether that was observed."""
        strace = find_strace()
        if strace is not None:
            guarded = UserFiles(self._named())
            with (
                tempfile.TemporaryDirectory(prefix="wynot-strace-") as folder,
                guarded.on_disk(),
                self._local() as (tester, executor),
            ):
                aside = self._set_aside(folder)
                observer = StraceRun(self.typed, strace, f"{folder}/log")
                settings = TestSettings(observer, executor.limits.looking())
                try:
                    tester.looks(b"files read", self.data, 0, 1, settings=settings)
                finally:
                    reads = reads_in(read_log(f"{folder}/log"), original)
                    _put_back_or_remove(aside, reads.made)
                self._put_back(guarded)
            if reads.used:
                return self._there_before(reads.used), True
        return self._there_before(small_files(original)), False

    def _set_aside(self, folder: str) -> dict[str, str]:
        """Move the files that appeared while the command ran as typed: it is to begin as it did then."""
        aside = {path: f"{folder}/{number}" for number, path in enumerate(sorted(self._appeared))}
        aside = {path: place for path, place in aside.items() if os.path.isfile(path) and not os.path.islink(path)}  # noqa: PTH113, PTH114
        for path, place in aside.items():
            shutil.move(path, place)
        return aside

    def _there_before(self, reads: list[FileRead]) -> list[FileRead]:
        """What was there before the command ran as typed: what it makes itself is no input of it."""
        return [read for read in reads if not self._is_new(read.path)]

    def _is_new(self, path: str) -> bool:
        """Whether it appeared while the command ran as typed, or is in a folder that did."""
        return any(path == new or path.startswith(f"{new}/") for new in self._appeared)

    def _refused(self) -> NoFailureError:
        original, typed, test = self.original, self.seen[0], self.looks[0]
        cwd = original.cwd if original is not None else ""
        words = shlex.join(original.words) if original is not None else ""
        inside = f'sh -c \'cd "$0" && exec "$@"\' {shlex.quote(cwd)} {words}'
        return NoFailureError(
            f"as typed, the command ends with {_ending(*typed)}; in a folder of its own, with {_ending(*test)}:"
            " it depends on where it runs",
            f"{'' if find_strace() else 'install strace, which shows the files that it reads; or, '}"
            f"if it needs the folder {cwd}, let it run there: -- {inside}",
            (*_evidence("as typed", typed[1]), *_evidence("in its own folder", test[1])),
        )


def _put_back_or_remove(aside: dict[str, str], made: frozenset[str]) -> None:
    """Remove files that were not there before, and that the command was seen to make; put back the others."""
    for path, place in aside.items():
        if path in made:
            with suppress(OSError):
                os.unlink(path)  # noqa: PTH108 - all paths are text here
        elif not os.path.lexists(path):
            shutil.move(place, path)


def commands_of(oracle: Oracle) -> list[Command]:
    """The commands that an oracle runs."""
    found: list[Command] = []

    def seen(command: Command) -> Command:
        found.append(command)
        return command

    with_commands(oracle, seen)
    return found


def _named_by_words(command: Command) -> tuple[FileBeside, ...]:
    """What its words name, which the user knows."""
    return tuple(each for way in (command.original.ways if command.original is not None else ()) for each in way.beside)


def files_beside(oracle: Oracle) -> dict[str, tuple[int, int] | None]:
    """The states of the files that tests find beside the input."""
    return {
        each.target: state_of(each.target) for command in commands_of(oracle) for each in command.beside if each.target
    }


def refuse_output(oracle: Oracle, output: str) -> None:
    """Refuse to write the result to a file that the command reads: tests would see it, and the file would be lost."""
    real = os.path.realpath(output)
    if real in map(os.path.realpath, files_beside(oracle)):
        raise UsageError(
            f"the command reads {os.path.relpath(output)}: no result is written there", "name another file: -o FILE"
        )


def place_of(oracle: Oracle) -> list[str] | None:
    """Where the command was typed, and the input, by its full path; None where that is not known."""
    originals = (command.original for command in commands_of(oracle) if command.original is not None)
    return next(([each.cwd, each.full_path] for each in originals), None)


def _shown(paths: list[str]) -> str:
    """A few of them by name."""
    names = [os.path.relpath(path) if os.path.isabs(path) else path for path in paths]  # noqa: PTH117
    more = f" and {len(names) - MAX_SHOWN} more" if len(names) > MAX_SHOWN else ""
    return ", ".join(names[:MAX_SHOWN]) + more


def _ending(learnt: Oracle, report: Report) -> str:
    return (learnt.looked_for() if report.outcome is FAIL else report.why or report.outcome.value)[:200]


def _evidence(where: str, report: Report) -> list[str]:
    lines = [line[:200] for line in report.evidence.splitlines() if line.strip()][-MAX_LINES:]
    return [f"{where}: {line}" for line in lines]
