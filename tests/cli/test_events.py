"""`wynot events` for real: a page in a Chromium, a Tk program on an X server of its own; record, replay, bad input."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.stage import Done, Stage, eventually
from wynot.commands.recordings.replay_settings import BROWSERS

EXAMPLES = Path(__file__).parents[2] / "examples" / "events"
CI = os.environ.get("CI") == "true"
PYTHON = "/usr/bin/python3"
"""The system's own, which has Tk."""


def needs(*programs: str) -> None:
    """Skip where a program is missing, but not on the build machine."""
    missing = [name for name in programs if shutil.which(name) is None]
    if missing and not CI:
        pytest.skip(f"{', '.join(missing)} not installed")
    assert not missing


def patiently(stage: Stage, *words: object) -> Done:
    """Run a `wynot` that takes its time on a busy machine."""
    return stage.ended(stage.start(*words), seconds=900)


@pytest.fixture
def web(stage: Stage) -> Stage:
    if not any(map(shutil.which, BROWSERS)):
        needs("chromium")
    shutil.copytree(EXAMPLES / "web", stage.work / "site")
    shutil.copy(EXAMPLES / "web" / "recording.json", stage.work)
    return stage


def test_about_95_actions_on_a_page_in_a_real_browser(web: Stage) -> None:
    """Of 97 actions five make the page fail; the paper needed 82 runs for 95 actions."""
    done = patiently(web, "events", "recording.json", "--serve", "site", "-j", "1", "--settle", "50ms", "--json")
    assert done.code == 0, done.err
    found = done.json
    assert found["size_before"] == 97
    assert found["actions"] == [
        "click #add-7", "click #coupon", "change #coupon-code = 'TENTH'", "click #coupon-ok", "click #remove-7",
    ]  # fmt: skip
    assert found["minimality"] == "1-minimal"
    assert found["needed"] + found["baseline_tests"] <= 82
    assert "TypeError: Cannot read properties of undefined" in found["looked_for"]
    small = json.loads((web.work / "recording.reduced.json").read_text())
    assert [step["type"] for step in small["steps"][:2]] == ["setViewport", "navigate"]
    web.assert_clean()
    again = web.wynot("events", "recording.json", "--serve", "site", "-j", "2", "--settle", "50ms", "--json")
    assert (again.json["tests"], again.json["actions"]) == (0, found["actions"]), "nothing is run twice"
    web.assert_clean()


def lines(*entries: Mapping[str, object]) -> str:
    return "".join(json.dumps(entry) + "\n" for entry in entries)


SHORT = (
    {"type": "goto", "url": "http://localhost:8000/index.html"},
    {"type": "click", "selector": "#add-2"},
    {"type": "press", "key": "x"},
    {"type": "click", "selector": "#no-such-thing"},
    {"type": "fill", "selector": "#note", "value": "hello"},
)


def test_what_counts_as_the_failure_of_a_page(web: Stage) -> None:
    """Several conditions have to hold together."""
    web.file("short.jsonl", lines(*SHORT))
    text = ("--fail-if-text", "Total: 8.00", "--fail-if-selector", "#remove-2", "--check", "grep -q remove-2")
    script = ("--fail-if-script", "document.getElementById('note').value == 'hello'")
    done = web.wynot("events", "short.jsonl", "--serve", "site", "-j", "2", "--json", *text, *script)
    assert done.code == 0, done.err
    assert done.json["actions"] == ["click #add-2", "change #note = 'hello'"]
    web.assert_clean()


def test_a_script_of_playwright_and_the_console(web: Stage) -> None:
    web.file("site/said.html", "<button onclick=\"console.error('broken', 7)\">Break</button><p>Other</p>")
    place = (web.work / "site" / "said.html").as_uri()
    steps = ['page.get_by_text("Other").click()', 'page.get_by_role("button", name="Break").click()', "page.reload()"]
    web.file("said.py", "\n".join([f'page.goto("{place}")', *steps]) + "\n")
    done = web.wynot("events", "said.py", "--fail-if-console", "error: broken", "--json")
    assert done.code == 0, done.err
    assert done.json["actions"] == [steps[1].replace("'", '"')]
    assert (web.work / "said.reduced.py").read_text() == f'page.goto("{place}")\n{steps[1]}\n'


def test_a_crash_of_the_page(web: Stage) -> None:
    web.file("crash.jsonl", lines(SHORT[0], SHORT[1], {"type": "navigate", "url": "chrome://crash"}, SHORT[4]))
    done = web.wynot("events", "crash.jsonl", "--serve", "site", "--json")
    assert done.code == 0, done.err
    assert done.json["actions"] == ["navigate chrome://crash"]
    assert "crashed" in done.json["looked_for"]


@pytest.fixture
def screen(stage: Stage) -> Stage:
    needs("Xvfb", "xdotool")
    for name in ("notes.py", "session.sh"):
        shutil.copy(EXAMPLES / "x11" / name, stage.work)
    return stage


