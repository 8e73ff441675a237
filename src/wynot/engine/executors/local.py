"""Run tests on this machine: worker processes, one selector, any number of them."""

from __future__ import annotations

import os
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from wynot.core.artifact import Artifact, Content
from wynot.core.outcome import FAIL, UNRESOLVED
from wynot.core.run_events import Caution, Listener, silent
from wynot.engine.baseline.files_read import LinkTargets, lay_beside
from wynot.engine.executors.executor import USUAL, Key, ProgramExecutor, TestSettings
from wynot.engine.executors.orphans import MARK, Adoption, children, guarded, kill_strays, variable
from wynot.engine.executors.process import Poll, Process
from wynot.engine.executors.sandbox import (
    SECONDS_TO_FILL_MEMORY,
    Limits,
    OutOfMemory,
    Sandbox,
    enough_files,
    how_to_unmount,
    make_root,
    remove_root,
)
from wynot.engine.files.file_guard import FileGuard
from wynot.engine.files.removal import Leftover
from wynot.oracles.protocol import Examination, Invocation, Oracle, ProcessExit, Report

if TYPE_CHECKING:
    from wynot.engine.executors.fork_server import ForkServer  # loaded by those who have one


# Whether processors have nothing to do: then what may be needed next can be worked out, though the work may be useless.
#
# Tests that sleep, or wait for others, leave time for it; those that keep every processor busy would have to wait. So
# would we, for whatever else is at work on the machine.


WINDOW = 0.1
"""Seconds between two looks."""
RESERVE = 0.75
"""So many processors have to be left by us and our tests..."""
IDLE = 0.5
"""...and so many by everybody, where that can be seen."""


class IdleProcessors:
    """Looks, now and then, how much processor time this process and its tests take."""

    def __init__(self, processors: int | None = None) -> None:
        self._enough = (processors or _processors()) - RESERVE
        self._at, self._used, self._idle = _now(), _used(), _idle()
        self.left = False
        """Whether there was processor time left when it was looked at last."""

    def look(self) -> None:
        """A test has ended: look again, unless that was done a moment ago."""
        now = _now()
        if now - self._at >= WINDOW:
            used, idle, passed = _used(), _idle(), now - self._at
            nobody = idle is None or self._idle is None or idle - self._idle >= IDLE * passed
            self.left = used - self._used <= self._enough * passed and nobody
            self._at, self._used, self._idle = now, used, idle


def _now() -> float:
    return time.perf_counter()


def _used() -> float:
    """Seconds of processor time: our own, and that of tests that have ended."""
    return sum(os.times()[:4])


def _idle() -> float | None:
    """Seconds in which processors of this machine had nothing to do (proc_stat(5)); None where that is not told."""
    try:
        with open("/proc/stat", "rb") as file:  # noqa: PTH123 - often
            words = file.readline().split()
        return int(words[4]) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None


def _processors() -> int:
    """Those that we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# A worker: where one test at a time is run, and with which environment.


class Worker:
    """A place to work, and the environment of what runs there."""

    def __init__(self, root: str, number: int, mark: str, *, lasting: bool) -> None:
        self.place = _lasting(root, number) if lasting else Sandbox(root, number)
        self.mark = f"{mark}.{number:03}"
        own = {"TMPDIR": self.place.temp, MARK: variable(self.mark)}
        self.env = {**os.environb, **{os.fsencode(k): os.fsencode(v) for k, v in own.items()}}
        if lasting:
            self.env.pop(b"PYTHONPYCACHEPREFIX", None)  # bytecode that cannot be removed with its source

    def told(self, report: Report, name: str) -> Report:
        """A report whose evidence does not tell in which worker's folder a test of an artifact has run."""
        if not report.evidence:
            return report
        place, evidence = self.place, report.evidence
        tested = f"{place.work}/{name}"
        for folder in (*([tested] if os.path.isdir(tested) else ()), place.work, place.temp):  # noqa: PTH112 - as above
            evidence = evidence.replace(f"{folder}/", "").replace(folder, ".")
        return replace(report, evidence=evidence)


def _lasting(root: str, number: int) -> Sandbox:
    from wynot.engine.executors.work_tree import LastingSandbox  # noqa: PLC0415 - where folders last only

    return LastingSandbox(root, number)


REPEATS = 2
"""A run that something other than wynot killed is repeated this many times, the last time with nothing beside it."""
MAX_KILLED_AGAIN = 5
"""Runs in a row whose repeats were killed, too; later ones are not repeated: it is not by chance."""
LONGEST = 3600.0
"""Seconds to wait at a time: the system's own limit is some weeks."""

