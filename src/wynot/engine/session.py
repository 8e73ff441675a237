"""What every run has: an oracle at an executor, a journal, a budget, somebody who listens."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from wynot.core.artifact import AnyContent, Content, size
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, Outcome
from wynot.core.run_events import Note
from wynot.engine.baseline.baseline_runs import Baseline, baseline
from wynot.engine.budget import Budget, budget_alarm, cancel_alarm, linger
from wynot.engine.executors.executor import Executor, InlineExecutor, ProgramExecutor, ThreadExecutor
from wynot.engine.executors.local import LocalExecutor, LocalSettings
from wynot.engine.files.file_guard import guard_of
from wynot.engine.files.program_watch import ProgramWatch
from wynot.engine.journal import Journal
from wynot.engine.record.write import RunFacts, RunRecorder, recording
from wynot.engine.run_options import Options, Resumed, Verifying, run_id
from wynot.engine.tester import NOTHING_TO_DO, Tester
from wynot.errors import Ended, Interrupted, NoFailureError, UsageError
from wynot.oracles.protocol import Oracle, words_of_commands
from wynot.oracles.python_function import Test, asking

if TYPE_CHECKING:
    from wynot.engine.record.read import ResultSummary
    from wynot.engine.results import Cost

SHORT = 8
"""So much of a run's name is enough to type."""


# The modes of a run. What differs between them in a session is decided here:
#
# live       the run has its journal, if one is wanted, and a record; its result is confirmed by more tests
# resumed    as live; refused if its name, which is what was asked, is no longer that of the recorded run
# verifying  no record, no confirmation; the recorded run has its journal, only to be read, and a tester that collects
#            the tests of its proof; these are repeated, and the verdict is handed over. Other runs of the same command
#            have the journals that they wrote, only to be read.


@dataclass(frozen=True, slots=True)
class _Terms:
    """What the mode of a run decides."""

    journal: Journal | None = None
    kept: bool = True
    """The run has a record and can be resumed, and its result is confirmed by more tests. Else nothing is written."""
    verifying: Verifying | None = None
    """The proof of the result is repeated, by another tester; the verdict replaces the result."""


_WITHOUT_JOURNAL = _Terms()


def _terms(run: str, inputs: Sequence[Content], options: Options) -> _Terms:
    """What is decided for a run of this name."""
    match options.mode:
        case Verifying(proof) as mode if proof.mine():
            return _Terms(proof.journal(inputs, run), kept=False, verifying=mode)
        case Verifying(proof):
            return _Terms(proof.journal_on_the_way(run), kept=False)
        case Resumed(earlier):
            earlier.check(inputs, run)
    return _Terms(Journal(run, fresh=options.fresh) if options.resume else None)


@contextmanager
def without_result() -> Iterator[None]:
    """A proof that ends early has found nothing: what the search was about to find again is no news."""
    try:
        yield
    except Ended as early:
        early.best = None
        raise


@contextmanager
def hint_how_to_resume(journal: Journal | None, typed: Sequence[str]) -> Iterator[None]:
    """A command that ends early says what to type to go on: that is true with --fresh, too.

    Where there is no command, or nothing could be kept of the run, there is nothing to go on with. Who presses Ctrl-C
    once more, while what was found is put away or processes are ended, is told so, too.
    """
    try:
        yield
    except Ended as early:
        _tell(early, journal, typed)
        raise
    except KeyboardInterrupt as once_more:
        first = _first(once_more) or Interrupted("interrupted")
        _tell(first, journal, typed)
        raise first from None


def _tell(early: Ended, journal: Journal | None, typed: Sequence[str]) -> None:
    if typed and journal is not None and journal.broken is None:
        early.hint = early.hint or f"go on with: wynot runs resume {journal.run[:SHORT]}"


def _first(error: BaseException) -> Ended | None:
    """The end that was under way when Ctrl-C came once more; it carries what was found."""
    before = error.__context__
    while before is not None and not isinstance(before, Ended):
        before = before.__context__
    return before


