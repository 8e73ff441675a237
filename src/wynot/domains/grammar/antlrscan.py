"""The words of ANTLR's grammars: names, literals, sets of characters, code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wynot.domains.grammar.model import GrammarError
from wynot.domains.grammar.scanning import Lines, braces_end

_WORD = re.compile(
    r"""(?P<blank>\s+ | //[^\n]* | /\*[\s\S]*?(?:\*/|\Z))
      | (?P<literal>'(?:[^'\\\n]|\\.)*')
      | (?P<string>"(?:[^"\\\n]|\\.)*")
      | (?P<set>\[(?:[^\]\\]|\\[\s\S])*\])
      | (?P<name>[^\W\d]\w*)
      | (?P<number>\d+)
      | (?P<sign>->|\.\.|\+=|::|[:;|()?*+~.,=@\#<>$!^&-])""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word, what it is, and its line."""

    kind: str
    text: str
    line: int


def words(file: str, text: str) -> Iterator[Word]:
    """Gives the words; code in braces is one word ("code")."""
    lines, at = Lines(text), 0
    while at < len(text):
        if text[at] == "{":
            end = braces_end(text, at)
            if end is None:
                raise GrammarError(f"{file}:{lines.at(at)}: this action has no end: {text[at : at + 30]!r}")
            yield Word("code", text[at:end], lines.at(at))
            at = end
            continue
        found = _WORD.match(text, at)
        if found is None:
            raise GrammarError(f"{file}:{lines.at(at)}: this is not ANTLR: {text[at : at + 30].splitlines()[0]!r}")
        kind = str(found.lastgroup)
        if kind != "blank":
            yield Word("sign" if kind == "string" else kind, found[0], lines.at(at))
        at = found.end()
    yield Word("end", "the end of the file", lines.at(len(text)))
