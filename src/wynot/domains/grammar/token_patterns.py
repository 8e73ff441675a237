"""What a token looks like, part by part: what it may begin with, how long it gets, which ways there are to match it.

Python's alternation takes the first alternative that fits, Lex and ANTLR take the longest match. So alternatives that
may begin with the same character become patterns of their own, as far as there are few.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from math import inf, prod

from wynot.domains.grammar.grammar_model import (
    LAST,
    Chars,
    Choice,
    Name,
    Others,
    Part,
    PartSequence,
    Ranges,
    Raw,
    Repeat,
    Text,
    alternatives,
    both_cases,
    choice,
    others,
    overlap,
    ranges,
    row,
)

MANY = 24
"""So many patterns at most are made of one rule."""
NESTED = 3
"""How deep a token that holds itself (nested comments) is followed."""
EVERY: Ranges = ((0, LAST),)


def expanded(part: Part, look: Callable[[str, int], Part], inside: tuple[str, ...] = ()) -> Part | None:  # noqa: PLR0911 - one for each kind
    """Gives the part with all names replaced by what they stand for; None where that would never end."""
    match part:
        case Name(name=name, line=line):
            if inside.count(name) >= NESTED:
                return None
            return expanded(look(name, line), look, (*inside, name))
        case PartSequence(items):
            found = [expanded(item, look, inside) for item in items]
            return None if None in found else row(one for one in found if one is not None)
        case Choice(items):
            some = [one for one in (expanded(item, look, inside) for item in items) if one is not None]
            return choice(some) if some else None
        case Repeat(item=item, least=least):
            one = expanded(item, look, inside)
            if one is None:
                return None if least else PartSequence()
            return replace(part, item=one)
        case Others(item=item, any_case=any_case):
            return _others(expanded(item, look, inside), any_case=any_case)
    return part


def _others(part: Part | None, *, any_case: bool) -> Part:
    some = one_class(alternatives(part)) if part is not None else None
    if some is None:
        raise NoCharactersError
    return Chars(others(both_cases(some) if any_case else some))


class NoCharactersError(ValueError):
    """Something else than characters stands where only they can."""


def begins(part: Part) -> tuple[Ranges, bool]:  # noqa: PLR0911 - one for each kind
    """The characters that it may begin with, and whether it may be empty."""
    match part:
        case Text(text=""):
            return (), True
        case Text(text=text, any_case=any_case):
            first = {text[0], text[0].lower(), text[0].upper()} if any_case else {text[0]}
            return ranges((ord(one), ord(one)) for one in first if len(one) == 1), False
        case Chars(ranges=some):
            return some, False
        case Choice(items):
            found = [begins(item) for item in items]
            return ranges(pair for some, _empty in found for pair in some), any(empty for _some, empty in found)
        case Repeat(item=item, least=least):
            some, empty = begins(item)
            return some, empty or not least
        case PartSequence(items):
            pairs: list[tuple[int, int]] = []
            for item in items:
                some, empty = begins(item)
                pairs += some
                if not empty:
                    return ranges(pairs), False
            return ranges(pairs), True
    return EVERY, True


def never_empty(part: Part) -> Part | None:
    """The part without the empty text; None where nothing else is left."""
    if not begins(part)[1]:
        return part
    match part:
        case Repeat(item=item, least=0):
            one = never_empty(item)
            return None if one is None else replace(part, item=one, least=1)
        case Choice(items):
            some = [one for one in map(never_empty, items) if one is not None]
            return choice(some) if some else None
        case PartSequence(items):
            rows = [(never_empty(item), items[at + 1 :]) for at, item in enumerate(items)]
            found = [row((first, *rest)) for first, rest in rows if first is not None]
            return choice(found) if found else None
        case Text(text=""):
            return None
    return part


def widest(part: Part) -> float:
    """The length of the longest text that it matches."""
    match part:
        case Text(text=text):
            return len(text)
        case Chars():
            return 1
        case PartSequence(items):
            return sum(map(widest, items))
        case Choice(items):
            return max(map(widest, items))
        case Repeat(item=item, most=most):
            wide = widest(item)
            return wide * (inf if most is None else most) if wide else 0
    return inf


def apart(items: tuple[Part, ...]) -> bool:
    """Whether the first character decides among them."""
    seen: Ranges = ()
    for item in items:
        some, empty = begins(item)
        if empty or overlap(seen, some):
            return False
        seen = ranges((*seen, *some))
    return True


def ways(part: Part) -> list[Part]:
    """Gives the alternatives to try for the longest match; each is matched well by the first that fits."""
    if isinstance(part, Choice) and not apart(part.items):
        found = [one for item in part.items for one in ways(item)]
        return found if len(found) <= MANY else [part]
    if isinstance(part, PartSequence):
        several = [ways(item) for item in part.items]
        if prod(map(len, several)) <= MANY:
            return [row(one) for one in product(*several)]
    return [part]


def one_class(items: tuple[Part, ...]) -> Ranges | None:
    """The characters to choose from, where each of the alternatives is but one character; else None."""
    found: list[tuple[int, int]] = []
    for item in items:
        match item:
            case Chars(ranges=some):
                found += some
            case Text(text=text, any_case=any_case) if len(text) == 1:
                one = ((ord(text), ord(text)),)
                found += both_cases(one) if any_case else one
            case Choice(inner):
                deeper = one_class(inner)
                if deeper is None:
                    return None
                found += deeper
            case _:
                return None
    return ranges(found)


# Token definitions as regular expressions, and names that Lark accepts.


_PLAIN = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\f": r"\f"}


def regex(part: Part, *, lazy: bool = False) -> str:  # noqa: PLR0911 - one for each kind
    r"""Gives the regular expression; `lazy` in what is repeated lazily, where the order of alternatives counts.

    >>> regex(PartSequence((Text("a+"), Repeat(Chars(((48, 57),)), 1, None))))
    'a\\+[0-9]+'
    """
    match part:
        case Text(text=text, any_case=any_case):
            plain = "".join(map(_escaped, text))
            return f"(?i:{plain})" if any_case and text.lower() != text.upper() else plain
        case Chars(ranges=some):
            return char_class(some)
        case Raw(pattern=pattern):
            return f"(?:{pattern})"
        case PartSequence(items):
            return "".join(
                _grouped(item, lazy=lazy) if isinstance(item, Choice) else regex(item, lazy=lazy) for item in items
            )
        case Choice(items):
            single = one_class(items)
            if single is not None:
                return char_class(single)
            if not lazy and not apart(items):
                items = tuple(sorted(items, key=widest, reverse=True))
            return "|".join(regex(item, lazy=lazy) for item in items)
        case Repeat():
            return _repeated(part, lazy=lazy)
        case Name() | Others():
            raise ValueError(part)


def _repeated(part: Repeat, *, lazy: bool) -> str:
    counts = {(0, 1): "?", (0, None): "*", (1, None): "+"}
    most = "" if part.most is None else part.most
    count = counts.get((part.least, part.most)) or f"{{{part.least},{most}}}"
    inner = _grouped(part.item, lazy=lazy or part.lazy)
    return inner + count + ("?" if part.lazy else "")


def _grouped(part: Part, *, lazy: bool) -> str:
    single = isinstance(part, Raw) or one_class(part.items if isinstance(part, Choice) else (part,)) is not None
    found = regex(part, lazy=lazy)
    return found if single else f"(?:{found})"


def _escaped(char: str) -> str:
    if char in _PLAIN:
        return _PLAIN[char]
    if char.isascii() and char.isprintable():
        return re.escape(char) if char in r"\.^$*+?{}[]()|" else char
    return _coded(ord(char))


def _coded(code: int) -> str:
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def char_class(some: Ranges) -> str:
    r"""Gives a class of characters; of nearly all, the ones that are not in it.

    >>> char_class(((10, 10), (48, 57), (97, 97))), char_class(((0, 33), (35, LAST)))
    ('[\\n0-9a]', '[^"]')
    """
    if some == EVERY:
        return "(?s:.)"
    if not some:
        return "(?!)"
    if some[-1][1] == LAST and some != ((some[0][0], LAST),):
        return "[^" + "".join(map(_span, others(some))) + "]"
    if len(some) == 1 and some[0][0] == some[0][1]:
        return _escaped(chr(some[0][0]))
    return "[" + "".join(map(_span, some)) + "]"


def _span(pair: tuple[int, int]) -> str:
    low, high = (_in_class(chr(code)) for code in pair)
    if pair[0] == pair[1]:
        return low
    return f"{low}{high}" if pair[1] == pair[0] + 1 else f"{low}-{high}"


def _in_class(char: str) -> str:
    if char in _PLAIN:
        return _PLAIN[char]
    if char.isascii() and char.isprintable():
        return "\\" + char if char in r"\]^-[&~|" else char
    return _coded(ord(char))


# Names as Lark wants them: rules in lower case, terminals in upper case, each once.


_SIGNS = {
    "!": "BANG", '"': "QUOTE", "#": "HASH", "$": "DOLLAR", "%": "PERCENT", "&": "AND", "'": "APOSTROPHE", "(": "LPAR",
    ")": "RPAR", "*": "STAR", "+": "PLUS", ",": "COMMA", "-": "MINUS", ".": "DOT", "/": "SLASH", ":": "COLON",
    ";": "SEMICOLON", "<": "LESS", "=": "EQUAL", ">": "MORE", "?": "QUESTION", "@": "AT", "[": "LSQB",
    "\\": "BACKSLASH", "]": "RSQB", "^": "CARET", "`": "BACKQUOTE", "{": "LBRACE", "|": "BAR", "}": "RBRACE",
    "~": "TILDE", " ": "SPACE", "\n": "NEWLINE", "\t": "TAB", "\r": "RETURN", "_": "UNDERSCORE",
}  # fmt: skip
_WORD = re.compile(r"[A-Za-z0-9_]+")


class LarkNames:
    """Gives each of the user's names a name of Lark's, the same one each time."""

    def __init__(self) -> None:
        self.users: dict[str, str] = {}
        self._given: dict[tuple[str, bool], str] = {}

    def rule(self, name: str) -> str:
        """Lark's name of a rule."""
        return self._unused(name, spaced(name).lower(), terminal=False)

    def terminal(self, name: str) -> str:
        """Lark's name of a token; of a literal ('+', in quotes) what its signs are called."""
        quoted = len(name) > 2 and name[0] == name[-1] == "'"
        return self._unused(name, (literal(name[1:-1]) if quoted else spaced(name)).upper(), terminal=True)

    def helper(self, name: str) -> str:
        """A new name for a part of a rule; Lark inlines what begins with an underscore."""
        return self._unused(f"{name} {len(self.users)}", f"_{name}_part", terminal=False)

    def _unused(self, name: str, wanted: str, *, terminal: bool) -> str:
        key = name, terminal
        if key not in self._given:
            found, number = wanted, 1
            while found in self.users:
                number += 1
                found = f"{wanted}_{number}"
            self._given[key] = found
            self.users[found] = name
        return self._given[key]


