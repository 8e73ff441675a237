"""Results in words."""

from __future__ import annotations

from wynot.core.counted import counted
from wynot.core.folder import Folder
from wynot.domains.blanks import binary
from wynot.run.result import Acted, Cost, Explained, Isolated, Reduced

_UNITS = {"chars": "character", "bytes": "byte", "lines": "line", "tokens": "token", "delimited": "stretch"}
NO_NODE = "nothing in its syntax tree can be cut, or replaced by the least that may stand there"
"""What 1-tree-minimal means."""
TOO_WEAK = "the test is too weak: nothing is left that could tell why"
_EARLY = {"budget": "the budget ended the search", "stopped": "stopped", "interrupted": "interrupted"}


def cost_text(cost: Cost, parts: str = "") -> str:
    """What it took; `parts`: what for."""
    counts = cost.counts
    tests = f"{counted(counts.tests, 'test')}{parts}, {counts.baseline} before the search"
    cached = f", {counts.cached} answered from what was known" if counts.cached else ""
    predicted = f", {counts.predicted} not valid and so not tested" if counts.predicted else ""
    runs = f"; {counted(cost.runs, 'run')} in all, as the failure shows only sometimes" if cost.rate < 1 else ""
    return f"{tests}{cached}{predicted}{runs}; {cost.wall:.1f} s"


def guarantee(result: Reduced | Isolated | Explained | Acted) -> str:
    """What was proved of a result."""
    if result.status in _EARLY:
        return f"{_EARLY[result.status]}: not known to be minimal"
    if isinstance(result, Reduced) and result.weak:
        return TOO_WEAK
    if not result.minimal:
        return "not proved to be 1-minimal"
    if result.minimality == "1-tree-minimal":
        return f"1-tree-minimal: {NO_NODE}"
    return "1-minimal"


def reduced_text(result: Reduced) -> str:
    """A few lines about a simplified input."""
    if isinstance(result.original, Folder):
        return _folder_text(result, result.original)
    sizes = " and ".join(str(len(cause)) for cause in result.causes)
    promise = guarantee(result)
    if result.minimality == "1-minimal" and not result.weak:
        promise += f": no single {_UNITS[result.atoms]} can be left out"
    lines = [f"{len(result.original)} -> {sizes} bytes ({promise})", cost_text(result.cost)]
    if binary(result.original):
        before, after = (len(data) - data.count(0) for data in (result.original, result.causes[-1]))
        lines.insert(1, f"{before} -> {after} of them are not zero")
    if len(result.causes) > 1:
        lines.append(f"{len(result.causes)} independent causes, found in turn")
    if result.more is not None:
        rest = "the failure stays" if result.more else "it no longer fails"
        lines.append(f"without {'them' if len(result.causes) > 1 else 'it'}, {rest}")
    lines += [f"written to {path}" for path in result.outputs]
    return "\n".join(lines)


def _folder_text(result: Reduced, before: Folder) -> str:
    """A few lines about a simplified folder."""
    promise = guarantee(result)
    if result.minimality is not None and not result.weak:
        by_tree = result.minimality == "1-tree-minimal"
        inside = f"can be left out; in each one, {NO_NODE}" if by_tree else "and nothing in one can be left out"
        promise = f"{result.minimality}: no file {inside}"
    sizes = f"{before.size} -> {result.folder.size} bytes in {before.count} -> {result.folder.count} files"
    return "\n".join(
        [f"{sizes} ({promise})", cost_text(result.cost), *(f"written to {path}" for path in result.outputs)]
    )


def isolated_text(result: Isolated) -> str:
    """A few lines about a pair of inputs."""
    between = f"{counted(result.deltas, _UNITS[result.atoms])} between them" if result.deltas else "not compared yet"
    lines = [
        f"passing {counted(len(result.passing), 'byte')}, failing {counted(len(result.failing), 'byte')}",
        f"{between} ({guarantee(result)})",
        cost_text(result.cost),
    ]
    lines += [f"written to {path}" for path in result.outputs]
    return "\n".join(lines)
