"""Simplify literals and layout: numbers, strings, white space."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wynot.core.config import Config
from wynot.domains.cleanup.rewrite_domain import Rewrite, covering, simpler, within
from wynot.domains.syntax.edits.edit_candidates import whole
from wynot.domains.syntax.syntax_tree import SyntaxTree
from wynot.domains.text.atom_domain import Region

# Smaller numbers for a number, in the notation of most languages.


_DECIMAL = re.compile(rb"([-+]?)(\d[\d_']*)?+(\.\d*)?+([eE][-+]?\d+)?+([A-Za-z_%]\w*)?+")
_BASED = re.compile(rb"([-+]?)(0[xXbBoO])([0-9a-fA-F][0-9a-fA-F_']*)([g-zG-Z]\w*)?")
_BASES = {b"x": (16, "x"), b"o": (8, "o"), b"b": (2, "b")}
_BITS = 64
"""Numbers that need more bits lose digits; others are counted down."""
_SHIFTS = (1, 2, 4, 8, 16, 32)


def smaller(text: bytes) -> Iterator[bytes]:
    """Numbers to try in the place of one; none where it is no number. Not all of them are smaller.

    >>> sorted(set(smaller(b"100")), key=int)
    [b'0', b'1', b'6', b'25', b'50', b'75', b'94', b'99', b'100']
    >>> b"0xfUL" in smaller(b"0x1fUL"), b"31" in smaller(b"0x1fUL"), b"1.5" in smaller(b"-1.5e3f")
    (True, True, False)
    >>> list(smaller(b"word"))
    []
    """
    based = _BASED.fullmatch(text)
    if based is not None:
        return _based(*based.groups(b""))
    decimal = _DECIMAL.fullmatch(text)
    if decimal is not None and (decimal[2] or len(decimal[3] or b"") > 1):
        return _decimal(*decimal.groups(b""))
    return iter(())


def _based(sign: bytes, prefix: bytes, digits: bytes, suffix: bytes) -> Iterator[bytes]:
    base, code = _BASES[prefix[1:].lower()]
    plain = digits.replace(b"_", b"").replace(b"'", b"")
    try:
        value = int(plain, base)
    except ValueError:  # 0b9
        return
    yield from (b"0", b"1", b"%d" % value, prefix + digits + suffix, sign + prefix + digits)
    for less in _down(value) if value.bit_length() <= _BITS else ():
        yield sign + prefix + format(less, code).encode() + suffix
    for kept in _shorter(plain):
        yield sign + prefix + kept + suffix


def _decimal(sign: bytes, whole: bytes, fraction: bytes, power: bytes, suffix: bytes) -> Iterator[bytes]:
    yield from (b"0", b"1", whole + fraction + power + suffix)
    if fraction or power:
        yield from (b"0.0", b"1.0")
    yield from (sign + whole + fraction + power, sign + whole + fraction, sign + whole + fraction + suffix)
    yield from (sign + whole, sign + whole + suffix)
    for kept in _shorter(fraction[1:]):
        yield sign + whole + b"." + kept + power + suffix
    plain = whole.replace(b"_", b"").replace(b"'", b"") or b"0"
    value = int(plain)
    for less in map(b"%d".__mod__, _down(value)) if value.bit_length() <= _BITS else _shorter(plain):
        yield sign + less + fraction + power + suffix


def _down(value: int) -> Iterator[int]:
    """The number itself, numbers far below it, and nearer and nearer ones."""
    yield value
    for part in (value >> shift for shift in _SHIFTS):
        yield from (part, value - part)
    yield max(value - 1, 0)


def _shorter(digits: bytes) -> Iterator[bytes]:
    """Half of some digits, and all but one of them."""
    yield from (digits[:kept] for kept in (len(digits) // 2, len(digits) - 1) if kept > 0)


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


# Comments, and white space that is more than needed.


_SPACE = re.compile(rb"[ \t\v\f\r\n]+")
_BREAK = re.compile(rb"\r\n|\n|\r")
_VERBATIM = re.compile(r"heredoc|raw_text|string_content")


def comments(tree: SyntaxTree, free: Config) -> list[Rewrite]:
    """The comments of a file; nothing, or a blank, may stand for them."""
    found: list[Rewrite] = []
    last = 0
    for node in range(len(tree)):
        start, end = tree.starts[node], tree.ends[node]
        if "comment" not in tree.kinds[node].lower() or start < last or not within((start, end), free):
            continue
        wide = whole(tree.data, start, end)
        start, end = (max(wide[0], last), wide[1]) if within(wide, free) else (start, end)
        found.append(Rewrite(((start, end),), simpler(tree.data[start:end], (b"", b" "))))
        last = end
    return found


def spaces(tree: SyntaxTree, free: Config, *, flush: bool = True) -> list[Rewrite]:
    """White space with less in its place: no blank lines, no blanks before a line's end, small indentation.

    Unless lines may be `flush`, those that are indented deeper than others stay so.
    """
    verbatim = _verbatim(tree)
    found = (match.span() for start, end in free.intervals() for match in _SPACE.finditer(tree.data, start, end))
    runs = [run for run in found if not within(run, verbatim)]
    steps = _steps(tree.data, runs)
    texts = ((run, _less(tree.data, run, steps, flush=flush)) for run in runs)
    rewrites = (Rewrite((run,), simpler(tree.data[slice(*run)], less)) for run, less in texts)
    return [rewrite for rewrite in rewrites if rewrite.texts]


def _verbatim(tree: SyntaxTree) -> Config:
    """Where white space is no layout."""
    bodies = (node for node in range(len(tree)) if _VERBATIM.search(tree.kinds[node]))
    regions = ((tree.starts[node], tree.ends[node]) for node in bodies)
    return covering([*contents(tree, Config.full(len(tree.data))), *regions])


def _begins_line(data: bytes, at: int) -> bool:
    return at == 0 or data[at - 1] in b"\r\n"


def _indent(data: bytes, run: Region) -> bytes | None:
    """The blanks at the beginning of a line; None where the run is within one line."""
    pieces = _BREAK.split(data[slice(*run)])
    return pieces[-1] if len(pieces) > 1 or _begins_line(data, run[0]) else None


def _steps(data: bytes, runs: Sequence[Region]) -> dict[int, int]:
    """For each width of indentation that there is: how many smaller ones there are."""
    indents = [_indent(data, run) for run in runs]
    widths = {0, *(len(indent.expandtabs()) for indent in indents if indent is not None)}
    return {width: step for step, width in enumerate(sorted(widths))}


def _less(data: bytes, run: Region, steps: dict[int, int], *, flush: bool) -> Iterator[bytes]:
    """What may stand for some white space; where a line ends, one still does."""
    indent = _indent(data, run)
    if indent is None:
        yield b"" if run[1] == len(data) else b" "
        return
    found = None if _begins_line(data, run[0]) else _BREAK.search(data, *run)
    line = found[0] if found else b""
    if flush:
        yield line
    yield line + indent[:1] * steps[len(indent.expandtabs())]
    yield line + indent
