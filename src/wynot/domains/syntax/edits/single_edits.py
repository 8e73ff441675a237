"""The single edits that a 1-tree-minimal text has to withstand.

Every token and every node is cut, and every node is replaced by a smallest text.

`EditCandidates` guesses what may become of a node: one example speaks for all nodes at that kind of place, and the
parent has to stay of its kind. Here nothing is guessed: every node is edited, and the parser judges the whole text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise

from wynot.domains.syntax.edits.edit_candidates import EditCandidates, whole
from wynot.domains.syntax.syntax_tree import TextEdit
from wynot.domains.text.tokens import count, more_than, token_spans, word_ends

Span = tuple[int, int]
Edit = tuple[TextEdit, ...]
"""Ways to make one edit; the first valid one counts."""


def single_edits(places: EditCandidates, *, beside: bool = True) -> Iterator[Edit]:
    """All edits of one token or node each, from the end of the text to its front, the larger nodes first.

    `beside`: a node is also cut together with the token before it or after it, where that belongs to its parent: a
    comma, a keyword.
    """
    tree, tokens = places.tree, token_spans(places.tree.data)
    yield from _tokens(places, tokens)
    for node in sorted(range(1, len(tree)), key=lambda node: (-tree.starts[node], -tree.ends[node], node)):
        if not places.may_go(node):
            continue
        stretches = (tree.starts[node], tree.ends[node]), *(_with_neighbours(places, node, tokens) if beside else ())
        for start, end in stretches:
            if places.is_free(start, end):
                yield tuple(_cuts(places, start, end))
        if more_than(1, tree.data, tree.starts[node], tree.ends[node]):
            yield tuple(_replacements(places, node))


def _tokens(places: EditCandidates, tokens: list[tuple[int, int]]) -> Iterator[Edit]:
    """Each token with the white space after it, as in a search among tokens, or as it is."""
    data = places.tree.data
    atoms = pairwise((0, *word_ends(data, 0, len(data)))) if tokens else ()
    for atom, token in zip(reversed([*atoms]), reversed(tokens), strict=True):
        yield tuple(TextEdit(*way, b"") for way in _apart(data, atom, token) if places.is_free(*way))


def _apart(data: bytes, wide: Span, bare: Span) -> tuple[Span, Span]:
    r"""A stretch with its white space, or as it is; the other way round where the first would join its neighbours.

    >>> _apart(b"(3}\n.", (2, 4), (2, 3)), _apart(b"x = y", (2, 4), (2, 3))
    (((2, 3), (2, 4)), ((2, 4), (2, 3)))
    """
    start, end = wide
    joined = data[:start][-1:].strip() and data[end : end + 1].strip()
    return (bare, wide) if joined else (wide, bare)


def _cuts(places: EditCandidates, start: int, end: int) -> Iterator[TextEdit]:
    """A stretch with its layout, or as it is."""
    wide, bare = whole(places.tree.data, start, end), (start, end)
    for way in _apart(places.tree.data, wide, bare):
        if places.is_free(*way):
            yield TextEdit(*way, b"")


def _replacements(places: EditCandidates, node: int) -> Iterator[TextEdit]:
    tree = places.tree
    for text in places.texts(node):
        if more_than(count(text), tree.data, tree.starts[node], tree.ends[node]):
            yield TextEdit(tree.starts[node], tree.ends[node], text)


def _with_neighbours(places: EditCandidates, node: int, tokens: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """A node with the token before it, and with the one after it, as far as these are its parent's own."""
    tree, shape = places.tree, places.tree.shape
    parent, start, end = shape.parents[node], tree.starts[node], tree.ends[node]
    left = bisect_right(tokens, start, key=lambda token: token[1]) - 1
    before = shape.before(node)
    if left >= 0 and tokens[left][0] >= (tree.starts[parent] if before is None else tree.ends[before]):
        yield tokens[left][0], end
    right = bisect_left(tokens, end, key=lambda token: token[0])
    after = shape.lasts[node]
    limit = tree.starts[after] if after < shape.lasts[parent] else tree.ends[parent]
    if right < len(tokens) and tokens[right][1] <= limit:
        yield start, tokens[right][1]
