"""Read Lex's regular expressions; lex_patterns.lark describes the notation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken

from wynot.domains.grammar.grammar_model import GrammarDraft, GrammarError
from wynot.domains.grammar.readers.character_sets import POSIX, CharacterSetError, characters, unescaped
from wynot.domains.grammar.readers.code_lexer import Node, tokens_of
from wynot.domains.grammar.rule_parts import (
    Chars,
    Part,
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
_BEYOND = 0x80
"""A byte above stands for any character above: Lex reads bytes, and what is read here are characters."""
_DEEPEST = 50
"""Names in names; more of them never end."""
_COUNTS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_FIXED: dict[str, Part] = {
    "BEGIN": Raw("(?m:^)"),
    "END": Raw(r"(?=\n|\Z)"),
    "NO_LINE_END": Chars(others(((10, 10),))),
}


@cache
def _notation() -> Lark:
    return Lark.open("lex_patterns.lark", rel_to=__file__, parser="lalr", lexer="basic")


@dataclass(frozen=True, slots=True)
class LexPattern:
    """One expression; `definitions` are the names that may stand in it in braces."""

    draft: GrammarDraft
    line: int
    text: str
    definitions: Mapping[str, str]
    any_case: bool = False
    deep: int = 0

    def whole(self) -> Part:
        """The expression as a part of a token; refuses what is none."""
        try:
            tree = _notation().parse(self.text)
        except UnexpectedInput as error:
            at = error.pos_in_stream or 0
            ends = isinstance(error, UnexpectedToken) and error.token.type == "$END"
            raise self._fault(len(self.text) if ends or self.text[at : at + 1] == "[" else at) from None
        return row(self._parts(tree.children))

    def _fault(self, at: int) -> GrammarError:
        what = f"this is no regular expression of Lex: {self.text!r} (at {self.text[at:]!r})"
        return self.draft.fault(self.line, what)

    def _parts(self, nodes: Iterable[Node]) -> list[Part]:
        return [self.part(node) for node in nodes]

    def part(self, node: Node) -> Part:
        """What a part of the expression is."""
        match node:
            case Tree("choice", rows):
                return choice(self._parts(rows))
            case Tree("row", items):
                return row(self._parts(items))
            case Tree("repeated", [item, count]):
                return Repeat(self.part(item), *_counted(str(count)))
            case Tree("group", [sign, inner]):
                on, _, off = str(sign)[2:-1].partition("-")
                return replace(self, any_case=("i" in on or self.any_case) and "i" not in off).part(inner)
            case Tree("trailing", [inner]):
                return Raw(f"(?={regex(self.part(inner))})")
        return self._one(node) if isinstance(node, Token) else Chars(self._sets(tokens_of(node)))

    def _one(self, token: Token) -> Part:
        if token.type in _FIXED:
            return _FIXED[token.type]
        if token.type == "NAMED":
            return self._named(token)
        text = unescaped(token[1:-1] if token.type == "QUOTED" else token)
        return Text(text, self.any_case and text.lower() != text.upper())

    def _named(self, name: str) -> Part:
        if name[1:-1] not in self.definitions or self.deep > _DEEPEST:
            raise self.draft.fault(self.line, f"{name} is not defined")
        return replace(self, text=self.definitions[name[1:-1]], deep=self.deep + 1).whole()

    def _sets(self, tokens: Sequence[Token]) -> Ranges:
        """A set, perhaps without the characters of others ({-}) or with them ({+})."""
        some = self._set(tokens[0])
        for sign, token in zip(tokens[1::2], tokens[2::2], strict=True):
            other = self._set(token)
            some = without(some, other) if sign == "{-}" else ranges((*some, *other))
        return some

    def _set(self, token: Token) -> Ranges:
        begin = 2 if token.startswith("[^") else 1
        try:
            some = characters(token[begin:-1], POSIX, _ASCII.get)
        except CharacterSetError as error:
            raise self._fault((token.start_pos or 0) + begin + error.at) from None
        if any(high >= _BEYOND for _low, high in some):
            some = ranges((*some, (_BEYOND, 0x10FFFF)))
        some = both_cases(some) if self.any_case else some
        return others(some) if begin == 2 else some


def _counted(count: str) -> tuple[int, int | None]:
    if count in _COUNTS:
        return _COUNTS[count]
    least, comma, most = count[1:-1].partition(",")
    return int(least), int(most) if most else None if comma else int(least)
