"""The search among actions, without any replay: the paper's own case, and laws."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wynot.commands.recordings.action_search import events
from wynot.engine.input_source import Input
from wynot.engine.run_options import Options
from wynot.errors import NoFailureError, UsageError

HOW = ("press", "release")


def mozilla() -> list[dict[str, object]]:
    """95 actions, as in the 2002 paper (section IV-B): dialogues, motions, key strokes; three of them matter."""
    actions: list[dict[str, object]] = []
    for number in range(20):
        actions.append({"type": "motion", "x": number, "y": number})
        actions += [{"type": f"button_{how}", "button": 1, "x": 300 + number, "y": 50} for how in HOW]
    for key in ("f", "i", "l", "e"):
        actions += [{"type": f"key_{how}", "keysym": key} for how in HOW]
    actions += [{"type": "key_press", "keysym": "Alt_L"}, {"type": "key_press", "keysym": "p", "what": "Alt+P"}]
    actions += [{"type": f"key_{how}", "keysym": key} for key in "50.5" for how in HOW]
    actions += [{"type": "key_release", "keysym": "p"}, {"type": "key_release", "keysym": "Alt_L"}]
    actions += [{"type": "motion", "x": 500 + step, "y": 500} for step in range(10)]
    actions += [{"type": f"button_{how}", "button": 1, "x": 510, "y": 500, "what": "Print"} for how in HOW]
    actions += [{"type": "motion", "x": step, "y": 9} for step in range(95 - len(actions))]
    return actions


def as_input(actions: list[dict[str, object]]) -> Input:
    text = "".join(json.dumps(row) + "\n" for row in ({"format": "wynot-x11"}, *actions))
    return Input(text.encode(), "log.jsonl", "log.jsonl")


def crashes(text: bytes) -> bool:
    """Alt+P, then a button pressed on Print, then released."""
    rows = [json.loads(line) for line in text.splitlines()][1:]
    wanted = [("key_press", "Alt+P"), ("button_press", "Print"), ("button_release", "Print")]
    seen = iter((row["type"], row.get("what")) for row in rows)
    return all(each in seen for each in wanted)


@pytest.mark.parametrize(("algorithm", "most"), [("sweep", 28), ("ddmin", 39)])
def test_three_of_95_user_actions(algorithm: str, most: int) -> None:
    """The paper: 82 runs."""
    actions = mozilla()
    assert len(actions) == 95
    found = events(as_input(actions), crashes, Options(algorithm=algorithm))
    assert found.names == ("press p", "press button 1 at 510,500", "release button 1 at 510,500")
    assert found.minimal
    assert found.cost.counts.tests <= most


@settings(max_examples=50, deadline=None)
@given(st.sets(st.integers(0, 39), min_size=1, max_size=4), st.sampled_from([1, 3]))
def test_just_the_guilty_actions_are_left(guilty: set[int], jobs: int) -> None:
    kinds = ["key_press", "key_release", "motion", "button_press", "button_release"]
    actions: list[dict[str, object]] = [
        {"type": kinds[n % 5], "keysym": "a", "button": 1, "x": 0, "y": 0, "n": n} for n in range(40)
    ]

    def test(text: bytes) -> bool:
        return guilty <= {json.loads(line).get("n") for line in text.splitlines()}

    found = events(as_input(actions), test, Options(jobs=jobs))
    assert {json.loads(line)["n"] for line in found.data.splitlines()[1:]} == guilty


def test_ends_that_are_not_as_they_should_be() -> None:
    log = as_input([{"type": "motion", "x": 1, "y": 1}])
    with pytest.raises(NoFailureError, match="the recording does not reproduce the failure"):
        events(log, lambda _text: False)
    with pytest.raises(UsageError, match="without any action"):
        events(log, lambda _text: True)
    with pytest.raises(UsageError, match="no actions"):
        events(Input(b'{"format": "wynot-x11"}\n', "a.jsonl", "a.jsonl"), lambda _text: True)
    with pytest.raises(UsageError, match="no algorithm"):
        events(log, lambda _text: True, Options(algorithm="hdd"))
