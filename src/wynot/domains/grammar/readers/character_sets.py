r"""Escaped characters and sets of characters: \n, ANTLR's [a-z\p{Lu}], Lex's [^[:alpha:]_]."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import groupby

from wynot.domains.grammar.grammar_model import Ranges, others, ranges

_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "b": "\b", "v": "\v", "a": "\a", "e": "\x1b"}
_ESCAPE = r"\\(?:u\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{1,2}|[0-7]{1,3}|[\s\S])"


def unescaped(text: str) -> str:
    r"""The text with every backslash resolved.

    >>> unescaped(r"\n"), unescaped(r"a\u{1F600}"), unescaped(r"\101]"), unescaped(r"\]")
    ('\n', 'a😀', 'A]', ']')
    """
    return re.sub(_ESCAPE, _character, text)


def _character(found: re.Match[str]) -> str:
    code = found[0][1:]
    if code[0] in "ux" and code[1:]:
        return chr(min(int(code[1:].strip("{}"), 16), 0x10FFFF))
    return chr(int(code, 8)) if code[0] in "01234567" else _ESCAPES.get(code, code)


_SPAN = rf"(?P<low>{_ESCAPE}|[\s\S])(?:-(?P<high>{_ESCAPE}|[\s\S]))?"
POSIX = re.compile(rf"\[:(?P<others>\^?)(?P<name>\w+):\]|{_SPAN}")
"""What stands in a set of Lex's."""
UNICODE = re.compile(rf"\\(?:p|(?P<others>P))\{{(?P<name>[^}}]*)\}}|{_SPAN}")
"""What stands in a set of ANTLR's."""


class CharacterSetError(ValueError):
    """A set has a name that is not known, or a range that ends before it begins."""

    def __init__(self, at: int, name: str = "") -> None:
        super().__init__(at, name)
        self.at, self.name = at, name


def characters(text: str, kind: re.Pattern[str], named: Callable[[str], Ranges | None]) -> Ranges:
    r"""The characters of a set, which is given without its brackets; `named` has those that a name stands for.

    >>> characters(r"a-c\]\-", UNICODE, properties)
    ((45, 45), (93, 93), (97, 99))
    """
    found: list[tuple[int, int]] = []
    for span in kind.finditer(text):
        if span["name"] is not None:
            some = named(span["name"])
            if some is None:
                raise CharacterSetError(span.start(), span[0])
            found += others(some) if span["others"] else some
            continue
        low = ord(unescaped(span["low"]))
        high = ord(unescaped(span["high"])) if span["high"] else low
        if high < low:
            raise CharacterSetError(span.end())
        found.append((low, high))
    return ranges(found)


_NAMED: dict[str, Callable[[str], bool]] = {
    "alpha": str.isalpha,
    "alphabetic": str.isalpha,
    "whitespace": str.isspace,
    "uppercase": str.isupper,
    "lowercase": str.islower,
    "idstart": str.isidentifier,
    "xidstart": str.isidentifier,
    "idcontinue": lambda char: ("a" + char).isidentifier(),
    "xidcontinue": lambda char: ("a" + char).isidentifier(),
    "any": lambda _char: True,
    "ascii": str.isascii,
}
_CATEGORIES = {
    "letter": "L", "uppercaseletter": "Lu", "lowercaseletter": "Ll", "titlecaseletter": "Lt", "modifierletter": "Lm",
    "otherletter": "Lo", "mark": "M", "number": "N", "decimalnumber": "Nd", "digit": "Nd", "letternumber": "Nl",
    "othernumber": "No", "punctuation": "P", "symbol": "S", "separator": "Z", "spaceseparator": "Zs", "other": "C",
    "control": "Cc", "format": "Cf", "nonspacingmark": "Mn", "spacingmark": "Mc", "connectorpunctuation": "Pc",
}  # fmt: skip


@cache
def properties(name: str) -> Ranges | None:
    """The characters with a property of Unicode, by its name; None where it is not known here.

    >>> properties("Lu")[0], properties("General_Category=Nd")[0], properties("Script=Klingon")
    ((65, 90), (48, 57), None)
    """
    plain = re.sub(r"[\s_-]", "", name.lower())
    plain = plain.removeprefix("generalcategory=").removeprefix("gc=")
    category = _CATEGORIES.get(plain, plain)
    found = [some for name, some in _by_category().items() if name.startswith(category.capitalize())]
    if found and category:
        return ranges(pair for some in found for pair in some)
    if plain not in _NAMED:
        return None
    return ranges((code, code) for code in range(sys.maxunicode + 1) if _NAMED[plain](chr(code)))


@cache
def _by_category() -> dict[str, list[tuple[int, int]]]:
    """All characters by category, as runs."""
    found: dict[str, list[tuple[int, int]]] = {}
    codes = range(sys.maxunicode + 1)
    for category, run in groupby(codes, lambda code: unicodedata.category(chr(code))):
        some = list(run)
        found.setdefault(category, []).append((some[0], some[-1]))
    return found
