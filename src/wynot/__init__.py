"""wynot: finds out by experiment why a program fails.

The algorithms of delta debugging for Python callers; `wynot --help` for everyone else.

>>> import wynot
>>> wynot.ddmin(list("<SELECT NAME=7>"), lambda kept: "<SELECT" in "".join(kept) and ">" in kept)
['<', 'S', 'E', 'L', 'E', 'C', 'T', '>']
"""

from __future__ import annotations

from wynot import errors
from wynot.core.config import Config
from wynot.core.outcome import Outcome
from wynot.domains.values.parts import Arguments, arguments
from wynot.oracles.command import Command
from wynot.oracles.script import Script
from wynot.run.circumstances import circumstances
from wynot.run.explain import Explanation, explain, explaining
from wynot.run.isolate import isolate
from wynot.run.library import Isolation, causes, dd, dd1999, ddmax, ddmin, ddplus, sweep
from wynot.run.limits import Limits
from wynot.run.reduce import reduce
from wynot.run.result import Explained, Isolated, Reduced
from wynot.run.session import Options
from wynot.run.trees import hdd, hdd_plus, hdd_star
from wynot.search.split import by_group, evenly, in_order, last_first, smallest_first
from wynot.version import __version__

__all__ = [
    "Arguments",
    "Command",
    "Config",
    "Explained",
    "Explanation",
    "Isolated",
    "Isolation",
    "Limits",
    "Options",
    "Outcome",
    "Reduced",
    "Script",
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
    "reduce",
    "smallest_first",
    "sweep",
]
