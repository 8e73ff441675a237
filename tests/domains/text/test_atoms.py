"""Characters, lines, tokens, delimiters: where atoms begin and end."""

from __future__ import annotations

import codecs
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domains.samples import CHARACTERS, PIECES, WIDE, wide
from tests.laws.effort import few
from wynot.core.config import Config
from wynot.domains.text.atom_domain import Atoms, flat
from wynot.domains.text.atoms import LINES, NAMES, char_ends, delimited, encoding_of, levels, line_ends
from wynot.domains.text.tokens import count, token_ends, word_ends
from wynot.engine.run_options import ATOMS

seeds = st.integers(0, 2**32)


def cut(data: bytes, atoms: Atoms) -> list[bytes]:
    ends = [0, *atoms(data, 0, len(data))]
    return [data[a:b] for a, b in pairwise(ends)]


@few
@given(seeds)
def test_a_text_is_cut_between_characters(seed: int) -> None:
    text = "".join(Random(seed).choices(CHARACTERS, k=12))
    assert [atom.decode() for atom in cut(text.encode(), char_ends)] == list(text)


@pytest.mark.parametrize("encoding", WIDE)
@few
@given(seed=seeds)
def test_a_wide_text_is_cut_between_characters(encoding: str, seed: int) -> None:
    """The byte order mark is one of them."""
    data = wide(encoding, seed)
    assert encoding_of(data) == encoding
    assert [atom.decode(encoding) for atom in cut(data, char_ends)] == list(data.decode(encoding))


def test_a_utf_16_text_may_begin_with_nul() -> None:
    """Its first four bytes are those of UTF-32's mark."""
    assert encoding_of(codecs.BOM_UTF16_LE + "\0a".encode("utf-16-le")) == "utf-16-le"


@pytest.mark.parametrize(
    "encoding",
    WIDE,
)
@few
@given(seed=seeds)
def test_lines_of_a_wide_text_do_not_cut_characters(encoding: str, seed: int) -> None:
    """A line feed has several bytes there, and a byte 10 alone is none (U+0A0D holds one)."""
    data = wide(encoding, seed)
    lines = [line.decode(encoding) for line in cut(data, line_ends)]
    assert "".join(lines) == data.decode(encoding)
    assert all("\n" not in line[:-1] for line in lines)


def test_bytes_that_are_no_text() -> None:
    """Each byte that belongs to no character is an atom; half a character is two."""
    assert encoding_of(b"a\xff") is None
    assert cut(b"a\xff\xc3(\xe2\x82z", char_ends) == [b"a", b"\xff", b"\xc3", b"(", b"\xe2", b"\x82", b"z"]
    assert encoding_of(codecs.BOM_UTF16_LE + b"a") is None
    assert cut(codecs.BOM_UTF16_LE + b"a", char_ends) == [b"\xff", b"\xfe", b"a"]


@few
@given(seeds)
def test_lines_end_with_their_line_feed(seed: int) -> None:
    """As Python's own splitting at line feeds does it; a CR before the line feed stays with it."""
    data = b"x\n" + b"".join(Random(seed).choices(PIECES, k=12))
    assert cut(data, line_ends) == [line for line in data.replace(b"\n", b"\n\0\1\2").split(b"\0\1\2") if line]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"one", [b"one"]),
        (b"\n\n", [b"\n", b"\n"]),
        (b"a\r\nb\r\n", [b"a\r\n", b"b\r\n"]),
        (b"old\rmac\rlines", [b"old\r", b"mac\r", b"lines"]),
        (b"mixed\rand\n", [b"mixed\rand\n"]),
        (b"nul\0\nnul\0", [b"nul\0\n", b"nul\0"]),
    ],
)
def test_lines(data: bytes, lines: list[bytes]) -> None:
    """Lone CRs end a line where nothing else does."""
    assert cut(data, line_ends) == lines