def test_95_actions_on_x11_recorded_and_reduced(screen: Stage) -> None:
    """Recorded by RECORD from a session of xdotool, replayed by XTEST: three clicks make it crash."""
    made = screen.wynot("events", "record", "-o", "log.jsonl", "--drive", "./session.sh", "--", PYTHON, "notes.py")
    assert made.code == 0, made.err
    done = patiently(screen, "events", "log.jsonl", "-j", "2", "--json", "--", PYTHON, "notes.py")
    assert done.code == 0, done.err
    found = done.json
    assert found["size_before"] >= 90
    assert found["induced"] > 0
    assert found["actions"] == [f"{how} button 1 at 350,{y}" for y in (84, 204, 124) for how in ("press", "release")]
    assert found["needed"] + found["baseline_tests"] <= 82
    assert "IndexError: list index out of range" in found["looked_for"]
    screen.assert_clean()
    one = screen.wynot("events", "replay", "log.reduced.jsonl", "--", PYTHON, "notes.py")
    assert one.code == 1
    assert "IndexError" in one.err


def test_a_check_that_sees_the_display(screen: Stage) -> None:
    keys = [{"type": f"key_{how}", "keysym": key} for key in "ab" for how in ("press", "release")]
    click = [{"type": f"button_{how}", "button": 1, "x": 100, "y": 42} for how in ("press", "release")]
    screen.file("log.jsonl", lines({"format": "wynot-x11"}, *click, *keys))
    screen.script("check", "xdotool getmouselocation | grep -q 'x:100 y:42'")
    done = screen.wynot(
        "events", "log.jsonl", "--check", str(screen.work / "check"), "--json", "--", PYTHON, "notes.py"
    )
    assert done.code == 0, done.err
    assert len(done.json["actions"]) == 1
    assert done.json["actions"][0].endswith("at 100,42")


def test_nothing_is_left_of_a_run_that_was_killed(screen: Stage) -> None:
    """Keepers, displays and programs end with the one who started them."""
    events = [{"type": "motion", "x": x, "y": 1} for x in range(300)]
    screen.file("log.jsonl", lines({"format": "wynot-x11"}, *events))
    screen.changed["TMPDIR"] = str(screen.tmp)
    run = screen.start("events", "log.jsonl", "--fail-if-exit", "7", "--", PYTHON, "notes.py")
    eventually(lambda: any(b"notes.py" in words for words in running(screen)), "the program was started")
    run.kill()
    run.communicate()
    eventually(lambda: not screen.living(), "all processes are gone")
    eventually(lambda: not list(screen.tmp.iterdir()), "all folders are gone")


def running(stage: Stage) -> list[bytes]:
    found = []
    for pid in stage.living():
        with contextlib.suppress(OSError):
            found.append(Path(f"/proc/{pid}/cmdline").read_bytes().rpartition(b"python3")[2])
    return found


def test_a_log_that_only_the_users_program_can_replay(stage: Stage) -> None:
    stage.file("log.jsonl", lines(*({"type": "do", "what": n} for n in range(20))))
    stage.script("replay", '[ "$(grep -c -e " 3}" -e " 14}" "$1")" != 2 ] || { echo "error: both" >&2; exit 9; }')
    done = stage.wynot("events", "log.jsonl", "--json", "--", "./replay", "{}")
    assert done.code == 0, done.err
    assert done.json["size_after"] == 2
    assert (stage.work / "log.reduced.jsonl").read_text() == lines(
        {"type": "do", "what": 3}, {"type": "do", "what": 14}
    )


def test_pages_that_are_not_there(web: Stage) -> None:
    web.file("gone.jsonl", lines({"type": "goto", "url": "http://127.0.0.1:9/"}, SHORT[1]))
    done = web.wynot("events", "gone.jsonl", "--budget-time", "60s")
    assert done.code == 1
    assert "the recording does not reproduce the failure" in done.err
    assert "ERR_CONNECTION_REFUSED" in done.err or "ERR_UNSAFE_PORT" in done.err


REFUSED = {
    "missing": ("events no.json", 2, "no such file", "ls -l"),
    "no recording": ("events bad.json", 2, "bad.json is not a recording: no valid JSON", "DevTools"),
    "no way to replay": ("events log.jsonl", 2, "nobody here knows how", "-- ./replay {}"),
    "no program": ("events x11.jsonl", 2, "which program is to be acted on?", "-- PROGRAM"),
    "no browser": ("events web.jsonl --browser /no/such", 2, "/no/such: no such browser", "apt install chromium"),
    "no folder": ("events web.jsonl --serve nowhere", 2, "nowhere: no such folder", "ls -ld"),
    "shows without any action": ("events log.jsonl -- false {}", 2, "the failure also shows without any action", ""),
    "does not reproduce": ("events log.jsonl -- true {}", 1, "the recording does not reproduce", "wynot events replay"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_told_with_what_to_type_next(stage: Stage, name: str) -> None:
    needs("Xvfb")
    stage.file("bad.json", "{\n")
    stage.file("log.jsonl", lines({"type": "do"}))
    stage.file("x11.jsonl", lines({"format": "wynot-x11"}, {"type": "motion", "x": 1, "y": 1}))
    stage.file("web.jsonl", lines(*SHORT))
    stage.assert_refused(*REFUSED[name])


def test_where_no_browser_is_installed_the_line_to_install_one_is_given(stage: Stage) -> None:
    stage.file("web.jsonl", lines(*SHORT))
    stage.changed["PATH"] = str(stage.work)
    done = stage.wynot("events", "web.jsonl")
    assert done.code == 2
    assert "no browser is installed" in done.err
    assert "apt install chromium" in done.err
