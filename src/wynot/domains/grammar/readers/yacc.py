"""Read YACC's and Bison's grammars.

yacc.lark describes the notation. Actions, types, precedences and the parts for errors are left out. A token is what the
lexer beside says (a .l file, a tokens file, the thesis' lexical section behind a line `%:` or behind the last `%%`); a
literal stands for itself, and so does a token's alias where nothing else defines it. Tokens that nothing defines are
named in `undefined`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import takewhile
from pathlib import PurePosixPath

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken

from wynot.domains.grammar.grammar_model import (
    Choice,
    ConvertedGrammar,
    GrammarDraft,
    LexerRule,
    Name,
    Part,
    Rule,
    Text,
    alternatives,
    choice,
    row,
    walk,
)
from wynot.domains.grammar.lark_writer import written
from wynot.domains.grammar.readers.character_sets import unescaped
from wynot.domains.grammar.readers.code_lexer import CodeLexer, Node, NoTokenError, line_of, tokens_of
from wynot.domains.grammar.readers.lex import read_lex
from wynot.domains.grammar.readers.tokens_file import read_lexical, read_tokens

_LEXICAL = re.compile(r"""^\s*(?:\w+|'(?:[^'\\]|\\.)+')\s*:\s*\[\|""", re.MULTILINE)
_BREAK = re.compile(r"^%:[ \t]*$", re.MULTILINE)


class _YaccLexer(CodeLexer):
    """Marks the names that begin a rule, and stops at the second %%."""

    def tokens(self, text: str) -> Iterator[Token]:
        found: list[Token] = []
        marks = 0
        for token in super().tokens(text):
            found.append(token)
            marks += token.type == "_MARK"
            if marks == 2:
                break
        for number, token in enumerate(found):
            behind = [one.type for one in found[number + 1 : number + 3]]
            begins = token.type == "NAME" and (behind[:1] == ["COLON"] or behind == ["BRACKET", "COLON"])
            yield token.update("RULE") if begins else token


@cache
def _notation() -> Lark:
    return Lark.open("yacc.lark", rel_to=__file__, parser="lalr", lexer=_YaccLexer)


def _parsed(draft: GrammarDraft, text: str) -> Tree[Token]:
    try:
        return _notation().parse(text)
    except NoTokenError as error:
        rest = text[error.at : error.at + 30]
        what = f"this action has no end: {rest!r}" if rest[0] == "{" else f"this is not YACC: {rest.splitlines()[0]!r}"
        raise draft.fault(text.count("\n", 0, error.at) + 1, what) from None
    except UnexpectedToken as error:
        if error.token.type == "$END":
            raise draft.fault(text.count("\n") + 1, "there is no %% before the rules") from None
        raise draft.fault(line_of(error.token), _what_is_wrong(error, text)) from None


def _what_is_wrong(error: UnexpectedToken, text: str) -> str:
    found = error.token
    for value in error.interactive_parser.parser_state.value_stack:
        match value:
            case Tree("head", [rule, *_]) | (Token("RULE") as rule):
                return f"rule {rule}: {str(found)!r} cannot stand here"
    if found.type == "RULE":
        return f"the rule {found} stands before any %%"
    if any("::=" in word for word in text[found.start_pos : found.start_pos + 200].split()[:3]):
        return f"{found}: this is Lemon's notation, not YACC's"
    return f"expected a rule, found {str(found)!r}"


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


def read_yacc(file: str, text: str, *, start: str | None, beside: Mapping[str, str]) -> ConvertedGrammar:
    """Gives the grammar for Lark."""
    grammar, lexical, line = sections(text)
    draft = GrammarDraft(file, ordered=True)
    reader = _Reader(draft)
    reader.read(_parsed(draft, grammar))
    draft.start = start or draft.start
    if lexical:
        read_lexical(draft, lexical, line)
    for name, other in beside.items():
        suffix = PurePosixPath(name).suffix.lower()
        draft.file = name
        if suffix in LEXERS:
            read_lex(draft, other)
        elif suffix not in {".y", ".yy", ".ypp", ".yxx", ".g4", ".lark"}:
            read_tokens(draft, other)
    draft.file = file
    reader.aliases_for_tokens()
    return written(draft)


class _Reader:
    """Adds declarations and rules to the draft."""

    def __init__(self, draft: GrammarDraft) -> None:
        self.draft = draft
        self.aliases: dict[str, tuple[str, int]] = {}
        self.ends = {"YYEOF", "$end"}

    def read(self, tree: Tree[Token]) -> None:
        for part in tree.children:
            match part:
                case Tree("declaration", [Token("DIRECTIVE") as directive, *_]):
                    self._declaration(directive, tokens_of(part)[1:])
                case Tree("rule", [Tree("head", [Token() as name, *_]), *bodies]):
                    self._rule(name, bodies)
        self._drop_hopeless()

    def _declaration(self, directive: Token, words: list[Token]) -> None:
        if directive in _TOKENS:
            self._tokens(takewhile(lambda word: word.type != "CODE", words), plain=directive == "%token")
        elif directive == "%start" and words:
            self.draft.start = str(words[0])
        elif directive == "%define" and words[:1] == ["api.token.prefix"] and words[1:]:
            self.draft.prefix = words[1].strip('{}" ')

    def _tokens(self, words: Iterable[Token], *, plain: bool) -> None:
        last = ""
        for word in words:
            if word.type == "NAME" and word != "_":
                last = str(word)
                self.draft.tokens.setdefault(last, line_of(word))
            elif word.type == "STRING" and plain and last:
                self.aliases[unescaped(word[1:-1])] = (last, line_of(word))
            elif word.type == "NUMBER" and last and int(word, 0) == 0:
                self.ends.add(last)

    def _rule(self, name: Token, bodies: Iterable[Node]) -> None:
        rule = str(name)
        known = self.draft.rules.get(rule)
        found = [*alternatives(known.body)] if known else []
        for words in map(tokens_of, bodies):
            faulty = [line_of(word) for word in words if word == "error"]
            if faulty:
                self.draft.warn(faulty[-1], f"rule {rule}: the alternative for errors is left out")
            else:
                found.append(row(part for word in words for part in self._item(word)))
        self.draft.rules[rule] = Rule(rule, line_of(name), choice(found) if found else Choice(()))

    def _item(self, word: Token) -> list[Part]:
        if word.type == "NAME":
            return [] if word in self.ends else [Name(str(word), line_of(word))]
        if word.type not in {"LITERAL", "STRING"}:
            return []
        text = unescaped(word[1:-1])
        if word.type == "STRING" and text in self.aliases:
            name = self.aliases[text][0]
            return [] if name in self.ends else [Name(name, line_of(word))]
        return [Text(text, line=line_of(word))] if text.strip("\0") else []

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