Result = TypeVar("Result")


class Session:
    """One run at work."""

    def __init__(
        self, tester: Tester[Content], options: Options, shown: str, begun: float, recorder: RunRecorder | None = None,
        terms: _Terms = _WITHOUT_JOURNAL,
    ) -> None:  # fmt: skip
        self.tester, self.options, self._terms = tester, options, terms
        self.shown = shown
        """The input as the user knows it."""
        self._oracle = tester.executor.oracle if isinstance(tester.executor, ProgramExecutor) else None
        """As it was before it had seen the failure."""
        self.begun = begun
        self.rate = 1.0
        self.recorder = recorder
        self._summarise: Callable[[Any], ResultSummary | None] = _telling

    def summarise_with(self, summarise: Callable[[Any], ResultSummary | None]) -> None:
        """This gives what is to be kept of a result."""
        self._summarise = summarise

    def observe(
        self, data: AnyContent, shown: str | None = None, meanwhile: Iterator[None] = NOTHING_TO_DO
    ) -> Baseline:  # fmt: skip
        """Test the input (which may be `shown` under another name): from now on tests look for its failure."""
        found = baseline(self.tester, data, self.shown if shown is None else shown, meanwhile)
        self.rate = found.rate
        return found

    def cost(self) -> Cost:
        """What it has taken so far."""
        from wynot.engine.results import Cost  # noqa: PLC0415 - engine.warmup

        wall = time.perf_counter() - self.begun
        executor = self.tester.executor
        runs = executor.runs if isinstance(executor, ProgramExecutor) else 0
        engine = max(0.0, wall - executor.away - self.tester.paused)
        from_run = self.run if self._earlier() is not None else None
        return Cost(self.tester.counts, wall, engine, runs, self.rate, from_run)

    def renew(self) -> None:
        """Take another executor: nobody knows in what state an interruption has left this one."""
        executor = self.tester.executor
        if isinstance(executor, ProgramExecutor):
            executor.close()
            self.tester.go_on_at(executor.renewed())

    def searched(self, search: Callable[[], Result]) -> Result:
        """What a search finds.

        What an earlier process has found is looked at first: something may have changed that is not watched. Then, a
        failure that three runs have shown may still be one that shows only sometimes. So the result is run some more
        times. If one of these runs does not fail, no outcome of a single run can be trusted: the rate is measured, and
        the search begins again.
        """
        result = search()
        self._last_look()
        if not self._terms.kept:
            return self.found(result)
        from wynot.engine.baseline.result_checks import fails_each_time, holds_still  # noqa: PLC0415 - engine.warmup

        journal = self.tester.journal
        if journal is not None and not holds_still(
            self.tester, self._claims(result), all_known=self._earlier() is not None
        ):
            journal.set_aside()
            self._begin_again()
            result = search()
        while not fails_each_time(self.tester, [each for each, outcome in self._claims(result) if outcome is FAIL]):
            if journal is not None:
                (journal.set_aside if self.tester.outcomes.doubted is None else journal.forget_outcomes)()
            self._begin_again()
            result = search()
        while self._fails_less_often(result):
            self._observe_again()
            result = search()
        return self.found(result)

    def _fails_less_often(self, result: object) -> bool:
        """Whether a result of which no more is claimed than that it fails does so less often than was compared with."""
        claims = self._claims(result)
        if self.rate == 1 or getattr(result, "weak", False) or any(outcome is not FAIL for _, outcome in claims):
            return False
        from wynot.engine.baseline.result_checks import fails_less_often  # noqa: PLC0415 - where failures show only sometimes

        return fails_less_often(self.tester, [content for content, _ in claims])

    def _last_look(self) -> None:
        """Before a result is reported: see that no file of the user's has changed."""
        executor = self.tester.executor
        if isinstance(executor, ProgramExecutor):
            with self.tester.outcomes.forgetting():
                executor.last_look()

    def _begin_again(self) -> None:
        """Nothing is known any more."""
        self._observe_again()
        self.tester.outcomes.forget()

    def _observe_again(self) -> None:
        """The search begins again with the input itself."""
        self.tester.kill_all_but(set())
        self.tester.do_later(NOTHING_TO_DO)
        if isinstance(self.tester.executor, ProgramExecutor) and self._oracle is not None:
            self.tester.executor.examine_with(self._oracle)

    def _claims(self, result: object) -> list[tuple[Content, Outcome]]:
        """The contents that are said to fail, or to pass."""
        told = self._summarise(result)
        return [] if told is None else list(told.claims())

    def _earlier(self) -> str | None:
        """When an earlier attempt has found what this one has only remembered; None if this one has run tests."""
        return self.recorder.tested if self.recorder is not None and not self.tester.counts.tests else None

    def found(self, result: Result) -> Result:
        """This is the result: it goes to the record, or is proved again."""
        cancel_alarm()  # the search is over: what follows takes its time
        self._last_look()
        if (mode := self._terms.verifying) is not None:
            mode.conclude(mode.proof.conduct(self._claims(result)))
        self._say_if_known()
        self.end("done", result)
        return result

    def _say_if_known(self) -> None:
        """Report that this run has tested nothing: all that the search asked was known from an earlier one."""
        then = self._earlier()
        if then is not None and self.run is not None:
            self.tester.listener(Note(f"from run {self.run[:SHORT]} of {_clock(then)}; --fresh runs it again"))

    def end(self, status: str, result: object = None, why: str = "") -> None:
        """It has ended, and how; the first to say so is right."""
        recorder, self.recorder = self.recorder, None
        if recorder is None:
            return
        counts = self.cost().counts
        more = {
            "why": why,
            "looked_for": getattr(result, "looked_for", ""),
            "minimality": getattr(result, "minimality", None),
            "weak": getattr(result, "weak", False),
            "atoms": getattr(result, "atoms", None),
            "tests": counts.tests,
            "baseline": counts.baseline,
            "cached": counts.cached,
            "predicted": counts.predicted,
            "wall": round(self.cost().wall, 3),
            "rate": self.rate,
        }
        recorder.ended(status, None if result is None else self._summarise(result), **more)

    @property
    def run(self) -> str | None:
        """The run's name, where there is a journal."""
        return self.tester.journal.run if self.tester.journal is not None else None


