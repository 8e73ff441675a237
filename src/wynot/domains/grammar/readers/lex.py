"""Read the rules of Lex's and flex's files, and what their actions do.

A file is cut by hand: where a pattern ends depends on blanks, where an action ends on braces, and what an indented line
is on the rules around it. What a rule's action gives is told from its text: `return NAME`, `return 'c'`, the character
that was matched, a name of a token in a macro, what a function in the same file returns. A rule that returns nothing is
skipped. Start conditions become modes; a condition that only collects a token (a string, a comment) until its end
becomes one pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from wynot.domains.grammar.grammar_model import (
    ANY,
    Chars,
    GrammarDraft,
    LexerRule,
    Name,
    Part,
    PartSequence,
    Repeat,
    Rule,
    Text,
    choice,
    mapped,
    others,
    quoted,
    walk,
)
from wynot.domains.grammar.readers.character_sets import unescaped
from wynot.domains.grammar.readers.code_lexer import braces_end
from wynot.domains.grammar.readers.tokens_file import LexPattern
from wynot.domains.grammar.token_patterns import regex

ALL = "*"
_HIDDEN = re.compile(r"^[ \t]*%\{.*?^[ \t]*%\}|^%top[ \t]*\{.*?^\}", re.DOTALL | re.MULTILINE)
"""Code before the rules."""
_CODE_LINE = re.compile(r"^[^\S\n](?![^\S\n]*(?:/\*|<|%\{|\n|\Z))[^\n]*\n?", re.MULTILINE)
"""An indented line between rules."""
_BETWEEN = re.compile(r"\s|%\{.*?(?:%\}|\Z)|/\*.*?(?:\*/|\Z)|//[^\n]*\n?", re.DOTALL)
_CONDITIONS = re.compile(r"<([\w\s,*]+)>")
_PATTERN = re.compile(
    r"""(?: \\[\s\S]? | "(?:[^"\\\n]|\\[\s\S]?)*(?:["\n]|\Z) | \[\^?(?:\[:\^?\w+:\]|\\.|[^\]\\\n])*\] | \S)*""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class LexRule:
    """One rule: where it holds, its pattern and its action as they stand there."""

    line: int
    conditions: tuple[str, ...]
    pattern: str
    action: str


@dataclass(slots=True)
class LexFile:
    """What stands in a file before the rules, and the rules."""

    definitions: dict[str, str] = field(default_factory=dict)
    exclusive: set[str] = field(default_factory=set)
    inclusive: set[str] = field(default_factory=set)
    any_case: bool = False
    rules: list[LexRule] = field(default_factory=list)


def scanned(draft: GrammarDraft, text: str) -> LexFile:
    """Gives the parts of the file."""
    hidden = _HIDDEN.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    marks = [found.start() for found in re.finditer(r"^%%", hidden, re.MULTILINE)]
    if not marks:
        raise draft.fault(1, "there is no %% before the lexer's rules")
    file = LexFile()
    _define(file, hidden[: marks[0]])
    begin = text.find("\n", marks[0]) + 1
    rules = list(_rules(draft, text[: marks[1] if marks[1:] else None], begin)) if begin else []
    action = "|"
    for rule in reversed(rules):  # an action | is the next rule's
        action = action if rule.action == "|" else rule.action
        file.rules.append(replace(rule, action=action))
    file.rules.reverse()
    return file


def _define(file: LexFile, text: str) -> None:
    text = re.sub(r"^/\*.*?\*/", "", text, flags=re.DOTALL | re.MULTILINE)
    for line in text.split("\n"):
        words = line.split()
        if not words or line[0].isspace():
            continue
        if words[0][:2].lower() == "%x":
            file.exclusive.update(words[1:])
        elif words[0][:2].lower() == "%s":
            file.inclusive.update(words[1:])
        elif words[0] == "%option":
            file.any_case |= bool({"case-insensitive", "caseless", "-i"} & set(words))
        elif re.fullmatch(r"[A-Za-z_][\w-]*", words[0]) and len(words) > 1:
            value = line[len(words[0]) :].strip()
            file.definitions[words[0]] = re.sub(r"\s+/\*.*?\*/\s*$", "", value)


def _rules(draft: GrammarDraft, text: str, at: int) -> Iterator[LexRule]:
    """The rules in their order; `<A>{ ... }` puts a condition around several."""
    around: list[tuple[str, ...]] = []
    while at < len(text):
        between = (None if around else _CODE_LINE.match(text, at)) or _BETWEEN.match(text, at)
        if between:
            at = between.end()
        elif text[at] == "}" and around:
            around.pop()
            at += 1
        else:
            line = text.count("\n", 0, at) + 1
            found = _CONDITIONS.match(text, at)
            conditions = tuple(name.strip() for name in found[1].split(",")) if found else ()
            at = found.end() if found else at
            if conditions and text[at : at + 1] == "{" and text[at + 1 : at + 2].isspace():
                around.append(conditions)
                at += 1
                continue
            found = _PATTERN.match(text, at)
            pattern = found[0] if found else ""
            action, at = _action(draft, text, at + len(pattern), line)
            if not pattern.startswith("<<EOF>>"):
                yield LexRule(line, conditions or (around[-1] if around else ()), pattern, action)


def _action(draft: GrammarDraft, text: str, begin: int, line: int) -> tuple[str, int]:
    """The action that begins here, and where it ends."""
    end = _line_end(text, begin)
    code = text[begin:end].strip()
    if code.startswith("%{"):
        found = text.find("%}", begin)
        end = len(text) if found < 0 else found + 2
    elif "{" in code and not code.startswith(("/*", "//")):
        close = braces_end(text, text.index("{", begin))
        if close is None:
            raise draft.fault(line, f"this action has no end: {code[:30]!r}")
        end = max(end, _line_end(text, close))
    return text[begin:end].strip(), end


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


_QUIET = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)
_RETURN = re.compile(r"\breturn\b\s*([^;]*)")
_CHAR = re.compile(r"'((?:[^'\\\n]|\\[^\n]+?))'")
_MATCHED = re.compile(r"\byytext\s*\[\s*0\s*\]|\*\s*yytext\b|\byytext\s*\(\s*\)\s*\[\s*0\s*\]")
_BEGIN = re.compile(r"\b(BEGIN|yy_push_state|yy_pop_state)\b\s*\(?\s*(\w*)")
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_MOVES = {"BEGIN": "mode", "yy_push_state": "push", "yy_pop_state": "pop"}


@dataclass(frozen=True, slots=True)
class LexAction:
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


def understood(code: str, tokens: Iterable[str], functions: str, prefix: str = "") -> LexAction:
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
    return LexAction(some, matched, unknown, tuple(moves[:1]), more, len(set(moves)) > 1)


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


SKIP = "SKIP"
_LINE = Repeat(Chars(others(((10, 10),))), 0, None)
_COMMENTS = {
    "/*": PartSequence((Text("/*"), Repeat(ANY, 0, None, lazy=True), Text("*/"))),
    "//": PartSequence((Text("//"), _LINE)),
}
"""What a rule that only begins a comment stands for; its action reads on by itself."""


def read_lex(draft: GrammarDraft, text: str) -> None:
    """Adds the rules of the lexer to the draft."""
    _Lex(draft, scanned(draft, text), text).read()


class _Lex:
    def __init__(self, draft: GrammarDraft, file: LexFile, text: str) -> None:
        self.draft, self.file, self.text = draft, file, text
        self.either: dict[str, tuple[str, ...]] = {}
        parts = [part for rule in draft.rules.values() for part in walk(rule.body)]
        self.literals = sorted({part.text for part in parts if isinstance(part, Text) and len(part.text) == 1})
        self.tokens = {part.name for part in parts if isinstance(part, Name)} - set(draft.rules) | set(draft.tokens)

    def read(self) -> None:
        actions = [(rule, self._understood(rule)) for rule in self.file.rules]
        modes: dict[str, list[tuple[LexRule, LexAction]]] = {}
        for rule, action in actions:
            for mode in self._modes(rule):
                modes.setdefault(mode, []).append((rule, action))
        for mode, some in modes.items():
            collects = mode in self.file.exclusive and not any(act.returns and not act.moves for _rule, act in some)
            for rule, action in some:
                for way in self._ways(rule, action, mode, collects=collects):
                    self.draft.way(way, mode)
        self._put_either()

    def _understood(self, rule: LexRule) -> LexAction:
        found = understood(rule.action, self.tokens, self.text, self.draft.prefix)
        known = {"", *self.file.exclusive, *self.file.inclusive}
        if all(mode in known for _what, mode in found.moves):
            return found
        self.draft.warn(rule.line, f"{rule.pattern}: which condition it begins cannot be told; taken to be INITIAL")
        return replace(found, moves=tuple((what, mode if mode in known else "") for what, mode in found.moves))

    def _modes(self, rule: LexRule) -> list[str]:
        known = self.file.exclusive | self.file.inclusive
        if ALL in rule.conditions:
            return ["", *sorted(known)]
        for name in rule.conditions:
            if name not in known and name != "INITIAL":
                raise self.draft.fault(rule.line, f"the start condition {name} is not declared")
        if rule.conditions:
            return ["" if name == "INITIAL" else name for name in rule.conditions]
        return ["", *sorted(self.file.inclusive)]

    def _ways(self, rule: LexRule, action: LexAction, mode: str, *, collects: bool) -> list[LexerRule]:
        body = self._body(rule, action)
        self._warn(rule, action)
        like = LexerRule(SKIP, rule.line, body, moves=action.moves, more=action.more)
        if action.matched:
            chars = [char for char in self.literals if re.fullmatch(regex(body), char)]
            return [replace(like, name=quoted(char), body=Text(char)) for char in chars]
        if action.tokens:
            return [replace(like, name=self._name(action.tokens))]
        if action.unknown:
            return []
        enters = any(what != "pop" and to in self.file.exclusive and to != mode for what, to in action.moves)
        more = action.more or (enters and self._collects(action.moves[0][1])) or (collects and not action.moves)
        return [replace(like, more=more, skip=not more)]

    def _collects(self, mode: str) -> bool:
        """Whether a condition only collects what belongs to one token."""
        inside = [rule for rule in self.file.rules if mode in rule.conditions or ALL in rule.conditions]
        acts = [self._understood(rule) for rule in inside]
        return bool(acts) and not any(act.returns and not act.moves for act in acts)

    def _body(self, rule: LexRule, action: LexAction) -> Part:
        pattern = LexPattern(self.draft, rule.line, rule.pattern, self.file.definitions, any_case=self.file.any_case)
        body = pattern.whole()
        if isinstance(body, Text) and body.text in _COMMENTS and not action.returns and not action.moves:
            self.draft.warn(rule.line, f"{body.text} is taken to begin a comment; its action reads on by itself")
            return _COMMENTS[body.text]
        return body

    def _warn(self, rule: LexRule, action: LexAction) -> None:
        if action.several:
            self.draft.warn(rule.line, f"{rule.pattern}: begins one of several conditions; taken to be the first")
        if action.unknown:
            self.draft.warn(rule.line, f"{rule.pattern}: which token it gives cannot be told: return {action.unknown}")
        found = re.search(r"\b(REJECT|yyless|unput|yyinput|input)\b\s*[(;]", rule.action)
        if found:
            self.draft.warn(rule.line, f"{rule.pattern}: {found[1]} is ignored")

    def _name(self, tokens: tuple[str, ...]) -> str:
        """The name of a token; one of its own for what may be this one or that one."""
        if len(tokens) == 1:
            return tokens[0]
        name = "_or_".join(re.sub(r"\W", "_", token) for token in tokens)[:60]
        self.either[name] = tokens
        return name

    def _put_either(self) -> None:
        """In the rules, wherever a token is asked for that another name may stand for, that may come, too."""
        if not self.either:
            return
        defined = {way.name for some in self.draft.ways.values() for way in some}

        def wider(part: Part) -> Part:
            name = part.name if isinstance(part, Name) else quoted(part.text) if isinstance(part, Text) else ""
            more = [Name(one) for one, tokens in self.either.items() if name in tokens]
            own = [part] if name in defined or not more else []
            return choice((*own, *more))

        for name, rule in self.draft.rules.items():
            self.draft.rules[name] = Rule(name, rule.line, mapped(rule.body, wider))
