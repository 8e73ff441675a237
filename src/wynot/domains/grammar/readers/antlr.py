"""Read ANTLR's grammars (version 4): combined, or parser and lexer apart, with what they import.

antlr.lark describes the notation. Actions, predicates, labels, arguments and options of alternatives are ignored.
Tokens on other channels are skipped like white space. The rule to begin with is the first that nothing else uses and
that asks for the end of the file, else the first that nothing else uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import PurePosixPath

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken

from wynot.domains.grammar.grammar_model import (
    ANY,
    EMPTY,
    Chars,
    Choice,
    ConvertedGrammar,
    GrammarDraft,
    GrammarError,
    LexerRule,
    Name,
    Others,
    Part,
    Ranges,
    Raw,
    Repeat,
    Rule,
    Text,
    both_cases,
    choice,
    row,
    walk,
)
from wynot.domains.grammar.lark_writer import written
from wynot.domains.grammar.readers.character_sets import UNICODE, CharacterSetError, characters, properties, unescaped
from wynot.domains.grammar.readers.code_lexer import CodeLexer, Node, NoTokenError, line_of

_ARGUMENTS = re.compile(r"""\[(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\[[^\[\]]*\]|[^\[\]"'])*\]""")
"""What stands in brackets behind a rule's name: code, perhaps with brackets in it."""
_END = "EOF"
_DEFAULT_MODE = "DEFAULT_MODE"
_COUNTS: dict[str, tuple[int, int | None]] = {"?": (0, 1), "*": (0, None), "+": (1, None)}


class _AntlrLexer(CodeLexer):
    """Distinguishes names of tokens from names of rules, and arguments from sets of characters."""

    def terminal(self, text: str, at: int, last: Token | None) -> tuple[str, int]:
        arguments = _ARGUMENTS.match(text, at) if last and last[0].islower() else None
        if arguments:
            return "ARGUMENTS", arguments.end()
        kind, end = super().terminal(text, at, last)
        return ("TOKEN" if kind == "NAME" and text[at].isupper() else kind), end


@cache
def _notation() -> Lark:
    return Lark.open("antlr.lark", rel_to=__file__, parser="lalr", lexer=_AntlrLexer)


def read_antlr(file: str, text: str, *, start: str | None, beside: Mapping[str, str]) -> ConvertedGrammar:
    """Gives the grammar for Lark."""
    draft = GrammarDraft(file, start=start)
    reader = _Reader(draft, beside)
    reader.read(file, text)
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
        asked, self.draft.file = self.draft.file, file
        one = _OneFile(self.draft, self.with_end)
        one.read(_parsed(self.draft, text))
        self.draft.file = asked
        for name in one.imports:
            self._other(file, name, needed=True)
        for name in one.vocabularies:
            self._other(file, name, needed=False)

    def _other(self, file: str, name: Token, *, needed: bool) -> None:
        if name in self.seen:
            return
        other = f"{name}.g4"
        if other in self.beside:
            self.read(other, self.beside[other])
        elif f"{name}.tokens" in self.beside and not needed:
            for token in re.findall(r"^(\w+)=\d+", self.beside[f"{name}.tokens"], re.MULTILINE):
                self.draft.tokens.setdefault(token, line_of(name))
        else:
            raise GrammarError(f"{file}:{line_of(name)}: this grammar needs {other}, which is not beside it")


def _parsed(draft: GrammarDraft, text: str) -> Tree[Token]:
    try:
        return _notation().parse(text)
    except NoTokenError as error:
        what = "this action has no end" if text[error.at] == "{" else "this is not ANTLR"
        line = text.count("\n", 0, error.at) + 1
        raise draft.fault(line, f"{what}: {text[error.at : error.at + 30].splitlines()[0]!r}") from None
    except UnexpectedToken as error:
        ends = error.token.type == "$END"
        line = text.count("\n") + 1 if ends else line_of(error.token)
        found = "the end of the file" if ends else str(error.token)
        raise draft.fault(line, _what_is_wrong(error, found)) from None


_EXPECTED = {"MORETHAN": ">", "RPAR": ")", "SEMICOLON": ";", "COLON": ":"}


def _what_is_wrong(error: UnexpectedToken, found: str) -> str:
    rule = _rule_around(error)
    where = f"rule {rule}: " if rule else ""
    expected = next((sign for name, sign in _EXPECTED.items() if name in error.accepts), "")
    closes = error.token.type in {"SEMICOLON", "RPAR", "$END"} or (found == "->" and rule[:1].isupper())
    if "LITERAL" in error.accepts and not (expected and closes):
        return f"{where}{found!r} cannot stand here"
    if expected:
        return f"{where}expected {expected!r}, found {found!r}"
    begin = "an action" if "CODE" in error.accepts else "'grammar'"
    return f"expected {'a name' if 'NAME' in error.accepts else begin}, found {found!r}"


def _rule_around(error: UnexpectedToken) -> str:
    """The name of the rule that was not read to its end."""
    for value in error.interactive_parser.parser_state.value_stack:
        match value:
            case Tree("_rule_name", [name]) | (Token("NAME" | "TOKEN") as name):
                return str(name)
            case Token(kind) if kind != "FRAGMENT":
                break
    return ""


class _OneFile:
    """Adds the rules of a file to the draft."""

    def __init__(self, draft: GrammarDraft, with_end: set[str]) -> None:
        self.draft, self.with_end = draft, with_end
        self.imports: list[Token] = []
        self.vocabularies: list[Token] = []
        self.any_case, self.asked_end, self.mode, self.rule = False, False, "", ""

    def read(self, tree: Tree[Token]) -> None:
        for part in tree.children:
            match part:
                case Tree("prequel", [Token() as kind, code]):
                    self._prequel(kind, str(code))
                case Tree("import", [*_, Token() as name]):
                    self.imports.append(name)
                case Tree("mode", [name]):
                    self.mode = "" if name == _DEFAULT_MODE else str(name)
                case Tree("parser_rule", [Token() as name, *_, Tree("choice", body)]):
                    self._parser_rule(name, body)
                case Tree("lexer_rule" | "fragment" as kind, [Token() as name, *rest]):
                    bodies = [one for one in rest if isinstance(one, Tree)]
                    self._lexer_rule(name, bodies, fragment=kind == "fragment")

    def _prequel(self, kind: Token, code: str) -> None:
        if kind == "tokens":
            for name in re.findall(r"[^\W\d]\w*", code):
                self.draft.tokens.setdefault(name, line_of(kind))
        elif kind == "options":
            for key, value in re.findall(r"(\w+)\s*=\s*([\w.]+|'[^']*')\s*;?", code):
                if key == "tokenVocab":
                    self.vocabularies.append(kind.update(value=value.strip("'").rsplit("/")[-1]))
                elif key == "caseInsensitive":
                    self.any_case = value == "true"
                elif key == "superClass":
                    self.draft.warn(line_of(kind), f"the methods of {value} are not known here")

    def _parser_rule(self, name: Token, body: Iterable[Node]) -> None:
        self.rule, self.asked_end = str(name), False
        found = Rule(self.rule, line_of(name), choice(self._parts(body)))
        if self.rule not in self.draft.rules:
            self.draft.rules[self.rule] = found
            self.with_end.update({self.rule} if self.asked_end else ())

    def _lexer_rule(self, name: Token, bodies: list[Tree[Token]], *, fragment: bool) -> None:
        self.rule = str(name)
        like = LexerRule(self.rule, line_of(name), EMPTY)
        found = [self._commanded(body, like) for body in bodies]
        if all(replace(one, body=EMPTY) == replace(found[0], body=EMPTY) for one in found):
            found = [replace(found[0], body=choice(one.body for one in found))]
        if self.rule in self.draft.bodies:
            return
        self.draft.bodies[self.rule] = choice(one.body for one in found)
        for one in () if fragment else found:
            self.draft.way(one, self.mode)

    def _commanded(self, tree: Tree[Token], like: LexerRule) -> LexerRule:
        """An alternative of a token's rule, with what it does."""
        body, *commands = (one for one in tree.children if isinstance(one, Tree))
        found = replace(like, body=row(self._parts(body.children)))
        for command in commands:
            name, argument = (*map(str, command.children), "")[:2]
            argument = "" if argument == _DEFAULT_MODE else argument
            moves = {"pushMode": ("push", argument), "popMode": ("pop", ""), "mode": ("mode", argument)}
            if name == "channel" and argument in {"DEFAULT_TOKEN_CHANNEL", "0"}:
                continue
            if name in moves:
                found = replace(found, moves=(*found.moves, moves[name]))
            elif name in {"skip", "channel"}:
                found = replace(found, skip=True)
            elif name == "more":
                found = replace(found, more=True)
            elif name == "type":
                found = replace(found, name=argument)
            else:
                line = line_of(command.children[0])
                raise self.draft.fault(line, f"rule {self.rule}: the command {name!r} is not known")
        return found

    def _parts(self, nodes: Iterable[Node]) -> list[Part]:
        found = []
        for node in nodes:
            part = self._part(node)
            if part is not None:
                found.append(part)
        return found

    def _part(self, node: Node) -> Part | None:  # noqa: PLR0911 - one for each kind
        """What a part of a rule's body is; None for what is no part of the language."""
        match node:
            case Tree("choice", items):
                return choice(self._parts(items))
            case Tree("sequence", items):
                return row(self._parts(items))
            case Tree("group" | "labelled", [*_, inner]):
                return self._part(inner)
            case Tree("repeated", [inner, *_, Tree("count", [sign, *lazy])]):
                part = self._part(inner)
                return part and Repeat(part, *_COUNTS[str(sign)], lazy=bool(lazy))
            case Tree("label" | "options"):
                return None
            case Tree("action", [code, *predicate]):
                what = "a predicate" if "?" in predicate else "an action"
                self.draft.warn(line_of(code), f"rule {self.rule}: {what} is ignored")
                return None
        return self._in_token(node) if self.rule[0].isupper() else self._in_rule(node)

    def _in_rule(self, node: Node) -> Part | None:
        """A symbol in a rule of the parser."""
        match node:
            case Tree("reference", [name, *_]):
                self.asked_end |= name == _END
                return None if name == _END else Name(str(name), line_of(name))
            case Tree("excluded", [sign, inner]):  # which tokens are left is known at the end only
                part = self._part(inner)
                names = part.items if isinstance(part, Choice) else (part,)
                some = [one.name if isinstance(one, Name) else f"'{one.text}'" for one in names
                        if isinstance(one, Name | Text)]  # fmt: skip
                return Name("~" + "\n".join(some), line_of(sign))
            case Token("LITERAL", text):
                return Text(unescaped(text[1:-1]), self.any_case, line_of(node))
        return Name(str(node), line_of(node))

    def _in_token(self, node: Node) -> Part:
        """A symbol in a rule of the lexer."""
        match node:
            case Tree("excluded", [_, inner]):
                return Others(self._part(inner) or EMPTY, self.any_case)
            case Tree("range", [Token() as low, Token() as high]):
                ends = unescaped(low[1:-1]), unescaped(high[1:-1])
                if len(ends[0]) != 1 or len(ends[1]) != 1 or ends[1] < ends[0]:
                    raise self.draft.fault(line_of(low), f"rule {self.rule}: no range of characters: {low}..{high}")
                return self._cased(((ord(ends[0]), ord(ends[1])),))
            case Token("SET", text):
                return self._cased(self._set(text, line_of(node)))
            case Token("LITERAL", text):
                return Text(unescaped(text[1:-1]), self.any_case, line_of(node))
            case Token("ANY"):
                return ANY
        return Raw(r"\Z") if node == _END else Name(str(node), line_of(node))

    def _set(self, text: str, line: int) -> Ranges:
        try:
            return characters(text[1:-1], UNICODE, properties)
        except CharacterSetError as error:
            what = f"the characters of {error.name} are not known" if error.name else f"no range of characters: {text}"
            raise self.draft.fault(line, f"{self.rule}: {what}") from None

    def _cased(self, some: Ranges) -> Chars:
        return Chars(both_cases(some) if self.any_case else some)
