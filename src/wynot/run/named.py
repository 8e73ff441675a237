"""One of the papers' algorithms, by its name, among changes: as published, or along the order of commits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wynot.core.config import Config
from wynot.core.events import Stage
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, Outcome
from wynot.core.trial import Strategy
from wynot.domains.changes.levels import singles
from wynot.domains.changes.needs import Needs
from wynot.domains.changes.patched import Patched
from wynot.domains.changes.units import Units, by_age
from wynot.errors import UsageError
from wynot.run.algorithms import ISOLATORS, MINIMISERS, ONE_MINIMAL
from wynot.run.drive import drive
from wynot.run.lab import Lab
from wynot.run.sources import Sources
from wynot.search.predict import Knowledge, predicting

NAMES = (*sorted(MINIMISERS), *ISOLATORS)
Better = Callable[[Config, Outcome], None]


def check(name: str | None, sources: Sources, *, ordered: bool) -> None:
    """See that there is such an algorithm, and an order if it is to go along one."""
    names = tuple(sorted(MINIMISERS)) if ordered else NAMES
    if name is not None and name not in names:
        along = " along the order of commits" if name in NAMES else ""
        raise UsageError(f"changes has no algorithm {name!r}{along}", f"choose one of: {', '.join(names)}")
    if ordered and sources.history is None:
        raise UsageError(
            "the order of changes is not known: it comes from commits or from several patches",
            "name two revisions, the older one first, or leave out --ordered",
        )


@dataclass(frozen=True, slots=True)
class Guilty:
    """What an algorithm has found: guilty changes, others that have to be applied beside them, and what is proved."""

    changes: Config
    beside: Config
    minimal: bool


class Named:
    """An algorithm at work. It reports smaller sets that fail, and the deltas that it searches among."""

    def __init__(
        self, name: str, lab: Lab[Folder], domain: Patched, better: Better, among: Callable[[Patched | Units], None]
    ) -> None:
        self.name, self.lab, self.domain, self.better, self.among = name, lab, domain, better, among
        self._smallest = len(domain)

    def isolate(self, live: Config) -> Guilty:
        """What decides between passing and failing."""
        self.lab.listener(Stage("changes", len(live)))
        found = drive(lambda: ISOLATORS[self.name](Config(), live), self.domain, self.lab, self._keep(self.domain))
        return Guilty(found.failing - found.passing, found.passing, found.minimal)

    def minimise(self, live: Config) -> Guilty:
        """As published, on changes in the order of their places."""
        domain = Units(self.domain, singles(live))
        return Guilty(domain.changes(self._among(domain, "changes")), Config(), self.name in ONE_MINIMAL)

    def in_order(self, sources: Sources, live: Config) -> Guilty:
        """Commits, each of which implies the earlier ones (section 6, table 7); then the changes of the guilty one."""
        ages = sources.history.ages if sources.history is not None else ()
        units = by_age(live, ages)
        commits = Units(self.domain, units)
        last = self._among(commits, "commits", Needs({}, range(len(units))))
        guilty = commits.changes(last)
        earlier = commits.changes(Config.full(max(last, default=-1) + 1)) - guilty
        domain = Units(self.domain, singles(guilty), earlier)
        found = self._among(domain, "changes") if len(domain) > 1 else Config.full(len(domain))
        return Guilty(domain.changes(found), earlier, self.name in ONE_MINIMAL)

    def _among(self, domain: Units, what: str, order: Needs | None = None) -> Config:
        """The guilty ones of some groups."""
        self.lab.listener(Stage(what, len(domain)))
        self.among(domain)
        everything = Config.full(len(domain))

        def search() -> Strategy:
            strategy = MINIMISERS[self.name](everything)
            return strategy if order is None else predicting(strategy, Knowledge(consistent=order.consistent))

        return drive(search, domain, self.lab, self._keep(domain)).failing

    def _keep(self, domain: Patched | Units) -> Better:
        """Shows a smaller set that fails, as changes."""

        def keep(config: Config, outcome: Outcome) -> None:
            kept = domain.changes(config) | domain.beside if isinstance(domain, Units) else config
            if outcome is FAIL and len(kept) < self._smallest:
                self._smallest = len(kept)
                self.better(kept, outcome)

        return keep
