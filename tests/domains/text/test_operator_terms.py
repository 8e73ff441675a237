"""Operators with what they stand before or after."""

from __future__ import annotations

import pytest

from wynot.domains.text.atoms import WORDS
from wynot.domains.text.token_windows import terms, wrappings


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a == 1;", [b"a ==", b"== 1"]),
        (b"x : T + (b)", [b"x :", b": T", b"T +", b"+ (b)"]),
        (b"foo\n  bar\n  baz\nqux { x\n  }\n", []),
        (b"begin\n    x\n    (\n    y\n    )\nend\n", []),
        (b"a\n  + b\n", [b"a\n  +", b"+ b"]),
        (b"a +\n  b\n", [b"a +", b"+\n  b"]),
        (b"a\n  + (\n  b\n  )\n", [b"a\n  +", b"+ (\n  b\n  )"]),
    ],
)
def test_terms(data: bytes, expected: list[bytes]) -> None:
    """Indentation is no operator."""
    domain = WORDS.deltas(data, [(0, len(data))])
    found = terms(domain)
    assert [domain.render(term).strip() for term in found[: len(found) - len(wrappings(domain))]] == expected
