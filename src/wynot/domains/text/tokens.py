"""Tokens of many languages, recognised by their looks."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from itertools import pairwise

# What programs of many languages are made of, by its looks: identifiers, comments.


NAME = rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*"
"""An identifier, to make a larger pattern of."""
IDENTIFIER = re.compile(NAME)
C_COMMENT = re.compile(rb"//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)")
"""A comment of C, and of all languages that took theirs from it."""
WORD = frozenset(byte for byte in range(256) if byte in b"_$" or byte >= 0x80 or chr(byte).isalnum())
"""The bytes that make words."""


def spaced(pieces: Iterable[bytes]) -> bytes:
    """Pieces of a text in a row, none of them empty; words that would run together are kept apart.

    >>> spaced([b"int x", b"y;", b"z"])
    b'int x y;z'
    """
    found: list[bytes] = []
    for piece in pieces:
        if found and piece[0] in WORD and found[-1][-1] in WORD:
            found.append(b" ")
        found.append(piece)
    return b"".join(found)


# Tokens of any language, found by a lexer that knows none.
#
# Words, numbers, quoted strings on one line, and single signs are tokens; blanks belong to the token before them, so
# that taking away a token takes its blanks, too. A line break with the indentation after it is a token of its own.


_QUOTED = rb""""(?:[^"\\\n]|\\.){0,999}"|'(?:[^'\\\n]|\\.){0,999}'"""
"""A string on one line, of bounded length: many that do not end take no time in proportion to the square of theirs."""
_SEEN = (
    rb"""
    (?: [A-Za-z_\x80-\xff$][A-Za-z_0-9\x80-\xff$]*+  # a word
      | \d[\w.]*                      # a number
      | %b
      | [^\s]                         # a sign
    )
    """
    % _QUOTED
)
_TOKEN = re.compile(
    _SEEN
    + rb"""
    [^\S\r\n]*                        # and the blanks after it
  | \s+                               # line breaks and the blanks of the next line
    """,
    re.VERBOSE | re.DOTALL,
)
_SPAN = re.compile(rb"(?P<token>" + _SEEN + rb")", re.VERBOSE | re.DOTALL)
_COUNTED = re.compile(rb"[\s\0]*+()" + _SEEN, re.VERBOSE | re.DOTALL)
"""A token with what is before it, and nothing to remember of it. Zeros fill a file as white space does."""


# To count them all, no token has to be found: strings become signs, numbers words, and every word begins after a byte
# that is in none.
_STRING = re.compile(_QUOTED, re.DOTALL)
_NUMBER = re.compile(rb"\d(?<![A-Za-z_0-9\x80-\xff$].)[\w.]*", re.DOTALL)
_WORDS = bytes(b"w"[0] if byte in WORD else b" "[0] for byte in range(256))
_NO_SIGNS = bytes(WORD) + b" \t\n\r\f\v\0"

_LINE_REST = re.compile(rb"[^\S\r\n]*[^\s]")
"""Something else on the same line."""


def token_ends(data: bytes, start: int, stop: int) -> Sequence[int]:
    r"""Each token is an atom.

    >>> list(token_ends(b'x = "a b";\n  y', 0, 14))
    [2, 4, 9, 10, 13, 14]
    """
    return array("Q", (match.end() for match in _TOKEN.finditer(data, start, stop)))


def word_ends(data: bytes, start: int, stop: int) -> Sequence[int]:
    r"""Each token is an atom, with all white space after it: layout is nothing of its own.

    A token that has a line for itself has its indentation, too, so that it goes as a line. White space alone is
    an atom: a text is never without any.

    >>> list(word_ends(b'x = "a b";\n  y', 0, 14))
    [2, 4, 9, 11, 14]
    """
    tokens = [match for match in _TOKEN.finditer(data, start, stop) if not match.group().isspace()]
    ends = array("Q", (_begin(data, one.end(), other) for one, other in pairwise(tokens)))
    if start < stop:
        ends.append(stop)
    return ends


def token_spans(data: bytes) -> list[tuple[int, int]]:
    r"""Where each token begins and ends, without white space.

    >>> token_spans(b'x = "a b";\n  y')
    [(0, 1), (2, 3), (4, 9), (9, 10), (13, 14)]
    """
    return [match.span("token") for match in _SPAN.finditer(data)]


def _begin(data: bytes, after: int, token: re.Match[bytes]) -> int:
    """Where a token's atom begins: at the token, or at its line, where it is alone there."""
    line = data.rfind(b"\n", after - 1, token.start()) + 1
    return token.start() if not line or _LINE_REST.match(data, token.end()) else line


def count(data: bytes) -> int:
    """How many tokens there are, white space and zeros apart: a size that layout does not change."""
    plain = _NUMBER.sub(b" 0 ", _STRING.sub(b"!", data))
    words, signs = (b" " + plain.translate(_WORDS)).count(b" w"), len(plain.translate(None, _NO_SIGNS))
    return words + signs


def more_than(many: int, data: bytes, start: int, stop: int) -> bool:
    """Whether a stretch holds more than so many tokens: that takes no longer for a long one.

    >>> more_than(1, b"int x;", 0, 3), more_than(1, b"int x;", 0, 5)
    (False, True)
    """
    for _ in range(many + 1):
        token = _COUNTED.match(data, start, stop)
        if token is None:
            return False
        start = token.end()
    return True
