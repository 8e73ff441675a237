"""A run without what is private: home, project and temporary folders, user, host, values of environment variables.

What is private is replaced in the record, the contents and the names of the steps, before anything is laid out: a page
may break a text into pieces, and escape it.
"""

from __future__ import annotations

import getpass
import os
import pwd
import re
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Any

from wynot.core.artifact import Laid
from wynot.core.folder import Folder
from wynot.engine.record.read import Run, TrialStep

LEAST = 6
"""Shorter values of variables are words of any text (`true`, `1`, `C`): they stay..."""
_SECRET = re.compile(
    r"token|secret|passw|passphrase|key|credential|auth|(?<![^_])(?:pass|pwd|pin)(?![^_])", re.IGNORECASE
)
"""...unless the name tells that the value is a secret, or the value is one that the call itself sets."""
LEAST_SECRET = 3
_NOT_COMPARED = re.compile(r"\(not compared: ([^()]*)\)")
"""A note that lists single words of a message: they may be parts of a value."""
_WORD = re.compile(r"\w+")
_CUT = "….) "
"""What may follow a text that was cut off."""
_OWN = frozenset({"_", "SHLVL", "WYNOT_TEST"})


class Redaction:
    """What is replaced, and by what."""

    def __init__(self, paths: Mapping[str, str], names: Mapping[str, str], values: Mapping[str, str]) -> None:
        """`paths` and `values` are replaced wherever they stand, `names` where they are whole words."""
        self._instead: dict[str, str] = {}
        patterns: dict[str, str] = {}
        self._values = [(text, instead) for text, instead in values.items() if len(text) > LEAST]
        self._parts = {part: instead for text, instead in values.items() for part in _WORD.findall(text)}
        for text, instead in values.items():
            for form in {text, repr(text)[1:-1], quote(text).strip("'"), *_lines(text)}:
                self._instead.setdefault(form, instead)
                patterns[form] = re.escape(form) if len(form) >= LEAST else _word(form)
        for text, instead in paths.items():
            self._instead[text] = instead
            patterns[text] = re.escape(text) + r"(?![\w-])"
        for text, instead in names.items():
            self._instead.setdefault(text, instead)
            patterns.setdefault(text, _word(text))
        longest = sorted(patterns, key=len, reverse=True)
        self._pattern = re.compile("|".join(f"(?:{patterns[each]})" for each in longest) or r"(?!)")

    @classmethod
    def of(cls, run: Run) -> Redaction:
        """What is private in a run, as far as this process knows."""
        user, home = _account()
        homes = {os.path.expanduser("~"), home, os.environ.get("HOME", "")}  # noqa: PTH111 - Path raises without one
        projects = {str(each) for each in _projects(str(run.facts.get("cwd", "")))}
        paths = {
            **dict.fromkeys(_real(homes), "<home>"),
            **dict.fromkeys(_real({os.environ.get("WYNOT_HOME", ""), str(run.path.parent.parent)}), "<journals>"),
            **dict.fromkeys(_real(projects), "<project>"),
        }
        host = socket.gethostname()
        names = {
            **dict.fromkeys({_user(), user, *(Path(each).name for each in homes)} - {""}, "<user>"),
            **dict.fromkeys({host, host.partition(".")[0], os.uname().nodename} - {"", "localhost"}, "<host>"),
        }
        return cls(paths, names, {**_environment(), **_given(run)})

    def text(self, text: str) -> str:
        """A text without what is private, and without parts of values in notes and where the text was cut off."""
        text = self._pattern.sub(lambda found: self._instead[found[0]], text)
        text = _NOT_COMPARED.sub(lambda found: f"(not compared: {self._words(found[1])})", text)
        end = text.rstrip(_CUT)
        for value, instead in self._values:
            for length in range(len(value) - 1, LEAST - 1, -1):
                if end.endswith(value[:length]):
                    return end[:-length] + instead + text[len(end) :]
        return text

    def _words(self, listed: str) -> str:
        """A list of words without those that are parts of values."""
        return ", ".join(dict.fromkeys(self._parts.get(word.strip("'\"`"), word) for word in listed.split(", ")))

    def value(self, value: Any) -> Any:
        """A value of JSON without it."""
        match value:
            case str():
                return self.text(value)
            case dict():
                return {self.text(name) if isinstance(name, str) else name: self.value(v) for name, v in value.items()}
            case list() | tuple():
                return type(value)(map(self.value, value))
        return value

    def content(self, content: Laid | None) -> Laid | None:
        """A file or a folder without it, in the names, too."""
        if content is None:
            return None
        if isinstance(content, bytes):
            return self._bytes(content)
        entries = content.entries.items()
        return Folder.of({self.text(path): entry._replace(data=self._bytes(entry.data)) for path, entry in entries})

    def _bytes(self, data: bytes) -> bytes:
        return self.text(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")

    def run(self, run: Run) -> RedactedRun:
        """The run without it."""
        return RedactedRun(
            run.id, run.path, run.size, run.changed, run.tests, self.value(run.facts), self.value(run.summary),
            hidden=self, whole=run,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class RedactedRun(Run):
    """A run whose facts, contents and steps hold nothing private."""

    hidden: Redaction = field(kw_only=True)
    whole: Run = field(kw_only=True)

    def content(self, name: str) -> Laid | None:
        """A content that is kept."""
        return self.hidden.content(self.whole.content(name))

    def steps(self) -> list[TrialStep]:
        """Every answer, in order."""
        steps = self.whole.steps()
        names = {stage: self.hidden.text(stage) for stage in {step.stage for step in steps}}
        return [step._replace(stage=names[step.stage]) for step in steps]


def redacted_parts(run: Run, parts: list[Run]) -> list[Run]:
    """The runs that the same command made, without what is private in a run that is redacted."""
    return [run.hidden.run(each) for each in parts] if isinstance(run, RedactedRun) else parts


def _word(text: str) -> str:
    return rf"(?<![^\W_]){re.escape(text)}(?![^\W_])"


def _lines(text: str) -> Iterator[str]:
    """The lines of a value that has several: a page may show them apart."""
    if "\n" in text:
        yield from (line for line in text.splitlines() if len(line) >= LEAST)


def _account() -> tuple[str, str]:
    """The name and the home folder of this user; nothing for a number that has no account, as in a container."""
    try:
        account = pwd.getpwuid(os.getuid())
    except KeyError:
        return "", ""
    return account.pw_name, account.pw_dir


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""


def _real(paths: set[str]) -> set[str]:
    """Paths as they are named and as they really are; nothing that is a part of every path."""
    return {each for path in paths if path for each in (path, os.path.realpath(path)) if len(each) > 1}


def _projects(cwd: str) -> Iterator[Path]:
    """The folder of a run, and the one above it that holds its repository."""
    if not cwd:
        return
    yield Path(cwd)
    yield from (each for each in Path(cwd).parents if (each / ".git").exists())


def _environment() -> dict[str, str]:
    """Values of the environment, with the names of their variables."""
    return {
        value: f"<{name}>"
        for name, value in os.environ.items()
        if name not in _OWN and len(value) >= (LEAST_SECRET if _SECRET.search(name) else LEAST)
    }


def _given(run: Run) -> dict[str, str]:
    """Values of variables that the calls of the run set."""
    causes = (run.summary or {}).get("causes")
    sets = [each.get("set") for each in causes if isinstance(each, dict)] if isinstance(causes, list) else []
    return {str(value): f"<{name}>" for each in sets if isinstance(each, dict) for name, value in each.items() if value}
