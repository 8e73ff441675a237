"""The other words: outcomes, what a search has found, what "simpler" means, the errors."""

from __future__ import annotations

import inspect
import re
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.effort import few
from wynot import errors
from wynot.core.artifact import digest, simplicity
from wynot.core.config import Config
from wynot.core.outcome import ANY, FAIL, ONLY_FAIL, ONLY_PASS, PASS, RESOLVED, UNRESOLVED, Outcome
from wynot.core.run_events import Improved, silent
from wynot.core.trial import Found, RestartableQuestion, Trial, Verdict


def test_outcomes_have_the_papers_signs() -> None:
    assert {outcome: outcome.sign for outcome in Outcome} == {PASS: "P", FAIL: "F", UNRESOLVED: "?"}


def test_wishes() -> None:
    """What a trial can want: ddmin failing, ddmax passing, dd both, prediction anything."""
    assert ONLY_FAIL | ONLY_PASS == RESOLVED == {FAIL, PASS}
    assert RESOLVED | {UNRESOLVED} == ANY == set(Outcome)


def test_found_tells_the_difference() -> None:
    found = Found(Config.full(8), Config.of([1, 2]))
    assert found.difference == Config.of([0, 3, 4, 5, 6, 7])
    assert found.minimal
    assert Found(Config.full(3)).passing == Config()


def test_questions_can_be_read_twice() -> None:
    """A driver may look at a question more than once."""
    trials = [Trial(Config.of([index]), ONLY_FAIL) for index in range(3)]
    asked = RestartableQuestion(partial(iter, trials))
    assert list(asked) == list(asked) == trials
    assert Verdict(trials[1], FAIL).config == Config.of([1])


@few
@given(st.binary(max_size=4), st.binary(max_size=4))
def test_simpler_is_a_total_order(one: bytes, two: bytes) -> None:
    """The shorter one is simpler; of two that differ exactly one is."""
    assert (simplicity(one) < simplicity(two)) + (simplicity(two) < simplicity(one)) == (one != two)
    if len(one) < len(two):
        assert simplicity(one) < simplicity(two)


@few
@given(st.binary(max_size=8), st.binary(max_size=8))
def test_digests_tell_apart(one: bytes, two: bytes) -> None:
    """32 bytes whatever the size, the same for the same content only."""
    assert len(digest(one)) == 32
    assert (digest(one) == digest(two)) == (one == two)


def test_nobody_need_listen() -> None:
    silent(Improved(3))


NODE = re.compile(r"^( *)(?:[├└]── )?(\w+)  +\S.*?(?:\(exit (\d+)\))?$")


def drawn() -> dict[str, tuple[str | None, int | None]]:
    """The tree in the docstring of `errors`: name -> (parent, exit code)."""
    tree: dict[str, tuple[str | None, int | None]] = {}
    above: list[tuple[int, str]] = []
    for line in (errors.__doc__ or "").splitlines():
        match = NODE.match(line.replace("│", " "))
        if match is None:
            continue
        depth = match.start(2)
        while above and above[-1][0] >= depth:
            above.pop()
        tree[match[2]] = (above[-1][1] if above else None, int(match[3]) if match[3] else None)
        above.append((depth, match[2]))
    return tree


def test_the_drawn_tree_is_what_is_exported() -> None:
    assert sorted(drawn()) == sorted(errors.__all__)


def test_what_is_exported_is_all_there_is() -> None:
    classes = [
        name for name, value in inspect.getmembers(errors, inspect.isclass) if value.__module__ == errors.__name__
    ]
    assert sorted(classes) == sorted(errors.__all__)


@pytest.mark.parametrize("name", errors.__all__)
def test_the_tree_is_drawn_right(name: str) -> None:
    """Parents are base classes, and the exit codes are those of the command line."""
    parent, code = drawn()[name]
    error = getattr(errors, name)
    assert error.__base__.__name__ == (parent or "Exception")
    if code is not None:
        assert error.exit_code == code


def test_errors_say_what_to_type_next() -> None:
    error = errors.UsageError("no such file", "ls")
    assert (str(error), error.hint) == ("no such file", "ls")
    assert errors.WynotError("alone").hint == ""
    assert errors.BudgetEnded("used up", best=b"x").best == b"x"
