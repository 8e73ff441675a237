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
    from wynot.core.config import Config
    from wynot.core.outcome import Outcome
    from wynot.domains.values.parts import Arguments, arguments
    from wynot.oracles.command import Command
    from wynot.oracles.script import Script
    from wynot.run.circumstances import circumstances
    from wynot.run.explain import Explanation, explain, explaining
    from wynot.run.grammars import Grammar, load_grammar
    from wynot.run.isolate import isolate
    from wynot.run.library import Isolation, causes, dd, dd1999, ddmax, ddmin, ddplus, sweep
    from wynot.run.limits import Limits
    from wynot.run.options import Options
    from wynot.run.reduce import reduce
    from wynot.run.result import Explained, Isolated, Reduced
    from wynot.run.trees import Branching, HasTest, Unparsing, hdd, hdd_plus, hdd_star
    from wynot.search.split import by_group, evenly, in_order, last_first, smallest_first
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
    "Arguments": "wynot.domains.values.parts",
    "Branching": "wynot.run.trees",
    "Command": "wynot.oracles.command",
    "Config": "wynot.core.config",
    "Explained": "wynot.run.result",
    "Explanation": "wynot.run.explain",
    "Grammar": "wynot.run.grammars",
    "HasTest": "wynot.run.trees",
    "Isolated": "wynot.run.result",
    "Isolation": "wynot.run.library",
    "Limits": "wynot.run.limits",
    "Options": "wynot.run.options",
    "Outcome": "wynot.core.outcome",
    "Reduced": "wynot.run.result",
    "Script": "wynot.oracles.script",
    "Unparsing": "wynot.run.trees",
    "__version__": "wynot.version",
    "arguments": "wynot.domains.values.parts",
    "by_group": "wynot.search.split",
    "causes": "wynot.run.library",
    "circumstances": "wynot.run.circumstances",
    "dd": "wynot.run.library",
    "dd1999": "wynot.run.library",
    "ddmax": "wynot.run.library",
    "ddmin": "wynot.run.library",
    "ddplus": "wynot.run.library",
    "evenly": "wynot.search.split",
    "explain": "wynot.run.explain",
    "explaining": "wynot.run.explain",
    "hdd": "wynot.run.trees",
    "hdd_plus": "wynot.run.trees",
    "hdd_star": "wynot.run.trees",
    "in_order": "wynot.search.split",
    "isolate": "wynot.run.isolate",
    "last_first": "wynot.search.split",
    "load_grammar": "wynot.run.grammars",
    "reduce": "wynot.run.reduce",
    "smallest_first": "wynot.search.split",
    "sweep": "wynot.run.library",
}


def __getattr__(name: str) -> Any:
    """A name is loaded when it is used: every pytest of every project loads our plugin, and should not wait for us."""
    if name not in _ROOMS:
        raise AttributeError(f"module 'wynot' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_ROOMS[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
