"""Reads Lark's own grammars: as they are."""

from __future__ import annotations

import re

from lark import Lark
from lark.exceptions import LarkError

from wynot.domains.grammar.model import Converted, GrammarError
from wynot.domains.grammar.scanning import unified

_DEFINED = re.compile(r"^[ \t]*[!?]{0,2}(?P<name>_*[A-Za-z]\w*)(?:\{[^}\n]*\})?(?:\.-?\d+)?[ \t]*:", re.MULTILINE)

_FAULTS = LarkError, re.error, ValueError, SyntaxError, AssertionError, OSError
"""What Lark raises where a grammar is at fault; files cannot be imported."""


def read_lark(file: str, text: str, *, start: str | None) -> Converted:
    """Gives the grammar; begins with the rule `start`, else with the first, where nothing else is asked for."""
    plain = unified(text)
    lines: dict[str, int] = {}
    for found in _DEFINED.finditer(plain):
        lines.setdefault(found["name"], plain.count("\n", 0, found.start("name")) + 1)
    rules = [name for name in lines if name.islower()]
    if not rules:
        raise GrammarError(f"{file}:1: there are no rules")
    begin = start or ("start" if "start" in lines else rules[0])
    if begin not in rules:
        raise GrammarError(f"{file}:1: there is no rule {begin} to start with; there are {', '.join(rules[:8])}")
    try:
        Lark(plain, start=begin, parser=None, lexer="basic")
    except _FAULTS as error:
        raise GrammarError(f"{file}: {_one_line(error)}") from None
    return Converted(plain, begin, {name: name for name in lines}, lines)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
