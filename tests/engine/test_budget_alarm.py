"""The time budget ends a run although no test is in progress."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Iterator
from typing import NoReturn

import pytest

import wynot
from tests.support.stage import Stage
from wynot.engine.budget import GRACE, Budget, TestCounts, budget_alarm, cancel_alarm
from wynot.engine.results import Cost, Reduced
from wynot.engine.run_options import Options
from wynot.engine.session import session
from wynot.errors import BudgetEnded
from wynot.report.result_json import MAX_COUNTED, reduced_json


@pytest.fixture(autouse=True)
def _no_alarm_is_left() -> Iterator[None]:
    before = signal.getsignal(signal.SIGALRM)
    yield
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before


def work(paused: Budget | None = None) -> None:
    """Work that looks at no clock; a pause of a second before it does not count."""
    if paused is not None:
        paused.begun += 1.0
    while True:
        pass


def test_it_ends_work_that_asks_for_no_test() -> None:
    with pytest.raises(BudgetEnded, match=r"time budget of 0\.05 s"), budget_alarm(Budget(seconds=0.05)):
        work()


def test_a_pause_does_not_count() -> None:
    budget = Budget(seconds=0.05)
    with pytest.raises(BudgetEnded), budget_alarm(budget):
        work(budget)
    assert time.perf_counter() - budget.begun >= GRACE


def test_a_run_that_has_ended_may_take_its_time() -> None:
    with budget_alarm(Budget(seconds=0.0)):
        cancel_alarm()
        time.sleep(GRACE * 1.2)


def test_the_end_of_the_budget_takes_no_result_away() -> None:
    options = Options(budget_time=0.05, alone=True)
    with session("reduce", [b"x"], "x", "x", lambda _data: True, options) as opened:
        opened.summarise_with(lambda _result: None)
        assert opened.found("result") == "result"
        time.sleep(GRACE * 1.4)


def test_there_is_none_without_a_budget_or_in_another_thread() -> None:
    with budget_alarm(Budget()):
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    seen: list[tuple[float, float]] = []

    def look() -> None:
        with budget_alarm(Budget(seconds=1.0)):
            seen.append(signal.getitimer(signal.ITIMER_REAL))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [(0.0, 0.0)]


@pytest.mark.parametrize("suffix", ["kt", "swift"])
def test_a_file_that_its_grammar_cannot_read_in_time_is_reduced_without_it(stage: Stage, suffix: str) -> None:
    """Neither Ctrl-C nor --budget-time ended the parser before."""
    stage.file(f"a.{suffix}", "/*" * 20_000)
    stage.script("check", """test "$(tr -cd '*' < "$1" | wc -c)" -ge 3""")
    done = stage.wynot("reduce", f"a.{suffix}", "--test", "./check", "--budget-time", "60s")
    assert done.code == 0, done.err
    assert "grammar cannot read it in reasonable time" in done.err
    assert (stage.work / f"a.reduced.{suffix}").read_text() == "***"


def test_an_end_before_the_text_is_parsed_does_not_wait_for_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text was parsed again, only to name the atoms of the result."""
    begun: list[str] = []

    def parse(_data: bytes, name: str, *_given: object) -> NoReturn:
        begun.append(name)
        raise BudgetEnded("the time budget is used up")

    monkeypatch.setattr("wynot.commands.reduce.pipeline.pipeline", parse)
    with pytest.raises(BudgetEnded) as ended:
        wynot.reduce(b"[1, 2]", lambda text: b"1" in text, name="a.json")
    assert isinstance(ended.value.best, Reduced)
    assert (begun, ended.value.best.data, ended.value.best.atoms) == (["a.json"], b"[1, 2]", "auto")


@pytest.mark.parametrize(("status", "size", "counted"), [("budget", 1, False), ("budget", 0, True), ("done", 1, True)])
def test_the_end_of_a_budget_does_not_wait_for_tokens_to_be_counted(status: str, size: int, *, counted: bool) -> None:
    text = b"x " * (MAX_COUNTED // 2 + size)
    told = json.loads(
        reduced_json(Reduced(text, (text,), None, "auto", Cost(TestCounts(), 0.0, 0.0), "", None, status))
    )
    assert told["after"] == {"bytes": len(text), "lines": 1, "tokens": len(text) // 2 if counted else None}


def test_the_budget_counts_from_the_start_of_the_command(stage: Stage) -> None:
    """A configuration is read, and the command is run as typed, before the search begins."""
    words = ("options", "--budget-time", "0.5s", "--", stage.script("wait", "sleep 300"), "-a")
    done = stage.wynot(*words)
    assert done.code == 3, done.err
    assert "the time budget of 0.5 s is used up\n  give it more time: --budget-time 1h" in done.err
    stage.assert_clean()
    large = json.dumps({f"key {number}": number for number in range(400_000)})
    stage.file("large.json", large)
    done = stage.wynot("options", "--budget-time", "0.5s", "--config", "large.json", "--", "false")
    assert done.code == 3, done.err
    assert "give it more time" in done.err


AMBIGUOUS = 'start: s\ns: s s | "a"\n'


def test_an_input_for_which_a_grammar_is_too_ambiguous(stage: Stage) -> None:
    """Its parser would take the fourth power of the length."""
    stage.file("pairs.lark", AMBIGUOUS)
    stage.file("a.x", "a" * 1500)
    stage.script("check", 'grep -q aa "$1"')
    done = stage.wynot("reduce", "a.x", "--grammar", "pairs.lark", "--test", "./check")
    assert done.code == 0, done.err
    assert "pairs.lark is too ambiguous to read a.x in reasonable time: reduced without the grammar" in done.err
    assert (stage.work / "a.reduced.x").read_text() == "aa"
    stage.assert_refused("grammar check pairs.lark a.x", 2, "reading this input takes too long", "item+")


def test_a_yaml_file_whose_aliases_name_more_than_there_is_time_for(stage: Stage) -> None:
    levels = [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 30)]
    stage.file("bomb.yaml", "\n".join(["l0: &l0 [x]", *levels, "needed: yes", ""]))
    words = ("--config", "bomb.yaml", "--fail-if-output", "needed", "--", "cat", "bomb.yaml")
    done = stage.wynot("options", *words)
    assert done.code == 0, done.err
    assert "bomb.yaml: needed" in done.out
