"""What the readers of grammars share: words with their places, comments, code and strings."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from wynot.domains.grammar.grammar_model import GrammarDraft

_CODE = re.compile(
    r"""(?P<quiet>/\*[\s\S]*?(?:\*/|\Z) | //[^\n]* | "(?:[^"\\\n]|\\[\s\S])*" | '(?:[^'\\\n]|\\[\s\S])[^'\n]{0,8}?')
      | (?P<open>\{) | (?P<close>\})""",
    re.VERBOSE,
)


def braces_end(text: str, at: int) -> int | None:
    """Where the code in braces that begins here ends; None where it does not.

    >>> braces_end("a {x = '}'; /* } */ {}} b", 2)
    23
    """
    depth = 0
    for found in _CODE.finditer(text, at):
        if found["open"]:
            depth += 1
        elif found["close"]:
            depth -= 1
            if depth == 0:
                return found.end()
    return None


class LineNumbers:
    """The numbers of lines by position."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def at(self, position: int) -> int:
        """The line, counted from one."""
        return bisect_right(self.starts, position)


def unified(text: str) -> str:
    """The text with one kind of line end, without the mark of byte order."""
    return text.removeprefix("\ufeff").removeprefix("ï»¿").replace("\r\n", "\n").replace("\r", "\n")


_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "b": "\b", "v": "\v", "a": "\a", "0": "\0", "e": "\x1b"}
_ESCAPE = re.compile(
    r"\\(?:u\{(?P<brace>[0-9A-Fa-f]+)\}|u(?P<four>[0-9A-Fa-f]{4})|x(?P<hex>[0-9A-Fa-f]{1,2})"
    r"|(?P<octal>[0-7]{1,3})|(?P<one>[\s\S]))"
)


def unescaped_at(text: str, at: int) -> tuple[str, int]:
    r"""The character that a backslash here stands for, and where it ends.

    >>> unescaped_at(r"\n", 0), unescaped_at(r"a\u{1F600}", 1), unescaped_at(r"\101]", 0), unescaped_at(r"\]", 0)
    (('\n', 2), ('😀', 10), ('A', 4), (']', 2))
    """
    found = _ESCAPE.match(text, at)
    if found is None:
        return "\\", at + 1
    code = found["brace"] or found["four"] or found["hex"]
    if code:
        return chr(min(int(code, 16), 0x10FFFF)), found.end()
    if found["octal"]:
        return chr(int(found["octal"], 8)), found.end()
    return _ESCAPES.get(found["one"], found["one"]), found.end()


def unescaped(text: str) -> str:
    """The text with every backslash resolved."""
    found, at = [], 0
    while at < len(text):
        if text[at] == "\\":
            char, at = unescaped_at(text, at)
        else:
            char, at = text[at], at + 1
        found.append(char)
    return "".join(found)


@dataclass(frozen=True, slots=True)
class GrammarWord:
    """A word, what it is, and its line."""

    kind: str
    text: str
    line: int


class GrammarWords:
    """The words of a file, one after the other."""

    def __init__(self, draft: GrammarDraft, words: list[GrammarWord]) -> None:
        self.draft, self.words, self.place = draft, words, 0
        self.rule = ""

    @property
    def here(self) -> GrammarWord:
        """The word that is next."""
        return self.words[self.place]

    @property
    def ahead(self) -> GrammarWord:
        """The one behind it."""
        return self.words[min(self.place + 1, len(self.words) - 1)]

    @property
    def before(self) -> GrammarWord:
        """The one that was last."""
        return self.words[self.place - 1]

    def step(self) -> GrammarWord:
        """Take the next word."""
        self.place += self.place < len(self.words) - 1
        return self.before

    def take(self, *texts: str) -> bool:
        """Whether the next word is one of these; then it is taken."""
        found = self.here.text in texts and self.here.kind in {"sign", "name"}
        if found:
            self.step()
        return found

    def expect(self, text: str) -> None:
        """Take this word, or refuse."""
        if not self.take(text):
            where = f"rule {self.rule}: " if self.rule else ""
            raise self.draft.fault(self.here.line, f"{where}expected {text!r}, found {self.here.text!r}")

    def name(self) -> str:
        """Take a name, or refuse."""
        if self.here.kind != "name":
            raise self.draft.fault(self.here.line, f"expected a name, found {self.here.text!r}")
        return self.step().text

    def take_kind(self, *kinds: str) -> bool:
        """Whether the next word is of such a kind; then it is taken."""
        found = self.here.kind in kinds
        if found:
            self.step()
        return found
