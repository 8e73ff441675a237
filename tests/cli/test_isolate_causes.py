"""`wynot isolate --causes N`: differences that have nothing in common, each of which decides."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.stage import Stage
from wynot import isolate
from wynot.engine.run_options import Options

TEST = ("--test", "./check")


def test_between_two_files(stage: Stage) -> None:
    """Two values of one line, and an added line; each alone makes it fail."""
    stage.file("works.json", json.dumps({"size": 1, "color": "red", "depth": 3}) + "\nend\n")
    stage.file("fails.json", json.dumps({"size": 9, "color": "red", "depth": 7}) + "\nnew\nbug\nend\n")
    stage.script("check", 'grep -q -e "size.: 9" -e "depth.: 7" -e bug "$1"')
    words = ("isolate", "fails.json", "--passing", "works.json", *TEST)
    one = stage.here(*words, "--json").json
    assert (len(one["causes"]), one["more"], len(one["outputs"])) == (1, None, 2)
    two = stage.here(*words, "--causes", "2", "--json").json
    assert (len(two["causes"]), two["more"]) == (2, True)
    done = stage.here(*words, "--causes", "5", "--json")
    assert done.code == 0, done.err
    assert (len(done.json["causes"]), done.json["more"], done.json["minimality"]) == (3, False, "1-minimal")
    assert done.json["outputs"][4:] == ["fails.json.isolated/passing.3", "fails.json.isolated/failing.3"]
    sides = [(stage.work / path).read_text() for path in done.json["outputs"]]
    decided = set()
    for passing, failing in zip(sides[::2], sides[1::2], strict=True):
        causes = ('size": 9', 'depth": 7', "bug")
        decided |= {tuple(each for each in causes if (each in failing) and each not in passing)}
        assert not any(each in passing for each in causes)
    assert decided == {('size": 9',), ('depth": 7',), ("bug",)}
    assert done.json["needed"] <= 40
    assert (
        "3 differences, found in turn; with none of them, it does not fail\n" in stage.here(*words, "--causes", "5").out
    )
    verified = stage.here("verify", done.json["run"])
    assert verified.code == 0, verified.err


def test_from_the_empty_input(stage: Stage) -> None:
    """What is protected stays in all sides."""
    stage.file("fails.txt", "head\nDDBEGIN\none\nbug\ntwo\ncrash\nDDEND\ntail\n")
    stage.script("check", 'grep -q -e bug -e crash "$1"')
    done = stage.here("isolate", "fails.txt", *TEST, "--causes", "3", "--json")
    assert done.code == 0, done.err
    assert (len(done.json["causes"]), done.json["more"]) == (2, False)
    sides = [(stage.work / path).read_text() for path in done.json["outputs"]]
    assert all(side.startswith("head\nDDBEGIN\n") and side.endswith("DDEND\ntail\n") for side in sides)
    for passing, failing in zip(sides[::2], sides[1::2], strict=True):
        assert len(failing) - len(passing) == 1
    assert ["bug" in sides[1], "bug" in sides[3]] in ([True, False], [False, True])


@pytest.mark.parametrize(
    ("command", "budgets"),
    [
        (("isolate", "fails.txt", "--passing", "works.txt"), (1,)),
        (("reduce", "fails.txt"), (1, 9)),
        (("events", "log.jsonl"), (1, 7)),
    ],
)
def test_a_budget_leaves_open_whether_there_are_more(
    command: tuple[str, ...], budgets: tuple[int, ...], stage: Stage
) -> None:
    """Within the first cause, and within the second one: nobody has looked what the rest does without both."""
    stage.file("works.txt", "one\ntwo\n")
    stage.file("fails.txt", "one\nbug\ntwo\ncrash\n")
    kinds = ("cut", "bug", "print", "scroll", "undo", "crash", "paste", "close")
    stage.file("log.jsonl", "".join(f'{{"type": "{kind}"}}\n' for kind in kinds))
    stage.script("check", 'grep -q -e bug -e crash "$1"')
    for number, budget in enumerate(budgets, 1):
        done = stage.here(*command, *TEST, "--causes", "3", "--json", "--budget-tests", str(budget), "--fresh")
        assert done.code == 3, done.err
        causes = done.json["causes"]
        assert (causes if isinstance(causes, int) else len(causes), done.json["more"]) == (number, None)


WORDS = [letter + digit for letter in "abcd" for digit in "0123456789"]


@settings(max_examples=30)
@given(st.sets(st.sampled_from(WORDS), min_size=1, max_size=4), st.booleans())
def test_each_cause_is_found_once(bad: set[str], compared: bool) -> None:
    """Each of some words alone makes it fail: as many differences, one for each."""
    failing = "\n".join(" ".join(f"<{word}>" for word in WORDS[at : at + 10]) for at in range(0, 40, 10))
    passing = failing.replace("<", "[").encode() if compared else None

    def causes(text: bytes) -> set[str]:
        return {word for word in bad if f"<{word}>" in text.decode()}

    found = isolate(failing.encode(), lambda text: bool(causes(text)), Options(causes=9), passing=passing)
    assert (found.more, found.minimal) == (False, True)
    assert all(not causes(each.passing) for each in found.causes)
    assert sorted(sorted(causes(each.failing)) for each in found.causes) == [[word] for word in sorted(bad)]
