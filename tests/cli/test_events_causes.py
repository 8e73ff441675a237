"""`wynot events --causes N`: sets of actions that have nothing in common."""

from __future__ import annotations

from tests.support.stage import Stage

KINDS = ("cut", "zoom", "print", "scroll", "undo", "copy", "paste", "close")
TEST = ("--test", "./check")


def test_two_sets_of_actions_each_of_which_fails(stage: Stage) -> None:
    stage.file("log.jsonl", "".join(f'{{"type": "{kind}"}}\n' for kind in KINDS))
    stage.script(
        "check", 'has() { grep -q "\\"$1\\"" "$f"; }; f=$1; { has cut && has print; } || { has undo && has paste; }'
    )
    one = stage.here("events", "log.jsonl", *TEST, "--json").json
    assert (one["causes"], one["more"], len(one["outputs"])) == (1, None, 1)
    done = stage.here("events", "log.jsonl", *TEST, "--causes", "3", "--json")
    assert done.code == 0, done.err
    assert (done.json["causes"], done.json["more"]) == (2, False)
    assert done.json["outputs"] == ["log.reduced.jsonl", "log.reduced.2.jsonl"]
    found = {(stage.work / path).read_text() for path in done.json["outputs"]}
    assert found == {'{"type": "cut"}\n{"type": "print"}\n', '{"type": "undo"}\n{"type": "paste"}\n'}
    assert done.json["needed"] <= 40
    told = stage.here("events", "log.jsonl", *TEST, "--causes", "3").out
    assert "2 causes with no action in common; without them, it does not fail\n" in told
    verified = stage.here("verify", done.json["run"])
    assert verified.code == 0, verified.err
