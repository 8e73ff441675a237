"""The algorithms by the names users give them."""

from __future__ import annotations

from collections.abc import Callable

from wynot.core.config import Config
from wynot.core.trial import Strategy
from wynot.search.lists.dd import dd, dd1999, ddmax, ddmin
from wynot.search.lists.ddplus import ddplus
from wynot.search.lists.published import cdd, probdd
from wynot.search.lists.sweep import sweep
from wynot.search.trees.hdd import TreeLevels, hdd, hdd_parents, hdd_plus, hdd_star

MINIMISERS: dict[str, Callable[[Config], Strategy]] = {
    "sweep": sweep,
    "ddmin": ddmin,
    "cdd": cdd,
    "probdd": probdd,
    "dd1999": dd1999,
    "ddplus": ddplus,
}
"""From a failing configuration to a small failing one."""

HIERARCHICAL: dict[str, Callable[[TreeLevels, Config], Strategy]] = {
    "hdd": hdd,
    "hdd_plus": hdd_plus,
    "hdd_star": hdd_star,
    "hdd_parents": hdd_parents,
}
"""From a failing tree to a small failing one."""

ISOLATORS: dict[str, Callable[[Config, Config], Strategy]] = {"dd": dd, "ddmax": ddmax}
"""From a passing and a failing configuration to a pair with a small difference."""

ONE_MINIMAL = frozenset({"sweep", "ddmin", "cdd", "probdd", "dd", "ddmax"})
"""Those that promise that no single delta can be left out (or, isolating, moved); dd+ does not (2002, section VII)."""
