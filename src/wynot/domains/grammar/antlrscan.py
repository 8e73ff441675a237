"""The words of ANTLR's grammars: names, literals, sets of characters, code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wynot.domains.grammar.model import GrammarError
from wynot.domains.grammar.scanning import Lines, braces_end
from wynot.domains.grammar.words import Word

_WORD = re.compile(
    r"""(?P<blank>\s+ | //[^\n]* | /\*[\s\S]*?(?:\*/|\Z))
      | (?P<literal>'(?:[^'\\\n]|\\.)*')
      | (?P<string>"(?:[^"\\\n]|\\.)*")
      | (?P<set>\[(?:[^\]\\\n]|\\.)*\])
      | (?P<name>[^\W\d]\w*)
      | (?P<number>\d+)
      | (?P<sign>->|\.\.|\+=|::|[:;|()?*+~.,=@\#<>$!^&-])""",
    re.VERBOSE,
)


_ARGUMENTS = re.compile(r"""\[(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\[[^\[\]]*\]|[^\[\]"'])*\]""")
"""What stands in brackets behind a rule's name: code, perhaps with brackets in it."""


def words(file: str, text: str) -> Iterator[Word]:
    """Gives the words; code in braces is one word ("code")."""
    lines, at = Lines(text), 0
    last = Word("", "", 0)
    while at < len(text):
        kind, end = _word(text, at, last)
        if end is None:
            what = "this action has no end" if kind == "code" else "this is not ANTLR"
            raise GrammarError(f"{file}:{lines.at(at)}: {what}: {text[at : at + 30].splitlines()[0]!r}")
        if kind != "blank":
            last = Word("sign" if kind == "string" else kind, text[at:end], lines.at(at))
            yield last
        at = end
    yield Word("end", "the end of the file", lines.at(len(text)))


def _word(text: str, at: int, last: Word) -> tuple[str, int | None]:
    if text[at] == "{":
        return "code", braces_end(text, at)
    if text[at] == "[" and last.kind == "name" and last.text[0].islower():
        found = _ARGUMENTS.match(text, at)
        if found:
            return "set", found.end()
    found = _WORD.match(text, at)
    return (str(found.lastgroup), found.end()) if found else ("", None)
