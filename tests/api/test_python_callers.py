"""wynot.reduce and wynot.isolate for Python callers: oracles of every kind, ends of every kind."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import wynot
from tests.support.stage import Stage
from wynot.core.run_events import Caution, Event, Improved, TrialAnswered
from wynot.core.run_events import PassStarted as Level
from wynot.errors import BudgetEnded, Interrupted, NoFailureError, UsageError

TEXT = b"".join(b"line %d\n" % number for number in range(60)) + b"the bug\n" + b"more\n" * 20


def fails(data: bytes) -> bool:
    return b"bug" in data


@pytest.mark.parametrize("jobs", [1, 4])
def test_a_callable(jobs: int) -> None:
    result = wynot.reduce(TEXT, fails, wynot.Options(jobs=jobs))
    assert (result.data, result.minimal, result.status, result.run) == (b"bug", True, "done", None)
    assert result.looked_for == "the test function says FAIL"


@pytest.mark.parametrize("jobs", [1, 4])
def test_a_callable_may_give_outcomes(jobs: int) -> None:
    def test(data: bytes) -> wynot.Outcome:
        if len(data) % 2:
            return wynot.Outcome.UNRESOLVED
        return wynot.Outcome.FAIL if b"g" in data else wynot.Outcome.PASS

    result = wynot.reduce(TEXT + b" " * (len(TEXT) % 2), test, wynot.Options(jobs=jobs))
    assert len(result.data) % 2 == 0
    assert b"g" in result.data


def test_a_callable_that_gives_neither_is_told() -> None:
    with pytest.raises(TypeError, match="an Outcome or a bool"):
        wynot.reduce(TEXT, lambda _: "yes")  # type: ignore[arg-type,return-value]


@pytest.mark.parametrize("jobs", [1, 4])
def test_a_script(stage: Stage, jobs: int) -> None:
    script = stage.script("check", 'grep -q bug "$1"')
    result = wynot.reduce(TEXT, wynot.Script(str(script)), wynot.Options(jobs=jobs), name="x.txt")
    assert (result.data, result.looked_for) == (b"bug", "check exits 0")
    stage.assert_clean()


@pytest.mark.parametrize("jobs", [1, 4])
def test_a_command(stage: Stage, jobs: int) -> None:
    path = stage.file("x.txt", TEXT)
    command = wynot.Command(("sh", "-c", 'if grep -q bug "$1"; then exit 9; fi', "sh", "{}"))
    result = wynot.reduce(path, command, wynot.Options(jobs=jobs))
    assert (result.data, result.looked_for) == (b"bug", "exit code 9")
    assert path.read_bytes() == TEXT
    stage.assert_clean()


def test_without_being_asked_nothing_is_written(stage: Stage) -> None:
    wynot.reduce(TEXT, wynot.Script(str(stage.script("check", 'grep -q bug "$1"'))))
    assert list(stage.home.iterdir()) == []
    assert [path.name for path in stage.work.iterdir()] == ["check"]


def test_a_run_can_be_kept_and_gone_on_with(stage: Stage) -> None:
    script = wynot.Script(str(stage.logging("check", 'grep -q bug "$1"')))
    options = wynot.Options(resume=True)
    first = wynot.reduce(TEXT, script, options)
    count = len(stage.log)
    second = wynot.reduce(TEXT, script, options)
    assert (second.data, second.cost.counts.tests, second.run) == (first.data, 0, first.run)
    assert count == first.cost.runs + first.cost.counts.after
    assert len(stage.log) == count + 3  # the input, the result, and the latest candidate that passed


def test_a_path_or_its_name_or_its_content(stage: Stage) -> None:
    path = stage.file("x.txt", TEXT)
    assert {wynot.reduce(source, fails).data for source in (path, str(path), TEXT)} == {b"bug"}


def test_a_result_can_be_written(stage: Stage) -> None:
    target = stage.work / "out.txt"
    wynot.reduce(TEXT, fails, wynot.Options(output=target))
    assert target.read_bytes() == b"bug"
    wynot.isolate(TEXT, fails, wynot.Options(output=stage.work / "pair"))
    assert fails((stage.work / "pair" / "failing").read_bytes())
    assert not fails((stage.work / "pair" / "passing").read_bytes())


def test_a_listener_hears_what_happens() -> None:
    heard: list[Event] = []
    result = wynot.reduce(TEXT, fails, wynot.Options(listener=heard.append))
    assert {type(event) for event in heard} == {TrialAnswered, Improved, Level}
    assert [event.name for event in heard if isinstance(event, Level)][:3] == ["lines", "tokens", "chars"]
    sizes = [event.size for event in heard if isinstance(event, Improved)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == len(result.data)


def test_a_test_that_is_too_weak_is_told() -> None:
    heard: list[Event] = []
    result = wynot.reduce(TEXT, lambda _: True, wynot.Options(listener=heard.append))
    assert result.data == b""
    assert ["too weak" in event.message for event in heard if isinstance(event, Caution)] == [True]


@pytest.mark.parametrize("search", [wynot.ddmin, wynot.dd, wynot.ddmax, wynot.dd1999, wynot.ddplus, wynot.sweep])
@pytest.mark.parametrize("items", [[1, 2, 3], [1], []])
def test_a_list_that_never_fails_is_an_error(search: Callable[..., object], items: list[int]) -> None:
    with pytest.raises(NoFailureError, match=f"does not fail on all {len(items)} item"):
        search(items, lambda _kept: False)


def test_causes_of_nothing_are_none() -> None:
    with pytest.raises(NoFailureError):
        wynot.causes([1, 2], lambda _kept: False)
    assert wynot.causes([1, 2], bool) == [[1], [2]]


def test_no_failure_and_bad_input_are_errors() -> None:
    with pytest.raises(NoFailureError, match="the failure does not show on"):
        wynot.reduce(TEXT, lambda _: False)
    with pytest.raises(UsageError, match="is empty"):
        wynot.reduce(b"", fails)
    with pytest.raises(UsageError, match="no such file"):
        wynot.reduce("no/such/file", fails)
    with pytest.raises(UsageError, match="jobs"):
        wynot.Options(jobs=0)
    with pytest.raises(UsageError, match="no algorithm 'magic'"):
        wynot.reduce(TEXT, fails, wynot.Options(algorithm="magic"))
    with pytest.raises(UsageError, match="no algorithm 'ddmin'"):
        wynot.isolate(TEXT, fails, wynot.Options(algorithm="ddmin"))


@pytest.mark.parametrize("jobs", [1, 4])
def test_a_budget_of_tests_carries_the_best_so_far(jobs: int) -> None:
    with pytest.raises(BudgetEnded, match="budget of 5 tests") as ended:
        wynot.reduce(TEXT, fails, wynot.Options(jobs=jobs, budget_tests=5))
    best = ended.value.best
    assert isinstance(best, wynot.Reduced)
    assert fails(best.data)
    assert len(best.data) < len(TEXT)
    assert (best.minimal, best.status, best.cost.counts.needed) == (False, "budget", 5)


@pytest.mark.parametrize("jobs", [1, 4])
def test_a_budget_of_time_carries_the_best_so_far(jobs: int) -> None:
    """The test itself says when time is up: no clock decides here how far it comes."""
    count = 0

    def slow(data: bytes) -> bool:
        nonlocal count
        count += 1
        if count > 6:
            threading.Event().wait(0.6)
        return fails(data)

    with pytest.raises(BudgetEnded, match="time budget") as ended:
        wynot.reduce(TEXT, slow, wynot.Options(jobs=jobs, budget_time=0.5))
    assert isinstance(ended.value.best, wynot.Reduced)
    assert fails(ended.value.best.data)


def test_an_isolation_that_ends_early_carries_its_best_pair() -> None:
    with pytest.raises(BudgetEnded) as ended:
        wynot.isolate(TEXT, fails, wynot.Options(budget_tests=4))
    best = ended.value.best
    assert isinstance(best, wynot.Isolated)
    assert (fails(best.failing), fails(best.passing), best.minimal) == (True, False, False)
    assert 1 < len(best.failing) - len(best.passing) < len(TEXT)
    assert best.deltas > 1, "there is more than that between the two"


def interrupting(after: int) -> Callable[[bytes], bool]:
    """A test during which Ctrl-C is pressed."""
    calls: list[bytes] = []

    def test(data: bytes) -> bool:
        calls.append(data)
        if len(calls) == after:
            os.kill(os.getpid(), signal.SIGINT)
            threading.Event().wait(1)
        return fails(data)

    return test


@pytest.mark.parametrize("jobs", [1, 4])
def test_an_interruption_carries_the_best_so_far(jobs: int) -> None:
    with pytest.raises(Interrupted) as ended:
        wynot.reduce(TEXT, interrupting(9), wynot.Options(jobs=jobs))
    best = ended.value.best
    assert isinstance(best, wynot.Reduced)
    assert fails(best.data)
    assert (best.minimal, best.status) == (False, "interrupted")


def test_an_interrupted_isolation_carries_its_best_pair() -> None:
    with pytest.raises(Interrupted) as ended:
        wynot.isolate(TEXT, interrupting(7))
    best = ended.value.best
    assert isinstance(best, wynot.Isolated)
    assert (fails(best.failing), fails(best.passing)) == (True, False)


def test_wherever_a_budget_ends_all_causes_found_so_far_are_kept(stage: Stage) -> None:
    """The best so far of the second cause goes to its own file, and is no copy of the first."""
    data = b"one bug here\n" + b"line\n" * 9 + b"another bug there\n" + b"line\n" * 5
    target = stage.work / "out.txt"
    whole = wynot.reduce(data, fails, wynot.Options(atoms="lines", causes=2))
    assert whole.causes == (b"one bug here\n", b"another bug there\n")
    for budget in range(1, whole.cost.counts.needed):
        with pytest.raises(BudgetEnded) as ended:
            wynot.reduce(data, fails, wynot.Options(atoms="lines", causes=2, budget_tests=budget, output=target))
        best = ended.value.best
        assert isinstance(best, wynot.Reduced)
        written = [path.read_bytes() for path in (target, target.with_name("out.2.txt")) if path.exists()]
        assert written == list(best.causes), budget
        assert all(map(fails, written))
        assert len(set(written)) == len(written), budget
        for path in stage.work.iterdir():
            path.unlink()


class OddError(Exception):
    pass


@pytest.mark.parametrize("jobs", [1, 4])
@pytest.mark.parametrize("when", [1, 2, 3, 10])
def test_what_a_test_raises_reaches_the_caller(jobs: int, when: int) -> None:
    count = 0

    def test(data: bytes) -> bool:
        nonlocal count
        count += 1
        if count >= when:
            raise OddError(count)
        return fails(data)

    with pytest.raises(OddError):
        wynot.reduce(TEXT, test, wynot.Options(jobs=jobs))


@pytest.mark.parametrize("jobs", [1, 4])
def test_what_a_test_of_a_list_raises_reaches_the_caller(jobs: int) -> None:
    def test(kept: list[int]) -> bool:
        if len(kept) < 5:
            raise OddError
        return 7 in kept

    with pytest.raises(OddError):
        wynot.ddmin(range(100), test, jobs=jobs)


def test_after_an_exception_no_thread_is_left() -> None:
    before = set(threading.enumerate())

    def test(data: bytes) -> bool:
        if len(data) < 50:
            raise OddError
        return fails(data)

    with pytest.raises(OddError):
        wynot.reduce(TEXT, test, wynot.Options(jobs=4))
    for thread in set(threading.enumerate()) - before:
        thread.join(60)
        assert not thread.is_alive()


def test_a_reduction_in_another_thread(stage: Stage) -> None:
    """A caller may have threads: signals, orphans and journals are no matter of the main one only."""
    script = stage.script("check", 'setsid sleep 1000 > /dev/null & grep -q bug "$1"')
    results: list[wynot.Reduced] = []
    thread = threading.Thread(
        target=lambda: results.append(wynot.reduce(TEXT, wynot.Script(str(script)), wynot.Options(resume=True)))
    )
    thread.start()
    thread.join()
    assert [result.data for result in results] == [b"bug"]
    stage.assert_clean()


def test_reductions_inside_each_other(stage: Stage) -> None:
    """A test may itself use the library."""
    script = wynot.Script(str(stage.script("check", 'grep -q bug "$1"')))

    def inner(data: bytes) -> bool:
        try:
            return wynot.reduce(data, script).data == b"bug"
        except (NoFailureError, UsageError):
            return False

    assert wynot.reduce(b"a\nbug\nb\n", inner, wynot.Options(atoms="lines")).data == b"bug\n"
    stage.assert_clean()


def test_a_mark_that_comes_up_by_cutting_is_text_as_any_other() -> None:
    """DDBEGIN and DDEND are understood in the user's input, not in what is left of it by chance."""

    def test(data: bytes) -> bool:
        return b"DDEND" in data.replace(b"-", b"")

    result = wynot.reduce(b"some text\nDDE-ND and more\n", test)
    assert result.data.replace(b"-", b"") == b"DDEND"


