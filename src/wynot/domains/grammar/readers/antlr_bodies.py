"""Read the bodies of ANTLR's rules, for the parser and for tokens."""

from __future__ import annotations

from dataclasses import replace

from wynot.domains.grammar.grammar_model import GrammarDraft
from wynot.domains.grammar.readers.character_sets import antlr_set
from wynot.domains.grammar.readers.scanner import GrammarWord, GrammarWords, unescaped
from wynot.domains.grammar.rule_parts import (
    ANY,
    EMPTY,
    Chars,
    Choice,
    LexerRule,
    Name,
    Others,
    Part,
    Ranges,
    Raw,
    Repeat,
    Text,
    both_cases,
    choice,
    row,
)

END = "EOF"


class TokenBodies(GrammarWords):
    """Reads what a token is, and what is to be done with it; and what its rules share with the parser's."""

    def __init__(self, draft: GrammarDraft, words: list[GrammarWord]) -> None:
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

    def lexer_body(self, like: LexerRule) -> list[LexerRule]:
        """The alternatives of a token's rule, each with what it does."""
        found = [self._way(like)]
        while self.take("|"):
            found.append(self._way(like))
        if all(replace(way, body=EMPTY) == replace(found[0], body=EMPTY) for way in found):
            return [replace(found[0], body=choice(way.body for way in found))]
        return found

    def _way(self, like: LexerRule) -> LexerRule:
        way = replace(like, body=self._lexer_row())
        if self.take("->"):
            way = self._command(way)
            while self.take(","):
                way = self._command(way)
        return way

    def _command(self, way: LexerRule) -> LexerRule:
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

    def _lexer_literal(self, word: GrammarWord) -> Part:
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


class RuleBodies(TokenBodies):
    """Reads the heads, bodies and tails of rules."""

    def __init__(self, draft: GrammarDraft, words: list[GrammarWord]) -> None:
        super().__init__(draft, words)
        self.asked_end = False

    def imports(self) -> list[tuple[str, int]]:
        """The grammars of an import."""
        found = []
        while True:
            line, name = self.here.line, self.name()
            if self.take("="):
                name = self.name()
            found.append((name, line))
            if not self.take(","):
                self.expect(";")
                return found

    def named_action(self) -> None:
        """Pass over @header {...} and the like."""
        self.expect("@")
        self.name()
        while self.take("::"):
            self.name()
        if not self.take_kind("code"):
            raise self.draft.fault(self.here.line, f"expected an action, found {self.here.text!r}")

    def rule_head(self) -> None:
        """Pass over a rule's arguments, results, options and actions."""
        while self.here.text != ":":
            if self.here.text == "@":
                self.named_action()
            elif self.take("throws"):
                self.name()
                while self.take(","):
                    self.name()
            elif not (self.take("returns", "locals", "options") or self.take_kind("set", "code")):
                self.expect(":")

    def rule_tail(self) -> None:
        """Pass over catch and finally."""
        while self.take("catch", "finally"):
            while self.take_kind("set", "code"):
                pass

    def parser_body(self) -> Part:
        """The alternatives of a rule of the parser."""
        found = [self._alternative()]
        while self.take("|"):
            found.append(self._alternative())
        return choice(found)

    def _alternative(self) -> Part:
        items: list[Part] = []
        self.options()
        while self.here.text not in {"|", ";", ")", "#"} and self.here.kind != "end":
            item = self._element()
            if item is not None:
                items.append(item)
        if self.take("#"):
            self.name()
        return row(items)

    def _element(self) -> Part | None:
        if self.here.kind == "code":
            self.code()
            return None
        if self.here.kind == "name" and self.ahead.text in {"=", "+="}:
            self.step()
            self.step()
        found = self._atom()
        self.options()
        return self.repeated(found) if found is not None else None

    def _atom(self) -> Part | None:
        word = self.step()
        if word.text == "(" and word.kind == "sign":
            return self._group()
        if word.text == "~":
            return self._not_token(word)
        if word.text == ".":
            return Name(".", word.line)
        if word.kind == "literal":
            return Text(unescaped(word.text[1:-1]), self.any_case, word.line)
        if word.kind != "name":
            raise self.draft.fault(word.line, f"rule {self.rule}: {word.text!r} cannot stand here")
        self.take_kind("set")
        if word.text == END:
            self.asked_end = True
            self.repeated(EMPTY)
            return None
        return Name(word.text, word.line)

    def _group(self) -> Part:
        if self.here.kind == "name" and self.here.text == "options" and self.ahead.kind == "code":
            self.step()
            self.step()
            self.take(":")
        found = self.parser_body()
        self.expect(")")
        return found

    def _not_token(self, word: GrammarWord) -> Part:
        """Any token but these; which ones there are is known at the end only."""
        inner = self._atom()
        names = inner.items if isinstance(inner, Choice) else (inner,)
        some = [one.name if isinstance(one, Name) else f"'{one.text}'" for one in names if isinstance(one, Name | Text)]
        return Name("~" + "\n".join(some), word.line)
