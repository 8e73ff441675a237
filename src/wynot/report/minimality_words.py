"""What minimality means, in words: what was tried without success, no more."""

from __future__ import annotations

from collections.abc import Collection

from wynot.core.error_rates import FAIL_ERROR, PASS_ERROR
from wynot.engine.results import DELTAS, EDITS, ORIGINAL_DELTAS, PROTECTED, VALID_EDITS, WHOLE

UNITS = {"chars": "character", "bytes": "byte", "lines": "line", "tokens": "token", "delimited": "stretch"}
NO_EDIT = "no token or tree node can be removed, and no node of several tokens replaced by the smallest text that fits"
"""What 1-tree-minimal means."""
BY_TREE = {
    ORIGINAL_DELTAS: "no node of the original's syntax tree can be removed or replaced as the search tries it",
    DELTAS: "no node of its syntax tree can be removed or replaced as the search tries it",
    VALID_EDITS: f"among texts that parse, {NO_EDIT}",
    EDITS: NO_EDIT,
}
"""What was tried along a tree, the least first."""


def by_statistics(minimality: str, words: str, whose: str = "") -> str:
    """What is proved where the failure shows only sometimes; `whose` rate is compared, if not that of the result."""
    rate = f"the failure rate below that of {whose}" if whose else "the failure rate"
    return f"{minimality} by statistics, error at most {PASS_ERROR:.0%} each: without lowering {rate}, {words}"


def by_uncertain_outcomes(minimality: str) -> str:
    """The same of a result that rests on outcomes of both kinds: failing and passing ones."""
    return f"{minimality} by statistics: each outcome may be wrong, error at most {FAIL_ERROR:.0%}"


def promise(minimality: str, tried: Collection[str], *, folder: bool = False, rate: float = 1) -> str:
    """What was proved of a file, or of all files of a folder; `rate`: how often the failure shows.

    >>> promise("1-minimal", {"chars"})
    '1-minimal: no single character can be left out'
    >>> promise("1-minimal", {"chars"}, folder=True)
    '1-minimal: no file and no single character of one can be left out'
    >>> promise("1-minimal", {"lines", "protected"})
    '1-minimal: no single line can be left out; protected text is kept'
    """
    words = _words(tried, folder=folder) + ("; protected text is kept" if PROTECTED in tried else "")
    return by_statistics(minimality, words) if rate < 1 else f"{minimality}: {words}"


def _words(tried: Collection[str], *, folder: bool) -> str:
    """What cannot be removed."""
    by_tree = next((words for kind, words in BY_TREE.items() if kind in tried), "")
    units = " or ".join(unit for atoms, unit in UNITS.items() if atoms in tried)
    whole = "; large binary files are not cut" if WHOLE in tried else ""
    if not folder:
        return by_tree or f"no single {units or 'part'} can be left out"
    if not by_tree:
        return f"no file{f' and no single {units} of one' if units else ''} can be left out{whole}"
    others = f"; in one without a syntax tree, no single {units} can be left out" if units else ""
    return f"no file can be left out; in each one, {by_tree}{others}{whole}"
