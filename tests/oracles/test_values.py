"""What values are compared: by the readers' first line, and by what stands below it."""

from __future__ import annotations

import sys

import pytest

from tests.oracles.test_signature import judged, outcome
from wynot.core.outcome import FAIL, UNRESOLVED
from wynot.oracles.command import Command
from wynot.oracles.normalise import steady
from wynot.oracles.signature import Precision

WHOLE, MASKED = Precision(values=True), Precision()
NODE = ("node", "{}")
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "{}")


def same(argv: tuple[str, ...], one: bytes, other: bytes, name: str, precision: Precision) -> bool:
    """Whether two programs fail in the same way; both fail."""
    command, report = judged(Command(argv, precision=precision), one, name)
    assert report.outcome is FAIL
    found = outcome(command, other, name)
    assert found in {FAIL, UNRESOLVED}
    return found is FAIL


def deep(value: str) -> bytes:
    return f"require('assert').deepStrictEqual({{a: [1, {value}]}}, {{a: [1, 3]}})".encode()


def test_node_shows_values_below_the_first_line() -> None:
    assert same(NODE, deep("2"), deep("2"), "t.js", WHOLE)
    assert not same(NODE, deep("2"), deep("4"), "t.js", WHOLE)
    assert same(NODE, deep("2"), deep("4"), "t.js", MASKED)


def long_list(last: int) -> bytes:
    """Pytest shows the beginning of such a list only, unless it is verbose."""
    return f"def test():\n    assert list(range(100)) == [*range(99), {last}]\n".encode()


def test_values_that_pytest_shortens_are_read_in_full() -> None:
    assert same(PYTEST, long_list(7), long_list(7), "test_it.py", WHOLE)
    assert not same(PYTEST, long_list(7), long_list(8), "test_it.py", WHOLE)


def test_an_assertion_that_shows_no_values_is_compared_by_its_statement_and_a_warning_says_so() -> None:
    argv = (sys.executable, "{}")
    one, other = b"x = 1\nassert x == 2\n", b"x = 1\nassert not x\n"
    command, _ = judged(Command(argv, precision=WHOLE), one, "it.py")
    (caution,) = command.cautions()
    assert "AssertionError has no message: another wrong value looks the same" in caution
    assert outcome(command, one, "it.py") is FAIL
    assert outcome(command, other, "it.py") is UNRESOLVED
    assert judged(Command(argv), one, "it.py")[0].cautions() == []


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("lost at 0x7f0012345678", "lost at 0x7f0099999999"),
        ("in /tmp/abc/x.c", "in /tmp/def/x.c"),
        ("lib/x.c:12: bad", "lib/x.c:13: bad"),
        ('File "x.py", line 3', 'File "x.py", line 4'),
        ("1 failed in 0.12s", "1 failed in 3.4s"),
        ("12:31:02 bad", "12:31:03 bad"),
        ("==123== bad", "==124== bad"),
        ("process 7 died", "process 8 died"),
        ("total    700", "total  700"),
    ],
)
def test_what_another_run_prints_otherwise_is_no_value(text: str, other: str) -> None:
    assert steady(text) == steady(other)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("assert ''", "assert 'x'"),
        ("got 3", "got 4"),
        ("got 0x1f", "got 0x2f"),
        ("at 2024-01-01 10:00:00", "at 2024-01-01 11:00:00"),
        ("host http://example.com:80", "host http://example.com:81"),
        ("in /usr/lib/a.c", "in /usr/lib/b.c"),
        ("waits 3 s", "waits 4 s"),
        ("got 'a  b'", "got 'a b'"),
    ],
)
def test_values_stay(text: str, other: str) -> None:
    assert steady(text) != steady(other)
