"""The heuristics of `wynot reduce` by name, and how to leave one out: `passes.py --without NAME`.

Each heuristic comes in at one place of wynot: a function, a method or a constant. `without` replaces it for a while.
The search stays correct: its result still fails.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from importlib import import_module
from typing import Any
from unittest import mock

from wynot.core.config import Config
from wynot.core.trial import Found, Strategy
from wynot.search.combinators import embed

Replacement = Callable[[Any], Any]
"""What is put in a place, given what stands there."""


@dataclass(frozen=True, slots=True)
class Heuristic:
    """A heuristic, and the place where it comes in."""

    name: str
    what: str
    module: str
    place: str
    """The name in the module; with dots, an attribute of a class."""
    instead: Replacement
    ahead: bool = False
    """Whether it only decides what is run early: with one job it changes nothing."""


def constant(value: Any) -> Replacement:
    """Another value."""
    return lambda _: value


def giving(value: Any) -> Replacement:
    """A function that always gives this."""
    return lambda _: lambda *_args, **_more: value


def first_argument(place: int) -> Replacement:
    """A function that gives back one of its arguments."""
    return lambda _: lambda *args, **_more: args[place]


def nothing_found(_grown: object, config: Config, **_more: object) -> Strategy:
    """A search that ends at once."""
    yield from ()
    return Found(config)


def never_alone(strategy: Strategy, deltas: int, _size: object) -> Strategy:
    """A search with one delta more, which stays."""
    most = Config((deltas, deltas + 1))
    found = yield from embed(strategy, lambda config: config | most, lambda part: never_alone(part, deltas, None))
    return Found(found.failing | most)


def _users_first(_original: object) -> Any:
    from wynot.commands.reduce.passes.basic_passes import pruning  # noqa: PLC0415 - as late as wynot does

    return lambda minimise, *, deep=False: pruning(minimise, hasty=deep)


def _heavy_first(_original: object) -> Any:
    from wynot.search.trees.hdd import hdd  # noqa: PLC0415 - as late as wynot does

    return hdd


def _not_bold(original: Any) -> Any:
    return lambda state, proved: original(state, proved)._replace(bold=False)


def _no_windows(original: Any) -> Any:
    return lambda self, *more: original(replace(self, find=lambda _domain: []), *more)


_REDUCE = "wynot.commands.reduce"
_EDITS = "wynot.domains.syntax.edits"

HEURISTICS = (
    # Which texts are tried first.
    Heuristic("stub-bodies", "function bodies are first replaced by stubs", f"{_REDUCE}.pipeline", "body_pass",
              giving(None)),
    Heuristic("tail-first", "the end of a large file is made small first", f"{_REDUCE}.passes.tail_first", "_small",
              giving(True)),
    Heuristic("prefix-shortcut", "half of the end is gone: try it alone", f"{_REDUCE}.passes.tail_first",
              "with_prefix_shortcut", constant(never_alone)),
    Heuristic("users-first", "a needed item is made small before what it uses", f"{_REDUCE}.pipeline", "users_first",
              _users_first),
    Heuristic("deep-items", "a needed item with many before it is searched whole", f"{_REDUCE}.passes.basic_passes",
              "MANY_BEFORE", constant(sys.maxsize)),
    Heuristic("frames", "members of a namespace or class are searched like items", f"{_REDUCE}.parsed_text", "members",
              giving([])),
    Heuristic("item-order", "items in the order of who uses whom", f"{_EDITS}.name_usage", "_users_last",
              lambda _: lambda _tree, items: list(items)),
    Heuristic("kind-order", "nodes of one kind together", "wynot.domains.syntax.syntax_tree", "SyntaxTree.by_kind",
              first_argument(1)),
    Heuristic("heavy-first", "crowds of small nodes wait", f"{_REDUCE}.passes.basic_passes", "heavy_first",
              _heavy_first),
    Heuristic("small-names", "in small trees names come before the deeper levels", f"{_REDUCE}.pipeline", "SMALL_TREE",
              constant(0)),
    Heuristic("rest-at-once", "after the 1st, 2nd, 4th, ... needed delta try all the rest", "wynot.search.lists.sweep",
              "SweepState.settled", _not_bold),
    # Which texts are not tried.
    Heuristic("failed-cuts", "early passes do not repeat cuts that failed", f"{_REDUCE}.pass_runner",
              "FailedCuts.learn", giving(None)),
    Heuristic("patience", "a pass of a broken text or a binary file gives up", f"{_REDUCE}.pass_runner",
              "give_up_after", first_argument(0)),
    # What is removed together.
    Heuristic("coupled-nodes", "a name goes with its uses", f"{_REDUCE}.parsed_text", "bundles", giving([])),
    Heuristic("parameters", "a parameter goes with its arguments", f"{_EDITS}.coupled_nodes", "_positions", giving(())),
    Heuristic("result-types", "the type of a result goes with the returns", f"{_EDITS}.coupled_nodes", "_results",
              giving(())),
    Heuristic("attributes", "an item goes with its attributes", f"{_EDITS}.coupled_nodes", "_adorned", giving(())),
    Heuristic("orphans", "a name goes with names that only it used", f"{_EDITS}.coupled_nodes", "_Names._with_orphans",
              first_argument(1)),
    Heuristic("unused-imports", "an import goes with its last user", f"{_EDITS}.name_usage", "Imports.without_orphans",
              first_argument(2)),
    Heuristic("token-windows", "brackets and operators with what they enclose", f"{_REDUCE}.passes.basic_passes",
              "WindowPass.begin", _no_windows),
    # What is put in the place of something.
    Heuristic("hoisting", "a node is replaced by something below it", f"{_REDUCE}.pipeline", "hoisting",
              constant(nothing_found)),
    Heuristic("far-hoists", "in deep trees, by something far below", f"{_EDITS}.hoisting", "HoistCandidates._far",
              giving(())),
    Heuristic("siblings-merge", "two neighbours that begin alike become one", f"{_REDUCE}.passes.basic_passes", "joins",
              giving([])),
    Heuristic("siblings-simpler", "a node becomes what is usual in its role", f"{_REDUCE}.passes.substitute", "swaps",
              giving(())),
    Heuristic("substitutions", "a name gives way to another name or value", f"{_REDUCE}.passes.substitute", "standins",
              giving(())),
    Heuristic("values", "...to the value or type that it has", f"{_EDITS}.substitutions", "_values", giving(())),
    Heuristic("names-beside", "...to a name of the same kind beside it", f"{_EDITS}.substitutions", "_Beside.__call__",
              giving(())),
    Heuristic("inlining", "a function that is called once gives way to its body", f"{_EDITS}.substitutions", "inlined",
              giving(())),
    Heuristic("aliases", "...by lines, where the grammar tells no names", f"{_EDITS}.substitutions", "aliases",
              giving(())),
    Heuristic("members-in-class", "a C++ member is defined in its class", f"{_EDITS}.substitutions", "told_apart",
              giving(None)),
    # Texts without a grammar.
    Heuristic("outline", "a tree by brackets and indentation", f"{_REDUCE}.pipeline", "_outlined", giving(None)),
    Heuristic("zeroing", "bytes of a binary file become zero", f"{_REDUCE}.passes.basic_passes", "blanks",
              lambda original: lambda data, _free: original(data, ())),
    Heuristic("zero-rows", "rows of zeros in pieces of 1, 2, 4, ...", f"{_REDUCE}.pipeline", "rows", first_argument(0)),
    # What runs early.
    Heuristic("likelihood", "outcomes so far decide what runs early", "wynot.engine.likelihood", "Likelihood.learn",
              giving(None), ahead=True),
    Heuristic("early-start", "the search begins while the empty input is tested", f"{_REDUCE}.pass_runner",
              "PassRunner.early", giving(()), ahead=True),
    Heuristic("next-passes", "first tests of the next passes run early", f"{_REDUCE}.pass_runner", "PassRunner._beyond",
              giving(None), ahead=True),
    Heuristic("spare-lookahead", "idle processors work out what comes next", "wynot.engine.tester", "Tester.spare",
              constant(False), ahead=True),
)  # fmt: skip

BY_NAME = {heuristic.name: heuristic for heuristic in HEURISTICS}


@contextlib.contextmanager
def without(name: str | None) -> Iterator[None]:
    """Leave a heuristic out for a while; None: leave nothing out."""
    if name is None:
        yield
        return
    heuristic = BY_NAME[name]
    *way, last = heuristic.place.split(".")
    holder = reduce(getattr, way, import_module(heuristic.module))
    with mock.patch.object(holder, last, heuristic.instead(getattr(holder, last))):
        yield


def chosen(words: list[str]) -> list[str]:
    """The heuristics that were asked for; `all` are all of them."""
    if unknown := [word for word in words if word not in BY_NAME and word != "all"]:
        raise SystemExit(f"no heuristic is called {unknown[0]}; to see the names: passes.py --without help")
    return list(BY_NAME) if "all" in words else list(dict.fromkeys(words))
