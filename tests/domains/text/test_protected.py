"""Protected regions: what stands outside the marks is in every candidate, the marks' own lines too."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wynot
from tests.laws.effort import few
from wynot.core.config import Config
from wynot.domains.text.atom_domain import AtomDomain
from wynot.domains.text.atoms import BYTES, CHARS, LINES, TOKENS, Granularity
from wynot.domains.text.protected import MarkError, free_regions


def between_marks(level: Granularity, data: bytes) -> AtomDomain:
    return level.deltas(data, free_regions(data) or [(0, len(data))])


def test_no_marks() -> None:
    assert free_regions(b"int x;\nint y;\n") is None
    assert free_regions(b"") is None


def test_one_region() -> None:
    data = b"keep\n/* DDBEGIN */\na b\nc\n/* DDEND */\nkeep\n"
    [(start, stop)] = free_regions(data) or []
    assert data[start:stop] == b"a b\nc\n"
    for level, deltas in ((LINES, 2), (TOKENS, 5), (CHARS, 6), (BYTES, 6)):
        domain = between_marks(level, data)
        assert len(domain) == deltas
        assert domain.render(Config.full(deltas)) == data
        assert domain.render(Config()) == b"keep\n/* DDBEGIN */\n/* DDEND */\nkeep\n"


def _marked(seed: int) -> tuple[bytes, list[bytes]]:
    """A file with several regions, and what is in them."""
    chance = Random(seed)
    lines = [b"x\n", b"\n", b"y z\r\n", b"D\n", b"\xff\0\n", b"BEGIN\n"]
    data, inside = b"", []
    for _ in range(chance.randint(1, 4)):
        body = b"".join(chance.choices(lines, k=chance.randint(0, 3)))
        inside.append(body)
        data += b"".join(chance.choices(lines, k=chance.randint(0, 3)))
        data += chance.choice([b"DDBEGIN\n", b"// DDBEGIN here\n"]) + body + chance.choice([b"DDEND\n", b"# DDEND #\n"])
    return data + chance.choice([b"", b"tail", b"tail\n"]), inside


@few
@given(st.integers(0, 2**32))
def test_several_regions(seed: int) -> None:
    data, inside = _marked(seed)
    regions = free_regions(data)
    assert regions is not None
    assert [data[start:stop] for start, stop in regions] == inside
    for level in (LINES, TOKENS, CHARS, BYTES):
        domain = between_marks(level, data)
        assert domain.render(Config.full(len(domain))) == data
        bare = domain.render(Config())
        assert len(bare) == len(data) - sum(map(len, inside))
        assert bare.count(b"DDBEGIN") == bare.count(b"DDEND") == len(inside)


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"DDBEGIN\nx\n", "no DDEND"),
        (b"x\nDDEND\n", "before any DDBEGIN"),
        (b"DDBEGIN\nx\nDDBEGIN\ny\nDDEND\n", "follows another"),
        (b"DDEND\nDDBEGIN\n", "before any DDBEGIN"),
        (b"DDBEGIN\nDDEND\nDDEND\n", "before any DDBEGIN"),
        (b"DDBEGIN\nDDEND\nDDBEGIN", "no DDEND"),
    ],
)
def test_marks_that_do_not_match(data: bytes, complaint: str) -> None:
    with pytest.raises(MarkError, match=complaint):
        free_regions(data)
    with pytest.raises(wynot.errors.UsageError, match="DD"):
        wynot.reduce(data, lambda _: True)


def test_marks_at_the_ends_of_the_file() -> None:
    """The last mark may lack its line feed; a region may be empty."""
    assert free_regions(b"DDBEGIN\nDDEND") == [(8, 8)]
    assert free_regions(b"DDBEGIN\nx\nDDEND") == [(8, 10)]


def test_reduce_leaves_protected_text_alone() -> None:
    data = b"#include <a>\n// DDBEGIN\nint a;\nint bug;\nint c;\n// DDEND\nint main;\n"
    result = wynot.reduce(data, lambda candidate: b"bug" in candidate)
    assert result.data == b"#include <a>\n// DDBEGIN\nbug// DDEND\nint main;\n"


def test_marks_in_a_wide_text() -> None:
    assert free_regions("\ufeffDDBEGIN\nx\nDDEND\n".encode("utf-16-le")) is not None


class Watched(bytes):
    """Counts the bytes that are looked at when something is searched in it."""

    looked = 0

    def find(self, what: Any, start: Any = 0, stop: Any = None) -> int:
        at = super().find(what, start, stop)
        self.looked += (at if at >= 0 else len(self)) - start
        return at

    def rfind(self, what: Any, start: Any = 0, stop: Any = None) -> int:
        at = super().rfind(what, start, stop)
        self.looked += (len(self) if stop is None else stop) - max(at, start)
        return at


MEGABYTE = 10**6


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"x" * MEGABYTE, id="one line without marks"),
        pytest.param(b"x" * MEGABYTE + b" DDBEGIN DDEND", id="one line with a pair of marks"),
        pytest.param(b"DDBEGIN\n" + b"x" * MEGABYTE + b"\nDDEND\n", id="one line between marks"),
        pytest.param(b"DDBEGIN\nx\nDDEND\n" * (MEGABYTE // 16), id="many marks on lines of their own"),
        pytest.param(b"DDBEGIN DDEND " * (MEGABYTE // 140), id="many marks on one line"),
    ],
)
def test_marks_are_found_in_one_pass(data: bytes) -> None:
    """A megabyte, even on one line: each byte is looked at a few times at most."""
    watched = Watched(data)
    free_regions(watched)
    assert watched.looked <= 5 * len(data)
