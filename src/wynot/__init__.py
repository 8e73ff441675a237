"""wynot: finds out by experiment why a program fails.

The algorithms of delta debugging for Python callers; `wynot --help` for everyone else.

>>> import wynot
>>> wynot.ddmin(list("<SELECT NAME=7>"), lambda kept: "<SELECT" in "".join(kept) and ">" in kept)
['<', 'S', 'E', 'L', 'E', 'C', 'T', '>']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from wynot import errors

if TYPE_CHECKING:
    from wynot.api.explain import Explanation, explain, explaining
    from wynot.api.lists import Isolation, causes, dd, dd1999, ddmax, ddmin, ddplus, sweep
    from wynot.api.own_trees import Branching, HasTest, Unparsing, hdd, hdd_plus, hdd_star
    from wynot.commands.isolation import isolate
    from wynot.commands.options.option_search import circumstances
    from wynot.commands.reduce.reduction import reduce
    from wynot.core.config import Config
    from wynot.core.outcome import Outcome
    from wynot.domains.values.deconstruct import Arguments, arguments
    from wynot.engine.executors.sandbox import Limits
    from wynot.engine.results import Explained, Isolated, Reduced
    from wynot.engine.run_options import Options
    from wynot.engine.user_grammar import Grammar, load_grammar
    from wynot.oracles.command import Command
    from wynot.oracles.script import Script
    from wynot.search.lists.dd import by_group, evenly, in_order, last_first, smallest_first
    from wynot.version import __version__


__all__ = [
    "Arguments",
    "Branching",
    "Command",
    "Config",
    "Explained",
    "Explanation",
    "Grammar",
    "HasTest",
    "Isolated",
    "Isolation",
    "Limits",
    "Options",
    "Outcome",
    "Reduced",
    "Script",
    "Unparsing",
    "__version__",
    "arguments",
    "by_group",
    "causes",
    "circumstances",
    "dd",
    "dd1999",
    "ddmax",
    "ddmin",
    "ddplus",
    "errors",
    "evenly",
    "explain",
    "explaining",
    "hdd",
    "hdd_plus",
    "hdd_star",
    "in_order",
    "isolate",
    "last_first",
    "load_grammar",
    "reduce",
    "smallest_first",
    "sweep",
]

_ROOMS = {
    "Arguments": "wynot.domains.values.deconstruct",
    "Branching": "wynot.api.own_trees",
    "Command": "wynot.oracles.command",
    "Config": "wynot.core.config",
    "Explained": "wynot.engine.results",
    "Explanation": "wynot.api.explain",
    "Grammar": "wynot.engine.user_grammar",
    "HasTest": "wynot.api.own_trees",
    "Isolated": "wynot.engine.results",
    "Isolation": "wynot.api.lists",
    "Limits": "wynot.engine.executors.sandbox",
    "Options": "wynot.engine.run_options",
    "Outcome": "wynot.core.outcome",
    "Reduced": "wynot.engine.results",
    "Script": "wynot.oracles.script",
    "Unparsing": "wynot.api.own_trees",
    "__version__": "wynot.version",
    "arguments": "wynot.domains.values.deconstruct",
    "by_group": "wynot.search.lists.dd",
    "causes": "wynot.api.lists",
    "circumstances": "wynot.commands.options.option_search",
    "dd": "wynot.api.lists",
    "dd1999": "wynot.api.lists",
    "ddmax": "wynot.api.lists",
    "ddmin": "wynot.api.lists",
    "ddplus": "wynot.api.lists",
    "evenly": "wynot.search.lists.dd",
    "explain": "wynot.api.explain",
    "explaining": "wynot.api.explain",
    "hdd": "wynot.api.own_trees",
    "hdd_plus": "wynot.api.own_trees",
    "hdd_star": "wynot.api.own_trees",
    "in_order": "wynot.search.lists.dd",
    "isolate": "wynot.commands.isolation",
    "last_first": "wynot.search.lists.dd",
    "load_grammar": "wynot.engine.user_grammar",
    "reduce": "wynot.commands.reduce.reduction",
    "smallest_first": "wynot.search.lists.dd",
    "sweep": "wynot.api.lists",
}


def __getattr__(name: str) -> Any:
    """A name is loaded when it is used: every pytest of every project loads our plugin, and should not wait for us."""
    if name not in _ROOMS:
        raise AttributeError(f"module 'wynot' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_ROOMS[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
