"""Which kinds of atoms suit a file, coarse to fine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wynot.domains.text.atom_domain import AtomDomain, Atoms, Region, flat
from wynot.domains.text.atoms import byte_ends, char_ends, delimited, encoding_of, line_ends
from wynot.domains.text.tokens import token_ends, word_ends


@dataclass(frozen=True, slots=True)
class Granularity:
    """A kind of atom, by name."""

    name: str
    atoms: Atoms
    apart: bool = False
    """Whether words stay apart."""

    def deltas(self, data: bytes, free: Sequence[Region]) -> AtomDomain:
        """The atoms of the free regions of a file."""
        return flat(data, self.atoms, free, apart=self.apart)


LINES = Granularity("lines", line_ends)
TOKENS = Granularity("tokens", token_ends)
WORDS = Granularity("tokens", word_ends, apart=True)
"""Tokens without layout: that `a;b` without its semicolon is `ab` would be of no use."""
CHARS = Granularity("chars", char_ends)
BYTES = Granularity("bytes", byte_ends)

_NAMED = {level.name: level for level in (LINES, TOKENS, CHARS, BYTES)}
NAMES = ("auto", *_NAMED)
"""Atoms by name; "tree" is another kind of delta."""


def levels(data: bytes, atoms: str = "auto", delimiters: Sequence[bytes] = ()) -> list[Granularity]:
    """The levels to go through: the one that was asked for, or lines, tokens, characters.

    Delimiters make a level of their own, in the place of lines.

    What is not a text has no characters: there, bytes are the finest level.
    """
    own = [Granularity("delimited", delimited(delimiters))] if delimiters else []
    if atoms != "auto":
        return [*own, _NAMED[atoms]]
    encoding = encoding_of(data)
    if encoding is None:
        return [*(own or [LINES]), TOKENS, BYTES]
    if encoding != "utf-8":  # the lexer reads bytes; it would cut wide characters in two
        return [*(own or [LINES]), CHARS]
    return [*(own or [LINES]), TOKENS, CHARS]
