"""Substitutions: inline functions, aliases and variables; move member definitions into their class."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from wynot.core.config import Config
from wynot.domains.syntax.edits.edit_candidates import EditCandidates
from wynot.domains.syntax.edits.name_usage import WRAPPED, given
from wynot.domains.syntax.edits.tree_domain import TreeDomain
from wynot.domains.syntax.syntax_tree import ERROR, SyntaxTree, TextEdit, applied
from wynot.domains.text.atom_domain import Region
from wynot.domains.text.tokens import IDENTIFIER, NAME, count

# What a function does, in the place of the only call of it.
#
# `void f(int i) { g(i); }` goes if `{ g(1); }` stands for `f(1);`; a function that only gives something back goes if
# that stands for the call.


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


# Functions that are said to be there at one place, and told of at another one.
#
# `struct A { static void f(); }; void A::f() { g(); }` is `struct A { static void f() { g(); } };`.


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


# Names that can replace other names:
#
# - an alias by what it names: `typedef int word;` goes if `int` replaces each `word`,
# - a function that only calls another one by that one, and a variable that copies another one by that one,
# - a variable that is used once by its value,
# - one of two that are declared alike by the other, or by 0,
# - a function that is called once by its body (above),
# - a declaration of a member by its definition (above).
#
# Where the grammar does not tell names, lines may.


_LINE = re.compile(rb"[^\n]+\n?")
_GIVING = re.compile(
    rb"\s*(?:\S+[^\S\n]+)+(?P<before>[\w$][^\s;]*)[^\S\n]+(?P<last>%(name)s)\s*;?\s*"
    rb"|\s*(?:\S+[^\S\n]+)?(?P<first>%(name)s)\s*:?=\s*(?P<after>[\w$][^\s;]*)\s*;?\s*" % {b"name": NAME}
)  # fmt: skip
MAX_ALIAS_LENGTH = 300
"""Lines longer than this (in bytes) say more than a name."""


class Substitution(NamedTuple):
    """A name, what stands in for it, and the text without the former."""

    name: bytes
    other: bytes
    text: bytes


def aliases(data: bytes) -> Iterator[Substitution]:
    r"""What the lines of a text call by another name, the last line first.

    >>> [(each.name, each.other, each.text) for each in aliases(b"type a.b c\nuse c\n")]
    [(b'c', b'a.b', b'use a.b\n')]
    """
    uses: dict[bytes, list[Region]] = {}
    for word in IDENTIFIER.finditer(data):
        uses.setdefault(word.group(), []).append(word.span())
    for line in reversed([line for line in _LINE.finditer(data) if len(line.group()) <= MAX_ALIAS_LENGTH]):
        match = _GIVING.fullmatch(line.group())
        if match is None:
            continue
        name, other = match["last"] or match["first"], match["before"] or match["after"]
        elsewhere = [use for use in uses.get(name, ()) if not line.start() <= use[0] < line.end()]
        if len(elsewhere) == 1:
            changes = [TextEdit(line.start(), line.end(), b""), TextEdit(*elsewhere[0], other)]
            yield Substitution(name, other, applied(data, sorted(changes)))


MAX_SUBSTITUTED_LENGTH = 300
"""What is longer than this (in bytes) is more than another name for something."""
ATTEMPTS = 3
"""How many names are tried for one, at most."""
PLAINEST = b"0"
"""A value that may do for any."""
_WORD = re.compile(rb"\w+|\S")
_VALUE = frozenset({"value", "right"})
"""The roles in which grammars have what a thing is said to be..."""
_TYPE = frozenset({"type", "value", "right"})
"""...and what a type is."""
_CALLED = "function"
"""The role of what is called."""
_QUERY = "create_query"
"""What a view of SQL is made of."""


def standins(pruned: TreeDomain) -> Iterator[Substitution]:
    """All that might do, from the end of a file to its beginning."""
    tree, places = pruned.tree, pruned.places
    leaves: dict[bytes, list[int]] = {}
    for leaf in tree.leaves(MAX_SUBSTITUTED_LENGTH):
        if IDENTIFIER.fullmatch(tree.text(leaf)):
            leaves.setdefault(tree.text(leaf), []).append(leaf)
    small = [node for node in range(1, len(tree)) if tree.shape.weights[node] <= MAX_SUBSTITUTED_LENGTH]
    names = {node: found for node in small if len(found := set(given(tree, node))) == 1}
    beside = _Beside(tree, names)
    known = {name for found in names.values() for name in found}
    for node in reversed(names):
        (name,) = names[node]
        own = tree.shape.subtree(node)
        uses = [leaf for leaf in leaves.get(name, ()) if leaf not in own]
        if not uses or places.smallest(node) != b"":
            continue
        typed = "type" in tree.kinds[uses[0]]
        inner = [
            leaf
            for leaf in range(tree.shape.lasts[node] - 1, node, -1)
            if tree.text(leaf) in leaves and ("type" in tree.kinds[leaf]) == typed
        ]
        others = dict.fromkeys(tree.text(leaf) for leaf in inner if typed or tree.text(leaf) in known)
        inside = islice((other for other in others if other != name), ATTEMPTS)
        values = (value for value in _values(tree, node, uses, typed) if value != name)
        called = any(tree.fields[leaf] == _CALLED for leaf in uses)
        plain = () if typed or called else (PLAINEST,)
        for other in dict.fromkeys((*values, *inside, *beside(node), *plain)):
            changes = [TextEdit(tree.starts[leaf], tree.ends[leaf], other) for leaf in uses]
            yield Substitution(name, other, _without(pruned, own, changes))
        for change in inlined(places, node, uses[0]) if len(uses) == 1 else ():
            yield Substitution(name, change.text, _without(pruned, own, [change]))
        for told in filter(None, (told_apart(places, node, use) for use in uses)):
            text = _without(pruned, tree.shape.subtree(told.gone), [told.change])
            yield Substitution(name, b"::".join((told.of, tree.text(node), told.change.text)), text)
    if not known or ERROR in tree.kinds:
        yield from (each for each in aliases(tree.data) if each.name not in known)


def _without(pruned: TreeDomain, own: Config, changes: list[TextEdit]) -> bytes:
    """The text without some nodes, and with changes elsewhere."""
    left = Config.full(len(pruned.tree)) - own
    return applied(pruned.tree.data, sorted([*pruned.changes(left), *changes]))


class _Beside:
    """The names of the nearest things of the same kind beside a node: of any, and of one of which the same is said.

    One that stands before the node, or else one behind.
    """

    def __init__(self, tree: SyntaxTree, names: Mapping[int, set[bytes]]) -> None:
        self._tree, self._names = tree, names
        self._said: dict[int, list[bytes]] = {}

    def __call__(self, node: int) -> Iterator[bytes]:
        tree, names = self._tree, self._names
        beside = [each for each in tree.shape.children(tree.shape.parents[node]) if each in names]
        alike = [each for each in beside if tree.kinds[each] == tree.kinds[node] and names[each] != names[node]]
        said = self.said(node) if alike else []
        for those in (alike, [each for each in alike if self.said(each) == said]):
            if those:
                yield from names[max(those, key=lambda each: (each < node, -abs(each - node)))]

    def said(self, node: int) -> list[bytes]:
        """What is said of a name where it is given: `int` of `int i;`."""
        if node not in self._said:
            (name,) = self._names[node]
            self._said[node] = [word for word in _WORD.findall(self._tree.text(node)) if word != name]
        return self._said[node]


def _values(tree: SyntaxTree, node: int, uses: Sequence[int], typed: bool) -> Iterator[bytes]:
    """What a thing is said to be, where the text has fewer tokens with that in all places."""
    roles = _TYPE if typed else _VALUE
    near = tree.shape.depths[node] + WRAPPED
    for each in range(node + 1, tree.shape.lasts[node]):
        query = tree.kinds[each] == _QUERY
        if tree.shape.depths[each] <= near and (query or tree.fields[each] in roles):
            value = b"(%s)" % tree.text(each) if query else tree.text(each)
            if len(uses) == 1 or len(uses) * (count(value) - 1) < count(tree.text(node)):
                yield value
            return
