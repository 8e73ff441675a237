"""The first tier does not try again what was in vain; the proof does."""

from __future__ import annotations

import re

from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.run.reduce import reduce


def test_cuts_that_were_in_vain_are_tried_again_for_the_proof_only() -> None:
    """A third of the statements is needed, of which much can go in the first round: 144 tests without a memory."""
    statements = b"".join(b"use(name%d, %d + other%d * 2);\n" % (i, i, i) for i in range(30))
    tests = 0

    def test(data: bytes) -> bool:
        nonlocal tests
        tests += 1
        left = {int(number) for number in re.findall(rb"name(\d+)", data)}
        return set(range(0, 30, 3)) <= left and b"f()" in data

    reduce(b"void f() {\n" + statements + b"}\n", test, name="x.c")
    assert tests <= 134


def test_what_becomes_possible_later_is_found_by_the_proof() -> None:
    """A declaration is tried before its use has gone, in vain; the proof finds it, or names do."""
    text = b"int first;\nint second;\nvoid f() { second = 1; }\nvoid guilty() { }\n"

    def test(data: bytes) -> Outcome:
        if b"second = 1" in data and b"int second" not in data:
            return UNRESOLVED
        return FAIL if b"guilty" in data else PASS

    assert b"second" not in reduce(text, test, name="x.c").data
