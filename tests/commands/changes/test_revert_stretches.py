"""Most mixtures come to nothing, as in a large update of a C program: what little is taken back or added still runs."""

from __future__ import annotations

from contextlib import closing

import pytest

from tests.commands.changes.test_investigation import headers, sources
from wynot.commands.changes.change_search import ChangeSearch
from wynot.commands.changes.changes_result import ChangesQuestion
from wynot.commands.changes.investigation import changes
from wynot.core.config import Config
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.run_events import Event, Improved, ResultSettled
from wynot.domains.changes.patched_folder import PatchedFolder
from wynot.engine.executors.executor import InlineExecutor
from wynot.engine.run_options import Options
from wynot.engine.tester import Tester

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
    found = changes(
        sources(text(changed=False), text(changed=True)), test, question=ChangesQuestion(resolving=resolving)
    )
    assert len(headers(found)[0]) == len(GUILTY)
    assert len(headers(found)[1]) in (1, 2)
    assert found.minimality == "1-minimal"
    assert found.cost.counts.needed < 100


def test_what_is_taken_back_is_settled_before_the_next_question() -> None:
    """Its proof is complete by then: `wynot verify` repeats that, too."""
    heard: list[Event] = []
    found = changes(sources(text(changed=False), text(changed=True)), test, Options(listener=heard.append))
    settled = [place for place, each in enumerate(heard) if isinstance(each, ResultSettled)]
    assert len(settled) == 2
    latest = [each.size for each in heard[: settled[0]] if isinstance(each, Improved)][-1]
    assert latest == len(headers(found)[1])


def _asked(folder: Folder) -> Outcome:
    return test(folder.files)


def test_who_looks_for_something_else_is_not_answered() -> None:
    """Stretches may be tried in mid of a search for other causes: nothing of that is an answer to what was asked."""
    given = sources(text(changed=False), text(changed=True))
    domain = PatchedFolder(given.old, given.new, given.changes)
    better: list[Config] = []
    with closing(InlineExecutor(_asked)) as executor:
        hunt = ChangeSearch(
            Tester(executor),
            given,
            domain,
            Config.full(COUNT),
            ChangesQuestion(),
            lambda config, _outcome: better.append(config),
        )
        hunt._aloof = True
        assert hunt.probe() is not None
        assert hunt._aloof
        assert better == []
