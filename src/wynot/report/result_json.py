"""Results for machines: one JSON object."""

from __future__ import annotations

import json
from functools import cache, partial
from typing import TYPE_CHECKING

from wynot.core.artifact import Laid
from wynot.core.folder import Folder
from wynot.core.outcome import PASS_ERROR, Outcome
from wynot.domains.text.atoms import plain
from wynot.domains.text.tokens import count
from wynot.engine.results import Cost, Explained, Isolated, Reduced, ReducedRecording

MAX_NAMED = 10
"""Up to this number of changes of a set are named."""
MAX_COUNTED = 1_000_000
"""Bytes up to which tokens are counted where a run was ended: that takes a quarter of a second."""
if TYPE_CHECKING:
    from wynot.commands.changes.changes_result import ChangesResult, GuiltySet
    from wynot.commands.changes.first_bad_commit import BisectResult
    from wynot.core.config import Config
    from wynot.domains.changes.commit_history import Commit


def _sizes(content: Laid, *, early: bool) -> dict[str, int | None]:
    """How large a file is, or all files of a folder together.

    `early`: the run was ended. Whoever ended it does not wait for the tokens of large texts to be counted.
    """
    texts = list(content.files.values()) if isinstance(content, Folder) else [content]
    size = sum(map(len, texts))
    return {
        "bytes": size,
        "lines": sum(len(plain(text).splitlines()) for text in texts),
        "tokens": None if early and size > MAX_COUNTED else sum(count(plain(text)) for text in texts),
    }


def _files(before: Laid, after: Laid) -> dict[str, object]:
    """How many files a folder has."""
    if not isinstance(before, Folder) or not isinstance(after, Folder):
        return {}
    return {"files": {"before": before.count, "after": after.count}}


def common_json(
    result: Reduced | Isolated | ChangesResult | BisectResult | Explained | ReducedRecording,
) -> dict[str, object]:
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
        "killed_outside": counts.killed_outside,
        "repeated": counts.repeated,
        "baseline_tests": counts.baseline,
        "runs": cost.runs,
        "from_run": cost.from_run,
        "rate": cost.rate,
        "error": PASS_ERROR if cost.rate < 1 else None,
        "after_tests": counts.after,
        "outcomes": {outcome.value: counts.outcomes[outcome] for outcome in Outcome},
        "wall": round(cost.wall, 6),
        "engine": round(cost.engine, 6),
    }


def reduced_json(result: Reduced) -> str:
    """A simplified input."""
    sizes = partial(_sizes, early=result.status != "done")
    after = list(map(sizes, result.found))
    before = after[0] if result.original is result.found[0] else sizes(result.original)  # counting tokens takes time
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
            "tried": sorted(result.tried),
            "failures": failures_json(result),
            **_files(result.original, result.found[0]),
        }
    )


def failures_json(result: Reduced | Isolated | ReducedRecording | Explained) -> dict[str, str] | None:
    """What the program says of the original and of the result."""
    return None if result.failures is None else dict(zip(("original", "result"), result.failures, strict=True))


def isolated_json(result: Isolated) -> str:
    """A pair of inputs."""
    sizes = cache(partial(_sizes, early=result.status != "done"))
    return json.dumps(
        {
            "command": "isolate",
            **common_json(result),
            "atoms": result.atoms,
            "size_before": len(result.original),
            "size_after": len(result.failing),
            "before": sizes(result.original),
            "passing": sizes(result.passing),
            "failing": sizes(result.failing),
            "difference": result.deltas,
            "failures": failures_json(result),
            "causes": [
                {"passing": sizes(each.passing), "failing": sizes(each.failing), "difference": each.deltas}
                for each in result.causes
            ],
            "more": result.more,
        }
    )


def changes_json(result: ChangesResult) -> str:
    """The changes because of which something fails."""
    return json.dumps(
        {
            "command": "changes",
            **common_json(result),
            "changes": len(result.sources.changes),
            "notes": list(result.notes),
            "breaks": answer_json(result, result.breaks),
            "repairs": answer_json(result, result.repairs),
            "set_aside": {"changes": result.aside, "how": result.how},
            "phases": result.cost.counts.phases,
            "questions": result.tests,
            **causes_json(result),
            "properties": properties_json(result),
            "commits": [each.as_json() for each in _commits(result)],
            "reverts": [each.sha for each in result.reverts],
        }
    )


def causes_json(result: ChangesResult) -> dict[str, object]:
    """All sets that break the old one, and whether it fails without them, too; null: nobody has looked."""
    answers = [each for each in (result.breaks, *result.causes) if each is not None]
    return {"causes": [answer_json(result, each) for each in answers], "more": result.more}


def properties_json(result: ChangesResult) -> dict[str, object]:
    """Pairs of sets of changes that contradict a property; null: no test contradicts it."""

    def named(numbers: Config) -> dict[str, object]:
        shown = [result.sources.changes[each] for each in numbers.part(0, MAX_NAMED)]
        return {"changes": len(numbers), "first": [f"{each.path} {each.header}".rstrip() for each in shown]}

    found = result.properties
    pairs = {"not_monotone": found.not_monotone, "ambiguous": found.ambiguous, "interfering": found.interfering}
    return {
        **{name: None if pair is None else [named(each) for each in pair] for name, pair in pairs.items()},
        "undone_by": named(result.undone_by) if result.undone_by else None,
    }


def answer_json(result: ChangesResult, answer: GuiltySet | None) -> list[dict[str, object]] | None:
    """The changes of one answer; null if it was not asked for, or not begun with."""
    from wynot.commands.changes.changes_result import commits_of  # noqa: PLC0415 - there are answers: it is loaded

    if answer is None:
        return None
    return [
        {"path": change.path, "header": change.header, "commits": [each.sha for each in commits_of(result, change)]}
        for change in answer.changes
    ]


def _commits(result: ChangesResult) -> list[Commit]:
    """All that are named, oldest first."""
    named = {each for answer in (result.breaks, result.repairs) if answer is not None for each in answer.commits}
    return [each for each in result.sources.history.commits if each in named] if result.sources.history else []
