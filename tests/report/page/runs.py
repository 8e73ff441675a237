"""A run of each kind, small and real, whose reports are looked at."""

from __future__ import annotations

import json
import sys

from tests.support.repos import Repo
from tests.support.stage import Stage

HOSTILE = """<table>
<tr><td>harmless</td></tr>
<script>document.title = "owned"; window.owned = 1</script>
<img src="http://127.0.0.1:9/x.png" onerror="window.owned = 2">
</table>
"""
LANGUAGE = """int unused(void) { return 1; }
int main(void) {
    int x = 3;
    if (x > 2) { x = crash(x, 7); }
    return x;
}
"""
SAMPLE = """numbers = [int(word) for word in input().split()]
total = 0
product = 1
for number in numbers:
    total += number
    product *= number
print("sum", total)
assert product
"""


def hostile(stage: Stage) -> str:
    """A page of which just the dangerous parts are needed."""
    stage.file("page.html", HOSTILE)
    alive = """grep -q '<script>.*window[.]owned = 1.*</script>' "$1" && grep -qF 'onerror="window.owned = 2"' "$1\""""
    stage.script("owned", alive)
    return _run(stage, "reduce", "page.html", "--test", "./owned", "--validity", "off")


def program(stage: Stage) -> str:
    stage.file("bug.c", LANGUAGE)
    compiler = 'grep -q "crash(" $0 && { echo "internal error" >&2; exit 4; }; true'
    return _run(stage, "reduce", "bug.c", "--", "sh", "-c", compiler, "{}")


def folder(stage: Stage) -> str:
    (stage.work / "project").mkdir()
    for number in range(5):
        stage.file(f"project/file{number}.txt", f"file {number}\n<b>bug{number}</b>\n")
    stage.script("both", 'grep -rq bug1 "$1" && grep -rq bug3 "$1"')
    return _run(stage, "reduce", "project", "--test", "./both")


def isolated(stage: Stage) -> str:
    stage.file("fails.txt", "alpha\nbeta <i>\ngamma\ndelta\n")
    stage.script("beta", 'grep -q "beta <" "$1"')
    return _run(stage, "isolate", "fails.txt", "--test", "./beta")


def changed(stage: Stage) -> str:
    repo = Repo(stage.work / "repo")
    lines = [f"line {number}" for number in range(30)]
    repo.commit("the beginning", {"a.txt": "\n".join([*lines, ""]).encode(), "b.txt": b"one\ntwo\n"})
    other = list(lines)
    other[3], other[20] = "line <three>", "the culprit & more"
    repo.commit("improve <everything>", {"a.txt": "\n".join([*other, ""]).encode(), "b.txt": b"one\n2\n"})
    stage.work = stage.work / "repo"
    try:
        words = ("changes", "HEAD~1", "HEAD", "-o", "../out.patch")
        return _run(stage, *words, "--", "sh", "-c", "grep -q culprit a.txt && exit 5; true")
    finally:
        stage.work = stage.work.parent


def options(stage: Stage) -> str:
    stage.script("tool", 'for word; do test "$word" = --bad && exit 7; done; exit 0')
    return _run(stage, "options", "--", "./tool", "-a", "--bad", "-c", "<x>")


def acted(stage: Stage) -> str:
    steps = ("open", "zoom", "<b>print</b>", "undo", "close")
    stage.file("log.jsonl", "".join(json.dumps({"type": step}) + "\n" for step in steps))
    stage.script("printed", 'grep -q "<b>print" "$1" && grep -q open "$1"')
    return _run(stage, "events", "log.jsonl", "--test", "./printed")


def traced(stage: Stage) -> str:
    stage.file("sample.py", SAMPLE)
    with stage.file("numbers", "4 0 2\n").open("rb") as numbers:
        return _run(stage, "trace", "--", sys.executable, "sample.py", stdin=numbers)


KINDS = {
    "hostile": hostile,
    "program": program,
    "folder": folder,
    "isolate": isolated,
    "changes": changed,
    "options": options,
    "events": acted,
    "trace": traced,
}


def _run(stage: Stage, *words: object, **more: object) -> str:
    done = stage.wynot(words[0], "--json", *words[1:], **more)
    assert done.code == 0, done.err
    return str(done.json["run"])