def _clock(moment: str) -> str:
    """A time of this day, or a day and a time, as it is here."""
    then = datetime.fromisoformat(moment).astimezone()
    return then.strftime("%H:%M" if then.date() == datetime.now().astimezone().date() else "%Y-%m-%d %H:%M")


def _telling(result: object) -> ResultSummary | None:
    from wynot.engine.record.read import summarise  # noqa: PLC0415 - engine.warmup

    return summarise(result)


def function_executor(test: Test, options: Options) -> Executor[Content]:
    """An executor for a function."""
    if options.cluster is not None:
        raise UsageError("a Python function cannot be tested on a cluster", "leave out `cluster`")
    ask = asking(test)

    def examine(content: Content) -> Outcome:
        return ask(content.files if isinstance(content, Folder) else content)

    return InlineExecutor(examine) if options.jobs == 1 else ThreadExecutor(examine, options.jobs)


def executor_of_programs(
    oracle: Oracle, name: str, options: Options, budget: Budget, largest: int, *, lasting: bool
) -> ProgramExecutor:  # fmt: skip
    """An executor for programs, here or on a cluster."""
    guard = guard_of(options.guarded, options.guarded_within)
    if options.cluster is None:
        settings = LocalSettings(options.alone, largest, lasting, options.listener, guard, options.server)
        return LocalExecutor(oracle, name, options.jobs, options.limits, settings)
    from wynot.engine.executors.dask.dask_executor import DaskExecutor, RunContext, WaitForWorkers  # noqa: PLC0415 - for those who ask for it

    waiting = WaitForWorkers(options.listener, partial(linger, budget, options.controls))
    work = RunContext(name, largest, lasting)
    return DaskExecutor(oracle, work, options.limits, options.cluster, waiting, guard, server=options.server)


