"""Numbers, strings and characters that may be made smaller. They are known by their looks, in every language."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wynot.core.config import Config
from wynot.domains.cleanup.rewrite_domain import Rewrite, simpler, within
from wynot.domains.cleanup.smaller_numbers import smaller
from wynot.domains.syntax.syntax_tree import SyntaxTree
from wynot.domains.text.atom_domain import Region

_QUOTED = re.compile(
    rb"""
    (?P<prefix>[A-Za-z][A-Za-z0-9]{0,2})?
    (?P<quote>\"{3}|'{3}|["'`])
    (?P<inside>(?:(?!(?P=quote))[^\\]|\\.)*+)
    (?P=quote)
    """,
    re.VERBOSE | re.DOTALL,
)
_PIECE = re.compile(
    rb"""
    \\(?:x[0-9a-fA-F]{1,2}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|.)
  | [\xc2-\xf4][\x80-\xbf]{1,3}
  | .
    """,
    re.VERBOSE | re.DOTALL,
)
_LONGEST = 400
"""What is longer is no number."""


class QuotedLiteral(NamedTuple):
    """A string or a character."""

    node: int
    prefix: bytes
    quote: bytes
    inside: Region


def literals(tree: SyntaxTree, free: Config) -> list[Rewrite]:
    """The literals of a file with smaller ones for them: empty strings, the character 0, small numbers."""
    found = (((tree.starts[node], tree.ends[node]), texts) for node, texts in _literals(tree))
    return [Rewrite((place,), texts) for place, texts in found if texts and within(place, free)]


def contents(tree: SyntaxTree, free: Config) -> list[Region]:
    """What stands in the quotes of a file."""
    return [each.inside for each in _walked(tree) if isinstance(each, QuotedLiteral) and within(each.inside, free)]


def piece_ends(data: bytes, start: int, stop: int) -> Sequence[int]:
    r"""Each character of a string is an atom; what is written with a backslash is one.

    >>> list(piece_ends(rb"a\n\x41b", 0, 8))
    [1, 3, 7, 8]
    """
    return array("Q", (match.end() for match in _PIECE.finditer(data, start, stop)))


def _literals(tree: SyntaxTree) -> Iterator[tuple[int, tuple[bytes, ...]]]:
    for each in _walked(tree):
        if isinstance(each, QuotedLiteral):
            yield each.node, simpler(tree.text(each.node), _emptied(tree, each))
        else:
            yield each, simpler(tree.text(each), smaller(tree.text(each)))


def _walked(tree: SyntaxTree) -> Iterator[QuotedLiteral | int]:
    """The strings and numbers of a file, outermost ones only."""
    node = 0
    while node < len(tree):
        quoted = _quoted(tree, node)
        if quoted is not None:
            yield quoted
        elif tree.ends[node] - tree.starts[node] <= _LONGEST and any(smaller(tree.text(node))):
            yield node
        else:
            node += 1
            continue
        node = tree.shape.lasts[node]


def _quoted(tree: SyntaxTree, node: int) -> QuotedLiteral | None:
    start, end = tree.starts[node], tree.ends[node]
    if tree.data[end - 1 : end] not in {b'"', b"'", b"`"}:
        return None
    match = _QUOTED.fullmatch(tree.data, start, end)
    return match and QuotedLiteral(node, match["prefix"] or b"", match["quote"][:1], match.span("inside"))


def _emptied(tree: SyntaxTree, each: QuotedLiteral) -> Iterator[bytes]:
    start, end = each.inside
    kind = tree.kinds[each.node]
    if start == end:
        return
    if ("char" in kind or "rune" in kind) and len(piece_ends(tree.data, start, end)) == 1:
        yield b"0"
        inside = b"0"
    else:
        inside = b""
    yield each.quote + inside + each.quote
    yield each.prefix + each.quote + inside + each.quote
