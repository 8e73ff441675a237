"""A grammar in words: what it derives, where it leaves a choice; and the tree of a text."""

from __future__ import annotations

from collections.abc import Iterator

from wynot.domains.grammar.glr import END, Conflict
from wynot.domains.grammar.grammar_language import GrammarLanguage
from wynot.domains.grammar.productions import HELPER, Production
from wynot.engine.user_grammar import Grammar

LONGEST = 60
"""Characters of a text that are shown."""
FEW = 12
"""Choices that are shown one by one."""


def grammar_text(grammar: Grammar) -> str:
    """All that is to be said of a grammar."""
    return "\n".join(_lines(grammar))


def _lines(grammar: Grammar) -> Iterator[str]:
    converted, language = grammar.converted, grammar.language
    rules = language.rules
    own = [name for name in rules.by_origin if not name.startswith(HELPER)]
    yield (
        f"{grammar.name}: starts with {rules.name(rules.start)}; {len(own)} rules, "
        f"{len(rules.productions)} productions, {len(rules.terminals)} kinds of tokens"
    )
    yield from (f"warning: {warning}" for warning in converted.warnings)
    yield from _names("warning: nothing says what these tokens are", converted.undefined)
    minimal = language.minimal
    yield _heading(f"minimal strings of rules, after {minimal.rounds} rounds")
    yield from _table([(rules.name(name), minimal.text(name)) for name in own])
    yield _heading("of tokens")
    varied = [name for name, terminal in rules.terminals.items() if terminal.literal is None]
    yield from _table([(rules.name(name), minimal.terminals.get(name)) for name in varied if not name.startswith("__")])
    yield from _names("rules that derive nothing", [rules.name(name) for name in minimal.barren])
    unreached = [n for n in converted.names if n.islower() and n not in rules.by_origin and not n.startswith(HELPER)]
    yield from _names(
        f"rules that {rules.name(rules.start)} does not lead to", [rules.name(name) for name in unreached]
    )
    yield from _choices(language)


def _heading(text: str) -> str:
    return f"\n{text}:"


def _names(heading: str, names: list[str] | tuple[str, ...]) -> Iterator[str]:
    if names:
        yield f"\n{heading}: {', '.join(names)}"


def _table(rows: list[tuple[str, str | None]]) -> Iterator[str]:
    width = min(max((len(name) for name, _ in rows), default=0), 32)
    for name, text in rows:
        yield f"  {name:{width}}  {'(none)' if text is None else _short(text) or '(empty)'}"


def _short(text: str) -> str:
    one = text.encode("unicode_escape").decode() if not text.isprintable() else text
    return one if len(one) <= LONGEST else f"{one[: LONGEST - 3]}..."


def _choices(language: GrammarLanguage) -> Iterator[str]:
    conflicts, settled = language.reader.tables.conflicts, language.reader.tables.settled
    if settled:
        yield f"\nambiguous: {settled} choices between operators; earlier alternatives bind tighter, equals to the left"
    if not conflicts:
        if not settled:
            yield "\none token always tells what comes next (LALR(1)): the grammar is not ambiguous"
        return
    yield _heading(
        f"{len(conflicts)} choices that one token does not settle; all are followed, the grammar may be ambiguous"
    )
    yield from (f"  {_choice(language, conflict)}" for conflict in conflicts[:FEW])
    if len(conflicts) > FEW:
        yield f"  ... and {len(conflicts) - FEW} more"


def _choice(language: GrammarLanguage, conflict: Conflict) -> str:
    before = "the end" if conflict.terminal == END else language.shown(conflict.terminal)
    ways = [_production(language, language.rules.productions[number]) for number in conflict.reductions]
    return f"before {before}: {' or '.join((*ways, *(['to go on'] if conflict.shift else [])))}"


def _production(language: GrammarLanguage, production: Production) -> str:
    symbols = [
        language.shown(symbol) if symbol in language.rules.terminals else language.rules.name(symbol)
        for symbol in production.symbols
    ]
    return f"{language.rules.name(production.origin)}: {' '.join(symbols) or '(empty)'}"


def tree_text(grammar: Grammar, data: bytes) -> str:
    """The tree of a text, a line for each node: what it is, what it holds, what may become of it."""
    places = grammar.language.places(data)
    tree = places.tree
    lines = ["\nthe tree, and what replaces each node that is removed:"]
    for node in range(1, len(tree)):
        smallest = places.smallest(node)
        fate = "stays" if smallest is None else f"-> {_short(smallest.decode())}" if smallest else "cut"
        held = _short(" ".join(tree.text(node).decode("utf-8", "replace").split()))
        lines.append(f"{'  ' * tree.shape.depths[node]}{tree.kinds[node]}  {held}  [{fate}]")
    return "\n".join(lines)
