"""What an adapter for a language has to offer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from wynot.core.config import Config
from wynot.domains.syntax.syntax_tree import SyntaxTree
from wynot.domains.syntax.text_edits import EditedRange

if TYPE_CHECKING:
    from wynot.domains.syntax.edits.edit_candidates import EditCandidates


class Language(Protocol):
    """Reads files of one language."""

    name: str

    def parse(self, data: bytes, deepest: int | None = None) -> SyntaxTree:
        """The tree of a file; there is one for every file. Nodes below the `deepest` level may be left out."""
        ...

    def checker(self, data: bytes) -> ValidityChecker:
        """Says which texts are as valid as this one."""
        ...

    def places(self, data: bytes, free: Config | None = None, deepest: int | None = None) -> EditCandidates:
        """The tree of a file, and what may become of its nodes; those that are not in `free` have to stay."""
        ...


class ValidityChecker(Protocol):
    """Says whether a text is as valid as the one it was made for: no new syntax errors."""

    def __call__(self, candidate: bytes, places: Sequence[EditedRange] = ()) -> bool:
        """Whether it is. Pure: the answer depends on the two texts only.

        `places`: where they differ, in order, if that is known. It may save time.
        """
        ...

    def kinds(self, candidate: bytes, start: int, end: int) -> frozenset[str]:
        """The kinds of the nodes that fill just this stretch of a text; none where the text is less valid."""
        ...

    @property
    def broken(self) -> float:
        """How much of the text it was made for is no text of this language: 0.0 to 1.0."""
        ...

    @property
    def clean(self) -> bool:
        """Whether that text has no errors at all."""
        ...