@pytest.mark.parametrize("call", [wynot.reduce, wynot.isolate])
@pytest.mark.parametrize("data", [b"a\nDDBEGIN\nbug\n", b"bug\nDDEND\nb\n", b"DDBEGIN\nDDBEGIN\nbug\nDDEND\n"])
def test_marks_without_their_counterparts_are_told(call: Callable[..., object], data: bytes) -> None:
    with pytest.raises(UsageError, match=r"DDBEGIN|DDEND"):
        call(data, fails)


def test_what_is_not_readable_is_told(stage: Stage) -> None:
    with pytest.raises(UsageError, match="is empty"):
        wynot.reduce(stage.work, fails)
    with pytest.raises(UsageError, match="cannot read"):
        wynot.reduce(Path("x" * 300), fails)


ITEMS = list(range(1, 21))


def holds(kept: list[int]) -> bool:
    return {3, 8, 17} <= set(kept)


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("search", [wynot.ddmin, wynot.ddplus, wynot.dd1999, wynot.sweep])
def test_a_budget_of_a_search_among_items_carries_a_list_that_fails(
    search: Callable[..., list[int]], jobs: int
) -> None:
    smallest = search(ITEMS, holds)
    assert smallest == [3, 8, 17]
    lengths = []
    for budget in range(1, 1000):
        try:
            assert search(ITEMS, holds, jobs=jobs, budget_tests=budget) == smallest
            break
        except BudgetEnded as ended:
            best = ended.best
            assert isinstance(best, list)
            assert holds(best)
            lengths.append(len(best))
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[-1] < len(ITEMS)


