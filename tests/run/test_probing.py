"""Most mixtures come to nothing, as in a large update of a C program: what little is taken back or added still runs."""

from __future__ import annotations

import pytest

from tests.run.test_changes import headers, sources
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.run.changes import changes
from wynot.run.culprits import Question

COUNT = 240
GUILTY = (100, 101, 103)
NEAR = 40
"""A tree that is farther than so many changes from both ends comes to nothing, and says nothing of it."""


def text(*, changed: bool) -> dict[str, bytes]:
    lines = (f"line {n} {'new' if changed else 'old'}\nfiller\nfiller\n" for n in range(COUNT))
    return {"one.txt": "".join(lines).encode()}


def test(files: dict[str, bytes]) -> Outcome:
    here = {n for n in range(COUNT) if b"line %d new" % n in files["one.txt"]}
    if min(len(here), COUNT - len(here)) > NEAR or (100 in here) != (101 in here):
        return UNRESOLVED
    return FAIL if all(each in here for each in GUILTY) else PASS


test.__test__ = False  # type: ignore[attr-defined]


@pytest.mark.parametrize("resolving", [True, False])
def test_both_answers_are_found_in_few_tests(resolving: bool) -> None:
    found = changes(sources(text(changed=False), text(changed=True)), test, question=Question(resolving=resolving))
    assert len(headers(found)[0]) == len(GUILTY)
    assert len(headers(found)[1]) in (1, 2)
    assert found.minimality == "1-minimal"
    assert found.cost.counts.needed < 100
