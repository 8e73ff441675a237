"""With several jobs, the looks at the input run side by side, and the first tests of the search beside the empty one.

The tests here wait for one another: run one after the other, they wait in vain, and say something else.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

import pytest

import wynot
from tests.support.fixtures import Benches
from tests.support.stage import Stage
from wynot.commands.reduce.pass_runner import PassRunner
from wynot.core.artifact import digest
from wynot.core.run_events import Note, Request, Unattended
from wynot.engine.baseline.baseline_runs import PERSISTENCE, REPEATS, SAMPLE, baseline
from wynot.engine.baseline.result_checks import RUNS
from wynot.engine.journal import Journal
from wynot.engine.tester import LONG, Tester
from wynot.errors import NoFailureError
from wynot.oracles.command import Command
from wynot.oracles.script import Conditions, Script

TEXT = b"one\nbad\ntwo\n"
PATIENCE = 400
"""Times a test looks for its partner: for 20 s."""
MET = f"""
met() {{
  for _ in $(seq {PATIENCE}); do
    [ "$(wc -l < "$log")" -ge "$1" ] && return 0
    sleep 0.05
  done
  return 1
}}
"""


def program(stage: Stage, rest: str) -> str:
    return f"log={stage.folder}/log; echo >> $log; {MET}\n{rest}"


def runs(stage: Stage) -> int:
    return len((stage.folder / "log").read_bytes())


def test_looks_after_the_first_run_side_by_side(stage: Stage, executors: Benches) -> None:
    """Each but the first fails only beside the other."""
    test = program(stage, f'[ "$(wc -l < $log)" = 1 ] && exit 3; met {REPEATS} && exit 3; exit 0')
    tester = Tester(executors(Command(("sh", "-c", test)), jobs=2))
    assert baseline(tester, TEXT, "in.txt").rate == 1
    assert (runs(stage), tester.counts.baseline, tester.counts.tests) == (REPEATS, REPEATS, 0)
    assert not tester.running
    tester.test(digest(TEXT), TEXT, len(TEXT))
    assert (tester.counts.needed, tester.counts.cached) == (0, 1)


def test_as_many_looks_as_one_after_the_other(stage: Stage, executors: Benches) -> None:
    """Of a failure that shows at times, and of one that does not show; at most that there are jobs at once."""
    count = stage.folder / "lock"
    at_times = f"(flock 9; echo >> $log; [ $(($(wc -l < $log) % 3)) = 0 ] || exit 3) 9> {count}"
    tester = Tester(executors(Command(("sh", "-c", f"log={stage.folder}/log; {at_times}")), jobs=4))
    assert 0.6 < baseline(tester, TEXT, "in.txt").rate < 0.7
    assert runs(stage) == tester.counts.baseline
    assert SAMPLE * 3 // 2 - 4 <= runs(stage) <= SAMPLE * 3 // 2 + 4  # until it has failed so many times
    tester = Tester(executors(Command(("sh", "-c", "exit 0")), jobs=4))
    with pytest.raises(NoFailureError, match=f"in {PERSISTENCE} runs"):
        baseline(tester, TEXT, "in.txt")
    assert tester.counts.baseline == PERSISTENCE


def test_tests_that_disturb_one_another_are_told_of(stage: Stage, executors: Benches) -> None:
    """One after the other they all fail; a second one at the same time does not."""
    test = f"""cd {stage.folder}; mkdir one || {{ touch two; exit 0; }}
        for _ in $(seq 25); do [ -e two ] && break; sleep 0.02; done; rm -f two; rmdir one; exit 3"""
    heard: list[object] = []
    rates = [
        baseline(Tester(executors(Command(("sh", "-c", test)), jobs=jobs), listener=heard.append), TEXT, "in.txt").rate
        for jobs in (1, 2)
    ]
    assert rates[0] == 1 > rates[1]
    told = [event.message for event in heard if isinstance(event, Note) and "disturb" in event.message]
    assert len(told) == 1
    assert told[0].endswith("(if tests that run at once disturb one another: -j 1)")


def test_the_journal_has_the_outcome_under_the_name_of_the_input(stage: Stage, executors: Benches) -> None:
    journal = Journal("looks", folder=stage.folder)
    baseline(Tester(executors(Command(("sh", "-c", "exit 3")), jobs=3), journal), TEXT, "in.txt")
    report = journal.report(digest(TEXT))
    journal.close()
    assert report is not None
    assert report.why == "failed in 3 of 3 runs"


def test_the_search_begins_while_the_empty_input_is_tested(stage: Stage) -> None:
    """The empty input passes only if another test begins while it is tested."""
    empty = f'[ -s "$1" ] || {{ met {REPEATS + 2} && exit 1; exit 0; }}'
    script = stage.script("check", program(stage, f'{empty}; sleep {2 * LONG}; grep -q bad "$1"'))
    found = wynot.reduce(TEXT, Script(str(script)), wynot.Options(jobs=2))
    assert not found.weak
    assert found.causes[0] == b"bad"


def test_a_search_that_has_begun_in_vain_is_ended(stage: Stage) -> None:
    """What was begun while the empty input was tested would never end."""
    script = stage.script("check", program(stage, f"""
        [ -s "$1" ] || {{ met {REPEATS + 2}; exit 0; }}
        sleep {2 * LONG}
        [ "$(wc -l < $log)" -le {REPEATS} ] || sleep 1000
    """))  # fmt: skip
    found = wynot.reduce(TEXT, Script(str(script)), wynot.Options(jobs=2))
    assert found.weak
    assert found.causes == (b"",)
    assert runs(stage) == REPEATS + 2 + RUNS
    stage.assert_clean()


class Pausing(Unattended):
    """Wishes for a pause at one of the questions, and at the next three."""

    patience = 0.05

    def __init__(self, ask: int) -> None:
        self.ask, self.asked = ask, 0

    def wish(self, wait: float = 0.0) -> Request:
        self.asked += 1
        time.sleep(wait)
        return Request.PAUSE if self.ask <= self.asked < self.ask + 4 else Request.GO_ON


@pytest.mark.parametrize("ask", range(1, 9))
def test_a_pause_between_two_looks_loses_no_report(stage: Stage, ask: int) -> None:
    """Whatever ends while nothing is begun."""
    script = stage.script("check", f'sleep {2 * LONG}; grep -q bad "$1"')
    found = wynot.reduce(TEXT, Script(str(script)), wynot.Options(jobs=2, controls=Pausing(ask)))
    assert found.causes[0] == b"bad"


def test_by_the_clock_nothing_is_begun_early(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a text is read, nobody sees the end of a test."""
    early: list[object] = []

    def noted(descent: object) -> Iterator[None]:
        early.append(descent)
        yield

    monkeypatch.setattr(PassRunner, "early", noted)
    script = stage.script("slow", 'if grep -q bad "$1"; then sleep 0.5; fi')
    for conditions in (Conditions(slower=0.3), Conditions(exit=0)):
        with contextlib.suppress(wynot.errors.WynotError):
            wynot.reduce(TEXT, Command((str(script), "{}"), conditions), wynot.Options(jobs=2, budget_tests=1))
    assert len(early) == 1
