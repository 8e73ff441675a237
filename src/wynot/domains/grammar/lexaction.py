"""What the actions of Lex's rules do, as far as it shows: the tokens they give, the conditions they begin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wynot.domains.grammar.draft import quoted
from wynot.domains.grammar.scanning import braces_end, unescaped

_QUIET = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)
_RETURN = re.compile(r"\breturn\b\s*([^;]*)")
_CHAR = re.compile(r"'((?:[^'\\\n]|\\[^\n]+?))'")
_MATCHED = re.compile(r"\byytext\s*\[\s*0\s*\]|\*\s*yytext\b|\byytext\s*\(\s*\)\s*\[\s*0\s*\]")
_BEGIN = re.compile(r"\b(BEGIN|yy_push_state|yy_pop_state)\b\s*\(?\s*(\w*)")
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_MOVES = {"BEGIN": "mode", "yy_push_state": "push", "yy_pop_state": "pop"}


@dataclass(frozen=True, slots=True)
class Action:
    """What an action does."""

    tokens: tuple[str, ...] = ()
    """The tokens that it may give."""
    matched: bool = False
    """It gives the character that was matched."""
    unknown: str = ""
    """It gives what cannot be told from here."""
    moves: tuple[tuple[str, str], ...] = ()
    more: bool = False
    several: bool = False
    """It begins one condition or another."""

    @property
    def returns(self) -> bool:
        """Whether it gives a token."""
        return bool(self.tokens or self.matched or self.unknown)


def understood(code: str, tokens: Iterable[str], functions: str, prefix: str = "") -> Action:
    """Reads an action; `tokens` are those that there are, `functions` the code where it may call functions.

    Before the names of tokens stands `prefix` in code.
    """
    plain = _QUIET.sub(" ", code)
    known = {prefix + token: token for token in tokens}
    found: list[str] = []
    matched, unknown = False, ""
    for value in _RETURN.findall(plain):
        names = _tokens(value, known)
        if _MATCHED.search(value):
            matched = True
        elif names:
            found += names
        elif not _ends(value):
            called = _CALL.search(value)
            deeper = _tokens(_body(called[1], functions), known) if called else []
            found += deeper
            unknown = "" if deeper else value.strip()
    if not found and not matched and not unknown:
        found = [known[name] for name in _names(plain) if name in known]
    moves = [(_MOVES[what], "" if mode in {"INITIAL", "0"} else mode) for what, mode in _BEGIN.findall(plain)]
    moves = [(what, "" if what == "pop" else mode) for what, mode in moves]
    some = tuple(dict.fromkeys(found))
    more = bool(re.search(r"\byymore\s*\(", plain))
    return Action(some, matched, unknown, tuple(moves[:1]), more, len(set(moves)) > 1)


def _ends(value: str) -> bool:
    """Whether this is the end of the file, which is no token."""
    return value.strip(" ()\t\n") in {"", "0", "EOF", "YYEOF", "YY_NULL", "-1"} or "yyterminate" in value


def _names(code: str) -> list[str]:
    """The names in code; also as Bison's C++ has them: make_NAME."""
    return [name.removeprefix("make_") for name in re.findall(r"[A-Za-z_]\w*", code)]


def _tokens(code: str, known: Mapping[str, str]) -> list[str]:
    chars = [quoted(unescaped(char)) for char in _CHAR.findall(code)]
    return [known[name] for name in _names(_CHAR.sub(" ", code)) if name in known] + chars


def _body(function: str, code: str) -> str:
    """What a function returns, or mentions."""
    found = re.search(rf"^[^\n;#]*\b{re.escape(function)}\s*\([^;{{}}]*\)\s*\{{", code, re.MULTILINE)
    end = braces_end(code, found.end() - 1) if found else None
    return _QUIET.sub(" ", code[found.end() : end]) if found and end else ""
