"""What a source file shows to others and takes from them: the names it defines on the outside, and its imports.

Rough, for many languages at once: no file has to parse. What is missed here, the messages of tests tell later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from wynot.domains.text.tokens import C_COMMENT, IDENTIFIER, NAME

_HASHES = frozenset(
    {".py", ".pyx", ".pxd", ".pyi", ".rb", ".sh", ".pl", ".pm", ".r", ".jl", ".mk", ".toml", ".yaml", ".yml"}
)
_HASHED = re.compile(rb"(?s)(\"\"\"|''').*?\1|#[^\n]*+")
_SCRIPTED = re.compile(
    rb"(?m)^(?:[ \t]*(?:async[ \t]+)?(?:def|class|sub|module|function)[ \t]+(" + NAME + rb")"
    rb"|(?: {4}|\t)?(" + NAME + rb")[ \t]*(?::[^=\n]*)?=(?!=))"
)
_SAYING = re.compile(
    rb"\b(?:class|function|fn|func|fun|struct|union|enum|interface|trait|namespace|mod|macro_rules!|define"
    rb"|typedef(?![ \t]+(?:struct|union|enum)\b))"
    rb"[ \t]+(?:\([^)\n]*\)[ \t]*)?[*&]*(" + NAME + rb")"
    rb"|\b(?:prototype|exports|this)\.(" + NAME + rb")[ \t]*=(?!=)"
)
_BEGUN = re.compile(
    rb"(?m)^(?:export[ \t]+)?(?:const|let|var|static|type|val)[ \t]+(" + NAME + rb")[ \t]*[=:]"
    rb"|^[A-Za-z_][\w \t*]*[ \t*](" + NAME + rb")[ \t]*\([^;{}]{0,2000}\)\s*[{;]"
    rb"|^[A-Za-z_][\w \t*]*[ \t*](" + NAME + rb")[ \t]*(?:\[[^\]\n]*\][ \t]*)*=(?!=)"
    rb"|^\}[ \t]*(" + NAME + rb")[ \t]*;"
    rb"|^[ \t]+(?:[A-Za-z_]\w*[ \t*]+){1,4}(" + NAME + rb")[ \t]*(?:\[[^\]\n]*\])?;"
)
_FROM = re.compile(rb"(?m)^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n(]*))")
_ONE = rb"[\w.]+(?:[ \t]+as[ \t]+\w+)?"
_IMPORT = re.compile(rb"(?m)^[ \t]*import[ \t]+(" + _ONE + rb"(?:[ \t]*,[ \t]*" + _ONE + rb")*)[ \t]*;?[ \t]*$")
_TAKEN = re.compile(rb"\b(?:import|export)\b([^;'\"()]*?)\bfrom[ \t]*['\"]([^'\"\n]+)['\"]")
_REQUIRED = re.compile(rb"\b(?:const|let|var)\s*([\w$\s{},:]*?)\s*=\s*require\(\s*['\"]([^'\"\n]+)['\"]\s*\)")
_INCLUDED = re.compile(rb"(?m)^[ \t]*#[ \t]*include[ \t]*[\"<]([^\">\n]+)[\">]")
_ITEM = re.compile(rb"([\w.$]+)(?:[ \t]+as[ \t]+(\w+))?")
_KEYWORDS = frozenset(
    b"def class import from return if else for while in not and or is None True False self as with try except raise "
    b"lambda yield pass break continue elif finally global assert del this new const let var function static int void "
    b"char struct switch case default do goto sizeof typeof null true false undefined throw catch extends super".split()
)


class ImportedName(NamedTuple):
    """A name that a file takes from another one."""

    name: bytes
    source: bytes
    """The stem of the other file; empty where the name itself is that."""
    line: int
    """Counted from 0."""


def stripped(path: str, text: bytes) -> bytes:
    r"""Without comments, as far as they are told by the file's name; lines stay where they are.

    >>> stripped("a.c", b"int x; /* not\ny */"), stripped("a.py", b"x = 1 # not y")
    (b'int x; \n', b'x = 1 ')
    """
    return (_HASHED if _scripted(path) else C_COMMENT).sub(lambda match: b"\n" * match[0].count(b"\n"), text)


@lru_cache(maxsize=64)
def _scripted(path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in _HASHES


def words(text: bytes) -> set[bytes]:
    """The identifiers in a text; what is a keyword in most languages does not count."""
    return set(IDENTIFIER.findall(text)) - _KEYWORDS


def shown(path: str, text: bytes) -> set[bytes]:
    r"""The names that a text defines where others can see them, as far as one can tell.

    >>> sorted(shown("a.py", b"from a import b\nclass C:\n    d = 1\n    def e(self):\n        f = 2\n"))
    [b'C', b'd', b'e']
    """
    patterns = (_SCRIPTED,) if _scripted(path) else (_SAYING, _BEGUN)
    return {name for each in patterns for match in each.finditer(text) for name in match.groups() if name} - _KEYWORDS


def taken(text: bytes) -> list[ImportedName]:
    r"""What a text imports.

    >>> [(t.name, t.source) for t in taken(b"from .a.b import (c,\n  d as e)\nimport f.g\n")]
    [(b'b', b''), (b'c', b'b'), (b'd', b'b'), (b'g', b'')]
    >>> [(t.name, t.source) for t in taken(b"const {x} = require('./y.js');\n")], taken(b'#include "z.h"\n')[0].name
    ([(b'y', b''), (b'x', b'y')], b'z')
    """
    found = list(_taken(text))
    lines, line, last = {}, 0, 0
    for at in sorted({at for _, _, at in found}):
        line += text.count(b"\n", last, at)
        lines[at], last = line, at
    return [ImportedName(name, source, lines[at]) for name, source, at in found]


def _taken(text: bytes) -> Iterator[tuple[bytes, bytes, int]]:
    for match in _FROM.finditer(text) if b"from" in text else ():
        source = match[1].rpartition(b".")[2]
        if source:
            yield source, b"", match.start(1)
        group = 2 if match[2] is not None else 3
        for item in _ITEM.finditer(match[group] or b""):
            yield item[1], source, match.start(group) + item.start()
    for match in _IMPORT.finditer(text) if b"import" in text else ():
        for item in _ITEM.finditer(match[1]):
            yield item[1].rpartition(b".")[2], b"", match.start(1) + item.start()
    for pattern, sign in ((_TAKEN, b"from"), (_REQUIRED, b"require(")):
        for match in pattern.finditer(text) if sign in text else ():
            source = stem(match[2].decode(errors="replace"))
            yield source, b"", match.start(2)
            for item in _ITEM.finditer(match[1] or b""):
                yield item[1], source, match.start(1) + item.start()
    for match in _INCLUDED.finditer(text) if b"include" in text else ():
        yield stem(match[1].decode(errors="replace")), b"", match.start(1)


def stem(path: str) -> bytes:
    """What a file is called by those who import it.

    >>> stem("a/b.py"), stem("a/b/__init__.py"), stem("lib/x/index.js")
    (b'b', b'b', b'x')
    """
    pure = PurePosixPath(path)
    name = pure.parent.name if pure.stem in {"__init__", "index", "mod"} else pure.stem
    return name.encode(errors="surrogateescape")