@pytest.mark.parametrize(
    ("data", "tokens"),
    [
        (b"", []),
        (b"int x=10;", [b"int ", b"x", b"=", b"10", b";"]),
        (b"f(  a,\n\t b )", [b"f", b"(  ", b"a", b",", b"\n\t ", b"b ", b")"]),
        (b"'it''s' \"a \\\" b\"", [b"'it'", b"'s' ", b'"a \\" b"']),
        (b"don't\n", [b"don", b"'", b"t", b"\n"]),
        (b"0x1F+1.5e3", [b"0x1F", b"+", b"1.5e3"]),
        (b"$a_1 b$", [b"$a_1 ", b"b$"]),
        ("né€ 1".encode(), ["né€ ".encode(), b"1"]),
        (b'"open\nend', [b'"', b"open", b"\n", b"end"]),
        (b"a\r\n\r\n  b", [b"a", b"\r\n\r\n  ", b"b"]),
        (b"\0\0", [b"\0", b"\0"]),
    ],
)
def test_tokens(data: bytes, tokens: list[bytes]) -> None:
    """Words, numbers, strings, signs with the blanks behind them; line breaks with the indentation after them.

    Neither white space nor zeros are counted.
    """
    assert cut(data, token_ends) == tokens
    assert count(data) == sum(bool(token.strip(b" \t\r\n\f\v\0")) for token in tokens)


@pytest.mark.parametrize("atoms", [token_ends, word_ends])
@pytest.mark.parametrize("data", [b"", b" ", b"\t\n\n", b" a", b"a \n", b"\0"])
def test_atoms_are_all_of_a_text(atoms: Atoms, data: bytes) -> None:
    """White space, too, where there is nothing else: what is kept whole is as it was."""
    assert b"".join(cut(data, atoms)) == data
    domain = flat(data, atoms)
    assert domain.render(Config.full(len(domain))) == data


@few
@given(seeds)
def test_no_token_goes_on_over_a_line_end(seed: int) -> None:
    """Save for line breaks themselves, and for strings that escape theirs; and no word is cut."""
    data = b"".join(Random(seed).choices([p for p in PIECES if b"\\" not in p], k=12))
    tokens = cut(data, token_ends)
    assert all(token.isspace() or b"\n" not in token for token in tokens)
    quotes = (b'"', b"'")
    for one, two in pairwise(tokens):
        if one[-1:].isalpha() and two[:1].isalpha():
            assert one.startswith(quotes) or two.startswith(quotes)


@pytest.mark.parametrize(
    ("delimiters", "data", "atoms"),
    [
        ([b";"], b"a;b;c", [b"a;", b"b;", b"c"]),
        ([b";"], b"a;b;", [b"a;", b"b;"]),
        ([b";"], b"", []),
        ([b";"], b"none", [b"none"]),
        ([b";", b"}"], b"{a;b}c", [b"{a;", b"b}", b"c"]),
        ([b"-", b"-->"], b"a-->b-c", [b"a-->", b"b-", b"c"]),
        ([b".", b"*"], b"a.b*c", [b"a.", b"b*", b"c"]),
        ([b"\0"], b"x\0\0y", [b"x\0", b"\0", b"y"]),
    ],
)
def test_delimiters(delimiters: list[bytes], data: bytes, atoms: list[bytes]) -> None:
    """An atom ends with its delimiter; the longest one counts; none is a pattern."""
    assert cut(data, delimited(delimiters)) == atoms


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"int x;\n", ["lines", "tokens", "chars"]),
        ("é\n".encode(), ["lines", "tokens", "chars"]),
        (b"\xff\n", ["lines", "tokens", "bytes"]),
        (codecs.BOM_UTF16_LE + "x".encode("utf-16-le"), ["lines", "chars"]),
        (codecs.BOM_UTF32_BE + "x".encode("utf-32-be"), ["lines", "chars"]),
    ],
)
def test_levels_suit_the_file(data: bytes, names: list[str]) -> None:
    """Coarse to fine; what is not a text has no characters, and wide characters have no tokens."""
    assert [level.name for level in levels(data)] == names
    assert [level.name for level in levels(data, delimiters=[b";"])] == ["delimited", *names[1:]]


def test_levels_by_name() -> None:
    for name in NAMES[1:]:
        assert [level.name for level in levels(b"x", name)] == [name]
        assert [level.name for level in levels(b"x", name, [b";"])] == ["delimited", name]


def test_a_megabyte_on_one_line() -> None:
    """One line is one atom; characters of plain text are not listed one by one."""
    data = b"x = 1; " * 150_000
    assert len(LINES.deltas(data, [(0, len(data))])) == 1
    assert len(flat(data, token_ends)) == 600_000
    assert isinstance(char_ends(data, 0, len(data)), range)


def test_options_name_every_kind_of_atom() -> None:
    assert (*NAMES, "tree") == ATOMS
