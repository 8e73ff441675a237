"""One search among the deltas of a domain: its algorithm, and the best artifact it found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Generic

from wynot.core.artifact import AnyContent, digest, simplicity, size
from wynot.core.config import Config
from wynot.core.outcome import FAIL, Outcome
from wynot.core.trial import Strategy
from wynot.engine.baseline.result_checks import confirmed, unsteady
from wynot.engine.driver import Search, attempt
from wynot.engine.files.output_file import BestSoFar
from wynot.engine.lookahead import Beyond, SearchDomain
from wynot.engine.tester import Tester
from wynot.search.lists.dd import dd, dd1999, ddmax, ddmin, ddplus
from wynot.search.lists.published import cdd, probdd
from wynot.search.lists.sweep import sweep
from wynot.search.trees.hdd import TreeLevels, hdd, hdd_parents, hdd_plus, hdd_star

# The algorithms by the names users give them.


MINIMISERS: dict[str, Callable[[Config], Strategy]] = {
    "sweep": sweep,
    "ddmin": ddmin,
    "cdd": cdd,
    "probdd": probdd,
    "dd1999": dd1999,
    "ddplus": ddplus,
}
"""From a failing configuration to a small failing one."""

HIERARCHICAL: dict[str, Callable[[TreeLevels, Config], Strategy]] = {
    "hdd": hdd,
    "hdd_plus": hdd_plus,
    "hdd_star": hdd_star,
    "hdd_parents": hdd_parents,
}
"""From a failing tree to a small failing one."""

ISOLATORS: dict[str, Callable[[Config, Config], Strategy]] = {"dd": dd, "ddmax": ddmax}
"""From a passing and a failing configuration to a pair with a small difference."""

ONE_MINIMAL = frozenset({"sweep", "ddmin", "cdd", "probdd", "dd", "ddmax"})
"""Those that promise that no single delta can be left out (or, isolating, moved); dd+ does not (2002, section VII)."""


def _unheard(_before: Config, _after: Config) -> None:
    """Unsuccessful steps are not reported."""


class PassSearch(Generic[AnyContent]):
    """A search among the deltas of a domain, to its end."""

    def __init__(
        self,
        tester: Tester[AnyContent],
        best: BestSoFar[AnyContent],
        domain: SearchDomain[AnyContent],
        deltas: int,
        search: Search,
        vain: Callable[[Config, Config], None] = _unheard,
        beyond: Beyond[AnyContent] | None = None,
        *,
        skippable: bool = False,
    ) -> None:
        self.tester, self.best, self.domain, self.deltas, self.search = tester, best, domain, deltas, search
        self.vain, self.beyond = vain, beyond
        self._kept = self._base = Config.full(deltas)
        self.skippable = skippable
        """Whether it may be left to the user how long it takes."""
        self.skipped = False

    def found(self, *, proved: bool) -> Config:
        """What the search finds; where failures show only sometimes, it is looked at again.

        What dd1999 and dd+ put together need not fail on hard tests; if that is not proved and not so, the last step
        that did is the result.
        """
        before = self.best.content
        config = self._once(proved=proved)
        while (found := self.domain.render(config)) != before and not confirmed(self.tester, found):
            self.best.content = before
            if self.skipped:
                return Config.full(self.deltas)
            config = self._once(proved=proved)  # what is known is known: only the last step is taken back
        self.best.content = found
        return config

    def _once(self, *, proved: bool) -> Config:
        self._kept = self._base = Config.full(self.deltas)
        self.best.trail = [partial(self.domain.render, self._kept)] if unsteady(self.tester) else []
        found = attempt(
            self.search, self.domain, self.tester, self._keep, self._passed, self.beyond, skippable=self.skippable
        )
        self.skipped = found is None
        if found is None:
            return self._kept
        candidate = self.domain.render(found.failing)
        if proved or self.tester.test(digest(candidate), candidate, size(candidate)) is FAIL:
            return found.failing
        return self._kept

    def _passed(self, config: Config) -> None:
        """The search does not go on with this."""
        self.vain(self._base, config)

    def _keep(self, config: Config, outcome: Outcome) -> None:
        """The search goes on with this: if it fails, it may be the best so far."""
        self._base = config
        if outcome is FAIL:
            candidate = self.domain.render(config)
            if simplicity(candidate) < simplicity(self.best.content):
                self._kept = config
                if self.best.trail:
                    self.best.trail.append(partial(self.domain.render, config))
                self.best.improve(candidate)


@dataclass(frozen=True, slots=True)
class EmbeddedDomain(Generic[AnyContent]):
    """The deltas of a text that stands in a larger artifact."""

    text: SearchDomain[bytes]
    whole: Callable[[bytes], AnyContent]

    def render(self, config: Config) -> AnyContent:
        """The artifact, with these deltas of the text."""
        return self.whole(self.text.render(config))

    def digest(self, candidate: AnyContent) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return digest(candidate)

    def size(self, candidate: AnyContent) -> int:
        """How large a candidate is, in bytes."""
        return size(candidate)
