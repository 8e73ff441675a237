"""Reports in all formats, and the pictures and texts they are made of."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tests.report.page.runs import HOSTILE
from tests.support.stage import Stage
from wynot import Options, Script, reduce
from wynot.cli.main import main
from wynot.core.folder import Folder
from wynot.engine.journal import Journal
from wynot.engine.record.read import find_run
from wynot.report.page.page_text import pieces, shortened, text_of
from wynot.report.page.report_markdown import FORMATS, fenced, report

WORDS = st.lists(st.sampled_from(["a", "bc", " ", "\n", "(", ")", "a\n", "x1"]), max_size=30)


@given(WORDS, st.randoms(use_true_random=False))
def test_what_is_left_and_what_is_new_is_the_result(words: list[str], random: object) -> None:
    """All but what was cut, together, is the result; all but what is new, the original."""
    original = "".join(words)
    result = "".join(word for word in words if random.random() < 0.5)  # type: ignore[attr-defined]
    found = pieces(original, result)
    assert "".join(piece.text for piece in found if piece.how != "cut") == result
    assert "".join(piece.text for piece in found if piece.how != "new") == original


@given(st.text("ab (\n", max_size=30), st.text("ab (\n", max_size=30))
def test_any_two_texts_can_be_laid_over_each_other(original: str, result: str) -> None:
    found = pieces(original, result)
    assert "".join(piece.text for piece in found if piece.how != "cut") == result
    assert "".join(piece.text for piece in found if piece.how != "new") == original


def test_stretches_stay_together() -> None:
    """The last f(x) is left as it stands, not a letter here and a letter there."""
    found = pieces("f(a);\ng(x);\nf(x);\nh();\n", "f(x);\n")
    assert [(piece.text, piece.how) for piece in found] == [
        ("f(a);\ng(x);\n", "cut"), ("f(x);\n", "kept"), ("h();\n", "cut"),
    ]  # fmt: skip


def test_a_large_original_makes_a_small_page() -> None:
    original = "".join(f"line {number} {'x' * (number % 90)}\n" for number in range(60_000)) + "y" * 500_000
    found = shortened(pieces(original, "line 59000 " + "x" * 50 + "\n"))
    assert sum(len(piece.text) for piece in found) < 5000


def test_the_worst_page_is_small_enough(stage: Stage) -> None:
    """Everything is needed, and everything has to be escaped."""
    stage.file("in.txt", '"' * 1_500_000)
    script = stage.script("all", 'test "$(wc -c < "$1")" = 1500000')
    options = Options(resume=True, atoms="lines")
    reduce(stage.work / "in.txt", Script(str(script)), options)
    page = report(find_run("last"), "html")
    assert len(page.encode()) < 3_000_000
    assert "1,350,000 more characters are not shown" in page


def test_a_folder_as_text() -> None:
    assert text_of(Folder.of({"a": b"x", "b/c": b"\0\n"})) == "==> a <==\nx\n==> b/c <==\n\\x00\n"


@given(st.text("`a\n", max_size=12))
def test_no_text_ends_its_block(text: str) -> None:
    lines = fenced(text).split("\n")
    assert lines[0] == lines[-1]
    assert lines[0] not in lines[1:-1]


@pytest.fixture
def run(stage: Stage) -> str:
    stage.file("page.html", HOSTILE)
    script = stage.script("owned", 'grep -q "window[.]owned = 1</script>" "$1"')
    found = reduce(stage.work / "page.html", Script(str(script)), Options(resume=True, validity="off")).run
    assert found is not None
    return found


def test_all_formats(run: str) -> None:
    found = find_run(run)
    told = {form: report(found, form) for form in FORMATS}
    assert told["html"].count("<script") == 1
    assert "&lt;/script&gt;" in told["html"]
    assert ET.fromstring(told["svg"]).tag == "{http://www.w3.org/2000/svg}svg"
    whole = json.loads(told["json"])
    assert whole["results"] == ["window.owned = 1</script>\n"]
    assert len(whole["steps"]) == len(found.steps())
    assert told["md"].startswith("# Simplified input: ")
    assert "```\nwindow.owned = 1</script>\n```" in told["md"]


def test_a_journal_without_a_record_has_a_report(stage: Stage) -> None:
    Journal("0123").close()
    for form in FORMATS:
        assert "0123" in report(find_run("0123"), form) or form == "svg"


def test_the_command(stage: Stage, run: str) -> None:
    done = stage.wynot("report", run[:6])
    assert (done.code, done.out) == (0, f"written to wynot-{run[:8]}.html\n")
    assert (stage.work / f"wynot-{run[:8]}.html").read_text().startswith("<!doctype html>")
    assert stage.wynot("report", "last", "-o", "bug.md").code == 0
    assert (stage.work / "bug.md").read_text().startswith("# ")


def test_unknown(stage: Stage) -> None:
    done = CliRunner().invoke(main, ["report", "zzz"])
    assert (done.exit_code, done.stderr) == (2, "wynot: there is no run zzz\n  list all runs: wynot runs\n")


def test_our_own_script_and_style_ask_for_nothing() -> None:
    folder = Path(__file__).parents[3] / "src" / "wynot" / "report" / "page"
    for name in ("page.css", "page.js", "page.html.jinja"):
        text = (folder / name).read_text()
        assert "http:" not in text
        assert "https:" not in text
        assert "url(" not in text
        assert " style=" not in text
