"""Python callables as oracles."""

from __future__ import annotations

import pytest

from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.oracles.python_function import asking, outcome_of


@pytest.mark.parametrize(("answer", "outcome"), [(True, FAIL), (False, PASS), *((each, each) for each in Outcome)])
def test_answers(answer: Outcome | bool, outcome: Outcome) -> None:
    assert outcome_of(answer) is outcome
    assert asking(lambda _: answer)(b"") is outcome


@pytest.mark.parametrize("answer", [None, 0, 1, "fail", b"", [], 1.0])
def test_what_is_no_answer_is_told(answer: object) -> None:
    with pytest.raises(TypeError, match="an Outcome or a bool"):
        outcome_of(answer)


def test_the_candidate_is_handed_on() -> None:
    seen: list[bytes] = []

    def test(candidate: bytes) -> Outcome:
        seen.append(candidate)
        return UNRESOLVED

    assert asking(test)(b"candidate") is UNRESOLVED
    assert seen == [b"candidate"]
