"""Results in words."""

from __future__ import annotations

from wynot.run.result import Cost, Isolated, Reduced

_UNITS = {"chars": "character", "bytes": "byte", "lines": "line", "tokens": "token", "delimited": "stretch"}


def _cost(cost: Cost) -> str:
    counts = cost.counts
    tests = f"{counts.tests} tests, {counts.baseline} before the search"
    cached = f", {counts.cached} answered from what was known" if counts.cached else ""
    runs = f"; {cost.runs} runs in all, as the failure shows only sometimes" if cost.rate < 1 else ""
    return f"{tests}{cached}{runs}; {cost.wall:.1f} s"


def _guarantee(result: Reduced | Isolated) -> str:
    if result.status == "budget":
        return "the budget ended the search: not known to be minimal"
    if result.status == "interrupted":
        return "interrupted: not known to be minimal"
    if not result.minimal:
        return "not proved to be 1-minimal"
    return "1-minimal"


def reduced_text(result: Reduced) -> str:
    """A few lines about a simplified input."""
    sizes = " and ".join(str(len(cause)) for cause in result.causes)
    unit = _UNITS[result.atoms]
    guarantee = _guarantee(result)
    if result.minimal:
        guarantee = f"1-minimal: no single {unit} can be left out"
    lines = [f"{len(result.original)} -> {sizes} bytes ({guarantee})", _cost(result.cost)]
    if len(result.causes) > 1:
        lines.append(f"{len(result.causes)} independent causes, found in turn")
    if result.more is not None:
        rest = "the failure stays" if result.more else "it no longer fails"
        lines.append(f"without {'them' if len(result.causes) > 1 else 'it'}, {rest}")
    lines += [f"written to {path}" for path in result.outputs]
    return "\n".join(lines)


def isolated_text(result: Isolated) -> str:
    """A few lines about a pair of inputs."""
    unit = _UNITS[result.atoms]
    many = "s" if result.deltas != 1 else ""
    lines = [
        f"passing {len(result.passing)} bytes, failing {len(result.failing)} bytes",
        f"{result.deltas} {unit}{many} between them ({_guarantee(result)})",
        _cost(result.cost),
    ]
    lines += [f"written to {path}" for path in result.outputs]
    return "\n".join(lines)
