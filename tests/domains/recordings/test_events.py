"""Recordings of all formats: read, cut, written; what belongs together; what was not the user's doing."""

from __future__ import annotations

import ast
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wynot.core.config import Config
from wynot.domains.recordings.recorded_steps import ActionTree, Recording, RecordingError, stretches, units
from wynot.domains.recordings.recording_formats import read_recording

DEVTOOLS = {
    "title": "t",
    "steps": [
        {"type": "setViewport", "width": 100, "height": 100},
        {"type": "navigate", "url": "http://localhost/a"},
        {"type": "click", "selectors": [["aria/Save"], ["#save"]]},
        {"type": "change", "selectors": [["#form-name"]], "value": "Ada"},
        {"type": "keyDown", "key": "Enter"},
        {"type": "keyUp", "key": "Enter"},
        {"type": "navigate", "url": "http://localhost/b"},
    ],
}
SCRIPT = """from playwright.sync_api import Playwright, sync_playwright

def run(playwright: Playwright) -> None:
    browser = playwright.chromium.launch(headless=False)
    context = browser.new_context()
    page = context.new_page()
    page.goto("http://localhost:8000/")
    page.get_by_role("button", name="Add").click()
    page.locator("#a").fill(
        "several lines"
    )
    with page.expect_popup() as page1_info:
        page.get_by_text("more").click()
    page1 = page1_info.value
    page1.get_by_text("x").click()
    context.close()
    browser.close()

with sync_playwright() as playwright:
    run(playwright)
"""
LOG: list[dict[str, object]] = [
    {"format": "wynot-x11", "screen": "100x100"},
    {"type": "motion", "x": 1, "y": 1},
    {"type": "expose"},
    {"type": "button_press", "button": 1, "x": 1, "y": 1},
    {"type": "key_press", "keysym": "Alt_L", "keycode": 64},
    {"type": "key_press", "keysym": "p", "keycode": 33},
    {"type": "key_release", "keysym": "p", "keycode": 33},
    {"type": "enter_notify"},
    {"type": "key_release", "keysym": "Alt_L", "keycode": 64},
    {"type": "button_release", "button": 1, "x": 1, "y": 1},
]


def lines(entries: list[dict[str, object]]) -> bytes:
    return "".join(json.dumps(entry) + "\n" for entry in entries).encode()


SAMPLES = {
    "a.json": json.dumps(DEVTOOLS).encode(),
    "a.py": SCRIPT.encode(),
    "a.jsonl": lines(LOG),
    "b.jsonl": lines(
        [{"type": "goto", "url": "u"}, {"type": "click", "selector": "#a"}, {"type": "press", "key": "x"}]
    ),
    "c.jsonl": lines([{"type": "open"}, {"type": "zoom", "to": 3}]),
}
FORMATS = {"a.json": "devtools", "a.py": "playwright", "a.jsonl": "x11", "b.jsonl": "web", "c.jsonl": "web"}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_recording_is_written_in_its_own_format_and_read_again(name: str) -> None:
    found = read_recording(name, SAMPLES[name])
    assert found.format == FORMATS[name]
    again = read_recording(name, found.write(found.steps))
    assert [step.name for step in again.steps] == [step.name for step in found.steps]
    assert again.induced == 0
    fewer = read_recording(name, found.write([step for step in found.steps if step.pinned]))
    assert fewer.actions == 0 or name == "c.jsonl"


def test_devtools() -> None:
    found = read_recording("a.json", SAMPLES["a.json"])
    assert [step.name for step in found.steps if not step.pinned] == [
        "click #save", "change #form-name = 'Ada'", "keyDown Enter", "keyUp Enter", "navigate http://localhost/b",
    ]  # fmt: skip
    assert json.loads(found.write(found.steps)) == DEVTOOLS


def test_scripts_of_playwright() -> None:
    found = read_recording("a.py", SAMPLES["a.py"])
    assert found.actions == 5
    assert found.write(found.steps) == SCRIPT.encode()
    less = found.write([step for step in found.steps if "several" not in step.name]).decode()
    ast.parse(less)
    assert "several" not in less
    assert "browser.close()" in less


def test_what_the_server_induced_is_left_out_by_its_type() -> None:
    found = read_recording("a.jsonl", SAMPLES["a.jsonl"])
    assert (found.actions, found.induced) == (7, 2)
    assert found.steps[1].name == "press button 1 at 1,1"
    assert found.steps[2].name == "press Alt_L"


def test_presses_go_with_their_releases() -> None:
    steps = read_recording("a.jsonl", SAMPLES["a.jsonl"]).steps
    [stretch] = stretches(steps)
    assert units(steps, stretch) == [[0], [1, 6], [2, 5, 3, 4]]


PLACES = ("#add-1", "#gift", "#gift-name", "#gift-ok", "#add-2")


def test_the_steps_of_a_dialogue_belong_together() -> None:
    steps: list[dict[str, object]] = [{"type": "click", "selector": s} for s in PLACES]
    found = read_recording("x.jsonl", lines([{"type": "goto", "url": "u"}, *steps]))
    assert stretches(found.steps) == [[0], [1], [2, 3, 4], [5]]


def recordings(kinds: list[str]) -> Recording:
    entries: list[dict[str, object]] = [
        {"type": kind, "keysym": "a", "button": 1, "x": 0, "y": 0, "number": n} for n, kind in enumerate(kinds)
    ]
    return read_recording("r.jsonl", lines([{"format": "wynot-x11"}, *entries]))


KINDS = st.lists(st.sampled_from(["key_press", "key_release", "button_press", "button_release", "motion"]), max_size=12)


@settings(deadline=None)
@given(KINDS, st.data())
def test_every_step_is_one_leaf_and_order_stays(kinds: list[str], data: st.DataObject) -> None:
    recording = recordings(kinds)
    domain = ActionTree(recording)
    assert domain.kept(Config.full(len(domain))) == list(recording.steps)
    config = Config.of(data.draw(st.sets(st.integers(0, len(domain) - 1))))
    numbers = [step.raw["number"] for step in domain.kept(config)]
    assert numbers == sorted(set(numbers))
    assert domain.render(domain.nothing()) == recording.write([])


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.json", b"{\n", "no valid JSON"),
        ("a.json", b'{\n"a": 1}', "no list of steps"),
        ("a.json", b'{\n"steps": [{}]}', "no type"),
        ("a.jsonl", b'{"type": "x"}\n{', "line 2 is no valid JSON"),
        ("a.jsonl", b"3\n", "no JSON object"),
        ("a.py", b"def", "no valid Python"),
        ("a.py", b"x = 1\n", "no script of Playwright"),
        ("a.jsonl", b"\xff", "no text"),
    ],
)
def test_what_is_no_recording_is_told(name: str, text: bytes, why: str) -> None:
    with pytest.raises(RecordingError, match=why):
        read_recording(name, text)
