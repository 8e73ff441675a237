r"""Sets of characters: ANTLR's [a-z\p{Lu}], Lex's [^[:alpha:]_]."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import groupby

from wynot.domains.grammar.readers.scanner import unescaped_at
from wynot.domains.grammar.rule_parts import Ranges, others, ranges

_PROPERTY = re.compile(r"\\([pP])\{([^}]*)\}")
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
def with_property(name: str) -> Ranges | None:
    """The characters with a property of Unicode, by its name; None where it is not known here.

    >>> with_property("Lu")[0], with_property("General_Category=Nd")[0], with_property("Script=Klingon")
    ((65, 90), (48, 57), None)
    """
    plain = re.sub(r"[\s_-]", "", name.lower())
    plain = plain.removeprefix("generalcategory=").removeprefix("gc=")
    category = _CATEGORIES.get(plain, plain)
    found = [some for name, some in _by_category().items() if name.startswith(category.capitalize())]
    if found and category:
        return ranges(pair for some in found for pair in some)
    return _ranges_where(_NAMED[plain]) if plain in _NAMED else None


@cache
def _by_category() -> dict[str, list[tuple[int, int]]]:
    """All characters by category, as runs."""
    found: dict[str, list[tuple[int, int]]] = {}
    codes = range(sys.maxunicode + 1)
    for category, run in groupby(codes, lambda code: unicodedata.category(chr(code))):
        some = list(run)
        found.setdefault(category, []).append((some[0], some[-1]))
    return found


def _ranges_where(holds: Callable[[str], bool]) -> Ranges:
    return ranges((code, code) for code in range(sys.maxunicode + 1) if holds(chr(code)))


def antlr_set(text: str, fault: Callable[[str], Exception]) -> Ranges:
    r"""The characters of [...].

    >>> antlr_set(r"[a-c\]\-]", ValueError)
    ((45, 45), (93, 93), (97, 99))
    """
    found: list[tuple[int, int]] = []
    at, end = 1, len(text) - 1
    while at < end:
        named = _PROPERTY.match(text, at)
        if named:
            some = with_property(named[2])
            if some is None:
                raise fault(f"the characters of {named[0]} are not known")
            found += some if named[1] == "p" else others(some)
            at = named.end()
            continue
        low, at = _char(text, at)
        high = low
        if text[at] == "-" and at + 1 < end:
            high, at = _char(text, at + 1)
        if high < low:
            raise fault(f"no range of characters: {text}")
        found.append((ord(low), ord(high)))
    return ranges(found)


def _char(text: str, at: int) -> tuple[str, int]:
    return unescaped_at(text, at) if text[at] == "\\" else (text[at], at + 1)
