"""Functions that are said to be there at one place, and told of at another one.

`struct A { void f(); }; void A::f() { g(); }` is `struct A { void f() { g(); } };`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wynot.domains.tree.changes import Change
from wynot.domains.tree.tree import Tree
from wynot.domains.tree.users import given

_DEFINITION = "function_definition"
_QUALIFIED = "qualified_identifier"
"""How the grammar of C++ calls a name with the place it belongs to."""
_TEMPLATE = "template_declaration"


class Told(NamedTuple):
    """A function that is told of at another place: what goes there, and what comes here."""

    gone: int
    change: Change

    @property
    def text(self) -> bytes:
        """What comes here."""
        return self.change.text


def told_apart(tree: Tree, node: int, use: int) -> Iterator[Told]:
    """How what a name stands for can be told of at the very place where it is said to be, if `use` is where it is."""
    parents = tree.shape.parents
    qualified = parents[use]
    while qualified > 0 and tree.kinds[parents[qualified]] == _QUALIFIED:
        qualified = parents[qualified]
    whole = qualified if tree.kinds[qualified] == _QUALIFIED and tree.ends[qualified] == tree.ends[use] else 0
    while whole > 0 and tree.kinds[whole] != _DEFINITION:
        whole = parents[whole]
    said = tree.data[tree.ends[node] - 1] == ord(";")  # not a part of it
    if not said or whole <= 0 or tree.text(use) not in given(tree, whole):
        return
    start, head, tail = tree.starts[whole], tree.starts[qualified], tree.starts[use]
    text = tree.data[start:head] + tree.data[tail : tree.ends[whole]]
    gone = parents[whole] if tree.kinds[parents[whole]] == _TEMPLATE else whole
    yield Told(gone, Change(tree.starts[node], tree.ends[node], text))
