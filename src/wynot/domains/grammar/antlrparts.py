"""The heads, bodies and tails of ANTLR's rules, as parts."""

from __future__ import annotations

from wynot.domains.grammar.antlrtokens import END, TokenBodies
from wynot.domains.grammar.draft import Draft
from wynot.domains.grammar.parts import EMPTY, Choice, Name, Part, Text, choice, row
from wynot.domains.grammar.scanning import unescaped
from wynot.domains.grammar.words import Word


class Bodies(TokenBodies):
    """Reads the heads, bodies and tails of rules."""

    def __init__(self, draft: Draft, words: list[Word]) -> None:
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

    def _not_token(self, word: Word) -> Part:
        """Any token but these; which ones there are is known at the end only."""
        inner = self._atom()
        names = inner.items if isinstance(inner, Choice) else (inner,)
        some = [one.name if isinstance(one, Name) else f"'{one.text}'" for one in names if isinstance(one, Name | Text)]
        return Name("~" + "\n".join(some), word.line)
