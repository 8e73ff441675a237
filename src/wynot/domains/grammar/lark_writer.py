"""Writes a draft as Lark's grammar."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from wynot.domains.grammar.grammar_model import ConvertedGrammar, GrammarDraft, quoted
from wynot.domains.grammar.lark_names import LarkNames
from wynot.domains.grammar.lexer_rules import definitions, lexing, resolved
from wynot.domains.grammar.rule_parts import (
    Choice,
    LexerRule,
    Name,
    Part,
    PartSequence,
    Repeat,
    Rule,
    Text,
    alternatives,
    choice,
    walk,
)

EXPANDED = 32
"""Lark writes optional parts out, with and without: so many alternatives are made of one at most."""


def written(draft: GrammarDraft) -> ConvertedGrammar:
    """Gives the grammar for Lark; refuses names that nothing defines."""
    literals_first(draft)
    modes = resolved(draft)
    names = LarkNames()
    known = {way.name for some in modes.values() for way in some}
    undefined = [name for name in _used(draft) if name not in known and name in draft.tokens]
    rules = _Rules(draft, names, known | set(undefined))
    lines = list(rules.lines())
    terminals = list(definitions(modes, names))
    for name in undefined:
        draft.warn(draft.tokens[name], f"nothing defines the token {name}")
        mark = names.terminal(name)
        terminals.append(f"{mark}: /(?!{mark}){mark}/")
    cut = lexing(draft, modes, names)
    return ConvertedGrammar(
        lark="\n".join((*lines, "", *terminals)) + "\n",
        start=names.rule(_start(draft)),
        names={mine: user for mine, user in names.users.items() if not mine.startswith("_")},
        lines=_line_numbers(draft, names),
        minimal={names.terminal(name): text for name, text in draft.minimal.items() if name in known},
        warnings=tuple(dict.fromkeys(draft.warnings)),
        undefined=tuple(names.terminal(name) for name in undefined),
        lexing=cut,
    )


def literals_first(draft: GrammarDraft) -> None:
    """Makes tokens of the literals in rules, where the lexer has none for them."""
    have = {way.name for some in draft.ways.values() for way in some}
    texts = {way.body.text for some in draft.ways.values() for way in some if isinstance(way.body, Text)}
    found: dict[str, LexerRule] = {}
    for rule in draft.rules.values():
        for part in walk(rule.body):
            if isinstance(part, Text) and quoted(part.text) not in have and part.text not in texts:
                name = quoted(part.text)
                found.setdefault(name, LexerRule(name, part.line or rule.line, part))
    draft.ways[""] = [*found.values(), *draft.ways.get("", [])]


def _used(draft: GrammarDraft) -> dict[str, int]:
    names = [part for rule in draft.rules.values() for part in walk(rule.body) if isinstance(part, Name)]
    return {part.name: part.line for part in reversed(names) if part.name not in draft.rules}


def _start(draft: GrammarDraft) -> str:
    if not draft.rules:
        raise draft.fault(1, "there are no rules")
    if draft.start is None:
        return next(iter(draft.rules))
    if draft.start not in draft.rules:
        raise draft.fault(1, f"there is no rule {draft.start} to start with; there are {_some(list(draft.rules))}")
    return draft.start


def _some(names: list[str]) -> str:
    return ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")


def _line_numbers(draft: GrammarDraft, names: LarkNames) -> dict[str, int]:
    ways = [way for some in draft.ways.values() for way in some]
    found = {names.terminal(way.name): way.line for way in reversed(ways)}
    return found | {names.rule(rule.name): rule.line for rule in draft.rules.values()}


class _Rules:
    """Writes the rules one after the other, and the helpers that they need."""

    def __init__(self, draft: GrammarDraft, names: LarkNames, terminals: set[str]) -> None:
        self.draft, self.names, self.terminals = draft, names, terminals
        self.texts = {
            way.body.text: way.name for some in draft.ways.values() for way in reversed(some)
            if isinstance(way.body, Text) and not way.skip
        }  # fmt: skip
        self.helpers: list[str] = []
        self.wild: dict[str, str] = {}
        self.rule = Rule("", 0, PartSequence())
        for name in draft.rules:
            names.rule(name)

    def lines(self) -> Iterator[str]:
        for number, rule in enumerate(self.draft.rules.values()):
            self.rule, self.helpers = rule, []
            priority = f".{len(self.draft.rules) - number}" if self.draft.ordered else ""
            yield self._body(self.names.rule(rule.name) + priority, rule.body)
            yield from self.helpers

    def _body(self, head: str, part: Part) -> str:
        found = dict.fromkeys(self._row(self._few(one)) for one in alternatives(part))
        return f"{head}:" + "\n    |".join(f" {one}".rstrip() for one in found)

    def _few(self, part: Part) -> Part:
        """The alternative with helpers for its parts, largest first, until Lark makes few alternatives of it."""
        while expansions(part) > EXPANDED:
            items: list[Part] = list(part.items) if isinstance(part, PartSequence) else [part]
            largest = max(range(len(items)), key=lambda number: expansions(items[number]))
            items[largest] = self._helper(items[largest])
            part = PartSequence(tuple(items))
        return part

    def _helper(self, part: Part) -> Part:
        name = self.names.helper(self.names.rule(self.rule.name))
        if isinstance(part, Repeat) and not part.least:
            inner = part.item if part.most == 1 else Repeat(part.item, 1, None)
            part = Choice((*alternatives(inner), PartSequence()))
        elif isinstance(part, Repeat):
            part = Choice((part.item, PartSequence((_Made(name), part.item))))
        self.helpers.append(self._body(name, part))
        return _Made(name)

    def _row(self, part: Part) -> str:
        return " ".join(self._item(item) for item in part.items) if isinstance(part, PartSequence) else self._item(part)

    def _item(self, part: Part) -> str:
        match part:
            case _Made():
                return part.name
            case Name(name=name, line=line):
                return self._name(name, line)
            case Text(text=text):
                name = quoted(text)
                return self.names.terminal(name if name in self.terminals else self.texts[text])
            case Repeat(item=item, least=least, most=most):
                sign = "?" if (least, most) == (0, 1) else "+" if least else "*"
                return self._group(item) + sign
            case PartSequence(items=()):
                return ""
            case PartSequence() | Choice():
                return self._group(part)
        raise self.draft.fault(self.rule.line, f"{self.rule.name}: {part} cannot stand in a rule")

    def _group(self, part: Part) -> str:
        if isinstance(part, Name | Text):
            return self._item(part)
        return "(" + " | ".join(dict.fromkeys(self._row(one) for one in alternatives(part))) + ")"

    def _name(self, name: str, line: int) -> str:
        if name[0] in ".~":
            return self._any_token(name)
        if name in self.draft.rules:
            return self.names.rule(name)
        if name in self.terminals:
            return self.names.terminal(name)
        raise self.draft.fault(line or self.rule.line, f"rule {self.rule.name}: {name} is not defined")

    def _any_token(self, name: str) -> str:
        """A helper that stands for any token ("."), or for any but some ("~A", more of them on lines of their own)."""
        if name not in self.wild:
            but = {self.texts.get(one.strip("'"), one) for one in name[1:].split("\n")} | set(name[1:].split("\n"))
            skipped = {way.name for some in self.draft.ways.values() for way in some if way.skip or way.more}
            some = sorted(one for one in self.terminals if one not in skipped and one not in but)
            helper = self.names.helper("any_token")
            self.helpers.append(self._body(helper, choice(Name(one) for one in some)))
            self.wild[name] = helper
        return self.wild[name]


class _Made(Name):
    """A helper, by its name in Lark's text."""

    __slots__ = ()


def expansions(part: Part) -> int:
    """How many alternatives Lark makes of it."""
    match part:
        case PartSequence(items):
            return prod(map(expansions, items))
        case Choice(items):
            return sum(map(expansions, items))
        case Repeat(item=item, least=0, most=1):
            return 1 + expansions(item)
        case Repeat(least=least):
            return 1 if least else 2
    return 1
