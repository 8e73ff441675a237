"""Passes that remove lines, items, tree nodes or tokens, and the pass that stubs the bodies of functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Protocol

from wynot.commands.reduce.parsed_text import ParseCache, ParsedText
from wynot.core.artifact import digest, simplicity
from wynot.core.config import Config
from wynot.core.trial import Strategy
from wynot.domains.cleanup.rewrite_domain import Rewrites
from wynot.domains.syntax.edits.function_bodies import HOLLOW, bodies
from wynot.domains.syntax.edits.siblings import joins
from wynot.domains.syntax.edits.tree_domain import TreeDomain
from wynot.domains.text.atom_domain import MOST_TOLD, AtomDomain, Region
from wynot.domains.text.atoms import Granularity
from wynot.domains.text.token_windows import tearing, windows
from wynot.domains.text.zeroing import blanks
from wynot.engine.budget import TestCounts
from wynot.engine.lookahead import SearchDomain
from wynot.search.combinators import in_sequence, only_testable, skip_known_failures
from wynot.search.lists.sweep import settle
from wynot.search.trees.beyond_hdd import heavy_first, hoist, minimise_groups, sweep_users_first
from wynot.search.trees.hdd import TreeLevels, hdd

Minimise = Callable[[Config], Strategy]

COARSE = 2
"""Levels of a tree that make its coarse structure."""
FRAMES = 8
"""How many frames, one within the other, are each searched like a file: a class in a class in a namespace, and more."""
MANY_BEFORE = 8
"""With so many items before one that is needed, it is worth making that one small as a whole: it may use them."""


class PreparedPass(NamedTuple):
    """A pass at work on one text."""

    domain: SearchDomain[bytes]
    deltas: int
    search: Callable[[], Strategy]
    cut: Callable[[Config, Config], Sequence[bytes]] | None = None
    """What goes from one configuration to another, part by part: the same for the same things in another text."""
    proves: bool = True
    """Whether the proof of a result depends on this pass; if not, failed cuts are never tried again."""
    alone: bool = False
    """Whether parts are removed independently: then a superset of a failed cut most likely fails, too."""
    patience: int | None = None
    """The pass ends after this many unsuccessful trials in a row; None: it does not."""


class Pass(Protocol):
    """A way to make a text smaller."""

    @property
    def name(self) -> str:
        """What is left out."""
        ...

    def begin(self, data: bytes, free: list[Region] | None, counts: TestCounts) -> PreparedPass:
        """Go to work on a text."""
        ...


@dataclass(frozen=True, slots=True)
class AtomPass:
    """Atoms of one size; with a forest, only valid texts."""

    level: Granularity
    minimise: Minimise
    forest: ParseCache | None = None
    patience: int | None = None
    """After how many unsuccessful trials in a row to give up."""

    @property
    def name(self) -> str:
        """The level's."""
        return self.level.name

    def begin(self, data: bytes, free: list[Region] | None, counts: TestCounts) -> PreparedPass:
        """Cut the text into atoms."""
        domain = self.level.deltas(data, [(0, len(data))] if free is None else free)
        search = partial(self.minimise, Config.full(len(domain)))
        if self.forest is None:
            return PreparedPass(domain, len(domain), search, domain.cut, patience=self.patience)
        grown = self.forest.grown(data, free)
        return PreparedPass(
            domain, len(domain), _valid(search, domain, grown, counts), domain.cut, patience=self.patience
        )


@dataclass(frozen=True, slots=True)
class ZeroPass:
    """Bytes become zero, where cutting has left more than `above` bytes: things seem to have their places there."""

    minimise: Minimise
    above: int
    name: str = "zeros"

    def begin(self, data: bytes, free: list[Region] | None, counts: TestCounts) -> PreparedPass:  # noqa: ARG002 - as all passes
        """Find the bytes that say something."""
        domain = blanks(data, free if len(data) > self.above else ())
        return PreparedPass(domain, len(domain), partial(self.minimise, Config.full(len(domain))), proves=False)