@contextmanager
def session(
    kind: str, inputs: Sequence[Content], name: str, shown: str, oracle: Oracle | Test, options: Options, *,
    question: str = "", lasting: bool = False,
) -> Iterator[Session]:  # fmt: skip
    """Open an executor and a journal, and close them whatever happens.

    `kind` is the command. `question`: what else tells runs of this kind apart, besides inputs, oracle and options.
    `lasting`: work folders stay between tests, and it is kept what unresolved tests print.
    """
    begun = time.perf_counter()
    budget = Budget(options.budget_tests, options.budget_time, begun if options.begun is None else options.begun)
    executor: Executor[Content]
    tester: Tester[Content] | None = None
    with ExitStack() as opening:
        program = (
            None if callable(oracle) else ProgramWatch(oracle.files(), options.output, words_of_commands(oracle))
        )  # before the journal is chosen
        if callable(oracle):
            executor = function_executor(oracle, options)
        else:
            executor = executor_of_programs(oracle, name, options, budget, max(map(size, inputs)), lasting=lasting)
        opening.callback(lambda: (executor if tester is None else tester.executor).close())  # noqa: PLW0108 - the one at the end
        closing = ExitStack()
        terms = _WITHOUT_JOURNAL
        if not callable(oracle):  # once there is a place to work: a run that cannot begin leaves no trace
            terms = _terms(run_id(question or kind, inputs, name, oracle, options), inputs, options)
        if (journal := terms.journal) is not None:
            closing.callback(journal.close)
        closing.push(opening.pop_all())
    cancel_alarm()  # that of what came before the run
    alarm = budget_alarm(budget) if options.alone else nullcontext()
    with hint_how_to_resume(journal, options.typed if terms.kept else ()), closing, alarm:
        recorder = _recorder(kind, inputs, name, shown, oracle, options, journal) if terms.kept else None
        made: Callable[..., Tester[Content]] = Tester if terms.verifying is None else terms.verifying.proof.tester
        listener = recorder or options.listener
        tester = made(executor, journal, budget, listener, options.controls, heeding=lasting, program=program)
        opened = Session(tester, options, shown, begun, recorder, terms)
        with recording(opened.end) if terms.kept else without_result(), _reporting_kills(tester):
            yield opened


@contextmanager
def _reporting_kills(tester: Tester[Content]) -> Iterator[None]:
    """However the run ends, report the tests that were killed from outside; where no failure shows, the error does."""
    try:
        yield
    except NoFailureError:
        raise
    except BaseException:
        tester.warn_of_kills()
        raise
    tester.warn_of_kills()


def _recorder(
    kind: str, inputs: Sequence[Content], name: str, shown: str, oracle: Oracle | Test, options: Options,
    journal: Journal | None,
) -> RunRecorder | None:  # fmt: skip
    """Whoever keeps the record, where there is a journal."""
    if journal is None or callable(oracle):
        return None
    asked = RunFacts(kind, inputs, name, shown, oracle, options.typed, options.stdin, options.output, options.language)
    return RunRecorder(journal, options.listener, asked)


@contextmanager
def carrying(best: Callable[[str], object]) -> Iterator[None]:
    """A search that a budget or the user ends early carries the best so far; `best` is told which of them it was."""
    try:
        yield
    except Ended as ended:
        cancel_alarm()
        ended.best = best(ended.status)
        raise
    except KeyboardInterrupt:
        cancel_alarm()
        raise Interrupted("interrupted", best=best("interrupted")) from None
