"""Functions that are said to be there at one place, and told of at another one.

`struct A { static void f(); }; void A::f() { g(); }` is `struct A { static void f() { g(); } };`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from wynot.domains.syntax.edits.edit_candidates import EditCandidates
from wynot.domains.syntax.edits.name_usage import given
from wynot.domains.syntax.syntax_tree import SyntaxTree
from wynot.domains.syntax.text_edits import TextEdit
from wynot.domains.text.lexical import IDENTIFIER

_DEFINITION = "function_definition"
_QUALIFIED = "qualified_identifier"
"""How the grammar of C++ calls a name with the place it belongs to."""
_TEMPLATE = "template_declaration"
_ONCE = re.compile(rb"(?:\s*\b(?:static|virtual|explicit)\b\s*)+")
"""What is said of a function in its class only."""


class OutOfClassMember(NamedTuple):
    """A function that is told of at another place: what goes there, and what comes here."""

    of: bytes
    """The class it belongs to."""
    gone: int
    change: TextEdit


def told_apart(places: EditCandidates, node: int, use: int) -> OutOfClassMember | None:
    """How a member can be told of at the very place where it is said to be; None unless `use` is where it is now."""
    tree, parents = places.tree, places.tree.shape.parents
    said = tree.data[tree.ends[node] - 1] == ord(";") and tree.kinds[node] != _TEMPLATE
    qualified, of = parents[use], _name(tree, _class(tree, node))
    if not said or tree.kinds[qualified] != _QUALIFIED or _name(tree, qualified) != of:
        return None
    while tree.kinds[parents[qualified]] == _QUALIFIED:
        qualified = parents[qualified]
    whole = qualified
    while whole > 0 and tree.kinds[whole] != _DEFINITION:
        whole = parents[whole]
    gone = whole
    while gone > 0 and tree.kinds[parents[gone]] == _TEMPLATE:
        gone = parents[gone]
    if whole <= 0 or tree.text(use) not in given(tree, whole) or places.smallest(gone) != b"":
        return None
    if node in tree.shape.subtree(gone):
        return None
    once = _ONCE.match(tree.text(node))
    head, tail = tree.data[tree.starts[whole] : tree.starts[qualified]], tree.data[tree.starts[use] : tree.ends[whole]]
    return OutOfClassMember(
        of, gone, TextEdit(tree.starts[node], tree.ends[node], (once.group() if once else b"") + head + tail)
    )


def _class(tree: SyntaxTree, node: int) -> int:
    """What a declaration is a member of: the nearest thing around it that has a name."""
    node = tree.shape.parents[node]
    while node > 0 and not any(tree.fields[child] == "name" for child in tree.shape.children(node)):
        node = tree.shape.parents[node]
    return max(node, 0)


def _name(tree: SyntaxTree, node: int) -> bytes:
    """The name of a class, or of what a name belongs to: `A` of `A<int>`."""
    parts = (child for child in tree.shape.children(node) if tree.fields[child] in {"scope", "name"})
    match = IDENTIFIER.search(tree.text(next(parts, node)))
    return match.group() if match else b""
