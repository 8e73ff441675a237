"""Clean-ups, only when asked for: what is left is made shorter or plainer, without leaving anything out."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import partial

from wynot.core.config import Config
from wynot.domains.flat import Region, flat
from wynot.domains.layout import comments, spaces
from wynot.domains.levels import CHARS
from wynot.domains.literals import contents, literals, piece_ends
from wynot.domains.names import names
from wynot.domains.rewrites import Rewrite, Rewrites, covering
from wynot.run.costs import Counts
from wynot.run.forest import Forest, Grown
from wynot.run.passes import FlatPass, Pass, Stage, checked
from wynot.search.boldly import boldly
from wynot.search.hdd import Levels, hdd
from wynot.search.sweep import sweep

BY_TREE = ("comments", "literals", "rename", "whitespace")
CLEANUPS = ("clang-delta", *BY_TREE, "chars")
"""Clean-ups by the names users give them, in the order in which they are done."""

_BY_INDENTATION = frozenset({"python", "yaml", "haskell", "markdown"})
"""Languages where indentation says what belongs to what; their grammars do not always notice when it is lost."""

Finder = Callable[[Grown, Config], Sequence[Rewrite]]
"""Says what in a text could be simpler, within the positions that may change."""


@dataclass(frozen=True, slots=True)
class RewritePass:
    """Simpler texts for things of one kind."""

    name: str
    forest: Forest
    find: Finder
    strict: bool
    """Only valid texts are tested."""

    def begin(self, data: bytes, free: list[Region] | None, counts: Counts) -> Stage:
        """Look for what could be simpler."""
        grown = self.forest.grown(data, free)
        domain = Rewrites(data, self.find(grown, _positions(data, free)))
        levels = Levels(domain.shape, bool, partial(boldly, sweep))
        search = partial(hdd, levels, Config.full(len(domain)))
        asking = checked(search, domain, grown, counts, strict=self.strict)
        return Stage(domain, len(domain), asking)


@dataclass(frozen=True, slots=True)
class StringPass:
    """Characters of strings."""

    name: str
    forest: Forest
    strict: bool
    """Only valid texts are tested."""

    def begin(self, data: bytes, free: list[Region] | None, counts: Counts) -> Stage:
        """Look into the strings."""
        grown = self.forest.grown(data, free)
        domain = flat(data, piece_ends, contents(grown.tree, _positions(data, free)))
        search = partial(boldly, sweep, Config.full(len(domain)))
        asking = checked(search, domain, grown, counts, strict=self.strict)
        return Stage(domain, len(domain), asking)


def _positions(data: bytes, free: Sequence[Region] | None) -> Config:
    return Config.full(len(data)) if free is None else covering(free)


def plainer(asked: Container[str], forest: Forest, *, strict: bool) -> tuple[Pass, ...]:
    """The passes that make what is left plainer, one kind of thing after the other."""
    flush = forest.language.name not in _BY_INDENTATION
    finders: dict[str, Finder] = {
        "comments": lambda grown, free: comments(grown.tree, free),
        "literals": lambda grown, free: literals(grown.tree, free),
        "rename": lambda grown, free: names(grown.tree, grown.checker, free),
        "whitespace": lambda grown, free: spaces(grown.tree, free, flush=flush),
    }
    passes: list[Pass] = [RewritePass(name, forest, find, strict) for name, find in finders.items() if name in asked]
    return (*passes, StringPass("strings", forest, strict)) if "literals" in asked else tuple(passes)


def characters(forest: Forest | None) -> Pass:
    """Characters, the finest atoms; with a forest, only valid texts."""
    return FlatPass(CHARS, sweep, forest)
