"""Results for machines: one JSON object."""

from __future__ import annotations

import json

from wynot.core.outcome import Outcome
from wynot.domains.tokens import count
from wynot.run.result import Isolated, Reduced


def _sizes(data: bytes) -> dict[str, int]:
    return {"bytes": len(data), "lines": len(data.splitlines()), "tokens": count(data)}


def _common(result: Reduced | Isolated) -> dict[str, object]:
    counts = result.cost.counts
    return {
        "status": result.status,
        "minimality": "1-minimal" if result.minimal else None,
        "atoms": result.atoms,
        "looked_for": result.looked_for,
        "tests": counts.tests,
        "needed": counts.needed,
        "cached": counts.cached,
        "killed": counts.killed,
        "baseline_tests": counts.baseline,
        "runs": result.cost.runs,
        "rate": result.cost.rate,
        "outcomes": {outcome.value: counts.outcomes[outcome] for outcome in Outcome},
        "wall": round(result.cost.wall, 6),
        "engine": round(result.cost.engine, 6),
        "run": result.run,
        "outputs": list(result.outputs),
    }


def reduced_json(result: Reduced) -> str:
    """A simplified input."""
    after = [_sizes(cause) for cause in result.causes]
    before = _sizes(result.original)
    return json.dumps(
        {
            "command": "reduce",
            **_common(result),
            "size_before": before["bytes"],
            "size_after": after[0]["bytes"],
            "before": before,
            "after": after[0],
            "causes": after,
            "more": result.more,
        }
    )


def isolated_json(result: Isolated) -> str:
    """A pair of inputs."""
    return json.dumps(
        {
            "command": "isolate",
            **_common(result),
            "size_before": len(result.original),
            "size_after": len(result.failing),
            "before": _sizes(result.original),
            "passing": _sizes(result.passing),
            "failing": _sizes(result.failing),
            "difference": result.deltas,
        }
    )
