"""The lexer's rules of a draft, as matches and as terminals in Lark's notation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from wynot.domains.grammar.derive.token_patterns import NoCharactersError, begins, expanded, never_empty, ways
from wynot.domains.grammar.grammar_model import GrammarDraft, Lexing, Match
from wynot.domains.grammar.lark_names import LarkNames
from wynot.domains.grammar.rule_parts import LexerRule, Name, Part, PartSequence, Repeat, Text, choice, row, walk
from wynot.domains.grammar.token_expressions import regex


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
