"""CSS without its last brackets: at the end of a style sheet all that is open is closed (CSS 2.1, section 4.2).

tree-sitter's grammar knows nothing of that, and makes an error of all that is open. So a short text that is not valid
is read as if its brackets were there; the tree has everything but these.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import replace

from wynot.core.config import Config
from wynot.domains.tree.brackets import BRACKETS, NO_BRACKETS, partners
from wynot.domains.tree.changes import Place
from wynot.domains.tree.places import Places
from wynot.domains.tree.reading import SMALL
from wynot.domains.tree.tree import Tree
from wynot.domains.tree.treesitter import TreeSitter
from wynot.domains.tree.words import Checker

_QUOTED = re.compile(rb"/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.DOTALL)
"""What brackets do not count in."""
_CLOSES = dict(zip(BRACKETS[::2], BRACKETS[1::2], strict=True))


def open_at_end(data: bytes) -> bytes:
    r"""The brackets that a text lacks at its end.

    >>> open_at_end(b"@media x { a { b: calc(1"), open_at_end(b"a { b: '{' }"), open_at_end(b"a } {")
    (b')}}', b'', b'')
    """
    signs = _QUOTED.sub(b"", data).translate(None, NO_BRACKETS)
    lonely = bytes(sign for sign, partner in zip(signs, partners(signs), strict=True) if partner < 0)
    return bytes(_CLOSES.get(sign, 0) for sign in reversed(lonely)) if lonely.translate(None, b")]}") == lonely else b""


class Closing:
    """Reads a text as it is, or else with the brackets that it lacks at its end."""

    def __init__(self, plain: TreeSitter) -> None:
        """`plain`: the language by its grammar."""
        self.name, self.plain = plain.name, plain

    def parse(self, data: bytes, deepest: int | None = None) -> Tree:
        """The tree of a file."""
        closed = self._closed(data)
        tree = self.plain.parse(closed, deepest)
        if closed == data:
            return tree
        ends = array("q", (min(end, len(data)) for end in tree.ends))
        weights = array("q", map(int.__sub__, ends, tree.starts))
        return replace(tree, data=data, ends=ends, shape=replace(tree.shape, weights=weights))

    def checker(self, data: bytes) -> Checker:
        """Says which texts are as valid as this one."""
        return ClosingChecker(self.plain.checker(self._closed(data)))

    def places(self, data: bytes, free: Config | None = None, deepest: int | None = None) -> Places:
        """What may become of the nodes of a file."""
        return Places(self.parse(data, deepest), self if len(data) <= SMALL else self.plain, free)

    def _closed(self, data: bytes) -> bytes:
        """A text that is not valid with the brackets that it lacks, if it is valid then; any other as it is."""
        if len(data) > SMALL or not (lacking := open_at_end(data)) or self.plain.checker(data).clean:
            return data
        return data + lacking if self.plain.checker(data + lacking).clean else data


class ClosingChecker:
    """Asks about a text as it is, and with the brackets that it lacks at its end."""

    def __init__(self, own: Checker) -> None:
        self._own = own

    def __call__(self, candidate: bytes, places: Sequence[Place] = ()) -> bool:
        """Whether a text has no more errors than the one to begin with."""
        return self._own(candidate, places) or self._own_closed(candidate)

    def kinds(self, candidate: bytes, start: int, end: int) -> frozenset[str]:
        """The kinds of the nodes from `start` to `end`."""
        found = self._own.kinds(candidate, start, end)
        lacking = b"" if found or len(candidate) > SMALL else open_at_end(candidate)
        if not lacking:
            return found
        return self._own.kinds(candidate + lacking, start, end + len(lacking) * (end == len(candidate)))

    def _own_closed(self, candidate: bytes) -> bool:
        lacking = open_at_end(candidate) if len(candidate) <= SMALL else b""
        return bool(lacking) and self._own(candidate + lacking)

    @property
    def broken(self) -> float:
        """The share of the text that is in errors."""
        return self._own.broken

    @property
    def clean(self) -> bool:
        """Whether there are no errors."""
        return self._own.clean
