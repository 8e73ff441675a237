"""Clean-ups, only when asked for: what is left is made shorter or plainer, without leaving anything out."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import partial

from wynot.commands.reduce.parsed_text import ParseCache, ParsedText
from wynot.commands.reduce.passes.basic_passes import AtomPass, Pass, PreparedPass, checked
from wynot.core.config import Config
from wynot.domains.cleanup.layout import comments, spaces
from wynot.domains.cleanup.literals import contents, literals, piece_ends
from wynot.domains.cleanup.rename import names
from wynot.domains.cleanup.rewrite_domain import Rewrite, Rewrites, covering
from wynot.domains.text.atom_domain import Region, flat
from wynot.domains.text.granularity import CHARS
from wynot.engine.budget import TestCounts
from wynot.search.combinators import try_empty_first
from wynot.search.lists.sweep import sweep
from wynot.search.trees.hdd import TreeLevels, hdd

BY_TREE = ("comments", "literals", "rename", "whitespace")
CLEANUPS = ("clang-delta", *BY_TREE, "chars")
"""Clean-ups by the names users give them, in the order in which they are done."""

_BY_INDENTATION = frozenset({"python", "yaml", "haskell", "markdown"})
"""Languages where indentation says what belongs to what; their grammars do not always notice when it is lost."""

Finder = Callable[[ParsedText, Config], Sequence[Rewrite]]
"""Says what in a text could be simpler, within the positions that may change."""


@dataclass(frozen=True, slots=True)
class RewritePass:
    """Simpler texts for things of one kind."""

    name: str
    forest: ParseCache
    find: Finder
    strict: bool
    """Only valid texts are tested."""

    def begin(self, data: bytes, free: list[Region] | None, counts: TestCounts) -> PreparedPass:
        """Look for what could be simpler."""
        grown = self.forest.grown(data, free)
        domain = Rewrites(data, self.find(grown, _positions(data, free)))
        levels = TreeLevels(domain.shape, bool, partial(try_empty_first, sweep))
        search = partial(hdd, levels, Config.full(len(domain)))
        asking = checked(search, domain, grown, counts, strict=self.strict)
        return PreparedPass(domain, len(domain), asking)


@dataclass(frozen=True, slots=True)
class StringPass:
    """Characters of strings."""

    name: str
    forest: ParseCache
    strict: bool
    """Only valid texts are tested."""

    def begin(self, data: bytes, free: list[Region] | None, counts: TestCounts) -> PreparedPass:
        """Look into the strings."""
        grown = self.forest.grown(data, free)
        domain = flat(data, piece_ends, contents(grown.tree, _positions(data, free)))
        search = partial(try_empty_first, sweep, Config.full(len(domain)))
        asking = checked(search, domain, grown, counts, strict=self.strict)
        return PreparedPass(domain, len(domain), asking)


def _positions(data: bytes, free: Sequence[Region] | None) -> Config:
    return Config.full(len(data)) if free is None else covering(free)


def plainer(asked: Container[str], forest: ParseCache, *, strict: bool) -> tuple[Pass, ...]:
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


def characters(forest: ParseCache | None) -> Pass:
    """Characters, the finest atoms; with a forest, only valid texts."""
    return AtomPass(CHARS, sweep, forest)
