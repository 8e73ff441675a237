"""The end of a file first.

In programs and data the users of a thing stand behind it. So what is needed at the end of a file is made small before
much is found out about what stands before it: little of that may be needed then, and the rest goes with one test. Each
test of a large file takes long, and most of them would only show what the end needs as it is now.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from wynot.commands.reduce.parsed_text import ParseCache, ParsedText
from wynot.commands.reduce.passes.basic_passes import NumberedTexts, Pass, PreparedPass, TreePass
from wynot.core.config import Config
from wynot.core.trial import Strategy
from wynot.domains.syntax.incremental_validity import LARGE
from wynot.domains.text.atom_domain import Region
from wynot.domains.text.protected import PrefixedDomain
from wynot.engine.budget import TestCounts
from wynot.search.combinators import only_testable, with_prefix_shortcut
from wynot.search.lists.bisection import greedy_descent
from wynot.search.lists.sweep import settle
from wynot.search.trees.hdd import TreeLevels, hdd

WORTH = 4
"""What stands before the end must be so many times as large as the end, else it is not worth it."""

ROWS = (1, 2, 4)
"""How many needed items make an end; where more are needed than these in all, more of the file is."""
SHRUNK = 1.5
"""How many times smaller is much smaller."""

Whole = Callable[[bytes], bytes]
"""The text that a part of it stands in."""

Run = Callable[[Pass, bytes, Whole], bytes]
"""Runs a pass on a part of a text; gives what is left of the part."""


class TailFirst(NamedTuple):
    """How the end of a file is found and made small."""

    forest: ParseCache
    """Trees of what stands before the end."""
    passes: tuple[Pass, ...]
    """What is done with the end."""
    strict: bool
    """Only valid texts are tested."""

    def items(self, most: int) -> Pass:
        """All items of a text at once; then single ones from the end on, until so many are known to be needed."""
        return TreePass("items", self.forest, partial(_settling, most), self.strict, 1)

    def start(self, text: bytes, most: int) -> int:
        """Where the last so many items of a text begin; 0: it has no more than these."""
        tree = self.forest.grown(text, None, 1).tree
        items = list(tree.shape.children(0))
        return tree.starts[items[-most]] if len(items) > most else 0


def _settling(most: int, grown: ParsedText, config: Config) -> Strategy:
    return hdd(TreeLevels(grown.tree.shape, grown.cuttable, partial(settle, most)), config)


def end_first(ending: TailFirst, text: bytes, run: Run) -> bytes:
    """Make the last needed item small, then the two before it, then four; as long as that makes them much smaller."""
    head, tail = text, b""
    for most in ROWS:
        if _small(head, tail):
            break
        head = run(_Between(ending, ending.items(most), b"", tail), head, partial(_between, b"", tail))
        start = ending.start(head, most)
        head, before = head[:start], head[start:]
        if _small(head, before):
            return head + before + tail
        head, end = _reduced(ending, run, head, before, tail)
        tail = end + tail
        if not _much(before, end):
            break
    return head + tail


def first_pass(ending: TailFirst, text: bytes) -> Pass | None:
    """What is run first; None where nothing is."""
    return None if _small(text, b"") else ending.items(ROWS[0])


def _much(before: bytes, after: bytes) -> bool:
    return len(after) * SHRUNK <= len(before)


def _small(head: bytes, end: bytes) -> bool:
    """Whether there is too little before an end."""
    return len(head) <= max(LARGE, WORTH * len(end))


def _reduced(ending: TailFirst, run: Run, head: bytes, end: bytes, tail: bytes) -> tuple[bytes, bytes]:
    """Make an end small; whenever it has become much smaller, try it without all that stands before it.

    Where the first pass cannot make it much smaller, the others are not tried: the end needs what it has.
    """
    known = end
    for place, each in enumerate(ending.passes):
        left = run(_Headed(_Between(ending, each, head, tail)), head + end, partial(_between, b"", tail))
        if len(left) < len(head):  # gone: what is left is of the end, and that was small beside it
            return b"", left
        end = left[len(head) :]
        if _much(known, end):
            known = end
            alone = _dropped(ending, run, head, end + tail)
            if alone != head:
                return alone, end
        elif place == 0:
            break
    return head, end


def _dropped(ending: TailFirst, run: Run, head: bytes, end: bytes) -> bytes:
    """Try to do without all that stands before an end; or else without all of its items: something may have to stay."""
    for each in (_Nothing(), ending.items(0)):
        alone = run(_Between(ending, each, b"", end), head, partial(_between, b"", end))
        if alone != head:
            return alone
    return head


def _between(before: bytes, after: bytes, text: bytes) -> bytes:
    return before + text + after


@dataclass(frozen=True, slots=True)
class _Nothing:
    """A text, or nothing."""

    name: str = "items"

    def begin(self, data: bytes, free: list[Region] | None, counts: TestCounts) -> PreparedPass:  # noqa: ARG002 - nothing to it
        """There are just these two."""
        domain = NumberedTexts(data)
        domain.add(b"")
        return PreparedPass(domain, 1, partial(greedy_descent, lambda number: iter((1,) if number == 0 else ())))


@dataclass(frozen=True, slots=True)
class _Between:
    """A pass on a part of a text, of which the whole is to stay valid, too."""

    ending: TailFirst
    each: Pass
    before: bytes
    after: bytes

    @property
    def name(self) -> str:
        """The pass's own."""
        return self.each.name

    def begin(self, data: bytes, free: list[Region] | None, counts: TestCounts) -> PreparedPass:
        """Go to work on the part. In a large text the parts are taken to be valid together if each of them is."""
        stage = self.each.begin(data, free, counts)
        whole = self.before + data + self.after
        if not self.ending.strict or len(whole) >= LARGE or whole == data:
            return stage
        grown = ParsedText(self.ending.forest.language, whole, None, 1)

        def sense(config: Config) -> bool:
            return grown.valid(self.before + stage.domain.render(config) + self.after, counts)

        return stage._replace(search=lambda: only_testable(stage.search(), sense))


@dataclass(frozen=True, slots=True)
class _Headed:
    """A pass on an end with what stands before it; whenever half of the end is gone, it is tried alone."""

    each: _Between

    @property
    def name(self) -> str:
        """The pass's own."""
        return self.each.name

    def begin(self, data: bytes, free: list[Region] | None, counts: TestCounts) -> PreparedPass:
        """Go to work on the end."""
        head = self.each.before
        stage = self.each.begin(data[len(head) :], free, counts)
        end, cut, all_of_it = stage.domain, stage.cut, Config.full(stage.deltas)

        def parts(before: Config, after: Config) -> Sequence[bytes]:
            return () if cut is None else cut(before & all_of_it, after & all_of_it)

        def search() -> Strategy:
            return with_prefix_shortcut(stage.search(), stage.deltas, lambda config: len(end.render(config)))

        domain = PrefixedDomain(head, end, stage.deltas)
        return stage._replace(domain=domain, deltas=stage.deltas + 1, search=search, cut=parts)
