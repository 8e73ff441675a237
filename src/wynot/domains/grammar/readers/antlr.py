"""Read ANTLR's grammars (version 4): combined, or parser and lexer apart, with what they import.

Actions, predicates, labels, arguments and options of alternatives are ignored. Tokens on other channels are skipped
like white space. The rule to begin with is the first that nothing else uses and that asks for the end of the file,
else the first that nothing else uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from wynot.domains.grammar.grammar_model import ConvertedGrammar, GrammarDraft, GrammarError
from wynot.domains.grammar.lark_writer import written
from wynot.domains.grammar.readers.antlr_bodies import RuleBodies
from wynot.domains.grammar.readers.scanner import GrammarWord, LineNumbers, braces_end, unified
from wynot.domains.grammar.rule_parts import LexerRule, Name, Part, Rule, choice, walk

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


def words(file: str, text: str) -> Iterator[GrammarWord]:
    """Gives the words; code in braces is one word ("code")."""
    lines, at = LineNumbers(text), 0
    last = GrammarWord("", "", 0)
    while at < len(text):
        kind, end = _word(text, at, last)
        if end is None:
            what = "this action has no end" if kind == "code" else "this is not ANTLR"
            raise GrammarError(f"{file}:{lines.at(at)}: {what}: {text[at : at + 30].splitlines()[0]!r}")
        if kind != "blank":
            last = GrammarWord("sign" if kind == "string" else kind, text[at:end], lines.at(at))
            yield last
        at = end
    yield GrammarWord("end", "the end of the file", lines.at(len(text)))


def _word(text: str, at: int, last: GrammarWord) -> tuple[str, int | None]:
    if text[at] == "{":
        return "code", braces_end(text, at)
    if text[at] == "[" and last.kind == "name" and last.text[0].islower():
        found = _ARGUMENTS.match(text, at)
        if found:
            return "set", found.end()
    found = _WORD.match(text, at)
    return (str(found.lastgroup), found.end()) if found else ("", None)


_PREQUEL = {"options", "tokens", "channels"}


@dataclass(slots=True)
class _Head:
    """What a grammar says before its rules."""

    kind: str = "combined"
    vocabularies: list[tuple[str, int]] = field(default_factory=list)
    imports: list[tuple[str, int]] = field(default_factory=list)


def read_antlr(file: str, text: str, *, start: str | None, beside: Mapping[str, str]) -> ConvertedGrammar:
    """Gives the grammar for Lark."""
    draft = GrammarDraft(file, start=start)
    reader = _Reader(draft, beside)
    reader.read(file, unified(text))
    if not draft.rules:
        raise GrammarError(f"{file}:1: there are no rules of a parser, only of a lexer")
    if start is None:
        draft.start = _root(draft, reader.with_end)
    return written(draft)


def _root(draft: GrammarDraft, with_end: set[str]) -> str:
    """The rule to begin with: what nothing else uses."""
    used = {
        part.name for rule in draft.rules.values() for part in walk(rule.body)
        if isinstance(part, Name) and part.name != rule.name
    }  # fmt: skip
    roots = [name for name in draft.rules if name not in used]
    return next((name for name in roots if name in with_end), next(iter(roots), next(iter(draft.rules))))


class _Reader:
    """Reads one file after the other into the draft: the grammar, then what it imports; the first definition counts."""

    def __init__(self, draft: GrammarDraft, beside: Mapping[str, str]) -> None:
        self.draft = draft
        self.beside = {PurePosixPath(name).name: text for name, text in beside.items()}
        self.with_end: set[str] = set()
        self.seen: set[str] = set()

    def read(self, file: str, text: str) -> None:
        self.seen.add(PurePosixPath(file).stem)
        asked = self.draft.file
        self.draft.file = file
        head = _OneFile(self, file, text).read()
        self.draft.file = asked
        for name, line in (*head.imports, *head.vocabularies):
            self._other(file, name, line, needed=(name, line) in head.imports)

    def _other(self, file: str, name: str, line: int, *, needed: bool) -> None:
        if name in self.seen:
            return
        other = f"{name}.g4"
        if other in self.beside:
            self.read(other, unified(self.beside[other]))
        elif f"{name}.tokens" in self.beside and not needed:
            for token in re.findall(r"^(\w+)=\d+", self.beside[f"{name}.tokens"], re.MULTILINE):
                self.draft.tokens.setdefault(token, line)
        else:
            raise GrammarError(f"{file}:{line}: this grammar needs {other}, which is not beside it")


class _OneFile:
    """Reads a file's head and its rules."""

    def __init__(self, reader: _Reader, file: str, text: str) -> None:
        self.reader, self.draft, self.file = reader, reader.draft, file
        self.bodies = RuleBodies(self.draft, list(words(file, text)))
        self.head = _Head()
        self.mode = ""

    def read(self) -> _Head:
        at = self.bodies
        if at.take("lexer") or at.take("parser"):
            self.head.kind = at.before.text
        at.expect("grammar")
        at.name()
        at.expect(";")
        while at.here.kind != "end":
            self._part()
        return self.head

    def _part(self) -> None:
        at = self.bodies
        word = at.here
        if word.text in _PREQUEL and at.ahead.kind == "code":
            at.step()
            self._prequel(word, at.step().text)
        elif word.text == "import":
            at.step()
            self.head.imports += at.imports()
        elif word.text == "@":
            at.named_action()
        elif word.text == "mode" and at.ahead.kind == "name":
            at.step()
            self.mode = at.name()
            at.expect(";")
        else:
            self._rule()

    def _prequel(self, word: GrammarWord, code: str) -> None:
        if word.text == "tokens":
            for name in re.findall(r"[^\W\d]\w*", code):
                self.draft.tokens.setdefault(name, word.line)
        elif word.text == "options":
            for key, value in re.findall(r"(\w+)\s*=\s*([\w.]+|'[^']*')\s*;?", code):
                if key == "tokenVocab":
                    self.head.vocabularies.append((value.strip("'").rsplit("/")[-1], word.line))
                elif key == "caseInsensitive":
                    self.bodies.any_case = value == "true"
                elif key == "superClass":
                    self.draft.warn(word.line, f"the methods of {value} are not known here")

    def _rule(self) -> None:
        at = self.bodies
        while at.here.text in {"public", "protected", "private"}:
            at.step()
        fragment = at.take("fragment")
        line, name = at.here.line, at.name()
        at.rule, at.asked_end = name, False
        at.rule_head()
        at.expect(":")
        if name[0].isupper():
            self._token(name, line, fragment=fragment)
        else:
            self._nonterminal(name, line, at.parser_body())
        at.expect(";")
        at.rule_tail()

    def _nonterminal(self, name: str, line: int, body: Part) -> None:
        if name in self.draft.rules:
            return
        self.draft.rules[name] = Rule(name, line, body)
        if self.bodies.asked_end:
            self.reader.with_end.add(name)

    def _token(self, name: str, line: int, *, fragment: bool) -> None:
        found = self.bodies.lexer_body(LexerRule(name, line, Name(name)))
        if name in self.draft.bodies:
            return
        self.draft.bodies[name] = choice(way.body for way in found)
        for way in () if fragment else found:
            self.draft.way(way, "" if self.mode == "DEFAULT_MODE" else self.mode)
