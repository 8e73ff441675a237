"""The words of YACC's and Bison's grammars, and where their sections are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wynot.domains.grammar.model import GrammarError
from wynot.domains.grammar.scanning import Lines, braces_end
from wynot.domains.grammar.words import Word

_TAG = r"<(?:[^<>\n]|->)*>"
for _ in range(3):
    _TAG = rf"<(?:[^<>\n]|->|{_TAG})*>"
"""What a type may be: brackets in brackets, as C++ has them."""
_WORD = re.compile(
    r"""(?P<blank>\s+ | //[^\n]* | /\*[\s\S]*?(?:\*/|\Z) | %\{[\s\S]*?(?:%\}|\Z) | \#[^\n]*)
      | (?P<literal>'(?:[^'\\\n]|\\[\s\S][^'\n]{0,8}?)')
      | (?P<string>"(?:[^"\\\n]|\\[\s\S])*")
      | (?P<tag>TAGS)
      | (?P<bracket>\[[^\]\n]*\])
      | (?P<mark>%%)
      | (?P<directive>%[A-Za-z_][\w-]*|%\?|%[<>=@+!~])
      | (?P<name>[A-Za-z_.$@][\w.$@-]*)
      | (?P<number>0[xX][0-9A-Fa-f]+|-?\d+)
      | (?P<sign>::=|[:;|=(),*&])""".replace("TAGS", _TAG),
    re.VERBOSE,
)
_LEXICAL = re.compile(r"""^\s*(?:\w+|'(?:[^'\\]|\\.)+')\s*:\s*\[\|""", re.MULTILINE)
_BREAK = re.compile(r"^%:[ \t]*$", re.MULTILINE)


def words(file: str, text: str) -> Iterator[Word]:
    """Gives the words up to the second %%; code in braces is one word ("code")."""
    lines, at, marks = Lines(text), 0, 0
    while at < len(text) and marks < 2:
        if text[at] == "{":
            end = braces_end(text, at)
            if end is None:
                raise GrammarError(f"{file}:{lines.at(at)}: this action has no end: {text[at : at + 30]!r}")
            yield Word("code", text[at:end], lines.at(at))
            at = end
            continue
        found = _WORD.match(text, at)
        if found is None:
            raise GrammarError(f"{file}:{lines.at(at)}: this is not YACC: {text[at : at + 30].splitlines()[0]!r}")
        kind = str(found.lastgroup)
        marks += kind == "mark"
        if kind != "blank":
            yield Word(kind, found[0], lines.at(at))
        at = found.end()
    yield Word("end", "the end of the file", lines.at(at))


def sections(text: str) -> tuple[str, str, int]:
    """Cuts off the thesis' lexical section: the grammar, that section, and the line before it.

    It stands behind a line %:, or behind the last %%. A grammar that has no other %% has no declarations.
    """
    found = _BREAK.search(text)
    if found is None:
        marks = list(re.finditer(r"^%%[^\S\n]*$", text, re.MULTILINE))
        if not marks or not _LEXICAL.search(text, marks[-1].end()):
            return text, "", 0
        found = marks[-1]
    grammar = text[: found.start()]
    if not re.search("^%%", grammar, re.MULTILINE):
        grammar = "%%" + grammar
    return grammar, text[found.end() :], text.count("\n", 0, found.end())
