"""Brackets that go together: signs among themselves, words among themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.effort import few
from wynot.domains.text.atoms import WORDS
from wynot.domains.text.token_windows import pairs

SIGNS = [b"(", b")", b"[", b"]", b"{", b"}", b"<", b">"]
BRACKETS = [b"begin", b"do", b"end", b"END"]


def told(data: bytes) -> list[str]:
    """What is between brackets that belong together, with them."""
    domain = WORDS.deltas(data, [(0, len(data))])
    return sorted(data[domain.starts[a] : domain.ends[b]].strip().decode() for a, b in pairs(domain))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"{ do { x; } while (1); }", ["(1)", "{ do { x; } while (1); }", "{ x; }"]),
        (b"for (i = v.begin(); i) {}", ["()", "(i = v.begin(); i)", "{}"]),
        (b"f(list(do), [begin], {1})", ["(do)", "(list(do), [begin], {1})", "[begin]", "{1}"]),
        (b"begin a[1:end] end", ["[1:end]", "begin a[1:end] end"]),
        (b"while a < b do c > d end", ["< b do c >", "do c > d end"]),
        (b"BEGIN (do) END", ["(do)", "BEGIN (do) END"]),
        (b"begin ( end", []),
    ],
)
def test_pairs(data: bytes, expected: list[str]) -> None:
    assert told(data) == expected


@few
@given(st.lists(st.sampled_from([*SIGNS, *BRACKETS, b"a"])))
def test_signs_pair_as_if_there_were_no_words(tokens: list[bytes]) -> None:
    signs = [at for at, token in enumerate(tokens) if token in SIGNS]
    found = set(pairs(WORDS.deltas(data := b" ".join(tokens), [(0, len(data))])))
    alone = set(pairs(WORDS.deltas(data := b" ".join(tokens[at] for at in signs), [(0, len(data))])))
    assert {pair for pair in found if pair[0] in signs} == {(signs[a], signs[b]) for a, b in alone}
    assert all(tokens[b].lower() == b"end" for a, b in found if a not in signs)
