"""What every run has: an oracle at an executor, a journal, a budget, somebody who listens."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from wynot.core.artifact import Content, size
from wynot.core.outcome import FAIL, Outcome
from wynot.core.run_events import Note
from wynot.engine.budget import Budget, budget_alarm, cancel_alarm
from wynot.engine.executors.choose import Test, executor_of_programs, function_executor
from wynot.engine.executors.executor import Executor, ProgramExecutor
from wynot.engine.files.program_watch import ProgramWatch
from wynot.engine.journal import Journal
from wynot.engine.record.write import RunFacts, RunRecorder, recording
from wynot.engine.run_options import Options, run_id
from wynot.engine.tester import NOTHING_TO_DO, Tester
from wynot.errors import Ended, Interrupted, NoFailureError
from wynot.oracles.protocol import Oracle, words_of_commands

if TYPE_CHECKING:
    from wynot.engine.record.read import ResultSummary
    from wynot.engine.record.repeat_proof import Proof
    from wynot.engine.results import Cost

SHORT = 8
"""So much of a run's name is enough to type."""


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

    def __init__(self, tester: Tester[Content], options: Options, shown: str, begun: float) -> None:
        self.tester, self.options = tester, options
        self.shown = shown
        """The input as the user knows it."""
        self._oracle = tester.executor.oracle if isinstance(tester.executor, ProgramExecutor) else None
        """As it was before it had seen the failure."""
        self.begun = begun
        self.rate = 1.0
        self.recorder: RunRecorder | None = None
        self.teller: Callable[[Any], ResultSummary | None] = _telling
        """Says what is to be kept of a result."""

    def cost(self) -> Cost:
        """What it has taken so far."""
        from wynot.engine.results import Cost  # noqa: PLC0415 - it takes time to load

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
            self.tester.executor = executor.renewed()
            self.tester.running.clear()

    def searched(self, search: Callable[[], Result]) -> Result:
        """What a search finds.

        What an earlier process has found is looked at first: something may have changed that is not watched. Then, a
        failure that three runs have shown may still be one that shows only sometimes. So the result is run some more
        times. If one of these runs does not fail, no outcome of a single run can be trusted: the rate is measured, and
        the search begins again.
        """
        result = search()
        self._last_look()
        if self.options.proof is not None:
            return self.found(result)
        from wynot.engine.baseline.result_checks import fails_each_time, holds_still  # noqa: PLC0415 - the search has loaded all else

        journal = self.tester.journal
        if journal is not None and not holds_still(
            self.tester, self._claims(result), all_known=self._earlier() is not None
        ):
            journal.set_aside()
            self._begin_again()
            result = search()
        while not fails_each_time(self.tester, [each for each, outcome in self._claims(result) if outcome is FAIL]):
            if journal is not None:
                (journal.set_aside if self.tester.doubted is None else journal.forget_outcomes)()
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
            with self.tester.forgetting():
                executor.last_look()

    def _begin_again(self) -> None:
        """Nothing is known any more."""
        self._observe_again()
        self.tester.forget_outcomes()

    def _observe_again(self) -> None:
        """The search begins again with the input itself."""
        self.tester.kill_all_but(set())
        self.tester.later = NOTHING_TO_DO
        if isinstance(self.tester.executor, ProgramExecutor) and self._oracle is not None:
            self.tester.executor.oracle = self._oracle

    def _claims(self, result: object) -> list[tuple[Content, Outcome]]:
        """The contents that are said to fail, or to pass."""
        told = self.teller(result)
        return [] if told is None else list(told.claims())

    def _earlier(self) -> str | None:
        """When an earlier attempt has found what this one has only remembered; None if this one has run tests."""
        return self.recorder.tested if self.recorder is not None and not self.tester.counts.tests else None

    def found(self, result: Result) -> Result:
        """This is the result: it goes to the record, or is proved again."""
        cancel_alarm()  # the search is over: what follows takes its time
        self._last_look()
        if self.options.proof is not None:
            from wynot.engine.record.repeat_proof import Proved, ProvingTester  # noqa: PLC0415 - only `verify` needs it

            if isinstance(self.tester, ProvingTester):
                told = self.teller(result)
                raise Proved(self.options.proof.conduct(self.tester, told.claims() if told is not None else ()))
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
        recorder.ended(status, None if result is None else self.teller(result), **more)

    @property
    def run(self) -> str | None:
        """The run's name, where there is a journal."""
        return self.tester.journal.run if self.tester.journal is not None else None


def _clock(moment: str) -> str:
    """A time of this day, or a day and a time, as it is here."""
    then = datetime.fromisoformat(moment).astimezone()
    return then.strftime("%H:%M" if then.date() == datetime.now().astimezone().date() else "%Y-%m-%d %H:%M")


def _without_result() -> AbstractContextManager[None]:
    from wynot.engine.record.repeat_proof import without_result  # noqa: PLC0415 - only `verify` needs it

    return without_result()


def _telling(result: object) -> ResultSummary | None:
    from wynot.engine.record.read import summarise  # noqa: PLC0415 - it takes time to load

    return summarise(result)


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
    journal: Journal | None = None
    proof: Proof | None = None
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
        if not callable(oracle):  # once there is a place to work: a run that cannot begin leaves no trace
            proof = options.proof if options.proof is not None and options.proof.mine() else None
            journal = _journal(run_id(question or kind, inputs, name, oracle, options), inputs, options, proof)
            if journal is not None:
                closing.callback(journal.close)
        closing.push(opening.pop_all())
    kept = options.proof is None
    cancel_alarm()  # that of what came before the run
    alarm = budget_alarm(budget) if options.alone else nullcontext()
    with hint_how_to_resume(journal, options.typed if kept else ()), closing, alarm:
        recorder = _recorder(kind, inputs, name, shown, oracle, options, journal) if kept else None
        made: type[Tester[Content]] = Tester
        if proof is not None:
            from wynot.engine.record.repeat_proof import ProvingTester  # noqa: PLC0415 - only `verify` needs it

            made = ProvingTester
        tester = made(executor, journal, budget, recorder or options.listener, options.controls, heeding=lasting)
        tester.program = program
        opened = Session(tester, options, shown, begun)
        opened.recorder = recorder
        with recording(opened.end) if kept else _without_result(), _reporting_kills(tester):
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


def _journal(run: str, inputs: Sequence[Content], options: Options, proof: Proof | None) -> Journal | None:
    """The journal of a run; the run that is to be proved has its own, and the others of its command are only read."""
    if proof is not None:
        return proof.journal(inputs, run)
    if options.proof is not None:
        from wynot.engine.record.repeat_proof import on_the_way  # noqa: PLC0415 - only `verify` needs it

        return on_the_way(run)
    if options.again is not None:
        options.again.check(inputs, run)
    return Journal(run, fresh=options.fresh) if options.resume else None


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
