"""Lex's regular expressions, as parts."""

from __future__ import annotations

import re
from collections.abc import Mapping

from wynot.domains.grammar.grammar_model import GrammarDraft
from wynot.domains.grammar.readers.scanner import unescaped, unescaped_at
from wynot.domains.grammar.rule_parts import (
    Chars,
    Part,
    PartSequence,
    Ranges,
    Raw,
    Repeat,
    Text,
    both_cases,
    choice,
    others,
    ranges,
    row,
    without,
)
from wynot.domains.grammar.token_expressions import regex

_ASCII: dict[str, Ranges] = {
    "alpha": ((65, 90), (97, 122)),
    "digit": ((48, 57),),
    "alnum": ((48, 57), (65, 90), (97, 122)),
    "upper": ((65, 90),),
    "lower": ((97, 122),),
    "space": ((9, 13), (32, 32)),
    "blank": ((9, 9), (32, 32)),
    "punct": ((33, 47), (58, 64), (91, 96), (123, 126)),
    "xdigit": ((48, 57), (65, 70), (97, 102)),
    "cntrl": ((0, 31), (127, 127)),
    "print": ((32, 126),),
    "graph": ((33, 126),),
}
_COUNT = re.compile(r"\{(\d+)(,(\d*))?\}")
_BEYOND = 0x80
"""A byte above stands for any character above: Lex reads bytes, and what is read here are characters."""


class LexPattern:
    """Reads one expression; `definitions` are the names that may stand in it in braces."""

    def __init__(
        self,
        draft: GrammarDraft,
        line: int,
        text: str,
        definitions: Mapping[str, str],
        *,
        any_case: bool = False,
        deep: int = 0,
    ) -> None:
        self.draft, self.line, self.text, self.definitions = draft, line, text, definitions
        self.at, self.any_case, self.deep = 0, any_case, deep

    def whole(self) -> Part:
        """The expression as a whole; refuses a rest."""
        found = self.read()
        if self.at < len(self.text):
            raise self._fault()
        return found

    def _fault(self) -> Exception:
        return self.draft.fault(
            self.line, f"this is no regular expression of Lex: {self.text!r} (at {self.text[self.at :]!r})"
        )

    def read(self) -> Part:
        """The expression up to white space."""
        first: list[Part] = []
        if self._take("^"):
            first.append(Raw("(?m:^)"))
        first.append(self._choice())
        if self._take("/"):
            first.append(Raw(f"(?={regex(self._choice())})"))
        if self._take("$"):
            first.append(Raw(r"(?=\n|\Z)"))
        return row(first)

    def _take(self, sign: str) -> bool:
        found = self.text.startswith(sign, self.at)
        self.at += len(sign) if found else 0
        return found

    @property
    def _here(self) -> str:
        return self.text[self.at : self.at + 1]

    def _choice(self) -> Part:
        found = [self._row()]
        while self._take("|"):
            found.append(self._row())
        return choice(found)

    def _row(self) -> Part:
        items: list[Part] = []
        while self._here and self._here not in "|)/" and not self._here.isspace():
            if self._here == "$" and (not self.text[self.at + 1 :] or self.text[self.at + 1].isspace()):
                break
            items.append(self._repeated(self._atom()))
        return row(items)

    def _repeated(self, part: Part) -> Part:
        counts: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
        while self._here:
            found = _COUNT.match(self.text, self.at)
            if self._here in counts:
                least, most = counts[self._here]
                self.at += 1
            elif found:
                least = int(found[1])
                most = least if not found[2] else int(found[3]) if found[3] else None
                self.at = found.end()
            else:
                break
            part = Repeat(part, least, most)
        return part

    def _atom(self) -> Part:
        sign = self._here
        if sign == '"':
            return self._quoted()
        if sign == "[":
            return self._class()
        if sign == "(":
            return self._group()
        if sign == "{":
            return self._named()
        if sign == "\\":
            char, self.at = unescaped_at(self.text, self.at)
            return self._chars(char)
        if sign in "*+?":
            raise self._fault()
        self.at += 1
        return Chars(others(((10, 10),))) if sign == "." else self._chars(sign)

    def _chars(self, text: str) -> Part:
        return Text(text, self.any_case and text.lower() != text.upper())

    def _quoted(self) -> Part:
        found = re.compile(r'"((?:[^"\\]|\\[\s\S])*)"').match(self.text, self.at)
        if found is None:
            raise self._fault()
        self.at = found.end()
        return self._chars(unescaped(found[1]))

    def _group(self) -> Part:
        self.at += 1
        before = self.any_case
        if self._take("?"):
            found = re.compile(r"([isx]*)(?:-([isx]*))?:").match(self.text, self.at)
            if found is None or "x" in found[1]:
                raise self._fault()
            self.at = found.end()
            self.any_case = ("i" in found[1] or before) and "i" not in (found[2] or "")
        part = self._choice()
        if not self._take(")"):
            raise self._fault()
        self.any_case = before
        return part if not isinstance(part, PartSequence) or part.items else PartSequence()

    def _named(self) -> Part:
        found = re.compile(r"\{([A-Za-z_][\w-]*)\}").match(self.text, self.at)
        if found is None:
            raise self._fault()
        if found[1] not in self.definitions or self.deep > 50:
            raise self.draft.fault(self.line, f"{found[0]} is not defined")
        self.at = found.end()
        text = self.definitions[found[1]]
        inner = LexPattern(self.draft, self.line, text, self.definitions, any_case=self.any_case, deep=self.deep + 1)
        return inner.whole()

    def _class(self) -> Part:
        some = self._one_class()
        while self._take("{-}") or self._take("{+}"):
            sign = self.text[self.at - 2]
            other = self._one_class()
            some = without(some, other) if sign == "-" else ranges((*some, *other))
        return Chars(some)

    def _one_class(self) -> Ranges:
        self.at += 1
        negative = self._take("^")
        found: list[tuple[int, int]] = []
        while self._here != "]" or not self._here:
            if not self._here:
                raise self._fault()
            found += self._span()
        self.at += 1
        some = ranges(found)
        if any(high >= _BEYOND for _low, high in some):
            some = ranges((*some, (_BEYOND, 0x10FFFF)))
        some = both_cases(some) if self.any_case else some
        return others(some) if negative else some

    def _span(self) -> Ranges:
        named = re.compile(r"\[:(\^?)(\w+):\]").match(self.text, self.at)
        if named:
            if named[2] not in _ASCII:
                raise self._fault()
            self.at = named.end()
            return others(_ASCII[named[2]]) if named[1] else _ASCII[named[2]]
        low = self._char()
        high = low
        if self._here == "-" and self.text[self.at + 1 : self.at + 2] not in {"]", ""}:
            self.at += 1
            high = self._char()
        if high < low:
            raise self._fault()
        return ((ord(low), ord(high)),)

    def _char(self) -> str:
        if self._here == "\\":
            char, self.at = unescaped_at(self.text, self.at)
            return char
        self.at += 1
        return self.text[self.at - 1]