@dataclass(frozen=True, slots=True)
class WindowPass:
    """Tokens that go together, whatever they mean; with a forest, only valid texts."""

    level: Granularity
    minimise: Minimise
    forest: ParseCache | None = None
    find: Callable[[AtomDomain], Sequence[Config]] = windows
    """What goes together."""
    name: str = "windows"

    def begin(self, data: bytes, free: list[Region] | None, counts: TestCounts) -> PreparedPass:
        """Cut the text into tokens."""
        domain = self.level.deltas(data, [(0, len(data))] if free is None else free)
        search = partial(minimise_groups, Config.full(len(domain)), self.find(domain), self.minimise)
        if self.forest is None:
            mending = partial(_mending, search, Config.full(len(domain)), tearing(domain))
            return PreparedPass(domain, len(domain), mending, domain.cut, proves=False)
        grown = self.forest.grown(data, free)
        return PreparedPass(domain, len(domain), _valid(search, domain, grown, counts), domain.cut, proves=False)


def _mending(search: Callable[[], Strategy], full: Config, tears: Callable[[Config, Config], bool]) -> Strategy:
    return skip_known_failures(search(), full, tears)


TreeSearch = Callable[[ParsedText, Config], Strategy]
"""A search among the nodes of a tree."""


@dataclass(frozen=True, slots=True)
class TreePass:
    """Nodes of the syntax tree."""

    name: str
    forest: ParseCache
    search: TreeSearch
    strict: bool = True
    """Only valid texts are tested."""
    deepest: int | None = None
    """The last level of the tree to look at, in texts that are not small."""
    small: int = 0
    """Texts below this size (in bytes) are looked at as a whole."""
    proves: bool = True
    """Whether what is promised of a result hangs on it."""
    alone: bool = False
    """Each node goes for itself: what more can go with those that cannot?"""

    def begin(self, data: bytes, free: list[Region] | None, counts: TestCounts) -> PreparedPass:
        """Parse the text."""
        grown = self.forest.grown(data, free, self.deepest if len(data) >= self.small else None)
        if self.small and grown.framed:
            grown = self.forest.grown(data, free)
        domain = grown.pruned
        search = partial(self.search, grown, Config.full(len(domain)))
        valid = partial(_sensible, search, grown, counts) if self.strict else search
        return PreparedPass(domain, len(domain), valid, domain.cut, self.proves, self.alone)


def _sensible(search: Callable[[], Strategy], grown: ParsedText, counts: TestCounts) -> Strategy:
    return only_testable(search(), lambda config: grown.sense(grown.pruned, config, counts))


@dataclass(frozen=True, slots=True)
class MergePass:
    """Neighbours that say the same twice."""

    forest: ParseCache
    minimise: Minimise
    strict: bool = True
    name: str = "joins"

    def begin(self, data: bytes, free: list[Region] | None, counts: TestCounts) -> PreparedPass:
        """Find them."""
        grown = self.forest.grown(data, free)
        domain = Rewrites(data, joins(grown.places))
        search: Callable[[], Strategy] = partial(
            hdd, TreeLevels(domain.shape, bool, self.minimise), Config.full(len(domain))
        )
        if self.strict:
            search = _valid(search, domain, grown, counts)
        return PreparedPass(domain, len(domain), search)


def _valid(
    search: Callable[[], Strategy], domain: SearchDomain[bytes], grown: ParsedText, counts: TestCounts
) -> Callable[[], Strategy]:
    """A search that asks about valid texts only."""

    def sense(config: Config) -> bool:
        return grown.valid(domain.render(config), counts)

    return lambda: only_testable(search(), sense)


