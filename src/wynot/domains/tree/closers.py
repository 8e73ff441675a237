"""Lines that belong to one before them: `endmodule` to `module`, `end if` to `if`, `else` to both.

In many languages words are brackets: what they open ends with a line of its own, as far to the left as the one that
opened it. Neither is of use without the other.
"""

from __future__ import annotations

import re

_SIGN = rb"(?:[\\#@]|[{<]%-?[ \t]*)?"
"""What words of templates, macros and the like begin with."""
_END = re.compile(
    _SIGN + rb"end[_-]?(?P<what>\w*+)(?![ \t]*(?:[-+*/|&^%.]?=(?!=)|:=|<-|\[|\.\w))",
    re.IGNORECASE,
)
"""Not something that is called so and gets a value."""
_MORE = re.compile(
    _SIGN
    + rb"(?:begin|else|elsif|elseif|elif|exception|except|finally|rescue|ensure|catch|private|protected|public)\b"
    + rb"(?![ \t]*(?:=(?!=)|:=|\.\w|,|\[))",
    re.IGNORECASE,
)
_ROUTINE = re.compile(rb"(?:class[ \t]+)?(?:procedure|function|constructor|destructor|operator)\b", re.IGNORECASE)
_BODY = re.compile(rb"(?:begin|var|const|type|label|asm)\b(?![ \t]*(?:=(?!=)|:=|\.\w|,|\[))", re.IGNORECASE)
"""Parts of a routine of Pascal; its head ends with a semicolon."""
_ANEW = re.compile(rb"\b(?:begin|else|do|then)\b", re.IGNORECASE)
_REPEAT, _UNTIL = re.compile(rb"\brepeat\Z", re.IGNORECASE), re.compile(rb"until\b", re.IGNORECASE)
_HEAD = 1000
"""How many bytes of a line are looked at."""


def ends(data: bytes, at: int) -> bool:
    r"""Whether the line at a place ends something and begins nothing.

    >>> ends(b"end;", 0), ends(b"end else begin", 0)
    (True, False)
    """
    line = data[at : at + _HEAD].partition(b"\n")[0]
    return _END.match(line) is not None and _ANEW.search(line) is None


def closes(data: bytes, at: int, opener: tuple[int, int], *, owns: bool) -> bool:
    r"""Whether the line at a place belongs to one before it, as far to the left, that owns lines or does not.

    An `endif` belongs to a line that says `if`. What ends with a semicolon and owns nothing has begun nothing.

    >>> closes(b"module a;\nendmodule", 10, (0, 9), owns=False), closes(b"start = 1\nend = 2", 10, (0, 9), owns=False)
    (True, False)
    """
    start, end = opener
    line = data[start : min(end, start + _HEAD)].partition(b"\n")[0].rstrip()
    ending = _END.match(data, at)
    if ending is not None and ending["what"]:
        return re.search(rb"\b%s\b" % re.escape(ending["what"]), line, re.IGNORECASE) is not None
    if _ROUTINE.match(line) and _BODY.match(data, at):
        return True
    if not owns and line.endswith(b";"):
        return False
    if ending is not None or _MORE.match(data, at):
        return True
    return _UNTIL.match(data, at) is not None and _REPEAT.search(line) is not None