Starting = Callable[[Invocation, str, dict[bytes, bytes], Limits], Process]
"""How a program is started, in a folder, with an environment and limits."""


@dataclass(frozen=True, slots=True)
class LocalSettings:
    """How a local executor works, whatever it tests."""

    alone: bool = False
    """Whether this process has no children but the executor's."""
    size: int = 0
    """Bytes of the largest artifact."""
    lasting: bool = False
    """Whether folders stay between tests, with what builds made in them, and only what differs is written."""
    listener: Listener = silent
    guard: FileGuard | None = None
    server: bool = False
    starting: Starting = Process
    """How programs are started."""


@dataclass(slots=True, eq=False)
class _Task:
    key: Key
    examination: Examination
    worker: Worker
    limits: Limits | None
    """The test's own; None: those of the executor."""
    process: Process | None = None
    invocation: Invocation | None = None
    repeats: int = 0
    """How often this invocation was repeated."""
    kills: int = 0
    killed: bool = False
    unwanted: bool = False
    in_place: bool = False
    """Whether it runs in the user's folder, as typed: whoever asks for that puts back what it changes."""
    longest: float = 0.0
    cut: bool = False


def _with_kills(report: Report, task: _Task) -> Report:
    """A report of a test that was killed from outside. To pass is then no outcome: the program did not come to it.

    A program that was killed each time, and is looked for by just that, shows the failure.
    """
    if not task.killed:
        return replace(report, kills=task.kills)
    if report.outcome is FAIL:
        return report
    return replace(report, outcome=UNRESOLVED, kills=task.kills, killed=True)


