"""Reads the rules of Lex's and flex's files.

What a rule's action gives is told from its text: `return NAME`, `return 'c'`, the character that was matched, a name of
a token in a macro, what a function in the same file returns. A rule that returns nothing is skipped. Start conditions
become modes; a condition that only collects a token (a string, a comment) until its end becomes one pattern.
"""

from __future__ import annotations

import re
from dataclasses import replace

from wynot.domains.grammar.draft import Draft, quoted
from wynot.domains.grammar.expression import regex
from wynot.domains.grammar.lexaction import Action, understood
from wynot.domains.grammar.lexpattern import LexPattern
from wynot.domains.grammar.lexscan import ALL, LexFile, LexRule, scanned
from wynot.domains.grammar.parts import (
    ANY,
    Chars,
    Name,
    Part,
    Repeat,
    Row,
    Rule,
    Text,
    Way,
    choice,
    mapped,
    others,
    walk,
)

SKIP = "SKIP"
_LINE = Repeat(Chars(others(((10, 10),))), 0, None)
_COMMENTS = {"/*": Row((Text("/*"), Repeat(ANY, 0, None, lazy=True), Text("*/"))), "//": Row((Text("//"), _LINE))}
"""What a rule that only begins a comment stands for; its action reads on by itself."""


def read_lex(draft: Draft, text: str) -> None:
    """Adds the rules of the lexer to the draft."""
    _Lex(draft, scanned(draft, text), text).read()


class _Lex:
    def __init__(self, draft: Draft, file: LexFile, text: str) -> None:
        self.draft, self.file, self.text = draft, file, text
        self.either: dict[str, tuple[str, ...]] = {}
        parts = [part for rule in draft.rules.values() for part in walk(rule.body)]
        self.literals = sorted({part.text for part in parts if isinstance(part, Text) and len(part.text) == 1})
        self.tokens = {part.name for part in parts if isinstance(part, Name)} - set(draft.rules) | set(draft.tokens)

    def read(self) -> None:
        actions = [(rule, self._understood(rule)) for rule in self.file.rules]
        modes: dict[str, list[tuple[LexRule, Action]]] = {}
        for rule, action in actions:
            for mode in self._modes(rule):
                modes.setdefault(mode, []).append((rule, action))
        for mode, some in modes.items():
            collects = mode in self.file.exclusive and not any(act.returns and not act.moves for _rule, act in some)
            for rule, action in some:
                for way in self._ways(rule, action, mode, collects=collects):
                    self.draft.way(way, mode)
        self._put_either()

    def _understood(self, rule: LexRule) -> Action:
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

    def _ways(self, rule: LexRule, action: Action, mode: str, *, collects: bool) -> list[Way]:
        body = self._body(rule, action)
        self._warn(rule, action)
        like = Way(SKIP, rule.line, body, moves=action.moves, more=action.more)
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

    def _body(self, rule: LexRule, action: Action) -> Part:
        pattern = LexPattern(self.draft, rule.line, rule.pattern, self.file.definitions, any_case=self.file.any_case)
        body = pattern.whole()
        if isinstance(body, Text) and body.text in _COMMENTS and not action.returns and not action.moves:
            self.draft.warn(rule.line, f"{body.text} is taken to begin a comment; its action reads on by itself")
            return _COMMENTS[body.text]
        return body

    def _warn(self, rule: LexRule, action: Action) -> None:
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
