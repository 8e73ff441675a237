"""Proving a result again: the tests on which its minimality rests, run once more, with nothing taken from memory.

Searches are pure: with the outcomes of the journal a search goes the same way again and runs no test. All that it asks
after it has found its result is the proof that nothing can be left out; just this is then asked of the real program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from wynot.core.artifact import Content, digest, size
from wynot.core.config import Config
from wynot.core.outcome import ANY, FAIL, NOTHING, PASS, Outcome
from wynot.core.run_events import Event, Improved, Listener, PassStarted, ResultSettled
from wynot.engine.executors.executor import USUAL, Key, ProgramExecutor, TestSettings
from wynot.engine.journal import Journal, runs_folder
from wynot.engine.record.read import RepeatedRun, Run
from wynot.engine.tester import NOTHING_TO_DO, Tester
from wynot.errors import UsageError
from wynot.oracles.protocol import Report


class ProofTest(NamedTuple):
    """A test that belongs to a proof."""

    candidate: Any
    size: int
    outcome: Outcome
    """As it was."""


class RepeatedTest(NamedTuple):
    """A test that was run again."""

    candidate: Any
    expected: Outcome
    got: Outcome
    why: str

    @property
    def holds(self) -> bool:
        """Whether it is as it was."""
        return self.got is self.expected


@dataclass(frozen=True, slots=True)
class ProofVerdict:
    """What was seen."""

    run: Run
    claims: list[RepeatedTest]
    """What is said of the result itself."""
    others: list[RepeatedTest]
    """The tests after which nothing smaller was left to try."""
    refuting: list[RepeatedTest]
    """Of these, the ones that show something smaller."""
    changed: bool
    """Whether program or command are not what they were."""

    @property
    def holds(self) -> bool:
        """Whether the result is what it was said to be."""
        return not self.refuting and all(claim.holds for claim in self.claims)


@dataclass(slots=True)
class Proof(RepeatedRun):
    """A run to be proved."""

    changed: bool = False
    _tester: ProvingTester = field(init=False, repr=False)

    def journal(self, inputs: Sequence[Content], name: str) -> Journal:
        """The journal of the run, though the program may be another by now. Nothing is written to it."""
        if not all(self.same(inputs)):
            raise UsageError(
                f"the input of run {self.run.id} has changed: its proof does not apply",
                f"put it back as it was; or search again: {self.command}",
            )
        self.changed = name != self.run.id
        return Journal(self.run.path.stem, folder=self.run.path.parent, frozen=True)

    @staticmethod
    def journal_on_the_way(run: str) -> Journal | None:
        """The journal of another run of the same command: what it knows is used, and nothing is written to it."""
        return Journal(run, frozen=True) if (runs_folder() / f"{run}.db").exists() else None

    def tester(self, *given: Any, **more: Any) -> ProvingTester:
        """The tester of the run to be proved."""
        self._tester = ProvingTester(*given, **more)
        return self._tester

    def conduct(self, claims: Sequence[tuple[Content, Outcome]]) -> ProofVerdict:
        """Run the tests of the proof."""
        tester, asked = self._tester, self._tester.proof()
        tester.outcomes.leave_journal()
        tester.listener(PassStarted("tests of the proof", len(claims) + len(asked)))
        if isinstance(tester.executor, ProgramExecutor):
            tester.executor.afresh()
        shown = [_again(tester, content, size(content), expected) for content, expected in claims]
        own = {digest(content) for content, _ in claims}
        decisive = {FAIL, PASS} if self._both() else {FAIL}
        needed = {key: each for key, each in asked.items() if self._both() or each.outcome is not FAIL}
        others = [_again(tester, *each) for key, each in needed.items() if key not in own]
        refuting = [each for each in others if each.got in decisive and not each.holds]
        return ProofVerdict(self.run, shown, others, refuting, self.changed)

    def _both(self) -> bool:
        """Whether a test that passes says as much as one that fails."""
        view = self.run.facts.get("view") or {}
        return self.run.kind in {"isolate", "changes", "bisect"} or bool(view.get("preventing"))


def _again(tester: ProvingTester, candidate: Any, length: int, expected: Outcome) -> RepeatedTest:
    report: Report = tester.probe(digest(candidate), candidate, length, NOTHING)
    return RepeatedTest(candidate, expected, report.outcome, report.why)


class ProvingTester(Tester[Any]):
    """Goes through a search again, and remembers what was asked since the last success."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._pass_on: Listener = self.listener
        self.listener = self._heard
        self._asked: dict[Key, ProofTest] = {}
        self._settled: dict[Key, ProofTest] = {}

    @property
    def jobs(self) -> int:
        """One test after the other, wherever they run: just what is asked belongs to the proof."""
        return 1

    def test(
        self, key: Key, candidate: Any, size: int, config: Config | None = None,
        meanwhile: Callable[[], None] | None = None,
    ) -> Outcome:  # fmt: skip
        """As ever; it may be a part of the proof."""
        outcome = super().test(key, candidate, size, config, meanwhile)
        self._asked[key] = ProofTest(candidate, size, outcome)
        return outcome

    def probe(
        self, key: Key, candidate: Any, size: int, expected: frozenset[Outcome] = ANY,
        meanwhile: Iterator[None] = NOTHING_TO_DO, settings: TestSettings = USUAL,
    ) -> Report:  # fmt: skip
        """As ever; that the other end of the search does not fail is a part of the proof, too."""
        report = super().probe(key, candidate, size, expected, meanwhile, settings)
        if self.journal is not None and report.outcome is not FAIL:
            self._settled[key] = ProofTest(candidate, size, report.outcome)
        return report

    def _heard(self, event: Event) -> None:
        match event:
            case Improved():
                self._asked.clear()
            case ResultSettled():
                self._settled.update(self._asked)
                self._asked.clear()
        self._pass_on(event)

    def proof(self) -> dict[Key, ProofTest]:
        """The tests after which nothing was left to ask."""
        return {**self._settled, **self._asked}
