"""Read YACC's and Bison's grammars.

Actions, types, precedences and the parts for errors are left out. A token is what the lexer beside says (a .l file, a
tokens file, the thesis' lexical section behind a line `%:` or behind the last `%%`); a literal stands for itself, and
so does a token's alias where nothing else defines it. Tokens that nothing defines are named in `undefined`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from wynot.domains.grammar.grammar_model import ConvertedGrammar, GrammarDraft, GrammarError
from wynot.domains.grammar.lark_writer import written
from wynot.domains.grammar.readers.lex import read_lex
from wynot.domains.grammar.readers.scanner import GrammarWord, GrammarWords, LineNumbers, braces_end, unescaped, unified
from wynot.domains.grammar.readers.tokens_file import read_lexical, read_tokens
from wynot.domains.grammar.rule_parts import Choice, LexerRule, Name, Part, Rule, Text, alternatives, choice, row, walk

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


def words(file: str, text: str) -> Iterator[GrammarWord]:
    """Gives the words up to the second %%; code in braces is one word ("code")."""
    lines, at, marks = LineNumbers(text), 0, 0
    while at < len(text) and marks < 2:
        if text[at] == "{":
            end = braces_end(text, at)
            if end is None:
                raise GrammarError(f"{file}:{lines.at(at)}: this action has no end: {text[at : at + 30]!r}")
            yield GrammarWord("code", text[at:end], lines.at(at))
            at = end
            continue
        found = _WORD.match(text, at)
        if found is None:
            raise GrammarError(f"{file}:{lines.at(at)}: this is not YACC: {text[at : at + 30].splitlines()[0]!r}")
        kind = str(found.lastgroup)
        marks += kind == "mark"
        if kind != "blank":
            yield GrammarWord(kind, found[0], lines.at(at))
        at = found.end()
    yield GrammarWord("end", "the end of the file", lines.at(at))


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


LEXERS = {".l", ".ll", ".lex", ".lpp", ".lxx", ".flex"}
_TOKENS = {"%token", "%left", "%right", "%nonassoc", "%precedence", "%term", "%binary"}
_IN_RULES = {"%prec": 1, "%dprec": 1, "%merge": 1, "%expect": 1, "%expect-rr": 1, "%empty": 0, "%?": 1}
"""What may stand in a rule, and how many words follow."""


def read_yacc(file: str, text: str, *, start: str | None, beside: Mapping[str, str]) -> ConvertedGrammar:
    """Gives the grammar for Lark."""
    grammar, lexical, line = sections(unified(text))
    reader = _Yacc(GrammarDraft(file, ordered=True), list(words(file, grammar)))
    reader.read()
    draft = reader.draft
    draft.start = start or draft.start
    if lexical:
        read_lexical(draft, lexical, line)
    for name, other in beside.items():
        suffix = PurePosixPath(name).suffix.lower()
        draft.file = name
        if suffix in LEXERS:
            read_lex(draft, unified(other))
        elif suffix not in {".y", ".yy", ".ypp", ".yxx", ".g4", ".lark"}:
            read_tokens(draft, unified(other))
    draft.file = file
    reader.aliases_for_tokens()
    return written(draft)


class _Yacc(GrammarWords):
    """Reads declarations and rules."""

    def __init__(self, draft: GrammarDraft, found: list[GrammarWord]) -> None:
        super().__init__(draft, found)
        self.aliases: dict[str, tuple[str, int]] = {}
        self.ends = {"YYEOF", "$end"}

    def read(self) -> None:
        while self.here.kind not in {"mark", "end"}:
            self._declaration()
        if self.here.kind == "end":
            raise self.draft.fault(self.here.line, "there is no %% before the rules")
        self.step()
        self._collect_rules()
        self._drop_hopeless()

    def _declaration(self) -> None:
        word = self.step()
        if word.text in _TOKENS:
            self._tokens(plain=word.text == "%token")
        elif word.text == "%start":
            self.draft.start = self.step().text
        elif word.text == "%define" and self.here.text == "api.token.prefix":
            self.draft.prefix = self.ahead.text.strip('{}" ')
        elif word.kind in {"name", "sign"} and word.text not in {";", "="} and self.here.text in {":", "::="}:
            raise self.draft.fault(word.line, f"the rule {word.text} stands before any %%")
        else:
            while self.here.kind not in {"directive", "mark", "end"} and not self._rule_begins():
                self.step()

    def _tokens(self, *, plain: bool) -> None:
        last = ""
        while self.here.kind not in {"directive", "mark", "end", "code"} and not self._rule_begins():
            word = self.step()
            if word.kind == "name" and word.text != "_":
                last = word.text
                self.draft.tokens.setdefault(last, word.line)
            elif word.kind == "string" and plain and last:
                self.aliases[unescaped(word.text[1:-1])] = (last, word.line)
            elif word.kind == "number" and last and int(word.text, 0) == 0:
                self.ends.add(last)

    def _rule_begins(self) -> bool:
        if self.here.kind != "name":
            return False
        ahead = self.words[self.place + 1 : self.place + 3]
        if ahead and ahead[0].kind == "bracket":
            ahead = ahead[1:]
        return bool(ahead) and ahead[0].text == ":"

    def _collect_rules(self) -> None:
        while self.here.kind not in {"mark", "end"}:
            if self._rule_begins():
                self._rule()
            elif self.here.kind == "directive":
                self._declaration()
            elif self.here.text == ";" or self.here.kind == "code":
                self.step()
            else:
                self._refuse()

    def _refuse(self) -> None:
        if any(word.text == "::=" for word in self.words[self.place : self.place + 3]):
            raise self.draft.fault(self.here.line, f"{self.here.text}: this is Lemon's notation, not YACC's")
        raise self.draft.fault(self.here.line, f"expected a rule, found {self.here.text!r}")

    def _rule(self) -> None:
        word = self.step()
        while self.step().text != ":":
            pass
        found: list[Part] = []
        while True:
            one = self._alternative(word)
            if one is not None:
                found.append(one)
            if self.here.text != "|":
                break
            self.step()
        if word.text in self.draft.rules:
            found = [*alternatives(self.draft.rules[word.text].body), *found]
        self.draft.rules[word.text] = Rule(word.text, word.line, choice(found) if found else Choice(()))

    def _alternative(self, rule: GrammarWord) -> Part | None:
        """One alternative; None where it is for errors only."""
        items: list[Part] = []
        faulty = 0
        while self.here.text not in {"|", ";"} and self.here.kind not in {"mark", "end"} and not self._rule_begins():
            word = self.step()
            if word.kind == "directive":
                if word.text not in _IN_RULES:
                    self.place -= 1
                    break
                for _ in range(_IN_RULES[word.text]):
                    self.step()
            elif word.text == "error":
                faulty = word.line
            elif word.kind in {"name", "literal", "string"}:
                items += self._item(word)
            elif word.kind not in {"code", "bracket", "tag"} and word.text != "=":
                raise self.draft.fault(word.line, f"rule {rule.text}: {word.text!r} cannot stand here")
        if faulty:
            self.draft.warn(faulty, f"rule {rule.text}: the alternative for errors is left out")
            return None
        return row(items)

    def _item(self, word: GrammarWord) -> list[Part]:
        if word.kind == "name":
            return [] if word.text in self.ends else [Name(word.text, word.line)]
        text = unescaped(word.text[1:-1])
        if word.kind == "string" and text in self.aliases:
            name = self.aliases[text][0]
            return [] if name in self.ends else [Name(name, word.line)]
        return [Text(text, line=word.line)] if text.strip("\0") else []

    def _drop_hopeless(self) -> None:
        """Leave out rules that are for errors only, and the alternatives that use them."""
        rules = self.draft.rules
        while True:
            hopeless = {name for name, rule in rules.items() if rule.body == Choice(())}
            if not hopeless:
                return
            for name in hopeless:
                self.draft.warn(rules[name].line, f"rule {name} is for errors only, and left out")
                del rules[name]
            for name, rule in rules.items():
                kept = [one for one in alternatives(rule.body) if not _uses(one, hopeless)]
                rules[name] = Rule(name, rule.line, choice(kept) if kept else Choice(()))

    def aliases_for_tokens(self) -> None:
        """A token that nothing else defines is what its alias says."""
        defined = {way.name for some in self.draft.ways.values() for way in some}
        first = []
        for text, (name, line) in self.aliases.items():
            if name not in defined and name not in self.ends and text and " " not in text:
                if text.isalpha() and text.islower() and not _alike(name, text):
                    self.draft.warn(line, f"the token {name} is taken to be its alias, {text!r}")
                first.append(LexerRule(name, line, Text(text)))
        self.draft.ways[""] = [*first, *self.draft.ways.get("", [])]


def _uses(part: Part, names: set[str]) -> bool:
    return any(isinstance(one, Name) and one.name in names for one in walk(part))


def _alike(name: str, text: str) -> bool:
    return text.lower() in name.lower()
