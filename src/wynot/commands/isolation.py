"""`isolate`: the smallest difference between a passing and a failing input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NoReturn

from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.run_events import Caution, Improved, InputPair, Note, PassStarted, ResultSettled
from wynot.core.trial import Found, Strategy
from wynot.domains.text.atom_domain import AtomDomain, Region, regions_within
from wynot.domains.text.atoms import Granularity, levels
from wynot.domains.text.pair_edits import PairEdits, Step, edits, replaced, rest_of, taken_back
from wynot.domains.text.protected import free_regions
from wynot.engine.baseline.baseline_runs import looked_for
from wynot.engine.baseline.repeated_runs import raise_time_limit
from wynot.engine.baseline.result_checks import Claim, both_failures, confirmed, independent, last_confirmed, unsteady
from wynot.engine.driver import attempt
from wynot.engine.files.output_file import FileKeeper, numbered
from wynot.engine.input_source import Source, check_marks, read_input
from wynot.engine.pass_search import ISOLATORS
from wynot.engine.results import Difference, Isolated
from wynot.engine.run_options import Options
from wynot.engine.session import Session, carrying, session
from wynot.errors import UsageError
from wynot.oracles.protocol import Oracle
from wynot.oracles.python_function import Test
from wynot.search.lists.dd import dd


def isolate(
    source: Source, oracle: Oracle | Test, options: Options | None = None, *,
    passing: Source | None = None, name: str | None = None,
) -> Isolated:  # fmt: skip
    """Isolate a difference that decides between passing and failing.

    Without a passing input the empty one is taken for it. A budget (`Options(budget_tests=100)`, `budget_time=10`:
    seconds) ends it by BudgetEnded, Ctrl-C by Interrupted; their `best` is the Isolated so far.

    >>> result = isolate(b'<SELECT NAME="priority" MULTIPLE SIZE=7>', lambda b: b"<SELECT" in b and b">" in b)
    >>> len(result.failing) - len(result.passing), result.minimal
    (1, True)
    """
    options = options or Options()
    data, name, shown = read_input(source, name)
    other = None if passing is None else read_input(passing).data
    if other is None:
        check_marks(data)
    if data == (other or b""):
        raise UsageError(f"the passing input and {shown} are the same", "give two inputs that differ")
    with session("isolate", [data, other or b""], name, shown, oracle, options) as opened:
        return opened.searched(lambda: _Isolation(opened, data, other).run())


class _Isolation:
    """The work itself; `passing` and `failing` are the best pair so far."""

    def __init__(self, session: Session, failing: bytes, passing: bytes | None) -> None:
        self.session, self.tester, self.options = session, session.tester, session.options
        self.original, self.failing = failing, failing
        self.given = passing
        self.free: list[Region] = [(0, len(failing))]
        if passing is None:
            self.free = free_regions(failing) or self.free
        self.passing = (
            passing
            if passing is not None
            else AtomDomain(failing, (), (), _outside(failing, self.free)).render(Config())
        )
        self.algorithm = self.options.algorithm or "dd"
        if self.algorithm not in ISOLATORS:
            raise UsageError(
                f"isolate has no algorithm {self.algorithm!r}",
                f"choose one of: {', '.join(sorted(ISOLATORS))}",
            )
        if self.options.atoms == "tree":
            raise UsageError("isolate has no trees", "choose lines, tokens, chars or bytes: --atoms tokens")
        self.levels = levels(failing, self.options.atoms, self.options.delimiters)
        self.begun = self.failing, self.passing, self.free
        """The pair that this search began with, and where the failing one may be cut."""
        self.steps: list[Step] = []
        """What was found in this search so far, level by level."""
        self.done: list[Difference] = []
        self.searching = True
        self.more: bool | None = None
        self.keepers = self._keepers(1)
        self.found = Found(Config(), Config(), minimal=False)
        self.trail: list[tuple[AtomDomain | PairEdits, Found]] = []
        """The pairs of this level so far, where the failure shows only sometimes."""

    def run(self) -> Isolated:
        """From the baseline to the result."""
        with carrying(self._ended):
            self.session.observe(self.failing)
            self._check_passing()
            self._causes()
        return self._result("done")

    def _causes(self) -> None:
        """One difference after the other: each is taken back in the failing input, and the rest is searched."""
        nothing = self.passing
        self._search()
        if independent(self.tester, nothing):
            self.failing, self.passing = self.original, nothing
            self._put()
            self._refuse("fails, as often as the failing one")
        minimal = self.found.minimal
        while True:
            self.done.append(Difference(self.passing, self.failing, len(self.found.difference)))
            self.searching = False
            self.found = replace(self.found, minimal=minimal)
            if self.options.causes == 1 or not self._goes_on():
                return
            self._search()
            minimal = minimal and self.found.minimal

    def _goes_on(self) -> bool:
        """Begin the search for the next difference, if the rest fails without those that were found."""
        failing, passing, free = self.begun
        places = taken_back(self.steps)
        rest = replaced(failing, places)
        self.more = rest != passing and self.tester.test(digest(rest), rest, len(rest)) is FAIL
        if not self.more or rest == failing or len(self.done) >= self.options.causes:
            return False
        self.tester.listener(ResultSettled())
        self._put()
        whole = Config.full(len(failing))
        kept = rest_of(whole, places)
        self.free = regions_within(kept, rest_of(whole - _outside(failing, free), places))
        self.failing, self.passing, self.steps, self.trail = rest, passing, [], []
        self.begun = rest, passing, self.free
        self.found = Found(Config(), Config(), minimal=False)
        self.keepers, self.searching = self._keepers(len(self.done) + 1), True
        return True

    def _keepers(self, number: int) -> list[FileKeeper]:
        """They write both sides of a difference: passing and failing, then passing.2 and failing.2, and so on."""
        folder = self.options.output
        places = [numbered(folder / side, number) if folder else None for side in ("passing", "failing")]
        return [FileKeeper(place, mode=self.options.output_mode) for place in places]

    def _ended(self, status: str) -> Isolated:
        """The best pair so far; what was found since the last second look gets one now."""
        if self.trail and self.searching:
            self._put()  # whatever comes
            domain, self.found = self.trail[last_confirmed(self.session, [partial(_claims, *s) for s in self.trail])]
            self.failing, self.passing = domain.render(self.found.failing), domain.render(self.found.passing)
        return self._result(status)

    def _put(self) -> None:
        for keeper, data in zip(self.keepers, (self.passing, self.failing), strict=True):
            keeper.put(data)

    def _check_passing(self) -> None:
        outcome = self.tester.probe(digest(self.passing), self.passing, len(self.passing)).outcome
        if outcome is FAIL:
            self._refuse("fails, too")
        if outcome is UNRESOLVED:
            hint = "" if self.given is not None else "; --passing FILE would give a better answer"
            unresolved = f"{self._other} does not pass, it is unresolved"
            self.tester.listener(Caution(f"{unresolved}; isolating from it anyway{hint}"))

    @property
    def _other(self) -> str:
        return "the passing input" if self.given is not None else "the empty input"

    def _refuse(self, how: str) -> NoReturn:
        raise UsageError(
            f"{self._other} {how}: there is no difference to isolate",
            "give one that passes: --passing FILE" if self.given is None else "give another one: --passing FILE",
        )

    def _result(self, status: str) -> Isolated:
        self._put()
        best = Difference(self.passing, self.failing, len(self.found.difference))
        causes = (*self.done, best) if self.searching else tuple(self.done)
        first = causes[0]
        return Isolated(
            self.original, first.passing, first.failing, first.deltas,
            status == "done" and self.found.minimal, self.levels[-1].name, self.session.cost(),
            looked_for(self.tester.executor), self.session.run, status, causes=causes,
            more=None if self.searching else self.more,
            failures=both_failures(self.session, self.original, first.failing),
        )  # fmt: skip

    def _search(self) -> None:
        """Coarse to fine. From the empty input, try first whether plain binary search is enough (proposition 18)."""
        if self.given is None and len(self.levels) > 1 and self.algorithm == "dd":
            self._within_free(self.levels[-1], partial(dd, finest=2))
            if self.found.minimal and not raise_time_limit(self.tester):
                return
        for level in self.levels:
            self._at(level)
            while raise_time_limit(self.tester):
                self._at(level)

    def _at(self, level: Granularity) -> None:
        if self.given is None:
            self._within_free(level, ISOLATORS[self.algorithm])
        else:
            self._between(level)

    def _within_free(self, level: Granularity, search: Callable[[Config, Config], Strategy]) -> None:
        """What is free is the difference; what is pinned is in both files."""
        domain = level.deltas(self.failing, self.free)
        self.found = self._narrow(level, domain, search)
        failing, passing = domain.kept(self.found.failing), domain.kept(self.found.passing)
        self.failing, self.passing = domain.render(self.found.failing), domain.render(self.found.passing)
        self.free = regions_within(failing, failing - passing)

    def _between(self, level: Granularity) -> None:
        """The differences of the two files as they are now."""
        domain = edits(self.passing, self.failing, level.atoms)
        self.found = self._narrow(level, domain, ISOLATORS[self.algorithm])
        self.failing, self.passing = domain.render(self.found.failing), domain.render(self.found.passing)

    def _narrow(
        self, level: Granularity, domain: AtomDomain | PairEdits, search: Callable[[Config, Config], Strategy]
    ) -> Found:
        skippable = level is not self.levels[-1]
        self.tester.listener(PassStarted(level.name, len(domain), skippable))
        everything = Config.full(len(domain))
        start = partial(search, Config(), everything)
        while True:
            self.found = Found(everything, Config(), minimal=False)
            self.trail = [(domain, self.found)] if unsteady(self.tester) else []
            found = attempt(start, domain, self.tester, partial(self._keep, domain), skippable=skippable)
            if found is None:
                self.tester.listener(Note(f"skipped: {level.name}, {len(domain)} deltas"))
                found = self.found
            if all(confirmed(self.tester, *claim) for claim in _claims(domain, found)):
                self.steps.append((domain, found))
                return found
            self.failing, self.passing = domain.render(everything), domain.render(Config())  # what is known is known

    def _keep(self, domain: AtomDomain | PairEdits, config: Config, outcome: Outcome) -> None:
        candidate = domain.render(config)
        if outcome is FAIL:
            self.failing, self.found = candidate, replace(self.found, failing=config)
        elif outcome is PASS:
            self.passing, self.found = candidate, replace(self.found, passing=config)
        else:
            return
        if self.trail:
            self.trail.append((domain, self.found))
        self.keepers[outcome is FAIL].offer(candidate)
        pair = InputPair(self.passing, self.failing)
        self.tester.listener(Improved(abs(len(self.failing) - len(self.passing)), lambda: pair))


def _claims(domain: AtomDomain | PairEdits, found: Found) -> list[Claim]:
    """What is said of a pair; the pair that a level begins with was looked at before."""
    claims = [(found.failing, FAIL)] if found.failing != Config.full(len(domain)) else []
    claims += [(found.passing, PASS)] if found.passing else []
    return [(domain.render(config), outcome) for config, outcome in claims]


def _outside(data: bytes, free: list[Region]) -> Config:
    return Config.full(len(data)) - Config(tuple(bound for a, b in free if a < b for bound in (a, b)))
