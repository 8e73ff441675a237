"""Lines that belong to one before them: which, and at what cost."""

from __future__ import annotations

import re
import sys
from collections import Counter
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domains.syntax.laws import some
from wynot.domains.syntax.adapters.brackets import CLOSER, closes
from wynot.domains.syntax.adapters.outline import Outline


def belongs(opener: bytes, line: bytes) -> bool:
    """Whether a line belongs to the one before it."""
    closer = CLOSER.match(opener + b"\n" + line, len(opener) + 1)
    return closer is not None and closes(closer, 0, len(opener), owns=False)


@pytest.mark.parametrize("line", [b"private", b"private:", b"public: ", b"Protected:\r\n", b"private // a", b"else: a"])
def test_parts(line: bytes) -> None:
    assert belongs(b"class A", line)


@pytest.mark.parametrize(
    "line", [b"private: true", b"public : 1", b"public a", b"public(a)", b"private_a", b"type: a", b"end-date = 1"]
)
def test_what_gets_a_value_is_no_part(line: bytes) -> None:
    assert not belongs(b"name: a", line)


@some
@given(
    st.lists(st.sampled_from([b"a", b"A", b"ab", b"_", b"1", b" ", b".", b"-", b"\xe9"])).map(b"".join),
    st.lists(st.sampled_from([b"a", b"B", b"_", b"1"]), min_size=1).map(b"".join),
)
def test_what_ends_is_a_word_of_the_line_that_begins_it(opener: bytes, what: bytes) -> None:
    assert belongs(opener, b"end_" + what) == bool(re.search(rb"\b%s\b" % what, opener, re.IGNORECASE))


def test_what_has_a_very_long_name_ends_nothing() -> None:
    assert belongs(b"a" * 99, b"end" + b"a" * 99)
    assert not belongs(b"a" * 100, b"end" + b"a" * 100)
    assert not belongs(b"a" * 100, b"end-" + b"a" * 100)


def calls(data: bytes) -> Counter[str]:
    """How often each function in a file is called while a text is read, by file and function."""
    found: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            found[f"{frame.f_globals.get('__name__')}.{frame.f_code.co_name}"] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        Outline().parse(data)
    finally:
        sys.setprofile(before)
    return found


def test_of_most_lines_nothing_is_asked_but_how_they_begin() -> None:
    found = calls(b"".join(b"line%d\n  more\n" % at for at in range(99)))
    asked = {f"wynot.domains.syntax.adapters.brackets.{name}" for name in ("ends", "closes", "_line_end")}
    assert not asked & found.keys()
    assert not [name for name in found if name.endswith("._closes")]


def test_nothing_is_compiled_for_what_a_line_ends() -> None:
    found = calls(b"".join(b"word%d\nendword%d\n" % (at, at) for at in range(99)))
    assert found["wynot.domains.syntax.adapters.brackets.closes"] == 99
    assert not [name for name in found if name.startswith("re.")]
