"""Languages whose parser cannot bear deep nesting: texts that are nested too deeply are read as outlines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import accumulate

from wynot.domains.syntax.adapters.outline import Outline
from wynot.domains.syntax.edits.edit_candidates import ProbedLanguage
from wynot.domains.syntax.language_protocol import Language, ValidityChecker
from wynot.domains.syntax.syntax_tree import SyntaxTree
from wynot.domains.syntax.text_edits import EditedRange

Bearable = Callable[[bytes], bool]


class GuardedLanguage(ProbedLanguage):
    """Reads files with a grammar where that is safe."""

    def __init__(self, language: Language, bearable: Bearable) -> None:
        self.name, self._language, self._bearable = language.name, language, bearable

    def parse(self, data: bytes, deepest: int | None = None) -> SyntaxTree:
        """The tree of a file."""
        return self._for(data).parse(data, deepest)

    def checker(self, data: bytes) -> ValidityChecker:
        """Says which texts are as valid as this one; one that cannot be read is not."""
        language = self._for(data)
        checker = language.checker(data)
        return GuardedChecker(checker, self._bearable) if language is self._language else checker

    def _for(self, data: bytes) -> Language:
        return self._language if self._bearable(data) else Outline()


class GuardedChecker:
    """Asks another one, where that is safe."""

    def __init__(self, checker: ValidityChecker, bearable: Bearable) -> None:
        self._checker, self._bearable = checker, bearable

    def __call__(self, candidate: bytes, places: Sequence[EditedRange] = ()) -> bool:
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


BLOCKS = 250
TAGS = 500

_LINE = re.compile(rb"([ \t]*)([^\r\n]+)")
_SIGN = re.compile(rb"(?<!\S)[-?:](?!\S)")
_FEW = 40
_FOUR_SIGNS = re.compile(rb"(?:[-?:][ \t](?<!\S..)[^\r\n]*?){4}")

_OPTIONAL = rb"(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|t[dhr]|option|tbody)\b"
_TAG = re.compile(rb"(?i)<[a-z_:][^<>]*/>|<(?!%s)[a-z_:]|</(?!%s)" % (_OPTIONAL, _OPTIONAL))


def few_blocks(data: bytes) -> bool:
    r"""Whether few blocks of YAML are open at once. Errs on the safe side.

    >>> few_blocks(b"a:\n  - - b\n  - c\n"), few_blocks(b"- " * 250)
    (True, False)
    """
    if not (b" " * _FEW in data or b"\t" in data or _FOUR_SIGNS.search(data)):
        return True  # at most 40 lines own each other, each opens two blocks and one more for each of up to four signs
    open_ = [(-1, 0)]  # indentations, and how many blocks are open at most
    for line in _LINE.finditer(data):
        indent = len(line[1])
        while open_[-1][0] >= indent:
            open_.pop()
        open_.append((indent, open_[-1][1] + 2 + len(_SIGN.findall(line[2]))))
        if open_[-1][1] > BLOCKS:
            return False
    return True


def few_tags(data: bytes) -> bool:
    """Whether few elements of XML or HTML are open at once, as far as a glance can say.

    >>> few_tags(b"<a><b/><c><br></c></a>"), few_tags(b"<a>" * 501)
    (True, False)
    """
    steps = (0 if tag.endswith(b">") else -1 if tag == b"</" else 1 for tag in _TAG.findall(data))
    return max(accumulate(steps), default=0) <= TAGS