class LocalExecutor(ProgramExecutor):
    """Runs up to `jobs` examinations at once, each in a folder of its own."""

    def __init__(
        self, oracle: Oracle, name: str, jobs: int, limits: Limits, settings: LocalSettings = LocalSettings()
    ) -> None:  # fmt: skip
        super().__init__(oracle, limits, settings.guard, server=settings.server)
        self._name, self._jobs, self._settings = name, jobs, settings
        self._listener, self._alone, self._starting = settings.listener, settings.alone, settings.starting
        self._mark = uuid.uuid4().hex[:12]
        self._before = children()
        enough_files(jobs)
        self._root = make_root(jobs * settings.size)
        self._guardian = guarded(self._root, self._mark)
        self._adoption = Adoption()
        self._idle = [
            Worker(self._root, number, self._mark, lasting=settings.lasting) for number in reversed(range(jobs))
        ]
        self._workers = tuple(self._idle)
        self._tasks: dict[Key, _Task] = {}
        self._dying: list[_Task] = []
        self._reports: list[tuple[Key, Report]] = []
        self._watch = Poll[_Task | None]()
        self._called = False
        self._secluded: deque[_Task] = deque()
        """Tests whose last repeat runs with nothing beside it: the first one now, then the next."""
        self._killed_again = 0
        self._memory = OutOfMemory()
        self._forks: ForkServer | None = None
        self._spare = IdleProcessors()
        self._links = LinkTargets()
        self._reported: set[str] = set()
        """What could not be removed, as far as that was reported."""
        self._left: list[Leftover] = []
        """The mount points among that."""

    @property
    def jobs(self) -> int:
        """How many tests may run at once."""
        return self._jobs

    @property
    def free(self) -> int:
        """Workers without work; none while a test needs to run alone."""
        return 0 if self._secluded else len(self._idle)

    @property
    def spare(self) -> bool:
        """Whether there are processors with nothing to do."""
        return self._spare.left

    @property
    def crowd(self) -> float:
        """Tests for each processor of this machine."""
        return self._jobs / (os.cpu_count() or 1)

    @property
    def forks(self) -> ForkServer | None:
        """Has the program ready to be forked, where that was asked for."""
        return self._forks

    def fork_from(self, forks: ForkServer | None) -> None:
        """Have this server fork the program for each test; None: start it."""
        self._forks = forks
        self._starting = Process if forks is None else partial(Process, forks=forks)

    @contextmanager
    def started_by(self, starting: Starting) -> Iterator[None]:
        """Have this start programs meanwhile."""
        self._starting = starting
        try:
            yield
        finally:
            self._starting = Process

    def listen(self, fd: int) -> None:
        """Let `wait` end early whenever this can be read from."""
        self._watch.add(fd, None)

    def submit(self, key: Key, candidate: Content, settings: TestSettings = USUAL) -> None:
        """Begin an examination of this content, under the artifact's own name."""
        self._prepare(settings)
        worker = self._idle.pop()
        artifact, examiner = Artifact(self._name, candidate), settings.examiner or self.oracle
        task = _Task(key, examiner.examine(artifact, worker.place.work), worker, settings.limits)
        self._tasks[key] = task
        self._go_on(task, None)

    def _go_on(self, task: _Task, ended: ProcessExit | None) -> None:
        """Run what the examination asks for next, or take its report."""
        try:
            invocation = next(task.examination) if ended is None else task.examination.send(ended)
        except StopIteration as done:
            report = task.worker.told(done.value, self._name)
            if (report.seconds, report.cut) != (task.longest, task.cut):
                report = replace(report, seconds=task.longest, cut=task.cut)
            if task.kills:
                report = _with_kills(report, task)
            self._reports.append((task.key, report))
            del self._tasks[task.key]
            self._idle.append(task.worker)
            return
        task.repeats = 0
        self._run(task, invocation)

    def _run(self, task: _Task, invocation: Invocation) -> None:
        """Start a program."""
        place = task.worker.place
        if not invocation.stays or not os.path.isdir(f"{place.work}/{invocation.within}"):  # noqa: PTH112 - once a test
            place.lay(invocation.files)
            if invocation.beside:
                self._links.watch(invocation.beside)
                lay_beside(place.work, invocation.beside)
            self._report(place.left)
        task.in_place = bool(invocation.cwd)
        process = self._starting(invocation, place.work, task.worker.env, task.limits or self.limits)
        process.kills_before = self._memory.kills
        task.process, task.invocation = process, invocation
        self.charge(1, process.spawning)
        for fd in process.fds:
            self._watch.add(fd, task)

    def wait(self, timeout: float | None = None) -> list[tuple[Key, Report]]:
        """Wait for the next end of an examination; or of one that was killed, as its worker is free then."""
        until = None if timeout is None else time.perf_counter() + timeout
        self._called = False
        while not self._reports and not self._called and (self._tasks or self._dying):
            self._turn(until)
            if until is not None and time.perf_counter() >= until:
                break
        reports, self._reports = self._reports, []
        return reports

    def _turn(self, until: float | None) -> None:
        """Take in what has happened, at the latest by the next deadline."""
        self._run_secluded()
        running = [t.process for t in self._tasks.values() if t.process is not None]
        deadlines = [p.deadline for p in running if p.deadline is not None and not p.timed_out]
        if until is not None:
            deadlines.append(until)
        patience = min(max(0.0, min(deadlines) - time.perf_counter()), LONGEST) if deadlines else None
        begun = time.perf_counter()
        ready = self._watch.wait(patience)
        self.away += time.perf_counter() - begun
        for fd, task in ready:
            self._take(fd, task)
        now = time.perf_counter()
        for process in running:
            if process.deadline is not None and now >= process.deadline and not process.timed_out:
                process.timed_out = True
                process.kill()

    def _take(self, fd: int, task: _Task | None) -> None:
        if task is None:
            self._called = True
            return
        process = task.process
        if process is None or fd not in process.fds:
            return  # an event of a process that another event of the same turn has ended
        if fd != process.end:
            if not process.read(fd):
                self._watch.drop(fd)
            return
        self._end(task, process)

    def _end(self, task: _Task, process: Process) -> None:
        for fd in process.fds:
            self._watch.drop(fd)
        task.process = None
        ended = process.finish()
        self._spare.look()
        if task.invocation is not None and task.invocation.beside:
            self._links.check()
        task.longest, task.cut = max(task.longest, ended.seconds), task.cut or ended.timed_out
        if self._adoption.works:
            kill_strays((*self._before, *self._own()), task.worker.mark, alone=self._alone)
        if self.guard is not None and not task.in_place:
            self.guard.check()
        if process.makes and ended.exit == 0:
            task.worker.place.keep()
        if task.unwanted:
            self._dying.remove(task)
            task.worker.place.clean()
            self._report(task.worker.place.left)
            self._idle.append(task.worker)
            self._called = True  # whoever waits may have work for it
        else:
            self._take_end(task, process, ended)

    def _take_end(self, task: _Task, process: Process, ended: ProcessExit) -> None:
        """Repeat a run that something else killed; go on with all others."""
        invocation = task.invocation
        if ended.seconds >= SECONDS_TO_FILL_MEMORY and self._memory.look() > process.kills_before:
            ended = replace(ended, out_of_memory=True)
        killed = ended.killed and invocation is not None and not invocation.may_be_killed
        secluded = task in self._secluded
        if secluded:
            self._secluded.remove(task)
        if killed and invocation is not None:
            task.kills += 1
            if task.repeats < REPEATS and self._killed_again < MAX_KILLED_AGAIN:
                task.repeats += 1
                if task.repeats == REPEATS:
                    self._secluded.append(task)
                else:
                    self._run(task, invocation)
                return
            task.killed = True
        if task.repeats:
            self._killed_again = self._killed_again + 1 if killed else 0
        self._go_on(task, ended)

    def _run_secluded(self) -> None:
        """Start the test that needs to run alone, if nothing else runs."""
        if not self._secluded or self._dying or any(task.process is not None for task in self._tasks.values()):
            return
        task = self._secluded[0]
        if task.invocation is not None:
            self._run(task, task.invocation)

    def last_look(self) -> None:
        """Also at the files that links lead to."""
        super().last_look()
        self._links.check(last=True)

    def _own(self) -> list[int]:
        tasks = (*self._tasks.values(), *self._dying)
        keepers = [self._guardian.pid] if self._forks is None else [self._guardian.pid, self._forks.pid]
        return [*keepers, *(t.process.pid for t in tasks if t.process is not None)]

    def kill(self, key: Key) -> None:
        """Kill a test; its worker is free again once it is dead."""
        task = self._tasks.pop(key, None)
        if task is not None and task in self._secluded:
            self._secluded.remove(task)
        if task is None:
            return
        if task.process is None:  # it waits to be repeated alone
            task.worker.place.clean()
            self._idle.append(task.worker)
            return
        task.unwanted = True
        self._dying.append(task)
        task.process.kill()

    @property
    def mark(self) -> str:
        """What is in the environment of all that is to end with this executor."""
        return self._mark

    @property
    def root(self) -> str:
        """The private folder of all its workers."""
        return self._root

    @property
    def path(self) -> str:
        """Where the first worker finds what it tests."""
        return f"{self._workers[-1].place.work}/{self._name}"

    @property
    def env(self) -> dict[bytes, bytes]:
        """The environment of what is neither this nor that worker's."""
        return {**os.environb, MARK.encode(): variable(f"{self._mark}.all").encode()}

    @property
    def adopts(self) -> bool:
        """Whether orphans become our children."""
        return self._adoption.works

    def afresh(self) -> None:
        """Each worker's next test finds nothing that earlier ones have built."""
        for worker in self._workers:
            worker.place.afresh()

    def reads(self) -> frozenset[str]:
        """The files of the folder that were read since it was laid out, by any worker; where folders last."""
        return frozenset[str]().union(*(worker.place.reads(self._name) for worker in self._workers))

    def renewed(self) -> LocalExecutor:
        """An executor like this one, which is closed, with one worker; the count goes on."""
        starting = self._starting if self._forks is None else Process  # what it forks from has ended with it
        settings = replace(self._settings, size=0, server=False, starting=starting)
        executor = LocalExecutor(self.oracle, self._name, 1, self.limits, settings)
        executor.charge(self.runs, self.away)
        return executor

    def close(self) -> None:
        """Kill everything, remove everything."""
        for key in list(self._tasks):
            self.kill(key)
        while self._dying:  # not by the watch: an interruption may have left it without them
            process = self._dying.pop().process
            if process is not None:
                process.finish()
        if self._forks is not None:
            self._forks.close()
        kill_strays((*self._before, self._guardian.pid), self._mark, unmarked=self._alone, alone=self._alone)
        if self.guard is not None and (said := self.guard.restored()):
            self._listener(Caution(said))
        self._report([each for each in remove_root(self._root) if each.path not in self._reported])
        if more := self._left[1:]:
            self._listener(Caution(f"tests have left {len(more)} more of this kind ({how_to_unmount(more)})"))
        self._guardian.dismiss()
        self._adoption.end()

    def _report(self, left: list[Leftover]) -> None:
        """Say what could not be removed: of mount points, only the first one; each test may leave one."""
        for each in left:
            if not each.mounted or not self._left:
                self._listener(Caution(f"a test has left something: {each.text()}"))
            self._left += [each] if each.mounted else []
            self._reported.add(each.path)
        left.clear()
