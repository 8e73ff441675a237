"""`wynot trace --causes N`: sets of statements, each of which is enough for the failure."""

from __future__ import annotations

import sys

from tests.support.stage import Stage

PROGRAM = """def say(word):
    print(word)
noise = 1
first = "wrong"
say("right")
say(first)
second = "wrong"
say(second)
"""
TWO = [[1, 2, 4, 6], [1, 2, 7, 8]]
TRACE = ("trace", "--test", "./check", "--causes")
RUN = ("--", sys.executable, "prog.py")


def stage_with(stage: Stage, program: str) -> None:
    stage.file("prog.py", program)
    stage.script("check", 'grep -q wrong "$1"')


def test_two_causes_share_what_both_need(stage: Stage) -> None:
    """The function is defined once; either of its calls prints what is wrong."""
    stage_with(stage, PROGRAM)
    one = stage.here(*TRACE, "1", "--json", *RUN).json["columns"][0]
    assert (len(one["causes"]), one["more"]) == (1, None)
    done = stage.here(*TRACE, "3", "--json", *RUN)
    assert done.code == 0, done.err
    (column,) = done.json["columns"]
    found = [sorted(event["line"] for event in each["events"]) for each in column["causes"]]
    assert sorted(found) == TWO
    assert (column["events"], column["more"], column["minimality"]) == (
        column["causes"][0]["events"],
        False,
        "1-minimal",
    )
    assert column["needed"] <= 40
    verified = stage.here("verify", done.json["run"])
    assert verified.code == 0, verified.err
    page = stage.here("report", done.json["run"], "--format", "md", "-o", "-").out
    assert "**Statements that matter (cause 2):**" in page
    told = stage.here(*TRACE, "3", *RUN).out
    assert "\n2 causes: each lacks events of those before it; no other one was found\n" in told
    assert "check, cause 2: 10 -> 4 events" in told


def test_there_may_be_more_causes_than_were_asked_for(stage: Stage) -> None:
    stage_with(stage, "".join(f"print('wrong {number}')\n" for number in range(4)))
    (column,) = stage.here(*TRACE, "2", "--json", *RUN).json["columns"]
    assert [each["size_after"] for each in column["causes"]] == [1, 1]
    assert column["more"] is True


def test_a_single_cause_is_called_so(stage: Stage) -> None:
    stage.file("prog.py", "divisor = 0\nnoise = 1\nprint(1 / divisor)\n")
    done = stage.here("trace", "--causes", "3", *RUN)
    assert "\n1 cause; no other one was found\n" in done.out
    done = stage.here("trace", "--causes", "2", "--state", "3", "--passing", "true", *RUN)
    assert done.code == 2
    assert "--state compares two runs: it has no --causes" in done.err


def test_a_budget_ends_the_search_for_another_cause(stage: Stage) -> None:
    """The cause that is known stays as it is, and it is left open whether there are more."""
    stage_with(stage, PROGRAM)
    whole = stage.here(*TRACE, "1", "--json", *RUN).json
    budget = str(whole["tests"] + 2)
    done = stage.here(*TRACE, "3", "--json", "--budget-tests", budget, *RUN)
    assert done.code == 3
    (column,) = done.json["columns"]
    assert (column["events"], column["more"]) == (whole["columns"][0]["events"], None)
