"""The bodies of ANTLR's rules for tokens, as parts."""

from __future__ import annotations

from dataclasses import replace

from wynot.domains.grammar.charsets import antlr_set
from wynot.domains.grammar.draft import Draft
from wynot.domains.grammar.parts import (
    ANY,
    EMPTY,
    Chars,
    Name,
    Others,
    Part,
    Ranges,
    Raw,
    Repeat,
    Text,
    Way,
    both_cases,
    choice,
    row,
)
from wynot.domains.grammar.scanning import unescaped
from wynot.domains.grammar.words import Word, Words

END = "EOF"


class TokenBodies(Words):
    """Reads what a token is, and what is to be done with it; and what its rules share with the parser's."""

    def __init__(self, draft: Draft, words: list[Word]) -> None:
        super().__init__(draft, words)
        self.any_case = False

    def options(self) -> None:
        """Pass over <assoc=right>."""
        while self.here.text == "<":
            while not self.take(">"):
                self.step()
                if self.here.kind == "end":
                    self.expect(">")

    def code(self) -> None:
        """Pass over an action or a predicate."""
        line = self.step().line
        what = "a predicate" if self.take("?") else "an action"
        self.options()
        self.draft.warn(line, f"rule {self.rule}: {what} is ignored")

    def repeated(self, part: Part) -> Part:
        """The part with what says how often it comes."""
        counts: dict[str, tuple[int, int | None]] = {"?": (0, 1), "*": (0, None), "+": (1, None)}
        if self.here.text not in counts:
            return part
        least, most = counts[self.step().text]
        return Repeat(part, least, most, lazy=self.take("?"))

    def lexer_body(self, like: Way) -> list[Way]:
        """The alternatives of a token's rule, each with what it does."""
        found = [self._way(like)]
        while self.take("|"):
            found.append(self._way(like))
        if all(replace(way, body=EMPTY) == replace(found[0], body=EMPTY) for way in found):
            return [replace(found[0], body=choice(way.body for way in found))]
        return found

    def _way(self, like: Way) -> Way:
        way = replace(like, body=self._lexer_row())
        if self.take("->"):
            way = self._command(way)
            while self.take(","):
                way = self._command(way)
        return way

    def _command(self, way: Way) -> Way:
        line, name = self.here.line, self.name()
        argument = ""
        if self.take("("):
            argument = self.step().text
            self.expect(")")
        argument = "" if argument == "DEFAULT_MODE" else argument
        if name == "channel" and argument in {"DEFAULT_TOKEN_CHANNEL", "0"}:
            return way
        moves = {"pushMode": ("push", argument), "popMode": ("pop", ""), "mode": ("mode", argument)}
        if name in moves:
            return replace(way, moves=(*way.moves, moves[name]))
        if name in {"skip", "channel"}:
            return replace(way, skip=True)
        if name == "more":
            return replace(way, more=True)
        if name == "type":
            return replace(way, name=argument)
        raise self.draft.fault(line, f"rule {self.rule}: the command {name!r} is not known")

    def _lexer_row(self) -> Part:
        items: list[Part] = []
        while self.here.text not in {"|", ";", ")", "->"} and self.here.kind != "end":
            if self.here.kind == "code":
                self.code()
                continue
            if self.here.kind == "name" and self.ahead.text in {"=", "+="}:
                self.step()
                self.step()
            found = self._lexer_atom()
            self.options()
            items.append(self.repeated(found))
        return row(items)

    def _lexer_group(self) -> Part:
        found = [self._lexer_row()]
        while self.take("|"):
            found.append(self._lexer_row())
        self.expect(")")
        return choice(found)

    def _lexer_atom(self) -> Part:
        word = self.step()
        if word.text == "(" and word.kind == "sign":
            return self._lexer_group()
        if word.text == "~":
            return Others(self._lexer_atom(), self.any_case)
        if word.text == ".":
            return ANY
        if word.kind == "set":
            return self._cased(antlr_set(word.text, lambda text: self.draft.fault(word.line, f"{self.rule}: {text}")))
        if word.kind == "literal":
            return self._lexer_literal(word)
        if word.kind != "name":
            raise self.draft.fault(word.line, f"rule {self.rule}: {word.text!r} cannot stand here")
        return Raw(r"\Z") if word.text == END else Name(word.text, word.line)

    def _lexer_literal(self, word: Word) -> Part:
        text = unescaped(word.text[1:-1])
        if not self.take(".."):
            return Text(text, self.any_case, word.line)
        last = self.step()
        high = unescaped(last.text[1:-1])
        if last.kind != "literal" or len(text) != 1 or len(high) != 1 or high < text:
            raise self.draft.fault(word.line, f"rule {self.rule}: no range of characters: {word.text}..{last.text}")
        return self._cased(((ord(text), ord(high)),))

    def _cased(self, some: Ranges) -> Chars:
        return Chars(both_cases(some) if self.any_case else some)
