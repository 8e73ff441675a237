"""Which identifiers a piece of a program defines, whatever its language. Rough on purpose: rather one too many."""

from __future__ import annotations

import re

from wynot.domains.text.lexical import IDENTIFIER, NAME

_KEYWORD = re.compile(
    rb"\b(?:def|class|function|fn|func|fun|sub|struct|union|enum|interface|trait|type|typedef|namespace|module|mod"
    rb"|macro_rules!|let|var|val|package|define|record|object|protocol|extension|contract|event|impl)"
    rb"\s+(?:mut\s+|async\s+|class\s+|\([^)\n]*\)\s*)?[*&]*(" + NAME + rb")"
)
_ASSIGNED = re.compile(rb"(?<![\w$])(" + NAME + rb"+)[ \t]*+(?:\[[^\]\n]*\][ \t]*)?(?::[^=\n]{1,80})?:?=(?![=>~])")
_DECLARED = re.compile(
    rb"^[ \t]*(?:(?!return\b|else\b|goto\b|throw\b|new\b|case\b|delete\b|await\b|yield\b|not\b|and\b|or\b|if\b)"
    rb"[A-Za-z_][\w:<>,.\[\]]*[ \t*&]+)+[*&]*(" + NAME + rb")\s*[;=,\[({:]",
    re.MULTILINE,
)
_KEY = re.compile(
    rb"^[ \t]*['\"]?(" + NAME + rb")['\"]?[ \t]*(?:\([^)\n]*\)[ \t]*\{|:(?!:)|,?[ \t]*(?://|/\*|$))", re.MULTILINE
)
_LISTS = (
    re.compile(rb"\b(?:import|from)\b[^\n;()]*(?:\([^)]{0,4000}\))?"),
    re.compile(rb"\b(?:import|export|use|using)\b\s*[\w:*$ ]*\{[^}]{0,4000}\}"),
    re.compile(rb"\b(?:import|use|using|require)\b[^\n;]*"),
    re.compile(rb"\b(?:const|let|var)\s*[\[{][^\]}=]*[\]}]\s*="),
    re.compile(rb"\bdef\s+\w+\s*\([^)]{0,4000}\)"),
    re.compile(rb"\benum\b[^{};]*\{[^}]{0,4000}\}"),
)
_KEYWORDS = frozenset(
    b"as async const def default else enum export from import let require return use using var".split()
)
_SINGLE = (_KEYWORD, _ASSIGNED, _DECLARED, _KEY)


def defined(text: bytes) -> frozenset[str]:
    r"""The identifiers that a text seems to define, declare, import or assign to.

    >>> sorted(defined(b"from a import (b,\n  c)\ndef f(x, y=1):\n    z = g(h)\n"))
    ['a', 'b', 'c', 'f', 'x', 'y', 'z']
    >>> sorted(defined(b"static int sum(SumCtx *p) {\n  return other(p);\n}\n#define MAX 3\n"))
    ['MAX', 'sum']
    """
    found = {match[1] for pattern in _SINGLE for match in pattern.finditer(text)}
    for pattern in _LISTS:
        for match in pattern.finditer(text):
            found.update(IDENTIFIER.findall(match[0]))
    found -= _KEYWORDS
    return frozenset(word.decode(errors="surrogateescape") for word in found)
