"""`reduce`: simplify a failing input, level by level, until nothing more can be left out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.core.events import Improved, Stage, Warned
from wynot.core.order import simplicity
from wynot.core.outcome import FAIL, Outcome
from wynot.core.trial import Strategy
from wynot.domains.flat import Flat, regions_within
from wynot.domains.levels import levels
from wynot.domains.protected import free_regions
from wynot.errors import Ended, Interrupted, UsageError
from wynot.oracles.words import Oracle
from wynot.run.algorithms import MINIMISERS, ONE_MINIMAL
from wynot.run.baseline import baseline, looked_for
from wynot.run.confirm import Claim, confirmed, last_confirmed, unsteady
from wynot.run.drive import drive
from wynot.run.output import Keeper
from wynot.run.patience import grown
from wynot.run.result import Reduced
from wynot.run.session import Options, Session, Source, Test, check_marks, read_input, session
from wynot.search.predict import Knowledge, predicting


def reduce(
    source: Source,
    oracle: Oracle | Test,
    options: Options | None = None,
    *,
    name: str | None = None,
) -> Reduced:
    """Simplify an input as long as it still fails.

    `source` is a path or the content itself; `oracle` a Script, a Command, or a callable that takes bytes and gives
    an Outcome or a bool (True = fails). Ends early with BudgetEnded or Interrupted, whose `best` is the result so
    far.

    >>> reduce(b'<SELECT NAME="priority" MULTIPLE SIZE=7>', lambda b: b"<SELECT" in b and b">" in b).data
    b'<SELECT>'
    """
    options = options or Options()
    data, name, shown = read_input(source, name)
    if not data:
        raise UsageError(f"{shown} is empty: nothing can be left out", "give an input that has something in it")
    check_marks(data)
    with session("reduce", [data], name, shown, oracle, options) as opened:
        return _Reduction(opened, data).run()


class _Reduction:
    """The work itself: what is best so far, and the way there."""

    def __init__(self, session: Session, data: bytes) -> None:
        self.session, self.lab, self.options = session, session.lab, session.options
        self.original = data
        self.algorithm = self.options.algorithm or "sweep"
        if self.algorithm not in MINIMISERS:
            raise UsageError(
                f"reduce has no algorithm {self.algorithm!r}",
                f"choose one of: {', '.join(sorted(MINIMISERS))}",
            )
        self.levels = levels(data, self.options.atoms, self.options.delimiters)
        self.keeper = Keeper(self.options.output)
        self.done: list[bytes] = []
        self.best = data
        self.trail: list[Callable[[], bytes]] = []
        """What was best in this level so far, where the failure shows only sometimes."""
        self.searching = True
        self.kept_config = Config()
        self.more: bool | None = None

    def run(self) -> Reduced:
        """From the baseline to the result."""
        try:
            self.session.rate = baseline(self.lab, self.original, self.session.shown).rate
            self._search()
        except Ended as ended:
            ended.best = self._ended("budget")
            raise
        except KeyboardInterrupt:
            raise Interrupted("interrupted", best=self._ended("interrupted")) from None
        return self._result("done", minimal=self.algorithm in ONE_MINIMAL)

    def _ended(self, status: str) -> Reduced:
        """The best so far; what was found since the last second look gets one now."""
        if self.searching and self.trail:
            self.keeper.put(self.best)  # whatever comes
            self.best = self.trail[last_confirmed(self.session, [partial(_claim, step) for step in self.trail])]()
        return self._result(status, minimal=False)

    def _result(self, status: str, *, minimal: bool) -> Reduced:
        causes = (*self.done, self.best) if self.searching else tuple(self.done)
        self.keeper.put(causes[-1])
        return Reduced(
            self.original, causes, minimal, self.levels[-1].name, self.session.cost(), looked_for(self.lab.bench),
            self.session.run, status, self.more,
        )  # fmt: skip

    def _search(self) -> None:
        """One cause after the other."""
        rest = self.original
        while True:
            self.searching = True
            cause = self._minimise(rest)
            self.done.append(self.best)
            self.searching = False
            if self.options.causes == 1 or not cause:
                return
            left = Config.full(len(rest)) - cause
            rest = b"".join(rest[a:b] for a, b in left.intervals())
            self.more = self.lab.test(digest(rest), rest, len(rest)) is FAIL
            if not self.more or len(self.done) >= self.options.causes:
                return
            self.keeper.put(self.best)
            self.best = rest
            target = self.options.output
            self.keeper = Keeper(None if target is None else numbered(target, len(self.done) + 1))

    def _minimise(self, data: bytes) -> Config:
        """Go through the levels until none of them finds anything more; gives the positions of the cause in `data`."""
        self.best = data
        kept = Config.full(len(data))
        free = free_regions(data) or [(0, len(data))]
        atoms = self.levels[-1].deltas(data, free)
        if self._weak(atoms):
            self.best = atoms.render(Config())
            return Config()
        turn = quiet = 0
        while quiet < len(self.levels):
            level = self.levels[turn % len(self.levels)]
            turn += 1
            domain = level.deltas(self.best, free)
            self.lab.listener(Stage(level.name, len(domain)))
            before = self.best
            config = self._found(domain)
            while (best := domain.render(config)) != before and not confirmed(self.lab, best):
                self.best = before
                config = self._found(domain)  # what is known is known: only the last step is taken back
            self.best = best
            left = domain.kept(config)
            free = regions_within(left, left - domain.pinned)
            kept = _within(kept, left)
            quiet = 1 if self.best != before else quiet + 1
            if grown(self.lab):
                quiet = 0
        return kept - atoms.pinned

    def _found(self, domain: Flat) -> Config:
        """What the search finds in this domain.

        What dd1999 and dd+ put together need not fail on hard tests; then the last step that did is the result.
        """
        everything = self.kept_config = Config.full(len(domain))
        self.trail = [partial(domain.render, everything)] if unsteady(self.lab) else []
        found = drive(partial(self._strategy, everything), domain, self.lab, partial(self._keep, domain)).failing
        candidate = domain.render(found)
        if self.algorithm in ONE_MINIMAL or self.lab.test(digest(candidate), candidate, len(candidate)) is FAIL:
            return found
        return self.kept_config

    def _strategy(self, config: Config) -> Strategy:
        strategy = MINIMISERS[self.algorithm](config)
        if not self.options.monotone:
            return strategy
        return predicting(strategy, Knowledge(monotone=True))

    def _keep(self, domain: Flat, config: Config, outcome: Outcome) -> None:
        """The search goes on with this: if it fails, it is the best so far."""
        if outcome is FAIL:
            candidate = domain.render(config)
            if simplicity(candidate) < simplicity(self.best):
                self.best, self.kept_config = candidate, config
                if self.trail:
                    self.trail.append(partial(domain.render, config))
                self.keeper.offer(candidate)
                self.lab.listener(Improved(len(candidate)))

    def _weak(self, atoms: Flat) -> bool:
        """Whether the failure shows with nothing in the file at all: then the test says too little."""
        nothing = atoms.render(Config())
        if nothing == atoms.data:
            return False
        report = self.lab.probe(digest(nothing), nothing, len(nothing))
        if report.outcome is not FAIL or not confirmed(self.lab, nothing):
            return False
        what = "the empty input" if not nothing else "the protected text alone"
        self.lab.listener(Warned(f"{what} fails, too: the test is too weak, it does not depend on the input"))
        return True


def _claim(candidate: Callable[[], bytes]) -> list[Claim]:
    return [(candidate(), FAIL)]


def _within(kept: Config, part: Config) -> Config:
    """Positions in a cut-down file, as positions in the whole one it was cut from."""
    whole = Config()
    for start, stop in part.intervals():
        whole |= kept.part(start, stop)
    return whole


def numbered(path: Path, number: int) -> Path:
    """Where a cause goes: the first to bug.reduced.c, the second to bug.reduced.2.c, and so on."""
    return path if number == 1 else path.with_name(f"{path.stem}.{number}{path.suffix}")
