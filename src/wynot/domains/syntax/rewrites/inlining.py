"""What a function does, in the place of the only call of it.

`void f(int i) { g(i); }` goes if `{ g(1); }` stands for `f(1);`; a function that only gives something back goes if that
stands for the call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from wynot.domains.syntax.edits.edit_candidates import EditCandidates
from wynot.domains.syntax.edits.name_usage import WRAPPED, given
from wynot.domains.syntax.syntax_tree import SyntaxTree
from wynot.domains.syntax.text_edits import TextEdit, applied

_BODY, _PARAMETERS, _ARGUMENTS = "body", "parameters", "arguments"
"""The roles in which grammars have the parts of functions and calls."""
_RETURN = re.compile(rb"return\b")


def inlined(places: EditCandidates, node: int, use: int) -> Iterator[TextEdit]:
    """What may stand for the only use of a function: what it does, for the statement; what it gives, for the call."""
    tree = places.tree
    body, calls = _part(tree, node, _BODY), list(_calls(tree, use))
    if body is None or not calls:
        return
    meant = _meant(tree, node, calls[0])
    for part, wanted in ((body, calls[::-1]), (_value(tree, body), calls[:1])):
        call = None if part is None else next((each for each in wanted if places.takes(each, part)), None)
        if part is not None and call is not None:
            yield TextEdit(tree.starts[call], tree.ends[call], _moved(tree, part, call, meant))


def _part(tree: SyntaxTree, node: int, role: str) -> int | None:
    """What is in a role near a node."""
    deepest = tree.shape.depths[node] + WRAPPED
    below = range(node + 1, tree.shape.lasts[node])
    return next((each for each in below if tree.fields[each] == role and tree.shape.depths[each] <= deepest), None)


def _calls(tree: SyntaxTree, use: int) -> Iterator[int]:
    """What begins with a name and goes on: a call, then the statement that it is."""
    node = tree.shape.parents[use]
    while node and tree.starts[node] == tree.starts[use]:
        if tree.ends[node] > tree.ends[use]:
            yield node
        node = tree.shape.parents[node]


def _meant(tree: SyntaxTree, node: int, call: int) -> dict[bytes, bytes]:
    """The arguments of a call by the names of a function's parameters; none where they do not match."""
    taken, passed = _part(tree, node, _PARAMETERS), _part(tree, call, _ARGUMENTS)
    parameters = [] if taken is None else tree.shape.children(taken)
    names = [name.lstrip(b"$") for each in parameters for name in ([*given(tree, each)][::-1] or [tree.text(each)])]
    values = [] if passed is None else [tree.text(each) for each in tree.shape.children(passed)]
    return dict(zip(names, values, strict=True)) if len(names) == len(values) else {}


def _value(tree: SyntaxTree, body: int) -> int | None:
    """What a body gives back, where it does nothing else."""
    node, inside = body, [*tree.shape.children(body)]
    while len(inside) == 1:
        before, node = node, inside[0]
        if _returns(tree, before) and not _returns(tree, node):
            return node
        inside = [*tree.shape.children(node)]
    return None


def _returns(tree: SyntaxTree, node: int) -> bool:
    return _RETURN.match(tree.data, tree.starts[node]) is not None


def _moved(tree: SyntaxTree, part: int, to: int, meant: Mapping[bytes, bytes]) -> bytes:
    """A part of the text as it stands elsewhere: with arguments for parameters, and indented as that place is."""
    start, data = tree.starts[part], tree.text(part)
    leaves = [each for each in tree.shape.subtree(part) if tree.shape.lasts[each] == each + 1]
    found = [(tree.starts[each] - start, tree.ends[each] - start, meant.get(tree.text(each))) for each in leaves]
    text = applied(data, [TextEdit(_sigil(data, at), end, new) for at, end, new in found if new is not None])
    return text.replace(_margin(tree, start), _margin(tree, tree.starts[to]))


def _sigil(data: bytes, at: int) -> int:
    """Where a name begins that may have a sign before it."""
    return at - data.startswith(b"$", max(at - 1, 0), at)


def _margin(tree: SyntaxTree, at: int) -> bytes:
    """A line break and the indentation of the line at a place."""
    line = tree.data.rfind(b"\n", 0, at) + 1
    rest = tree.data[line:at]
    return b"\n" + rest[: len(rest) - len(rest.lstrip())]
