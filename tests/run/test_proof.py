"""What belongs to a proof does not depend on how many tests run at once: a cluster has its own number."""

from __future__ import annotations

from contextlib import closing

import pytest

from wynot.core.config import Config
from wynot.core.events import Improved
from wynot.core.outcome import FAIL, PASS, Outcome
from wynot.domains.flat import Flat
from wynot.run.bench import ThreadBench
from wynot.run.drive import drive
from wynot.run.proof import ProvingLab
from wynot.search.sweep import sweep


def outcome(data: bytes) -> Outcome:
    return FAIL if b"b" in data and b"d" in data else PASS


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_proof_of_a_search(jobs: int) -> None:
    domain = Flat(b"abcdef", range(6), range(1, 7), Config())
    with closing(ThreadBench(outcome, jobs)) as bench:
        lab = ProvingLab(bench)
        found = drive(
            lambda: sweep(Config.full(6)), domain, lab, lambda config, _: lab.listener(Improved(len(config), bytes))
        )
        assert domain.render(found.failing) == b"bd"
        assert {each.candidate for each in lab.proof().values()} >= {b"b", b"d"}
