"""Most mixtures come to nothing, as in a large update of a C program: what little is taken back or added still runs."""

from __future__ import annotations

from contextlib import closing

import pytest

from tests.run.test_changes import headers, sources
from wynot.core.config import Config
from wynot.core.events import Event, Improved, Settled
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.domains.changes.patched import Patched
from wynot.run.bench import InlineBench
from wynot.run.changes import changes
from wynot.run.culprits import Question
from wynot.run.hunt import Hunt
from wynot.run.lab import Lab
from wynot.run.options import Options

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


def test_what_is_taken_back_is_settled_before_the_next_question() -> None:
    """Its proof is complete by then: `wynot verify` repeats that, too."""
    heard: list[Event] = []
    found = changes(sources(text(changed=False), text(changed=True)), test, Options(listener=heard.append))
    settled = [place for place, each in enumerate(heard) if isinstance(each, Settled)]
    assert len(settled) == 2
    latest = [each.size for each in heard[: settled[0]] if isinstance(each, Improved)][-1]
    assert latest == len(headers(found)[1])


def _asked(folder: Folder) -> Outcome:
    return test(folder.files)


def test_who_looks_for_something_else_is_not_answered() -> None:
    """Stretches may be tried in mid of a search for other causes: nothing of that is an answer to what was asked."""
    given = sources(text(changed=False), text(changed=True))
    domain = Patched(given.old, given.new, given.changes)
    better: list[Config] = []
    with closing(InlineBench(_asked)) as bench:
        hunt = Hunt(
            Lab(bench), given, domain, Config.full(COUNT), Question(), lambda config, _outcome: better.append(config)
        )
        hunt._aloof = True
        assert hunt.probe() is not None
        assert hunt._aloof
        assert better == []
