"""One of the papers' algorithms, by its name, among changes: as published, or along the order of commits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wynot.commands.changes.old_and_new import Sources
from wynot.core.config import Config
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, Outcome
from wynot.core.run_events import PassStarted
from wynot.core.trial import Strategy
from wynot.domains.changes.group_levels import GroupedChanges, by_age, singles
from wynot.domains.changes.patched_folder import PatchedFolder
from wynot.domains.changes.static_dependencies import StructuralDependencies
from wynot.engine.driver import drive
from wynot.engine.pass_search import ISOLATORS, MINIMISERS, ONE_MINIMAL
from wynot.engine.tester import Tester
from wynot.errors import UsageError
from wynot.search.prediction import OutcomeKnowledge, predicting

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
class PublishedResult:
    """What an algorithm has found: guilty changes, others that have to be applied beside them, and what is proved."""

    changes: Config
    beside: Config
    minimal: bool


class PublishedSearch:
    """An algorithm at work. It reports smaller sets that fail, and the deltas that it searches among."""

    def __init__(
        self,
        name: str,
        tester: Tester[Folder],
        domain: PatchedFolder,
        better: Better,
        among: Callable[[PatchedFolder | GroupedChanges], None],
    ) -> None:
        self.name, self.tester, self.domain, self.better, self.among = name, tester, domain, better, among
        self._smallest = len(domain)

    def isolate(self, live: Config) -> PublishedResult:
        """What decides between passing and failing."""
        self.tester.listener(PassStarted("changes", len(live)))
        found = drive(lambda: ISOLATORS[self.name](Config(), live), self.domain, self.tester, self._keep(self.domain))
        return PublishedResult(found.failing - found.passing, found.passing, found.minimal)

    def minimise(self, live: Config) -> PublishedResult:
        """As published, on changes in the order of their places."""
        domain = GroupedChanges(self.domain, singles(live))
        return PublishedResult(domain.changes(self._among(domain, "changes")), Config(), self.name in ONE_MINIMAL)

    def in_order(self, sources: Sources, live: Config) -> PublishedResult:
        """Commits, each of which implies the earlier ones (section 6, table 7); then the changes of the guilty one."""
        ages = sources.history.ages if sources.history is not None else ()
        units = by_age(live, ages)
        commits = GroupedChanges(self.domain, units)
        last = self._among(commits, "commits", StructuralDependencies({}, range(len(units))))
        guilty = commits.changes(last)
        earlier = commits.changes(Config.full(max(last, default=-1) + 1)) - guilty
        domain = GroupedChanges(self.domain, singles(guilty), earlier)
        found = self._among(domain, "changes") if len(domain) > 1 else Config.full(len(domain))
        return PublishedResult(domain.changes(found), earlier, self.name in ONE_MINIMAL)

    def _among(self, domain: GroupedChanges, what: str, order: StructuralDependencies | None = None) -> Config:
        """The guilty ones of some groups."""
        self.tester.listener(PassStarted(what, len(domain)))
        self.among(domain)
        everything = Config.full(len(domain))

        def search() -> Strategy:
            strategy = MINIMISERS[self.name](everything)
            return strategy if order is None else predicting(strategy, OutcomeKnowledge(consistent=order.consistent))

        return drive(search, domain, self.tester, self._keep(domain)).failing

    def _keep(self, domain: PatchedFolder | GroupedChanges) -> Better:
        """Shows a smaller set that fails, as changes."""

        def keep(config: Config, outcome: Outcome) -> None:
            kept = domain.changes(config) | domain.beside if isinstance(domain, GroupedChanges) else config
            if outcome is FAIL and len(kept) < self._smallest:
                self._smallest = len(kept)
                self.better(kept, outcome)

        return keep
