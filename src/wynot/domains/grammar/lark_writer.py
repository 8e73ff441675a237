"""Write a grammar and its lexer rules in Lark's notation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from math import prod

from wynot.domains.grammar.grammar_model import (
    Choice,
    ConvertedGrammar,
    GrammarDraft,
    LexerRule,
    Lexing,
    Match,
    Name,
    Part,
    PartSequence,
    Repeat,
    Rule,
    Text,
    alternatives,
    choice,
    quoted,
    row,
    walk,
)
from wynot.domains.grammar.token_patterns import (
    LarkNames,
    NoCharactersError,
    begins,
    expanded,
    never_empty,
    regex,
    ways,
)

# The lexer's rules of a draft, as matches and as terminals in Lark's notation.


def resolved(draft: GrammarDraft) -> dict[str, list[LexerRule]]:
    """The rules of the lexer, with everything that they refer to put in, and simple modes done away with."""

    def look(name: str, line: int) -> Part:
        if name not in draft.bodies:
            raise draft.fault(line, f"{name} is not defined")
        return draft.bodies[name]

    def whole(way: LexerRule) -> LexerRule:
        names = {one.name for one in walk(way.body) if isinstance(one, Name)}
        try:
            body = expanded(way.body, look)
        except NoCharactersError:
            raise draft.fault(way.line, f"rule {way.name}: only characters can stand behind ~", way.file) from None
        if body is None:
            raise draft.fault(way.line, f"{way.name} holds itself, without an end", way.file)
        if any(draft.bodies[name] == way.body for name in names):
            draft.warn(way.line, f"{way.name} holds itself; followed a few levels deep only", way.file)
        full = never_empty(body)
        if full is None:
            raise draft.fault(way.line, f"{way.name} matches nothing", way.file)
        return replace(way, body=full)

    return flattened({mode: [whole(way) for way in some] for mode, some in draft.ways.items()})


def flattened(modes: dict[str, list[LexerRule]]) -> dict[str, list[LexerRule]]:
    """The modes, without those that only collect one token (a string, a comment) until its end.

    Such a mode is entered with `more`, all its rules are `more` and stay, or end the token and go back. So the token is
    one pattern: what enters, again and again what stays, what ends.
    """
    for mode in [one for one in modes if one]:
        entries = [(home, way) for home, some in modes.items() for way in some if _target(way) == mode]
        stays = [way for way in modes[mode] if way.more and not way.moves]
        ends = [way for way in modes[mode] if not way.more and way.moves and way.moves[-1][0] != "push"]
        simple = all(way.more and home != mode for home, way in entries) and len(stays) + len(ends) == len(modes[mode])
        homes = {home for home, _way in entries}
        if not entries or not ends or not simple or not all(_goes_home(way, homes) for way in ends):
            continue
        inner = Repeat(choice(way.body for way in stays), 0, None, lazy=True) if stays else PartSequence()
        for home, entry in entries:
            at = modes[home].index(entry)
            parts = [replace(end, body=row((entry.body, inner, end.body)), moves=()) for end in ends]
            modes[home][at : at + 1] = parts
        del modes[mode]
    return modes


def _target(way: LexerRule) -> str:
    return way.moves[-1][1] if way.moves and way.moves[-1][0] != "pop" else ""


def _goes_home(way: LexerRule, homes: set[str]) -> bool:
    return len(way.moves) == 1 and (way.moves[0][0] == "pop" or homes == {way.moves[0][1]})


def lexing(draft: GrammarDraft, modes: dict[str, list[LexerRule]], names: LarkNames) -> Lexing:
    """How the tokens are cut."""
    found = {mode: tuple(match for way in some for match in _matches(way, names)) for mode, some in modes.items()}
    for way in (way for some in modes.values() for way in some):
        for what, mode in way.moves:
            if what != "pop" and mode not in ("", *found):
                raise draft.fault(way.line, f"{way.name}: there is no mode {mode}", way.file)
    return Lexing({"": (), **found})


def _matches(way: LexerRule, names: LarkNames) -> Iterator[Match]:
    for one in ways(way.body):
        some, empty = begins(one)
        first = () if empty else some
        yield Match(names.terminal(way.name), regex(one), way.skip, way.more, way.moves, first)


def definitions(modes: dict[str, list[LexerRule]], names: LarkNames) -> Iterator[str]:
    """The lines that define the terminals for Lark, and those that skip."""
    bodies: dict[str, list[Part]] = {}
    skipped = set()
    for way in (way for some in modes.values() for way in some if not way.more):
        bodies.setdefault(way.name, []).append(way.body)
        if way.skip:
            skipped.add(way.name)
    for name, some in bodies.items():
        yield f"{names.terminal(name)}: {pattern(choice(some))}"
    for name in sorted(skipped):
        yield f"%ignore {names.terminal(name)}"


def pattern(part: Part) -> str:
    """A terminal's pattern in Lark's notation."""
    if isinstance(part, Text) and part.text and part.text.isprintable():
        text = part.text.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{text}"' + ("i" if part.any_case else "")
    found = "|".join(regex(one) for one in ways(part))
    return "/" + re.sub(r"(\\.)|/", lambda one: one[1] or r"\/", found) + "/"


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
