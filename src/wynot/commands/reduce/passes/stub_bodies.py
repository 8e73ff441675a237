"""The first pass through a program in a typed language: functions that do nothing.

All of them at once, then all but those that are needed: these are one or a few, if a compiler fails on what it reads.
With more of them little is won: after so many it is given up, and what is left is searched as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from wynot.commands.reduce.parsed_text import ParseCache
from wynot.commands.reduce.passes.basic_passes import PreparedPass
from wynot.core.config import Config
from wynot.core.trial import Strategy
from wynot.domains.syntax.edits.function_bodies import HOLLOW, bodies
from wynot.domains.syntax.edits.tree_domain import TreeDomain
from wynot.domains.text.atom_domain import MOST_TOLD, Region
from wynot.engine.budget import TestCounts
from wynot.search.combinators import only_testable
from wynot.search.lists.sweep import settle
from wynot.search.trees.hdd import TreeLevels, hdd

HOLLOWED = b"\2"
"""What became hollow in vain may go all the same: it is told apart from cuts."""
FEW = 4
"""So many bodies may be needed."""
LARGEST = 500_000
"""In larger texts (in bytes) their ends come first: most of those are made of libraries, of which little is needed."""


@dataclass(frozen=True, slots=True)
class StubBodiesPass:
    """What functions do."""

    forest: ParseCache
    strict: bool = True
    """Only valid texts are tested."""
    name: str = "bodies"

    def begin(self, data: bytes, free: list[Region] | None, counts: TestCounts) -> PreparedPass:
        """Find the bodies of all functions."""
        grown = self.forest.grown(data, free)
        hollow = bodies(grown.places, self.forest.language.name)
        domain = TreeDomain(grown.tree, grown.places, hollow)
        tidy = grown.imports.without_orphans
        levels = TreeLevels(grown.tree.shape, bool, partial(settle, FEW), tidy=tidy, nodes=[list(hollow)])

        def search() -> Strategy:
            strategy = hdd(levels, Config.full(len(domain)))
            return (
                only_testable(strategy, lambda config: grown.sense(domain, config, counts)) if self.strict else strategy
            )

        def cut(before: Config, after: Config) -> list[bytes]:
            gone = (before - after).among(list(hollow))
            much = sum(map(grown.tree.shape.weights.__getitem__, gone)) > MOST_TOLD
            return [] if much else [HOLLOWED + grown.tree.text(node) for node in gone]

        return PreparedPass(domain, len(domain), search, cut, proves=False)


def body_pass(forest: ParseCache, data: bytes, *, strict: bool) -> StubBodiesPass | None:
    """The pass for a text; None where it is of no use."""
    return StubBodiesPass(forest, strict) if forest.language.name in HOLLOW and len(data) <= LARGEST else None
