"""What is in no known language is read by its outline, if it has one."""

from __future__ import annotations

import re

import pytest

from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.domains.tree.outline import nested
from wynot.run.options import Options
from wynot.run.reduce import reduce

IR = b"".join(
    b"define i32 @f%d(i32 %%a) {\nentry:\n  %%b = add i32 %%a, %d\n  br label %%next\nnext:\n  ret i32 %%b\n}\n\n"
    % (i, i)
    for i in range(12)
)


def whole(text: bytes) -> Outcome:
    """Fails with the function f7, if every function has its brackets and something in them."""
    if text.count(b"{") != text.count(b"}") or re.search(rb"\{\s*\}", text):
        return UNRESOLVED
    return FAIL if re.search(rb"@f7\(.*\) \{", text) else PASS


def test_blocks_go_as_a_whole() -> None:
    asked: list[bytes] = []

    def counted(text: bytes) -> Outcome:
        asked.append(text)
        return whole(text)

    result = reduce(IR, counted, name="x.ll")
    by_outline = len(asked)
    reduce(IR, counted, Options(language="none"), name="x.ll")
    assert by_outline < (len(asked) - by_outline) / 2
    assert result.minimality == "1-tree-minimal"
    assert b"@f7" in result.data
    assert b"@f6" not in result.data


@pytest.mark.parametrize(
    "text",
    [
        b"a, b, c\n" * 40,  # nothing is nested
        b"".join(b"%d (\n  x\n" % i for i in range(40)),  # brackets that do not match mean nothing
        b"a {\n  b\n}\n",  # a few lines
        b"\xf8\x80a {\n  b\n}\n" * 40,  # no text
    ],
)
def test_what_has_no_outline_goes_by_lines_and_characters(text: bytes) -> None:
    result = reduce(text, lambda each: len(each) > 2, name="x.unknown")
    assert result.minimality == "1-minimal"
    assert len(result.data) == 3


def test_a_name_may_lie() -> None:
    """Most of it is no JSON: it has an outline all the same."""
    result = reduce(IR, whole, name="x.json")
    assert result.minimality == "1-tree-minimal"
    assert b"@f6" not in result.data


def test_the_share_that_is_nested() -> None:
    assert nested(IR) > 0.5
    assert nested(b"") == 0
