"""Lines that belong to one before them: `endmodule` to `module`, `end if` to `if`, `else` to both.

In many languages words are brackets: what they open ends with a line of its own, as far to the left as the one that
opened it. Neither is of use without the other.
"""

from __future__ import annotations

import re

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