def test_a_budget_of_an_isolation_carries_both_lists() -> None:
    with pytest.raises(BudgetEnded) as ended:
        wynot.dd(ITEMS, holds, budget_tests=3)
    best = ended.value.best
    assert isinstance(best, wynot.Isolation)
    assert holds(best.failing)
    assert not holds(best.passing)
    assert sorted(best.passing + best.difference) == best.failing
    assert 1 < len(best.difference) < len(ITEMS)
    with pytest.raises(BudgetEnded) as ended:
        wynot.ddmax(ITEMS, holds, budget_tests=5)
    most = ended.value.best
    assert isinstance(most, list)
    assert most
    assert not holds(most)


def test_a_budget_of_causes_carries_those_found_and_the_best_of_the_next() -> None:
    def test(kept: list[int]) -> bool:
        return 4 in kept or 11 in kept

    for budget in range(1, 1000):
        try:
            assert sorted(wynot.causes(ITEMS, test, budget_tests=budget)) == [[4], [11]]
            break
        except BudgetEnded as ended:
            best = ended.best
            assert isinstance(best, list)
            assert all(map(test, best)), budget
            assert len({item for cause in best for item in cause}) == sum(map(len, best))
    assert budget > 5


def test_a_time_budget_of_a_search_among_items_carries_the_best_so_far() -> None:
    def slow(kept: list[int]) -> bool:
        time.sleep(0.02)
        return holds(kept)

    with pytest.raises(BudgetEnded, match="time budget") as ended:
        wynot.sweep(ITEMS, slow, budget_time=0.05)
    assert isinstance(ended.value.best, list)
    assert holds(ended.value.best)


def test_an_unknown_keyword_argument_is_reported() -> None:
    with pytest.raises(TypeError, match=r"'budget_test'.* budget_tests"):
        wynot.ddmin(ITEMS, holds, budget_test=5)  # type: ignore[call-arg]
