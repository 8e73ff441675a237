"""The words of a grammar's file, and the place where one reads."""

from __future__ import annotations

from dataclasses import dataclass

from wynot.domains.grammar.draft import Draft


@dataclass(frozen=True, slots=True)
class Word:
    """A word, what it is, and its line."""

    kind: str
    text: str
    line: int


class Words:
    """The words of a file, one after the other."""

    def __init__(self, draft: Draft, words: list[Word]) -> None:
        self.draft, self.words, self.place = draft, words, 0
        self.rule = ""

    @property
    def here(self) -> Word:
        """The word that is next."""
        return self.words[self.place]

    @property
    def ahead(self) -> Word:
        """The one behind it."""
        return self.words[min(self.place + 1, len(self.words) - 1)]

    @property
    def before(self) -> Word:
        """The one that was last."""
        return self.words[self.place - 1]

    def step(self) -> Word:
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
