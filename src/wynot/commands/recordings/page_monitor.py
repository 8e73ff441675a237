"""What a page says and shows while it is acted on, and what of that is the failure."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from wynot.commands.recordings.replay_settings import LOST, SEEN, ReplayResult, ReplaySettings

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Error, Page


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
