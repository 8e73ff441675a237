"""Results for machines: one JSON object."""

from __future__ import annotations

import json

from wynot.core.artifact import Laid
from wynot.core.folder import Folder
from wynot.core.outcome import Outcome
from wynot.domains.tokens import count
from wynot.run.result import Acted, Explained, Isolated, Reduced


def _sizes(content: Laid) -> dict[str, int]:
    """How large a file is, or all files of a folder together."""
    texts = list(content.files.values()) if isinstance(content, Folder) else [content]
    return {
        "bytes": sum(map(len, texts)),
        "lines": sum(len(text.splitlines()) for text in texts),
        "tokens": sum(map(count, texts)),
    }


def _files(before: Laid, after: Laid) -> dict[str, object]:
    """How many files a folder has."""
    if not isinstance(before, Folder) or not isinstance(after, Folder):
        return {}
    return {"files": {"before": before.count, "after": after.count}}


def summary(result: Reduced | Isolated | Explained | Acted) -> dict[str, object]:
    """What every result has."""
    counts = result.cost.counts
    return {
        "status": result.status,
        "minimality": result.minimality,
        "atoms": result.atoms,
        "looked_for": result.looked_for,
        "tests": counts.tests,
        "needed": counts.needed,
        "cached": counts.cached,
        "predicted": counts.predicted,
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
    after = [_sizes(cause) for cause in result.found]
    before = _sizes(result.original)
    return json.dumps(
        {
            "command": "reduce",
            **summary(result),
            "size_before": before["bytes"],
            "size_after": after[0]["bytes"],
            "before": before,
            "after": after[0],
            "causes": after,
            "more": result.more,
            **_files(result.original, result.found[0]),
        }
    )


def isolated_json(result: Isolated) -> str:
    """A pair of inputs."""
    return json.dumps(
        {
            "command": "isolate",
            **summary(result),
            "size_before": len(result.original),
            "size_after": len(result.failing),
            "before": _sizes(result.original),
            "passing": _sizes(result.passing),
            "failing": _sizes(result.failing),
            "difference": result.deltas,
        }
    )
