"""Since when it fails, in words and for machines."""

from __future__ import annotations

import json

from wynot.core.counted import counted
from wynot.domains.changes.history import Commit
from wynot.report.culprits import culprits_text
from wynot.report.hunks import Line, painted
from wynot.report.machine import answer_json, common_json
from wynot.run.bisect import Bisected


def bisected_text(result: Bisected, shown: tuple[str, str], *, colour: bool) -> str:
    """The first commit that fails; the others that it takes; the changes in them."""
    if not result.begun:
        return f"nothing is known yet: {shown[1]} and {shown[0]} themselves come first"
    counts = result.cost.counts
    lines = [*_since(result)]
    tests, revisions = counted(counts.tests, "test"), counted(len(result.stretch.commits), "revision")
    took = f"{tests} of {revisions}, {counts.baseline} before the search"
    lines.append(Line(f"{took}; {result.cost.wall:.1f} s"))
    guilty = result.guilty
    if result.culprits is not None and result.culprits.minimality is not None and len(guilty) > 1:
        lines += [Line(""), Line(f"it takes changes of {len(guilty)} commits:", "bold")]
        lines += [_told(each) for each in guilty]
    text = painted(lines, colour=colour)
    if result.culprits is None:
        return text
    first = result.stretch.name(result.failing)[:12]
    return f"{text}\n\n{culprits_text(result.culprits, (shown[0], first), colour=colour)}"


def _since(result: Bisected) -> list[Line]:
    suspects = result.suspects
    if result.status != "done" and result.culprits is None:
        return [Line(f"it fails since one of {len(suspects)} commits, the search was not finished", "bold")]
    if len(suspects) > 1:
        head = Line(f"it fails since one of {len(suspects)} commits: those between cannot be tested", "bold")
        return [head, *map(_told, suspects)]
    return [Line("it fails since this commit:", "bold"), *map(_told, suspects)]


def _told(commit: Commit) -> Line:
    return Line(f"  {commit.sha[:12]} {commit.date[:10]} {commit.author} {commit.subject}", "cyan")


def bisected_json(result: Bisected) -> str:
    """One object; the tests of the search along the revisions are told apart, under `along`."""
    own, culprits = result.cost.counts, result.culprits
    return json.dumps(
        {
            "command": "bisect",
            **common_json(culprits if culprits is not None else result),
            "status": result.status,
            "revisions": len(result.stretch.commits),
            "along": {"tests": own.tests, "needed": own.needed, "baseline_tests": own.baseline, "run": result.run},
            "suspects": [each.as_json() for each in result.suspects],
            "guilty": [each.as_json() for each in result.guilty],
            "breaks": answer_json(culprits, culprits.breaks) if culprits is not None else None,
            "outputs": list(result.outputs),
        }
    )
