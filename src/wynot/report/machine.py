"""Results for machines: one JSON object."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from wynot.core.artifact import Laid
from wynot.core.folder import Folder
from wynot.core.outcome import Outcome
from wynot.domains.tokens import count
from wynot.domains.wide import plain
from wynot.run.result import Acted, Cost, Explained, Isolated, Reduced

if TYPE_CHECKING:
    from wynot.domains.changes.history import Commit
    from wynot.run.bisect import Bisected
    from wynot.run.culprits import Answer, Culprits


def _sizes(content: Laid) -> dict[str, int]:
    """How large a file is, or all files of a folder together."""
    texts = list(content.files.values()) if isinstance(content, Folder) else [content]
    return {
        "bytes": sum(map(len, texts)),
        "lines": sum(len(plain(text).splitlines()) for text in texts),
        "tokens": sum(count(plain(text)) for text in texts),
    }


def _files(before: Laid, after: Laid) -> dict[str, object]:
    """How many files a folder has."""
    if not isinstance(before, Folder) or not isinstance(after, Folder):
        return {}
    return {"files": {"before": before.count, "after": after.count}}


def common_json(result: Reduced | Isolated | Culprits | Bisected | Explained | Acted) -> dict[str, object]:
    """What every run has."""
    return {
        "status": result.status,
        "minimality": result.minimality,
        "looked_for": result.looked_for,
        **cost_json(result.cost),
        "run": result.run,
        "outputs": list(result.outputs),
    }


def cost_json(cost: Cost) -> dict[str, object]:
    """What it took."""
    counts = cost.counts
    return {
        "tests": counts.tests,
        "needed": counts.needed,
        "cached": counts.cached,
        "predicted": counts.predicted,
        "killed": counts.killed,
        "baseline_tests": counts.baseline,
        "runs": cost.runs,
        "rate": cost.rate,
        "outcomes": {outcome.value: counts.outcomes[outcome] for outcome in Outcome},
        "wall": round(cost.wall, 6),
        "engine": round(cost.engine, 6),
    }


def reduced_json(result: Reduced) -> str:
    """A simplified input."""
    after = [_sizes(cause) for cause in result.found]
    before = _sizes(result.original)
    return json.dumps(
        {
            "command": "reduce",
            **common_json(result),
            "atoms": result.atoms,
            "size_before": before["bytes"],
            "size_after": after[0]["bytes"],
            "before": before,
            "after": after[0],
            "causes": after,
            "more": result.more,
            "weak": result.weak,
            **_files(result.original, result.found[0]),
        }
    )


def isolated_json(result: Isolated) -> str:
    """A pair of inputs."""
    return json.dumps(
        {
            "command": "isolate",
            **common_json(result),
            "atoms": result.atoms,
            "size_before": len(result.original),
            "size_after": len(result.failing),
            "before": _sizes(result.original),
            "passing": _sizes(result.passing),
            "failing": _sizes(result.failing),
            "difference": result.deltas,
        }
    )


def culprits_json(result: Culprits) -> str:
    """The changes because of which something fails."""
    return json.dumps(
        {
            "command": "changes",
            **common_json(result),
            "changes": len(result.sources.changes),
            "breaks": answer_json(result, result.breaks),
            "repairs": answer_json(result, result.repairs),
            "set_aside": {"changes": result.aside, "how": result.how},
            "phases": result.cost.counts.phases,
            "questions": result.tests,
            "commits": [each.as_json() for each in _commits(result)],
        }
    )


def answer_json(result: Culprits, answer: Answer | None) -> list[dict[str, object]] | None:
    """The changes of one answer; null if it was not asked for, or not begun with."""
    from wynot.run.culprits import commits_of  # noqa: PLC0415 - there are answers: it is loaded

    if answer is None:
        return None
    return [
        {"path": change.path, "header": change.header, "commits": [each.sha for each in commits_of(result, change)]}
        for change in answer.changes
    ]


def _commits(result: Culprits) -> list[Commit]:
    """All that are named, oldest first."""
    named = {each for answer in (result.breaks, result.repairs) if answer is not None for each in answer.commits}
    return [each for each in result.sources.history.commits if each in named] if result.sources.history else []
