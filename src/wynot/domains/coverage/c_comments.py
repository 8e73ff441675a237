"""Lines of C and its relatives in which there is nothing to execute: blank ones, and comments."""

from __future__ import annotations

import re

SUFFIX = (".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".ipp", ".inc", ".C", ".H", ".y", ".l")
_PIECE = re.compile(
    rb"""(?P<comment> /\*.*?\*/ | //(?:\\\r?\n|[^\n])* )
       | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'""",
    re.VERBOSE | re.DOTALL,
)


def silent_lines(source: bytes) -> frozenset[int]:
    r"""The lines without code.

    >>> sorted(silent_lines(b'/* one\n two */ int x;\n\n// four\nchar *s = "/*";\n'))
    [1, 3, 4]
    """
    code = _PIECE.sub(lambda found: b"\n" * found[0].count(b"\n") if found["comment"] else found[0], source)
    lines = code.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    return frozenset(number for number, line in enumerate(lines, 1) if not line.strip())
