"""Grammars that users bring: their files, and the files beside them that they speak of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from wynot.core.artifact import digest
from wynot.core.run_events import Caution, Listener
from wynot.domains.grammar.glr import END
from wynot.domains.grammar.grammar_language import GrammarLanguage, decoded
from wynot.domains.grammar.readers.read_grammar import ConvertedGrammar, GrammarError, read_grammar
from wynot.engine.input_source import read_file
from wynot.errors import UsageError

LEXERS = (".l", ".ll", ".lex", ".lpp", ".lxx", ".flex")
FEW = 3
"""Warnings that are told one by one."""
SOME = 8
"""How many of the terminals that were expected are named."""


@dataclass(frozen=True)
class Grammar:
    """A grammar: the text of its file, and of those beside it."""

    name: str
    text: str
    start: str | None = None
    beside: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def converted(self) -> ConvertedGrammar:
        """The grammar as Lark reads it."""
        try:
            return read_grammar(self.name, self.text, start=self.start, beside=self.beside)
        except GrammarError as error:
            raise UsageError(str(error), self._hint) from None

    @cached_property
    def language(self) -> GrammarLanguage:
        """The language that it describes."""
        try:
            return GrammarLanguage(self.converted, Path(self.name).stem)
        except GrammarError as error:
            raise UsageError(f"{self.name}: {error}", self._hint) from None

    @property
    def _hint(self) -> str:
        known = Path(self.name).suffix in {".lark", ".g4"} or ".y" in Path(self.name).suffix
        what = "mend the grammar" if known else "name a grammar (.lark, .y or .g4)"
        return f"{what} or choose another rule (--start RULE), then look again: wynot grammar check {self.name}"

    def identity(self) -> str:
        """The same for the same grammar."""
        texts = [
            self.name,
            self.text,
            self.start or "",
            *(text for pair in sorted(self.beside.items()) for text in pair),
        ]
        return digest("\0".join(texts).encode("utf-8", "surrogateescape")).hex()


def load_grammar(path: Path | str, *, start: str | None = None, tokens: Path | str | None = None) -> Grammar:
    """A grammar from its file; what it needs besides is looked for in the same folder."""
    path = Path(path)
    text = decoded(read_file(path))
    beside = dict(_companions(path, text))
    if tokens is not None:
        beside[Path(tokens).name] = decoded(read_file(Path(tokens)))
    return Grammar(path.name, text, start, beside)


def _companions(path: Path, text: str) -> Iterator[tuple[str, str]]:
    """The lexer of the same name for YACC; for ANTLR, the grammars that are named."""
    if path.suffix == ".g4":
        yield from _named(path.parent, text, {path.name}).items()
    elif path.suffix != ".lark":
        lexers = [other for suffix in LEXERS if (other := path.with_suffix(suffix)).is_file()]
        yield from ((other.name, decoded(read_file(other))) for other in lexers[:1])


def _named(folder: Path, text: str, seen: set[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    waiting = [text]
    while waiting:
        words = set(re.findall(r"\w+", waiting.pop()))
        for other in sorted(folder.glob("*.g4")):
            if other.stem in words and other.name not in seen:
                seen.add(other.name)
                found[other.name] = decoded(read_file(other))
                waiting.append(found[other.name])
    return found


def tell_warnings(grammar: Grammar, listener: Listener) -> None:
    """What was left out of a grammar; the first few, if it is much."""
    warnings = grammar.converted.warnings
    for warning in warnings[:FEW]:
        listener(Caution(warning))
    if len(warnings) > FEW:
        listener(Caution(f"... and {len(warnings) - FEW} more: wynot grammar check {grammar.name}"))


def too_ambiguous(grammar: Grammar, data: bytes) -> bool:
    """Whether reading an input takes too long, as the grammar describes it in too many ways."""
    return grammar.language.read(data).exhausted


def see_that_it_parses(grammar: Grammar, data: bytes, shown: str) -> None:
    """Refuse an input that the grammar does not describe: where, and what was expected there."""
    language = grammar.language
    stop = language.read(data).stop
    if stop is None:
        return
    if too_ambiguous(grammar, data):
        raise UsageError(
            f"{shown}: {grammar.name} is too ambiguous: reading this input takes too long",
            "let it describe each text in one way only, e.g. `list: item+` for `list: list list | item`",
        )
    text = language.read(data).text
    line, column = text.count("\n", 0, stop.at) + 1, stop.at - text.rfind("\n", 0, stop.at)
    what = f"{text[stop.at : stop.at + 20].splitlines()[0]!r}" if text[stop.at :].strip() else "the end of the file"
    named = ["the end" if name == END else language.shown(name) for name in stop.expected]
    more = f" or {len(named) - SOME} others" if len(named) > SOME else ""
    expected = f"; expected {', '.join(named[:SOME])}{more}" if named else ""
    raise UsageError(
        f"{shown}:{line}:{column}: {grammar.name} does not describe this input: {what} cannot come here{expected}",
        f"look at both: wynot grammar check {grammar.name} {shown}   (another start rule: --start RULE)",
    )
