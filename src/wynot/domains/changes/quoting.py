"""Names of files as git writes them in patches: in quotes where they have letters that are not plain."""

from __future__ import annotations

import re

_PLAIN = re.compile(rb"[^\x00-\x1f\x7f-\xff\"\\]*")
_LETTERS = {7: b"a", 8: b"b", 9: b"t", 10: b"n", 11: b"v", 12: b"f", 13: b"r", 34: b'"', 92: b"\\"}
_MEANT = {letter: bytes([byte]) for byte, letter in _LETTERS.items()}
_ESCAPED = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)


def quoted(path: str) -> bytes:
    r"""A name as git has it.

    >>> quoted("a/plain name"), quoted("a/\udce4\n")
    (b'a/plain name', b'"a/\\344\\n"')
    """
    data = path.encode("utf-8", "surrogateescape")
    if _PLAIN.fullmatch(data):
        return data
    return b'"' + b"".join(map(_escaped, data)) + b'"'


def _escaped(byte: int) -> bytes:
    if byte in _LETTERS:
        return b"\\" + _LETTERS[byte]
    return b"%c" % byte if 32 <= byte < 127 else b"\\%03o" % byte


def unquoted(name: bytes) -> str:
    r"""The name that git means.

    >>> unquoted(quoted("a/\udce4\n")), unquoted(b"a/b c\t")
    ('a/\udce4\n', 'a/b c')
    """
    name = name.rstrip(b"\t")
    if name.startswith(b'"'):
        name = _ESCAPED.sub(lambda found: _MEANT.get(found[1]) or bytes([int(found[1], 8)]), name[1:-1])
    return name.decode("utf-8", "surrogateescape")
