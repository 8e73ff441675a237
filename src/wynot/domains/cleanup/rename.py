"""Names that may be made short: all places where the same name stands are one thing."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from itertools import count

from wynot.core.config import Config
from wynot.domains.cleanup.rewrite_domain import Rewrite, simpler, within
from wynot.domains.syntax.adapters.sexpr import ATOM, LIST
from wynot.domains.syntax.syntax_tree import SyntaxTree, ValidityChecker
from wynot.domains.text.atom_domain import Region

_NAMING = frozenset({"identifier", "name", "variable", "constant", "constructor", "path", "reference"})
"""Parts of the kinds of nodes that are names: type_identifier, value_path, ..."""
_GIVEN = frozenset({"command_name", "tag_name", "property_name", "attribute_name", "entity_reference"})
"""Names that mean something outside of the file."""
_TEXTUAL = re.compile(r"string|content|fragment|comment|text|char|escape")
_MACRO = "preproc_arg"
"""What a macro stands for: no grammar looks into it."""
SMALL = 16384
"""In larger files only the nodes of the tree are looked at."""

_WORD = re.compile(rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*")
_NAME = re.compile(rb"([@$#%&|]*)([A-Za-z_\x80-\xff][^\s()\[\]{}\"]*)")
_DEFINING = re.compile(r"list:(declare-|def)")
_BINDING = re.compile(r"list:(let|forall|exists|lambda|define|match)")


def names(tree: SyntaxTree, checker: ValidityChecker, free: Config) -> list[Rewrite]:
    """The names of a file with short ones for them: none that occurs in the file, nor two the same."""
    words = set(_WORD.findall(tree.data))
    places = _places(tree)
    fresh = {big: _short(words, big=big) for big in (False, True)}
    ahead = {big: next(fresh[big]) for big in fresh}
    found = []
    for name in dict.fromkeys(_named(tree, checker)):
        match = _NAME.fullmatch(name)
        if match is None or not all(within(place, free) for place in places.get(name, ())):
            continue
        big = match[2][:1].isupper()  # in some languages the case of the first letter means something
        texts = simpler(name, [match[1].replace(b"|", b"") + ahead[big]])
        if texts and name in places:
            found.append(Rewrite(tuple(places[name]), texts))
            ahead[big] = next(fresh[big])
    return found


def _short(taken: Container[bytes], *, big: bool) -> Iterator[bytes]:
    """a, b, ..., z, a0, ..., z0, a1, ...: no key words among them."""
    letters = [bytes([(b"A" if big else b"a")[0] + place]) for place in range(26)]
    for number in count(-1):
        rest = b"%d" % number if number >= 0 else b""
        yield from (letter + rest for letter in letters if letter + rest not in taken)


def _leaves(tree: SyntaxTree) -> Iterator[int]:
    return (node for node in range(len(tree)) if tree.shape.lasts[node] == node + 1)


def _named(tree: SyntaxTree, checker: ValidityChecker) -> Iterator[bytes]:
    """The names of a file as they come."""
    looked: dict[tuple[str, bytes], bool] = {}
    for node in _leaves(tree):
        kind, text = tree.kinds[node], tree.text(node)
        if _names(kind) or _declared(tree, node):
            yield text
        elif len(tree.data) <= SMALL and kind != ATOM and _WORD.fullmatch(text):
            if (kind, text) not in looked:  # a name may be all there is to a statement, and the tree has that only
                inner = checker.kinds(tree.data, tree.starts[node], tree.ends[node])
                looked[kind, text] = any(map(_names, inner))
            if looked[kind, text]:
                yield text


def _names(kind: str) -> bool:
    """Whether nodes of a kind are names."""
    naming = not _NAMING.isdisjoint(kind.lower().split("_"))
    return naming and kind not in _GIVEN and not _TEXTUAL.search(kind)


def _declared(tree: SyntaxTree, node: int) -> bool:
    """Whether a word of an S-expression stands where a name is declared or bound."""
    parents, kinds = tree.shape.parents, tree.kinds
    if kinds[node] != ATOM:
        return False
    parent = parents[node]
    if _DEFINING.match(kinds[parent]):
        return node == parent + 2
    above = parents[parent] if parent else 0
    return node == parent + 1 and kinds[above] == LIST and bool(_BINDING.match(kinds[parents[above]]))


def _places(tree: SyntaxTree) -> dict[bytes, list[Region]]:
    """Where each word stands that is a node by itself, or in a macro."""
    places: dict[bytes, list[Region]] = {}
    for node in _leaves(tree):
        start, end = tree.starts[node], tree.ends[node]
        if tree.kinds[node] == _MACRO:
            for match in _WORD.finditer(tree.data, start, end):
                places.setdefault(match[0], []).append(match.span())
        elif not _TEXTUAL.search(tree.kinds[node]):
            places.setdefault(tree.text(node), []).append((start, end))
    return places
