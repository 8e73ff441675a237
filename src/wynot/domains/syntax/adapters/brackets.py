"""Brackets in text without a grammar: signs, and words such as `begin` and `endmodule`."""

from __future__ import annotations

import re
from array import array
from itertools import accumulate

BRACKETS = b"()[]{}"
NO_BRACKETS = bytes(set(range(256)) - set(BRACKETS))
"""For bytes.translate: what to leave out of a text so that its brackets are left."""

_PAIRS = tuple(BRACKETS[place : place + 2] for place in (0, 2, 4))
_STEPS = bytes.maketrans(BRACKETS, bytes([1, 255] * 3))
"""One up, one down (255 is minus one)."""
_ROUND = bytes.maketrans(BRACKETS, b"()" * 3)
_STEP = 64
"""Bytes to look at first."""
_OPENS = {closing: opening for opening, closing in zip(BRACKETS[::2], BRACKETS[1::2], strict=True)}


def partners(signs: bytes) -> list[int]:
    """The partner of each bracket in a row of brackets; -1 where it has none.

    A closing bracket goes with the nearest open one of its kind; what was opened in between has no partner.

    >>> partners(b"([]))"), partners(b"([)")
    ([3, 2, 1, 0, -1], [2, -1, 0])
    """
    found = [-1] * len(signs)
    open_: list[int] = []
    waiting = dict.fromkeys(BRACKETS, 0)
    for place, sign in enumerate(signs):
        opening = _OPENS.get(sign)
        if opening is None:
            open_.append(place)
            waiting[sign] += 1
        elif waiting[opening]:
            while signs[partner := open_.pop()] != opening:
                waiting[signs[partner]] -= 1
            waiting[opening] -= 1
            found[place], found[partner] = partner, place
    return found


def faults(signs: bytes) -> int:
    """How many brackets of a row of brackets have no partner.

    >>> faults(b"([]))"), faults(b"([)")
    (1, 1)
    """
    size = 2 * len(signs)
    while len(signs) * 32 < size * 31:  # neighbours that are partners can go; most go soon, without a look at each
        size = len(signs)
        signs = signs.replace(b"()", b"").replace(b"[]", b"").replace(b"{}", b"")
    if signs.count(signs[:1]) + signs.count(signs[-1:]) == len(signs) and signs[:1] + signs[-1:] in _PAIRS:
        return _faults_of_one_kind(signs)
    return partners(signs).count(-1)


def _faults_of_one_kind(signs: bytes) -> int:
    """As above, where there is one kind of brackets: those that close too much, and those that are open at the end."""
    depths = list(accumulate(array("b", signs.translate(_STEPS)), initial=0))
    return depths[-1] - 2 * min(depths)


def rounded(data: bytes, start: int, end: int) -> bytes:
    """A text with round brackets in the place of all that are in a stretch."""
    return data if all(data.find(pair[1:], start, end) < 0 for pair in _PAIRS[1:]) else data.translate(_ROUND)


def closing(data: bytes, at: int, end: int) -> int:
    """Where the round bracket closes that is open at a place; all in between are taken for brackets with partners.

    Long stretches that do not close enough are passed by at once; where one might, a shorter one is looked at.

    >>> closing(b"(a (b) c) d", 1, 11)
    9
    """
    depth, step, count = 1, _STEP, data.count
    while at < end:
        upto = min(at + step, end)
        closes = count(b")", at, upto)
        if closes < depth:
            depth += count(b"(", at, upto) - closes
            at, step = upto, 2 * step
        elif upto - at > 1:
            step = (upto - at) // 2
        else:
            return upto
    return end


# Lines that belong to one before them: `endmodule` to `module`, `end if` to `if`, `else` to both.
#
# In many languages words are brackets: what they open ends with a line of its own, as far to the left as the one that
# opened it. Neither is of use without the other.


_SIGN = rb"(?:[\\#@]|[{<]%-?[ \t]*)?"
"""What words of templates, macros and the like begin with."""
_NO_VALUE = rb"\b(?![ \t]*(?:=(?!=)|:=|\.\w|,|\[))"
"""Not something that is called so and gets a value."""
CLOSER = re.compile(
    _SIGN + rb"(?:"
    rb"end[_-]?+(?P<end>\w{0,99}+)(?!\w|[ \t]*(?:[-+*/|&^%.]?=(?!=)|:=|<-|\[|\.\w))"
    rb"|(?P<more>begin|else|elsif|elseif|elif|exception|except|finally|rescue|ensure|catch)" + _NO_VALUE +
    rb"|(?P<section>private|protected|public)[ \t]*+:?[ \t]*+(?:[\r\n#]|//|\Z)"
    rb")|(?P<body>var|const|type|label|asm)" + _NO_VALUE + rb"|(?P<until>until)\b",
    re.IGNORECASE,
)  # fmt: skip
"""What a line begins with that may belong to one before it: most lines do not, and nothing else is asked of them.
A `private: true` says something by itself."""
_ROUTINE = re.compile(rb"(?:class[ \t]+)?(?:procedure|function|constructor|destructor|operator)\b", re.IGNORECASE)
"""Of Pascal; its head ends with a semicolon."""
_ANEW = re.compile(rb"\b(?:begin|else|do|then)\b", re.IGNORECASE)
_REPEAT = re.compile(rb"\brepeat\Z", re.IGNORECASE)
_WORD = re.compile(rb"\w++")
_HEAD = 1000
"""How many bytes of a line are looked at."""


def ends(closer: re.Match[bytes]) -> bool:
    r"""Whether a line ends something and begins nothing.

    >>> [ends(closer) for text in (b"end;", b"end else begin", b"else") if (closer := CLOSER.match(text))]
    [True, False, False]
    """
    if closer.lastgroup != "end":
        return False
    data, at = closer.string, closer.start()
    return _ANEW.search(data, at, _line_end(data, at, at + _HEAD)) is None


def closes(closer: re.Match[bytes], start: int, end: int, *, owns: bool) -> bool:
    r"""Whether a line belongs to one before it in its text, as far to the left, that owns lines or does not.

    An `endif` belongs to a line that says `if`. What ends with a semicolon and owns nothing has begun nothing.

    >>> closer = CLOSER.match(b"module a;\nendmodule", 10)
    >>> closer is not None and closes(closer, 0, 9, owns=False), CLOSER.match(b"start = 1\nend = 2", 10)
    (True, None)
    """
    data, kind = closer.string, closer.lastgroup
    line = data[start : _line_end(data, start, min(end, start + _HEAD))].rstrip()
    if kind == "end" and closer["end"]:
        what, line = closer["end"].lower(), line.lower()
        return what in line and what in _WORD.findall(line)
    if (kind == "body" or closer[0].lower() == b"begin") and _ROUTINE.match(line):
        return True
    if not owns and line.endswith(b";"):
        return False
    if kind == "until":
        return _REPEAT.search(line) is not None
    return kind != "body"


def _line_end(data: bytes, start: int, most: int) -> int:
    """Where the line at a place ends, or what of it is looked at."""
    end = data.find(b"\n", start, most)
    return most if end < 0 else end
