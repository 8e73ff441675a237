"""Text as a terminal may print it: what a program, a file or a commit holds is shown, never obeyed."""

from __future__ import annotations

LAYOUT = "\n\t"
"""Control characters that text of several lines keeps."""
_SHOWN = frozenset({"Zs", "So", "Mn"})


def printable(text: str, kept: str = LAYOUT) -> str:
    r"""Text with every control character, direction mark and undecodable byte written out, but for those in `kept`.

    >>> printable("a\x1b[2Jb\u202ec é\n\x9b\udc9b")
    'a\\x1b[2Jb\\u202ec é\n\\x9b\\x9b'
    """
    if text.isprintable():
        return text
    return "\n".join(map(_line, text.split("\n"))) if kept == LAYOUT else _escaped(text, kept)


def visible(text: str) -> str:
    r"""The same for one line: line ends and tabs are written out, too.

    >>> visible("a\x1b[2Jb\tc\n")
    'a\\x1b[2Jb\\tc\\n'
    """
    return printable(text, "")


def _line(line: str) -> str:
    return line if line.isprintable() else _escaped(line, LAYOUT)


def _escaped(text: str, kept: str) -> str:
    return "".join(each if each.isprintable() or each in kept else _written(each) for each in text)


def _written(character: str) -> str:
    from unicodedata import category  # noqa: PLC0415 - few texts need it

    if category(character) in _SHOWN:
        return character
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a name that is no UTF-8 (os.fsdecode)
        return f"\\x{code - 0xDC00:02x}"
    return ascii(character)[1:-1]
