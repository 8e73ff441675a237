"""Replay a recording in a real browser, and watch its page for the failure."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from wynot.commands.recordings.replay_settings import LOST, SEEN, ReplayResult, ReplaySettings

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Error, Page
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from wynot.commands.recordings.replay_settings import find_browser
from wynot.domains.recordings.recorded_steps import Recording
from wynot.domains.recordings.recording_formats import statements, target_of

if TYPE_CHECKING:
    from playwright.sync_api import ElementHandle, Page


# What a page says and shows while it is acted on, and what of that is the failure.


class PageMonitor:
    """What a page says and shows while it is acted on."""

    def __init__(self, page: Page, there: tuple[str, str] | None) -> None:
        self.page, self.there = page, there
        self.errors: list[str] = []
        self.console: list[str] = []
        self.crashed = False
        self.names: dict[str, Any] = {}
        """What a script has given names to."""
        page.on("pageerror", self._error)
        page.on("console", self._console)
        page.on("crash", self._crash)

    def _error(self, error: Error) -> None:
        self.errors.append(self._theirs(f"Uncaught {error.stack or error.message}"))

    def _console(self, message: ConsoleMessage) -> None:
        self.console.append(self._theirs(f"{message.type}: {message.text}"))

    def _crash(self, _page: Page) -> None:
        self.crashed = True

    def gone(self) -> bool:
        """Whether the page has crashed: it is asked something, since that is told only after a while."""
        from playwright.sync_api import Error  # noqa: PLC0415

        try:
            self.page.evaluate("1")
        except Error as error:
            self.crashed = self.crashed or "crash" in str(error).lower()
        return self.crashed

    def ours(self, url: str) -> str:
        """An address of the recording, in the folder that is served."""
        return url.replace(self.there[0], self.there[1], 1) if self.there and url.startswith(self.there[0]) else url

    def _theirs(self, text: str) -> str:
        """What the page says, with the recording's addresses."""
        return text.replace(self.there[1], self.there[0]) if self.there else text

    def judged(self, how: ReplaySettings, lost: str) -> ReplayResult:
        """What was seen."""
        seen = ""
        if self.crashed:
            seen = "the page crashed"
        elif how.conditions:
            seen = "" if lost else self._condition(how)
        elif self.errors:
            seen = self.errors[0]
        return ReplayResult(SEEN if seen else LOST if lost else 0, seen or lost)

    def _condition(self, how: ReplaySettings) -> str:
        """What the user has said that counts, if it holds."""
        page = self.page
        told: tuple[tuple[str | None, str, Callable[[str], bool]], ...] = (
            (how.text, "the text is there", lambda text: text in page.inner_text("body")),
            (how.selector, "the element is there", lambda selector: page.locator(selector).first.is_visible()),
            (how.script, "the expression is true", lambda script: bool(page.evaluate(script))),
            (how.console, "the console says it", lambda pattern: _any(pattern, self.console)),
            (how.error, "the error is not caught", lambda pattern: _any(pattern, self.errors)),
            (how.check, "the check says so", lambda command: _checked(command, page.content())),
        )
        wished = [(wish, words, holds) for wish, words, holds in told if wish]
        holding = all(holds(wish) for wish, _, holds in wished)
        return "; ".join(f"{words}: {wish}" for wish, words, _ in wished) if holding else ""


def _any(pattern: str, lines: list[str]) -> bool:
    return any(re.search(pattern, line) for line in lines)


def _checked(command: str, html: str) -> bool:
    done = subprocess.run(shlex.split(command), input=html.encode(), capture_output=True, check=False)
    return done.returncode == 0


# The pages of a recording from a folder.


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class calls it so
        """Say nothing."""


class StaticSite:
    """A web server of a folder."""

    def __init__(self, folder: str) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=folder))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        """End it."""
        self._server.shutdown()
        self._server.server_close()


