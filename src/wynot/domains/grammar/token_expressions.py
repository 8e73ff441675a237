"""Parts of tokens, written as regular expressions of Python's; alternatives stand by length where that matters."""

from __future__ import annotations

import re

from wynot.domains.grammar.derive.token_patterns import EVERY, apart, one_class, widest
from wynot.domains.grammar.rule_parts import (
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
    others,
)

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
