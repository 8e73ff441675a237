"""A call is tested on copies of the files that it names: it has to end there as it does where it was typed.

First only what the words name is copied; then the whole working folder, if it is small: the call may read files that no
word names, such as a configuration file. If it ends otherwise even then, it runs with full paths, and the files that it
names are guarded (engine.files.file_guard).
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote

from wynot.core.artifact import Artifact
from wynot.core.call import Call
from wynot.core.config import Config
from wynot.core.outcome import FAIL
from wynot.core.run_events import Caution, Listener, Note
from wynot.domains.calls.call_tree import CallTree
from wynot.engine.baseline.files_read import StraceRun, find_strace, read_log, reads_in
from wynot.engine.executors.executor import USUAL, TestSettings
from wynot.engine.executors.local import LocalExecutor, LocalSettings
from wynot.engine.files.file_guard import exposed, guard_of, kept_text, named_files
from wynot.engine.files.file_states import UserFiles
from wynot.engine.files.script_files import files_in_scripts
from wynot.engine.files.working_copies import SKIPPED, SYSTEM, WorkingCopies, copies_of
from wynot.engine.journal import runs_folder
from wynot.engine.run_options import Options
from wynot.errors import NoFailureError, UsageError
from wynot.oracles.command import Command
from wynot.oracles.protocol import Examination, Oracle, Report
from wynot.oracles.signature import essence
from wynot.oracles.typed_command import TypedCommand

# Files of the user that tests have no copies of: scripts name them, or the command was seen to open them.
#
# Without an option that keeps a program from writing, it may write: they are guarded. But to a file to which the
# command writes as typed, each test writes. It is put back at the end, unless it is only appended to, as a log.


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
def seeing_opened(executor: LocalExecutor) -> Iterator[tuple[TestSettings, list[str]]]:
    """Gives the user's files that a test has opened outside of its folder, and did not write to; where strace works.

    The test is to be run with the settings that are given with them.
    """
    found: list[str] = []
    strace = find_strace()
    if strace is None:
        yield USUAL, found
        return
    with tempfile.TemporaryDirectory(prefix="wynot-strace-") as folder:
        yield TestSettings(StraceRun(executor.oracle, strace, f"{folder}/log")), found
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


MAX_SECONDS = 10.0
"""Of a test that is run once more under strace, which may take several times as long."""
TRIES = 3
"""Runs of each kind before they are taken for different: a failure may show only sometimes."""
_MAX_LINES = 4


@dataclass(frozen=True, slots=True)
class _Observer:
    oracle: Oracle

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        learnt, report = yield from self.oracle.observe(artifact, folder)
        return replace(report, learnt=learnt)


def with_copies(call: CallTree, oracle: Oracle, options: Options) -> tuple[CallTree, Options, ScriptFiles]:
    """The call with the copies that its tests need, so that it ends as typed; and which files tests share."""
    shown = call.render(Config.full(len(call))).argv
    scripts = ScriptFiles(call.typed, options.listener)
    guard = guard_of((*options.guarded, *scripts.guarded), options.guarded_within)
    settings = LocalSettings(alone=options.alone, listener=options.listener, guard=guard)
    executor = LocalExecutor(oracle, "call", 1, options.limits.looking(), settings)
    with closing(executor):
        laying = _Laying(executor, call, shown, scripts, options.listener)
        call = laying.laid()
        opened = laying.opened(call)
    guarded = dict.fromkeys((*options.guarded, *scripts.guarded, *laying.shared, *opened))
    return call, replace(options, guarded=tuple(guarded)), scripts


class _Laying:
    def __init__(
        self,
        executor: LocalExecutor,
        call: CallTree,
        shown: tuple[str, ...],
        scripts: ScriptFiles,
        listener: Listener,
    ) -> None:
        self.executor, self.call, self.shown, self.listener = executor, call, shown, listener
        self.shared: list[str] = []
        """Files that are not copied: all tests run on them."""
        self._scripts = scripts
        self.oracle = executor.oracle
        self.typed: list[Report] = []
        self._put_back: tuple[str, str] | None = None
        """What the command has changed when it ran as typed, and where that is kept."""

    def laid(self) -> CallTree:
        found: list[tuple[CallTree, WorkingCopies | None, list[Report]]] = []
        for copies in self._ways():
            call = replace(self.call, copies=copies.folder, instead=copies.words) if copies is not None else self.call
            looks: list[Report] = []
            found.append((call, copies, looks))
            if self._alike(call, looks):
                return self._told(call, copies)
        for _ in range(TRIES - 1):
            for call, copies, looks in found:
                if self._alike(call, looks):
                    return self._told(call, copies)
        typed, test = self.typed[0], found[0][2][0]
        script = f'cd {quote(self.call.cwd)} && exec "$0" "$@"'
        raise NoFailureError(
            f"as typed, the command ends with {_ending(typed)}; in a folder of its own, with {_ending(test)}: "
            "it depends on where it runs",
            f"let it run where it has to: -- sh -c {quote(script)} {quote(self.call.typed[0])} ...",
            (*_evidence("as typed", typed), *_evidence("in its own folder", test)),
        )

    def _ways(self) -> Iterator[WorkingCopies | None]:
        """The copies to try; None: no copies, the words lead to the user's files."""
        named = copies_of(self.call.typed, self.shown, self.call.cwd, whole=False)
        if named is not None and named.large:
            self._check_exposed()
        yield named
        whole = copies_of(self.call.typed, self.shown, self.call.cwd, whole=True)
        if whole is not None and whole != named:
            yield whole
        complete = copies_of(self.call.typed, self.shown, self.call.cwd, whole=True, skipped=frozenset())
        if complete is not None and complete not in (named, whole):
            yield complete
        self._check_exposed()
        yield None

    def _check_exposed(self) -> None:
        """Refuse tests on files that could not be put back."""
        words = self.call.typed[1:]
        if paths := exposed(words, UserFiles(named_files(words))):
            raise UsageError(
                f"{names(paths)} cannot be copied for each test, and could not be put back if a test changes it",
                "run it in a smaller copy of the folder; or, if it is a file, make it read-only: chmod a-w FILE",
            )

    def _told(self, call: CallTree, copies: WorkingCopies | None) -> CallTree:
        shared = copies.large if copies is not None else tuple(named_files(self.call.typed[1:]))
        self.shared = named_files(shared)
        if shared:
            shown = names(list(shared))
            why = "too large to be copied for each test" if copies is not None else "tests run on the file itself"
            self.listener(Caution(f"{shown}: {why}; a test that changes it is stopped"))
        if self._put_back is not None:
            said, kept = self._put_back
            self.listener(Note(f"{said}{'' if shared else '; tests run on copies'}{kept}"))
        return call

    def _alike(self, call: CallTree, looks: list[Report]) -> bool:
        """Whether one more run of each kind ends alike, or as an earlier one of the other kind."""
        if len(self.typed) <= len(looks):
            self.typed.append(self._as_typed())
        looks.append(self._look(call.render(Config.full(len(call)))))
        return any(_same(one, other) for one in looks for other in self.typed)

    def opened(self, call: CallTree) -> list[str]:
        """The files that a test was seen to open, of which it has no copy."""
        if max(report.seconds for report in self.typed) > MAX_SECONDS:
            return []
        with seeing_opened(self.executor) as (settings, found):
            self._run(call.render(Config.full(len(call))), settings)
        return found

    def _look(self, setting: Call) -> Report:
        return self._run(setting, TestSettings(_Observer(self.oracle)))

    def _run(self, setting: Call, settings: TestSettings) -> Report:
        self.executor.submit(b"look", setting, settings)
        while not (done := self.executor.wait()):
            pass
        report = done[0][1]
        if report.error is not None:
            raise report.error
        return report

    def _as_typed(self) -> Report:
        """Run it where it was typed; what it changes is put back."""
        files = UserFiles(named_files(self.call.typed[1:]))
        before = self._listed()
        with self._scripts.as_typed(), files.on_disk():
            report = self._look(Call((self.shown[0], *self.call.typed[1:]), cwd=self.call.cwd))
            for path in files.created():  # the words name it, and it was not there: an output
                os.unlink(path)  # noqa: PTH108
            changed = files.changed()
            lost = files.restore()
        if self.executor.guard is not None:
            self.executor.guard.files.forget(self._scripts.left_alone)
        if lost:
            raise UsageError(f"the command changes {names(lost)}, which cannot be put back", "name a copy of the file")
        if changed:
            self._put_back = f"the command changes {names(changed)}: put back as it was", kept_text(files)
        new = sorted(self._listed() - before)
        if new:
            self.listener(Note(f"the command, run once as typed, has written {names(new)}"))
        return report

    def _listed(self) -> set[str]:
        return {entry.path for entry in os.scandir(self.call.cwd) if entry.name != "__pycache__"}


def _same(one: Report, other: Report) -> bool:
    """Whether two runs end alike: both without a failure, or with one that looks the same but for paths."""
    if one.outcome is not FAIL or other.outcome is not FAIL:
        return one.outcome is other.outcome
    seen = [each.learnt.expected if isinstance(each.learnt, Command) else None for each in (one, other)]
    if seen[0] is None or seen[1] is None:
        return seen[0] is seen[1]
    ends = [(each.exit, each.signal, each.diagnosis and each.diagnosis.kind) for each in seen if each is not None]
    said = [each.diagnosis and essence(each.diagnosis.message, frozenset()) for each in seen if each is not None]
    return ends[0] == ends[1] and said[0] == said[1]


def _ending(report: Report) -> str:
    return (report.why or report.outcome.value)[:200]


def _evidence(where: str, report: Report) -> list[str]:
    lines = [line[:200] for line in report.evidence.splitlines() if line.strip()][-_MAX_LINES:]
    return [f"{where}: {line}" for line in lines]
