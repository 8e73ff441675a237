"""What belongs to a proof does not depend on how many tests run at once: a cluster has its own number."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest

import wynot
from tests.support.stage import Stage
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, Outcome
from wynot.core.run_events import Improved
from wynot.domains.text.atom_domain import AtomDomain
from wynot.engine.driver import drive
from wynot.engine.executors.executor import ThreadExecutor
from wynot.engine.record.read import all_runs, find_run
from wynot.engine.record.repeat_proof import Proof, ProofVerdict, ProvingTester
from wynot.engine.run_options import Verifying
from wynot.engine.session import without_result
from wynot.errors import BudgetEnded, Stopped
from wynot.search.lists.sweep import sweep


def outcome(data: bytes) -> Outcome:
    return FAIL if b"b" in data and b"d" in data else PASS


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_proof_of_a_search(jobs: int) -> None:
    domain = AtomDomain(b"abcdef", range(6), range(1, 7), Config())
    with closing(ThreadExecutor(outcome, jobs)) as executor:
        tester = ProvingTester(executor)
        found = drive(
            lambda: sweep(Config.full(6)),
            domain,
            tester,
            lambda config, _: tester.listener(Improved(len(config), bytes)),
        )
        assert domain.render(found.failing) == b"bd"
        assert {each.candidate for each in tester.proof().values()} >= {b"b", b"d"}


def test_a_proof_that_ends_early_has_no_result() -> None:
    with pytest.raises(Stopped) as stopped, without_result():
        raise Stopped("stopped", best="what was known before")
    assert stopped.value.best is None


def test_other_runs_of_the_same_command_are_not_touched(stage: Stage) -> None:
    """A command may make several runs: to prove a later one, the earlier ones are gone through again, too."""
    script = wynot.Script(str(stage.script("check", 'grep -q bug "$1"')))
    ids = [wynot.reduce(data, script, wynot.Options(resume=True)).run for data in (b"one\nbug\n", b"two\nbug\n")]
    before, second = (find_run(str(each)) for each in ids)
    second = replace(second, facts={**second.facts, "part": 1})
    verdicts: list[ProofVerdict] = []

    def again() -> wynot.Options:
        return wynot.Options(resume=True, mode=Verifying(Proof(second, "wynot reduce"), verdicts.append))

    options = again()
    assert wynot.reduce(b"one\nbug\n", script, options).cost.counts.tests == 0
    assert not verdicts
    wynot.reduce(b"two\nbug\n", script, options)
    assert [verdict.holds for verdict in verdicts] == [True]
    assert find_run(str(ids[0])).facts == before.facts
    with pytest.raises(BudgetEnded) as ended:
        wynot.reduce(b"four\nbug\n", script, replace(again(), budget_tests=1))
    assert ended.value.best is None
    wynot.reduce(b"three\nbug\n", script, again())
    assert {each.id for each in all_runs()} == set(ids)
