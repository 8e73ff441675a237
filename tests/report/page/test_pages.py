"""Reports in a real browser: nothing is asked of the network, no script runs but ours, pictures are drawn.

Screenshots are kept where WYNOT_ARTIFACTS says, or in the folder for temporary files.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.report.page.runs import KINDS
from tests.support.stage import Stage, open_stage
from wynot.commands.recordings.replay_settings import find_browser
from wynot.engine.record.read import read_run
from wynot.errors import UsageError
from wynot.report.page.report_markdown import report

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MOST = 3_000_000


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with open_stage(tmp_path_factory.mktemp("reports")) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    try:
        path = find_browser()
    except UsageError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where there is a browser

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def runs() -> dict[str, str]:
    """The runs that were made so far."""
    return {}


@dataclass
class Opened:
    """A report in the browser, and what was heard meanwhile."""

    page: Page
    path: Path
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


def made(stage: Stage, runs: dict[str, str], kind: str) -> str:
    if kind not in runs:
        runs[kind] = KINDS[kind](stage)
    return runs[kind]


def opened(browser: Browser, stage: Stage, runs: dict[str, str], kind: str, scheme: str = "light") -> Opened:
    path = stage.folder / f"{kind}.html"
    if not path.exists():
        run = read_run(stage.home / "runs" / f"{made(stage, runs, kind)}.db")
        path.write_text(report(run, "html"), encoding="utf-8")
    page = browser.new_page(color_scheme=scheme, viewport={"width": 1000, "height": 900})  # type: ignore[arg-type]
    here = Opened(page, path)
    page.on("console", lambda message: here.console.append(message.text))
    page.on("pageerror", lambda error: here.console.append(str(error)))
    page.on("request", lambda request: here.requests.append(request.url))
    page.goto(path.as_uri())
    return here


def keep(here: Opened, name: str) -> None:
    picture = here.path.with_name(f"{name}.png")
    here.page.screenshot(path=picture, full_page=True)
    assert picture.stat().st_size > 5000
    if os.environ.get("WYNOT_ARTIFACTS"):
        folder = Path(os.environ["WYNOT_ARTIFACTS"])
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, folder)
        shutil.copy(here.path, folder)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_opens_offline(browser: Browser, stage: Stage, runs: dict[str, str], kind: str) -> None:
    here = opened(browser, stage, runs, kind)
    keep(here, kind)
    assert here.console == []
    assert [url for url in here.requests if not url.startswith("data:")] == [here.path.as_uri()]
    assert here.path.stat().st_size < MOST
    box = here.page.locator("svg.chart .line").first.bounding_box()
    assert box is not None
    assert box["width"] > 100
    assert here.page.locator("svg.chart path.fail, svg.chart path.pass").count() > 0
    assert here.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "no wider than the window"
    here.page.close()


def test_what_an_input_says_is_not_done(browser: Browser, stage: Stage, runs: dict[str, str]) -> None:
    here = opened(browser, stage, runs, "hostile")
    page = here.page
    assert page.evaluate("typeof window.owned") == "undefined"
    assert page.title() != "owned"
    assert "window.owned = 1" in page.locator(".result pre").inner_text()
    assert page.locator("script").count() == 1
    assert page.locator("img").count() == 0
    page.close()


def test_the_policy_holds_even_where_nothing_is_escaped(browser: Browser, stage: Stage, runs: dict[str, str]) -> None:
    """Should a piece of an input ever stand in the page as it is: it is not run, and nothing is fetched."""
    here = opened(browser, stage, runs, "hostile")
    bad = here.path.with_name("unescaped.html")
    attack = (stage.work / "page.html").read_text()
    bad.write_text(here.path.read_text().replace("<main>", f"<main>{attack}", 1))
    sent: list[str] = []
    here.page.on("response", lambda response: sent.append(response.url))
    here.page.goto(bad.as_uri())
    assert here.page.evaluate("typeof window.owned") == "undefined"
    assert any("Content Security Policy" in line for line in here.console)
    assert [url for url in sent if url.startswith("http")] == []
    here.page.close()


def test_dark_and_narrow(browser: Browser, stage: Stage, runs: dict[str, str]) -> None:
    here = opened(browser, stage, runs, "program", "dark")
    dark = here.page.evaluate("getComputedStyle(document.body).backgroundColor")
    keep(here, "program-dark")
    here.page.emulate_media(color_scheme="light")
    assert here.page.evaluate("getComputedStyle(document.body).backgroundColor") != dark
    here.page.set_viewport_size({"width": 360, "height": 700})
    assert here.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    keep(here, "program-narrow")
    here.page.close()


def test_the_bug_report_is_copied(browser: Browser, stage: Stage, runs: dict[str, str]) -> None:
    here = opened(browser, stage, runs, "program")
    here.page.click("#copy")
    here.page.wait_for_function("document.getElementById('copy').textContent === 'Copied'")
    told = here.page.locator("#bug").inner_text()
    assert "crash(" in told
    assert "internal error" in told
    here.page.close()


@pytest.mark.parametrize(
    ("kind", "there"),
    [
        ("program", ("#original .cut", "#trees svg.tree .node.cut", "#bullets svg.bullets")),
        ("isolate", ("#sides .onlyfail", "svg.chart .line.failing", "svg.chart .line.passing")),
        ("changes", (".patch .add", "#groups li.bad", "#commits td")),
        ("trace", ("#trace td.here", "#trace tr.gone")),
        ("options", ("#causes h3",)),
        ("events", ("#actions li", "#original .kept")),
    ],
)
def test_what_is_special_is_shown(
    browser: Browser, stage: Stage, runs: dict[str, str], kind: str, there: tuple[str, ...]
) -> None:
    here = opened(browser, stage, runs, kind)
    for each in there:
        assert here.page.locator(each).count() > 0, each
    here.page.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_of_each_kind_is_proved_again(stage: Stage, runs: dict[str, str], kind: str) -> None:
    """By the real programs, with nothing taken from memory."""
    done = stage.wynot("verify", made(stage, runs, kind), "--json")
    assert done.code == 0, (done.err, done.out)
    assert (done.json["holds"], done.json["changed"], done.json["refuting"]) == (True, False, [])
    assert len(done.json["claims"]) == (2 if kind in {"isolate", "changes"} else 1)
    assert done.json["tests"] > len(done.json["claims"]) or kind == "isolate"
