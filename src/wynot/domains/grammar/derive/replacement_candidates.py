"""What may become of a node, by its grammar: nothing is tried, everything follows.

A configuration of a tree renders as a text that the grammar derives: what is gone is cut where an alternative does
without it or a list goes on without it, else its minimal string stands for it (thesis, section 5.2). Where two
things go by two alternatives, and none does without both, the judge refuses it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property

from wynot.core.config import Config
from wynot.domains.grammar.parsing.tree_builder import GrammarTree
from wynot.domains.syntax.edits.cut_span import whole
from wynot.domains.syntax.edits.edit_candidates import EditCandidates, Run, SmallestReplacement
from wynot.domains.syntax.incremental_validity import Judge
from wynot.domains.syntax.language_protocol import Language
from wynot.domains.syntax.text_edits import TextEdit

Units = Callable[[str], frozenset[str]]
"""The symbols that may stand for one by themselves."""


class ReplacementCandidates(EditCandidates):
    """What may become of the nodes of a tree whose grammar is known."""

    def __init__(
        self, growth: GrammarTree, language: Language, units: Units, judge: Judge, free: Config | None
    ) -> None:
        super().__init__(growth.tree, language, free)
        self._growth, self._said, self._units, self._judge = growth, growth.said, units, judge

    def _gone(self, node: int) -> SmallestReplacement | None:
        return SmallestReplacement(b"", self._said.joined[node]) if self._said.texts[node] == b"" else None

    def _instead(self, node: int) -> SmallestReplacement | None:
        text = self._said.texts[node]
        return SmallestReplacement(text, self._said.joined[node]) if text else None

    def texts(self, node: int) -> Iterator[bytes]:
        """The shortest text that the grammar derives for a node."""
        text = self._said.texts[node]
        return iter((text,) if text else ())

    def cut(self, first: int, last: int) -> TextEdit:
        """What becomes of siblings that are all cut."""
        shape = self.tree.shape
        parent = shape.parents[first]
        if (
            first == parent + 1
            and shape.lasts[last] == shape.lasts[parent]
            and (all_ := self._said.hollows.get(parent))
        ):
            return TextEdit(self.tree.starts[first], self.tree.ends[last], all_)
        return super().cut(first, last)

    def settled(self, changes: list[TextEdit]) -> list[TextEdit]:
        """Of two neighbours in a list with a comment between them, both may have taken the separator between them.

        Then the left one takes the separator before it, if there is one.
        """
        settled = [*changes]
        for place in range(len(settled) - 2, -1, -1):
            change, other = settled[place], place + 1
            while other < len(settled) and settled[other].start < change.end:
                taken = settled[other].start, min(change.end, settled[other].end)
                if (start := self._same_before(change.start, *taken)) is not None:
                    settled[place] = change._replace(start=start)
                other += 1
        return settled

    def _same_before(self, stretch: int, low: int, high: int) -> int | None:
        """Where the token before a stretch begins, if it is the same as the first one that begins in a part of it."""
        starts, ends, data = self._growth.starts, self._growth.ends, self.tree.data
        before, other = bisect_right(ends, stretch) - 1, bisect_left(starts, low)
        if before < 0 or other >= len(starts) or starts[other] >= high:
            return None
        same = data[starts[before] : ends[before]] == data[starts[other] : ends[other]]
        return starts[before] if same else None

    def _span(self, first: int, last: int, *, listed: bool) -> tuple[int, int]:
        start, end = self.tree.starts[first], self.tree.ends[last]
        if listed:
            return self._with_separator(first, last)
        low, high = self._between(start, end)
        left, right = whole(self.tree.data, start, end)
        return max(left, low), min(right, high)

    def _between(self, start: int, end: int) -> tuple[int, int]:
        """Where the token before a stretch ends and the one after it begins; what lies there is skipped."""
        before, after = bisect_right(self._growth.ends, start) - 1, bisect_left(self._growth.starts, end)
        low = self._growth.ends[before] if before >= 0 else 0
        high = self._growth.starts[after] if after < len(self._growth.starts) else len(self.tree.data)
        return low, high

    def _with_separator(self, first: int, last: int) -> tuple[int, int]:
        """Elements of a list with the separator after them; with the one before them, if they are the last."""
        tree, starts, ends = self.tree, self._growth.starts, self._growth.ends
        start, end = tree.starts[first], tree.ends[last]
        after = self._neighbour(last, 1)
        if after >= 0:
            end = ends[bisect_left(starts, tree.starts[after]) - 1]
            return start, self._blank(end, tree.starts[after], end, tree.starts[after])
        before = self._neighbour(first, -1)
        if before >= 0:
            start = starts[bisect_left(ends, tree.ends[before]) + 1]
            return self._blank(tree.ends[before], start, start, tree.ends[before]), end
        return start, end

    def _blank(self, low: int, high: int, otherwise: int, then: int) -> int:
        return then if not self.tree.data[low:high].strip() else otherwise

    def _neighbour(self, node: int, step: int) -> int:
        """The next element of the same list, or the one before; -1 where there is none."""
        parent = self.tree.shape.parents[node]
        row = self._elements(parent)
        place = bisect_left(row, node) + step
        return row[place] if 0 <= place < len(row) else -1

    def _elements(self, parent: int) -> list[int]:
        if parent not in self._rows:
            children = self.tree.shape.children(parent)
            self._rows[parent] = [child for child in children if self._said.joined[child]]
        return self._rows[parent]

    @cached_property
    def _rows(self) -> dict[int, list[int]]:
        return {}

    def fits(self, node: int, below: int, run: Run) -> bool:
        """Whether what is below a node may stand for it: it is what the grammar wants there."""
        wanted = self._said.symbols[node]
        if not wanted:
            return False
        if run[0] == run[1]:
            return self._is(run[0], wanted[0])
        if not self._said.listed[node]:
            return False
        row = [child for child in self.tree.shape.children(below) if self._said.symbols[child]]
        alike = all(self._said.listed[each] and self._said.joined[each] == self._said.joined[node] for each in row)
        return bool(row) and alike and all(self._is(each, wanted[0]) for each in row)

    def _is(self, node: int, wanted: str) -> bool:
        return not self._units(wanted).isdisjoint(self._said.symbols[node])

    @property
    def judge(self) -> Judge:
        """Says of changes whether the file is as valid after them."""
        return self._judge
