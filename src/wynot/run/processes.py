"""The bench that runs oracles as processes: one thread, one selector, any number of them."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from wynot.core.artifact import Artifact, Content
from wynot.oracles.words import Ended, Examination, Invocation, Oracle, Report
from wynot.run.bench import Key
from wynot.run.limits import Limits
from wynot.run.place import make_root, remove_root
from wynot.run.process import Process
from wynot.run.programs import ProgramBench
from wynot.run.spare import Spare
from wynot.run.strays import MARK, Guardian, adopt_orphans, children, kill_strays
from wynot.run.watch import Watch
from wynot.run.worker import Worker

if TYPE_CHECKING:
    from wynot.run.server.forks import Forks  # loaded by those who have one

LONGEST = 3600.0
"""Seconds to wait at a time: the system's own limit is some weeks."""

Starting = Callable[[Invocation, str, dict[bytes, bytes], Limits], Process]
"""How a program is started, in a folder, with an environment and limits."""


@dataclass(slots=True)
class _Task:
    key: Key
    examination: Examination
    worker: Worker
    process: Process | None = None
    unwanted: bool = False
    longest: float = 0.0
    cut: bool = False


class ProcessBench(ProgramBench):
    """Runs up to `jobs` examinations at once, each in a folder of its own."""

    def __init__(
        self,
        oracle: Oracle,
        name: str,
        jobs: int,
        limits: Limits,
        *,
        alone: bool = False,
        size: int = 0,
        lasting: bool = False,
    ) -> None:
        super().__init__(oracle, limits)
        self._name, self._jobs = name, jobs
        self.starting: Starting = Process
        """How programs are started."""
        self._mark = uuid.uuid4().hex[:12]
        self._alone = alone
        """Whether this process has no children but ours."""
        self._lasting = lasting
        """Whether folders stay between tests, with what builds made in them, and only what differs is written."""
        self._before = children()
        self._root = make_root(jobs * size)
        self._guardian = Guardian(self._root, self._mark)
        self._adopts = adopt_orphans()
        self._idle = [Worker(self._root, number, self._mark, lasting=lasting) for number in reversed(range(jobs))]
        self._workers = tuple(self._idle)
        self._tasks: dict[Key, _Task] = {}
        self._dying: list[_Task] = []
        self._reports: list[tuple[Key, Report]] = []
        self._watch = Watch[_Task | None]()
        self._called = False
        self._forks: Forks | None = None
        self._spare = Spare()

    @property
    def jobs(self) -> int:
        """How many tests may run at once."""
        return self._jobs

    @property
    def free(self) -> int:
        """Workers without work."""
        return len(self._idle)

    @property
    def spare(self) -> bool:
        """Whether there are processors with nothing to do."""
        return self._spare.left

    @property
    def crowd(self) -> float:
        """Tests for each processor of this machine."""
        return self._jobs / (os.cpu_count() or 1)

    @property
    def forks(self) -> Forks | None:
        """Has the program ready to be forked, where that was asked for."""
        return self._forks

    @forks.setter
    def forks(self, forks: Forks | None) -> None:
        self._forks = forks
        self.starting = Process if forks is None else partial(Process, forks=forks)

    def listen(self, fd: int) -> None:
        """Let `wait` end early whenever this can be read from."""
        self._watch.add(fd, None)

    def submit(self, key: Key, candidate: Content) -> None:
        """Begin an examination of this content, under the artifact's own name."""
        self.prepare()
        worker = self._idle.pop()
        artifact = Artifact(self._name, candidate)
        task = _Task(key, (self.examiner or self.oracle).examine(artifact, worker.place.work), worker)
        self._tasks[key] = task
        self._go_on(task, None)

    def _go_on(self, task: _Task, ended: Ended | None) -> None:
        """Run what the examination asks for next, or take its report."""
        try:
            invocation = next(task.examination) if ended is None else task.examination.send(ended)
        except StopIteration as done:
            report = task.worker.told(done.value, self._name)
            if (report.seconds, report.cut) != (task.longest, task.cut):
                report = replace(report, seconds=task.longest, cut=task.cut)
            self._reports.append((task.key, report))
            del self._tasks[task.key]
            self._idle.append(task.worker)
            return
        place = task.worker.place
        if not invocation.stays or not os.path.isdir(f"{place.work}/{invocation.within}"):  # noqa: PTH112 - once a test
            place.lay(invocation.files)
        process = self.starting(invocation, place.work, task.worker.env, self.limits)
        task.process = process
        self.away += process.spawning
        self.runs += 1
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
        task.longest, task.cut = max(task.longest, ended.seconds), task.cut or ended.timed_out
        if self._adopts:
            kill_strays((*self._before, *self._own()), task.worker.mark, alone=self._alone)
        if process.makes and ended.exit == 0:
            task.worker.place.keep()
        if task.unwanted:
            self._dying.remove(task)
            task.worker.place.clean()
            self._idle.append(task.worker)
            self._called = True  # whoever waits may have work for it
        else:
            self._go_on(task, ended)

    def _own(self) -> list[int]:
        tasks = (*self._tasks.values(), *self._dying)
        keepers = [self._guardian.pid] if self.forks is None else [self._guardian.pid, self.forks.pid]
        return [*keepers, *(t.process.pid for t in tasks if t.process is not None)]

    def kill(self, key: Key) -> None:
        """Kill a test; its worker is free again once it is dead."""
        task = self._tasks.pop(key, None)
        if task is None or task.process is None:
            return
        task.unwanted = True
        self._dying.append(task)
        task.process.kill()

    @property
    def mark(self) -> str:
        """What is in the environment of all that is to end with this bench."""
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
        return {**os.environb, MARK.encode(): f"{self._mark}.all".encode()}

    @property
    def adopts(self) -> bool:
        """Whether orphans become our children."""
        return self._adopts

    def afresh(self) -> None:
        """Each worker's next test finds nothing that earlier ones have built."""
        for worker in self._workers:
            worker.place.afresh()

    def reads(self) -> frozenset[str]:
        """The files of the folder that were read since it was laid out, by any worker; where folders last."""
        return frozenset[str]().union(*(worker.place.reads(self._name) for worker in self._workers))

    def renewed(self) -> ProcessBench:
        """A bench like this one, which is closed, with one worker; the count goes on."""
        bench = ProcessBench(self.oracle, self._name, 1, self.limits, alone=self._alone, lasting=self._lasting)
        bench.runs, bench.away = self.runs, self.away
        if self._forks is None:  # what it forks from has ended with it
            bench.starting = self.starting
        return bench

    def close(self) -> None:
        """Kill everything, remove everything."""
        for key in list(self._tasks):
            self.kill(key)
        while self._dying:  # not by the watch: an interruption may have left it without them
            process = self._dying.pop().process
            if process is not None:
                process.finish()
        if self.forks is not None:
            self.forks.close()
        kill_strays((*self._before, self._guardian.pid), self._mark, unmarked=self._alone, alone=self._alone)
        remove_root(self._root)
        self._guardian.dismiss()
