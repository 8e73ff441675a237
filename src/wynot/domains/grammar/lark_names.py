"""Names as Lark wants them: rules in lower case, terminals in upper case, each once."""

from __future__ import annotations

import re
import unicodedata

_SIGNS = {
    "!": "BANG", '"': "QUOTE", "#": "HASH", "$": "DOLLAR", "%": "PERCENT", "&": "AND", "'": "APOSTROPHE", "(": "LPAR",
    ")": "RPAR", "*": "STAR", "+": "PLUS", ",": "COMMA", "-": "MINUS", ".": "DOT", "/": "SLASH", ":": "COLON",
    ";": "SEMICOLON", "<": "LESS", "=": "EQUAL", ">": "MORE", "?": "QUESTION", "@": "AT", "[": "LSQB",
    "\\": "BACKSLASH", "]": "RSQB", "^": "CARET", "`": "BACKQUOTE", "{": "LBRACE", "|": "BAR", "}": "RBRACE",
    "~": "TILDE", " ": "SPACE", "\n": "NEWLINE", "\t": "TAB", "\r": "RETURN", "_": "UNDERSCORE",
}  # fmt: skip
_WORD = re.compile(r"[A-Za-z0-9_]+")


class LarkNames:
    """Gives each of the user's names a name of Lark's, the same one each time."""

    def __init__(self) -> None:
        self.users: dict[str, str] = {}
        self._given: dict[tuple[str, bool], str] = {}

    def rule(self, name: str) -> str:
        """Lark's name of a rule."""
        return self._unused(name, spaced(name).lower(), terminal=False)

    def terminal(self, name: str) -> str:
        """Lark's name of a token; of a literal ('+', in quotes) what its signs are called."""
        quoted = len(name) > 2 and name[0] == name[-1] == "'"
        return self._unused(name, (literal(name[1:-1]) if quoted else spaced(name)).upper(), terminal=True)

    def helper(self, name: str) -> str:
        """A new name for a part of a rule; Lark inlines what begins with an underscore."""
        return self._unused(f"{name} {len(self.users)}", f"_{name}_part", terminal=False)

    def _unused(self, name: str, wanted: str, *, terminal: bool) -> str:
        key = name, terminal
        if key not in self._given:
            found, number = wanted, 1
            while found in self.users:
                number += 1
                found = f"{wanted}_{number}"
            self._given[key] = found
            self.users[found] = name
        return self._given[key]


def spaced(name: str) -> str:
    """The name in letters, digits and underscores that do not come first.

    >>> spaced("compilationUnit"), spaced("_IDENT"), spaced("$@1"), spaced("HTTPHeader")
    ('compilation_Unit', 'x_IDENT', 'x_24_40_1', 'HTTPHeader')
    """
    plain = "".join(one if one.isascii() and (one.isalnum() or one == "_") else f"_{ord(one):x}_" for one in name)
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", re.sub("__+", "_", plain))
    return plain if plain[:1].isalpha() else f"x_{plain.strip('_')}"


def literal(text: str) -> str:
    """What a literal is called.

    >>> literal("class"), literal("<="), literal("10x"), literal("é")
    ('class', 'LESS_EQUAL', 'T_10x', 'LATIN_SMALL_LETTER_E_WITH_ACUTE')
    """
    if len(text) > 12 and not _WORD.fullmatch(text):
        text = text[:12]
    words = [word for word in re.findall(r"[A-Za-z0-9]+|.", text, re.DOTALL) if word]
    found = "_".join(word if _WORD.fullmatch(word) and word != "_" else _sign(word) for word in words)
    return found if found[:1].isalpha() else f"T_{found}"


def _sign(char: str) -> str:
    name = _SIGNS.get(char) or str(unicodedata.name(char, f"U{ord(char):04X}"))
    return re.sub(r"[^A-Z0-9]", "_", name)
