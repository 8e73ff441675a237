"""A language whose grammar cannot bear every text: those that it cannot are read as outlines."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wynot.domains.tree.changes import Place
from wynot.domains.tree.outline import Outline
from wynot.domains.tree.places import Trying
from wynot.domains.tree.tree import Tree
from wynot.domains.tree.words import Checker, Language

Bearable = Callable[[bytes], bool]


class Guarded(Trying):
    """Reads files with a grammar where that is safe."""

    def __init__(self, language: Language, bearable: Bearable) -> None:
        self.name, self._language, self._bearable = language.name, language, bearable

    def parse(self, data: bytes, deepest: int | None = None) -> Tree:
        """The tree of a file."""
        return self._for(data).parse(data, deepest)

    def checker(self, data: bytes) -> Checker:
        """Says which texts are as valid as this one; one that cannot be read is not."""
        language = self._for(data)
        checker = language.checker(data)
        return GuardedChecker(checker, self._bearable) if language is self._language else checker

    def _for(self, data: bytes) -> Language:
        return self._language if self._bearable(data) else Outline()


class GuardedChecker:
    """Asks another one, where that is safe."""

    def __init__(self, checker: Checker, bearable: Bearable) -> None:
        self._checker, self._bearable = checker, bearable

    def __call__(self, candidate: bytes, places: Sequence[Place] = ()) -> bool:
        """Whether a text can be read and is valid."""
        return self._bearable(candidate) and self._checker(candidate, places)

    def kinds(self, candidate: bytes, start: int, end: int) -> frozenset[str]:
        """The kinds of the nodes from `start` to `end`."""
        return self._checker.kinds(candidate, start, end) if self._bearable(candidate) else frozenset()

    @property
    def broken(self) -> float:
        """The share of the text that is in errors."""
        return self._checker.broken

    @property
    def clean(self) -> bool:
        """Whether there are no errors."""
        return self._checker.clean