def origin(url: str) -> str:
    """Where a page comes from.

    >>> origin("http://localhost:8000/a/b?c")
    'http://localhost:8000'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


_PREFIXES = {"xpath/": "xpath=", "text/": "text=", "pierce/": "css=", "aria/": "text="}
_FLAGS = ("--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions", "--mute-audio")
_FIND = """words => {
  for (const word of words) {
    const found = word.startsWith("xpath=")
      ? document.evaluate(word.slice(6), document, null, XPathResult.FIRST_ORDERED_NODE_TYPE).singleNodeValue
      : document.querySelector(word);
    if (!found || !found.getClientRects().length || getComputedStyle(found).visibility === "hidden") continue;
    found.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const box = found.getBoundingClientRect();
    return { x: box.x, y: box.y, width: box.width, height: box.height };
  }
  return null;
}"""
"""Where the first of these elements that can be seen is: one question to the page in the place of five."""
LONG = 10.0
"""Seconds for what has to work, such as typing into an element that is there."""
SCRIPT = 3.0
"""Seconds for each statement of a script: it waits for its elements itself."""
SLOW = 30.0
"""Seconds for a page to load."""


class MissingElementError(Exception):
    """An action cannot be done: what it acts on is not there."""


class Browser:
    """A browser that replays."""

    def __init__(self, how: ReplaySettings) -> None:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where it is needed

        self.how = how
        self._serving = StaticSite(how.serve) if how.serve else None
        self._playwright = sync_playwright().start()
        self._path = find_browser(how.browser)
        self._browser = self._playwright.chromium.launch(executable_path=self._path, args=list(_FLAGS))

    def replay(self, recording: Recording, wanted: Callable[[], bool]) -> ReplayResult:
        """Replay a recording of a page and give what is seen."""
        from playwright.sync_api import Error  # noqa: PLC0415

        if not self._browser.is_connected():
            self._browser = self._playwright.chromium.launch(executable_path=self._path, args=list(_FLAGS))
        context = self._browser.new_context()
        watch = None
        try:
            page = context.new_page()
            page.set_default_timeout(LONG * 1000)
            page.set_default_navigation_timeout(SLOW * 1000)
            watch = PageMonitor(page, self._places(recording))
            lost = self._act(recording, page, watch, wanted)
            return watch.judged(self.how, lost)
        except Error as error:
            if self._browser.is_connected() and not (watch and watch.crashed):
                return ReplayResult(LOST, f"it cannot be replayed: {_line(error)}")
            return ReplayResult(SEEN, "the page crashed")
        finally:
            if self._browser.is_connected():
                context.close()

    def _places(self, recording: Recording) -> tuple[str, str] | None:
        """Where the recorded pages came from, and where they come from now."""
        urls = [str(step.raw["url"]) for step in recording.steps if isinstance(step.raw, dict) and step.raw.get("url")]
        return (origin(urls[0]), self._serving.address) if urls and self._serving is not None else None

    def _act(self, recording: Recording, page: Page, watch: PageMonitor, wanted: Callable[[], bool]) -> str:
        """Do what was recorded; gives what could not be done, if that matters. The first error ends it."""
        for number, (step, act) in enumerate(zip(recording.steps, _acts(recording), strict=True), 1):
            if not wanted():
                return "nobody wants to know"
            try:
                act(page, watch, self.how)
            except MissingElementError as lost:
                if watch.gone():
                    return ""
                if self.how.strict or step.pinned:
                    return f"action {number} cannot be done: {lost}"
            if self.how.pace:
                page.wait_for_timeout(self.how.pace * 1000)
            if watch.errors and not self.how.conditions:
                return ""
        page.wait_for_timeout(self.how.settle * 1000)
        watch.gone()
        return ""

    def close(self) -> None:
        """Close the browser."""
        self._browser.close()
        self._playwright.stop()
        if self._serving is not None:
            self._serving.close()


Act = Callable[["Page", PageMonitor, ReplaySettings], None]


def _acts(recording: Recording) -> list[Act]:
    if recording.format == "playwright":
        text = recording.write(recording.steps).decode()
        return [_statement(source) for source in statements(text)]
    return [_step(step.raw, step.kind) for step in recording.steps]


def _statement(source: str) -> Act:
    def act(page: Page, watch: PageMonitor, how: ReplaySettings) -> None:
        from playwright.sync_api import Error, expect  # noqa: PLC0415

        page.set_default_timeout(max(how.patience, SCRIPT) * 1000)
        try:
            exec(source, {"page": page, "expect": expect, "re": re, **watch.names}, watch.names)  # noqa: S102 - the user's own
        except (Error, NameError, AssertionError) as error:
            raise MissingElementError(_line(error)) from None

    return act


def _step(entry: dict[str, Any], kind: str) -> Act:
    def act(page: Page, watch: PageMonitor, how: ReplaySettings) -> None:
        from playwright.sync_api import Error  # noqa: PLC0415

        if kind not in _DOING:
            raise MissingElementError(f"no way to do {kind!r}")
        try:
            _DOING[kind](page, entry, watch, how)
        except Error as error:
            raise MissingElementError(_line(error)) from None

    return act


def _element(page: Page, entry: dict[str, Any], how: ReplaySettings) -> ElementHandle:
    """The element of a step that can be seen: by the first of its selectors that finds one."""
    from playwright.sync_api import TimeoutError as LateError  # noqa: PLC0415

    words = _words(entry)
    for word in words:
        found = page.query_selector(word)
        if found is not None and found.is_visible():
            return found
    try:
        late = page.wait_for_selector(words[0], state="visible", timeout=how.patience * 1000) if words else None
    except LateError:
        late = None
    if late is None:
        raise MissingElementError(f"no element {target_of(entry)}")
    return late


def _words(entry: dict[str, Any]) -> list[str]:
    """The selectors of a step, as Playwright writes them; those by text last, as texts change."""
    chains = [[entry["selector"]]] if "selector" in entry else entry.get("selectors") or []
    words = [" >> ".join(map(_selector, [c] if isinstance(c, str) else c)) for c in chains]
    return sorted(words, key=lambda word: word.startswith("text="))


def _selector(word: str) -> str:
    for prefix, engine in _PREFIXES.items():
        if word.startswith(prefix):
            return engine + re.sub(r"\[role=.*\]$", "", word.removeprefix(prefix))
    return word


def _point(page: Page, entry: dict[str, Any], how: ReplaySettings) -> tuple[float, float]:
    """Where a user would click: on whatever is there, which need not be the element."""
    plain = [word for word in _words(entry) if ">>" not in word and not word.startswith("text=")]
    box = page.evaluate(_FIND, plain) if plain else None
    if box is None:
        element = _element(page, entry, how)
        element.scroll_into_view_if_needed(timeout=LONG * 1000)
        box = element.bounding_box()
    if box is None:
        raise MissingElementError(f"{target_of(entry)} has no place on the page")
    x, y = entry.get("offsetX", box["width"] / 2), entry.get("offsetY", box["height"] / 2)
    inside = 0 <= x < box["width"] and 0 <= y < box["height"]
    return (box["x"] + x, box["y"] + y) if inside else (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def _change(page: Page, entry: dict[str, Any], _watch: PageMonitor, how: ReplaySettings) -> None:
    element, value = _element(page, entry, how), str(entry.get("value", ""))
    kind = element.evaluate("e => e.tagName === 'SELECT' ? 'select' : (e.type || '')")
    if kind == "select":
        element.select_option(value)
    elif kind in {"checkbox", "radio"}:
        element.set_checked(value.lower() in {"true", "on", "1"}, force=True)
    else:
        element.fill(value)


def _scroll(page: Page, entry: dict[str, Any], _watch: PageMonitor, _how: ReplaySettings) -> None:
    page.evaluate("([x, y]) => window.scrollTo(x, y)", [entry.get("x", 0), entry.get("y", 0)])


_DOING: dict[str, Callable[[Page, dict[str, Any], PageMonitor, ReplaySettings], Any]] = {
    "navigate": lambda p, e, w, _h: p.goto(w.ours(str(e["url"]))),
    "setViewport": lambda p, e, _w, _h: p.set_viewport_size({"width": e["width"], "height": e["height"]}),
    "click": lambda p, e, _w, h: p.mouse.click(*_point(p, e, h)),
    "doubleClick": lambda p, e, _w, h: p.mouse.dblclick(*_point(p, e, h)),
    "hover": lambda p, e, _w, h: p.mouse.move(*_point(p, e, h)),
    "change": _change,
    "keyDown": lambda p, e, _w, _h: p.keyboard.down(e["key"]),
    "keyUp": lambda p, e, _w, _h: p.keyboard.up(e["key"]),
    "press": lambda p, e, _w, _h: p.keyboard.press(e["key"]),
    "scroll": _scroll,
    "waitForElement": lambda p, e, _w, h: _element(p, e, h),
    "waitForExpression": lambda p, e, _w, h: p.wait_for_function(e["expression"], timeout=h.patience * 1000),
    "emulateNetworkConditions": lambda _p, _e, _w, _h: None,
    "close": lambda _p, _e, _w, _h: None,
}


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:160]
