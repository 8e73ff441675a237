"""How many tokens there are, asked in two ways."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.laws.effort import few
from wynot.domains.text.tokens import count, more_than

pieces = [b"a", b"1", b".", b'"', b"'", b"\\", b"\n", b" ", b"+", b"$", b"\0", b"\xc3"]
texts = st.lists(st.sampled_from(pieces)).map(b"".join)


@few
@given(texts, texts, texts)
def test_more_than_so_many(before: bytes, data: bytes, after: bytes) -> None:
    """What stands around a stretch does not count."""
    start, many = len(before), count(data)
    held = [more_than(each, before + data + after, start, start + len(data)) for each in range(many + 3)]
    assert held == [True] * many + [False] * 3