def spaced(name: str) -> str:
    """The name in letters, digits and underscores that do not come first.

    >>> spaced("compilationUnit"), spaced("_IDENT"), spaced("$@1"), spaced("HTTPHeader")
    ('compilation_Unit', 'x_IDENT', 'x_24_40_1', 'HTTPHeader')
    """
    plain = "".join(one if one.isascii() and (one.isalnum() or one == "_") else f"_{ord(one):x}_" for one in name)
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", re.sub("__+", "_", plain))
    return plain if plain[:1].isalpha() else f"x_{plain.strip('_')}"


def literal(text: str) -> str:
    """What a literal is called.

    >>> literal("class"), literal("<="), literal("10x"), literal("é")
    ('class', 'LESS_EQUAL', 'T_10x', 'LATIN_SMALL_LETTER_E_WITH_ACUTE')
    """
    if len(text) > 12 and not _WORD.fullmatch(text):
        text = text[:12]
    words = [word for word in re.findall(r"[A-Za-z0-9]+|.", text, re.DOTALL) if word]
    found = "_".join(word if _WORD.fullmatch(word) and word != "_" else _sign(word) for word in words)
    return found if found[:1].isalpha() else f"T_{found}"


def _sign(char: str) -> str:
    name = _SIGNS.get(char) or str(unicodedata.name(char, f"U{ord(char):04X}"))
    return re.sub(r"[^A-Z0-9]", "_", name)