def pruning(minimise: Minimise, *, hasty: bool = False, patient: bool = False) -> TreeSearch:
    """Level by level; what is of one kind together. A hasty one takes imports away with their last users.

    In a patient one crowds of small things wait.
    """

    def search(grown: ParsedText, config: Config) -> Strategy:
        tidy = grown.imports.without_orphans if hasty else None
        levels = TreeLevels(grown.tree.shape, grown.cuttable, minimise, grown.order, tidy)
        return (heavy_first if patient else hdd)(levels, config, hasty=hasty)

    return search


def users_first(minimise: Minimise, *, deep: bool = False) -> TreeSearch:
    """The items from the end on. What is needed is made small at once: as a whole, where much may hang on it.

    What is little more than a frame around many things of their own (a namespace, a class) is searched like a file.
    """

    def search(grown: ParsedText, config: Config) -> Strategy:
        levels = TreeLevels(grown.tree.shape, grown.cuttable, minimise, grown.order, grown.imports.without_orphans)

        def inside(outer: int, frames: int, config: Config, node: int, before: int) -> Strategy:
            before += outer
            members = grown.members(config, node) if frames < FRAMES else []
            if members:
                frame = levels.below(node, grown.tree.shape.depths[members[0]] - 1)
                nested = partial(inside, before, frames + 1)
                rest = partial(sweep_users_first, levels, inside=nested, members=members)
                return in_sequence(in_sequence(hdd(frame, config), rest), partial(hdd, frame))
            below = levels.below(node, None if deep or before >= MANY_BEFORE else COARSE)
            return hdd(below, config, hasty=deep)

        return sweep_users_first(levels, config, partial(inside, 0, 0))

    return search


def published(along: Callable[[TreeLevels, Config], Strategy]) -> TreeSearch:
    """HDD or a relative of it, as the papers have it."""

    def search(grown: ParsedText, config: Config) -> Strategy:
        return along(TreeLevels(grown.tree.shape, grown.cuttable), config)

    return search


def bundling(minimise: Minimise, most: int | None = None) -> TreeSearch:
    """Take away what belongs together; nothing is done in a tree of more than `most` nodes."""

    def search(grown: ParsedText, config: Config) -> Strategy:
        return minimise_groups(config, grown.bundles if most is None or len(config) <= most else (), minimise)

    return search


def hoisting(grown: ParsedText, config: Config, *, once: bool = False) -> Strategy:
    """Let descendants take the places of their ancestors."""
    return hoist(grown.tree.shape, config, grown.heirs, once=once)


def checked(
    search: Callable[[], Strategy], domain: SearchDomain[bytes], grown: ParsedText, counts: TestCounts, *, strict: bool
) -> Callable[[], Strategy]:
    """A search that asks only about texts that are simpler, and valid ones if it is strict."""

    def sense(config: Config) -> bool:
        candidate = domain.render(config)
        return simplicity(candidate) < simplicity(grown.data) and (not strict or grown.valid(candidate, counts))

    return lambda: only_testable(search(), sense)


# The first pass through a program in a typed language: functions that do nothing.
#
# All of them at once, then all but those that are needed: these are one or a few, if a compiler fails on what it reads.
# With more of them little is won: after so many it is given up, and what is left is searched as it is.


HOLLOWED = b"\2"
"""A body that cannot be stubbed may still be removed: stubs are remembered apart from cuts."""
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


class NumberedTexts:
    """Whole texts instead of deltas: a configuration is the number of one. Number 0 is what it begins with."""

    def __init__(self, first: bytes) -> None:
        self._texts = [first]

    def add(self, text: bytes) -> int:
        """Give a text its number."""
        self._texts.append(text)
        return len(self._texts) - 1

    def __getitem__(self, number: int) -> bytes:
        return self._texts[number]

    def render(self, config: Config) -> bytes:
        """The text of this number."""
        return self._texts[config.bounds[0]]

    def digest(self, candidate: bytes) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return digest(candidate)

    def size(self, candidate: bytes) -> int:
        """How large a candidate is, in bytes."""
        return len(candidate)
