"""Since when it fails, in words and for machines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from wynot.commands.changes.first_bad_commit import BisectResult, UntestedCommit
from wynot.core.text import counted
from wynot.domains.changes.commit_history import Commit
from wynot.report.changes_report import changes_text
from wynot.report.patch_text import PatchLine, painted
from wynot.report.result_json import answer_json, causes_json, common_json, properties_json


def bisect_text(result: BisectResult, shown: tuple[str, str], *, colour: bool) -> str:
    """The first commit that fails; the others that it takes; the changes in them."""
    if not result.begun:
        return f"nothing is known yet: {shown[1]} and {shown[0]} themselves come first"
    counts = result.cost.counts
    lines = [*_since(result), *_others(result, shown), *(PatchLine(f"note: {note}") for note in result.notes)]
    tests, revisions = counted(counts.tests, "test"), counted(len(result.stretch.commits), "revision")
    took = f"{tests} of {revisions}, {counts.baseline} before the search"
    lines.append(PatchLine(f"{took}; {result.cost.wall:.1f} s"))
    guilty = result.guilty
    if result.culprits is not None and result.culprits.minimality is not None and len(guilty) > 1:
        lines += [PatchLine(""), PatchLine(f"it takes changes of {len(guilty)} commits:", "bold")]
        lines += [_told(each) for each in guilty]
    text = painted(lines, colour=colour)
    if result.culprits is None:
        return text
    last = result.stretch.name(result.searched)[:12]
    return f"{text}\n\n{changes_text(result.culprits, (shown[0], last), colour=colour)}"


def _others(result: BisectResult, shown: tuple[str, str]) -> list[PatchLine]:
    """Where the bad revision has another cause, too."""
    if not result.others:
        return []
    reverted = "that commit is" if len(result.suspects) == 1 else "these commits are"
    found = [PatchLine(f"{shown[1]} fails where {reverted} reverted, too: it has another cause", "bold")]
    if result.causes == 1:
        found.append(PatchLine(f"for the causes of {shown[1]}: the same command with --causes 2, or more"))
    return found


def _since(result: BisectResult) -> list[PatchLine]:
    suspects = result.suspects
    if result.status != "done" and result.culprits is None:
        return [PatchLine(f"it fails since one of {len(suspects)} commits, the search was not finished", "bold")]
    lines = _between(suspects, result.untested, lasting=not result.others)
    inside = "within that merge,"
    for each in result.merged:
        if each.suspects:
            first, *rest = _between(each.suspects, each.untested)
            lines += [PatchLine(f"{inside} {first.text}", "bold"), *rest]
        else:
            lines.append(PatchLine(f"{inside} {each.why}", "bold"))
    return lines


def _between(
    suspects: Sequence[Commit], untested: Sequence[UntestedCommit], *, lasting: bool = True
) -> list[PatchLine]:
    """The suspects; if there are several, how those end that neither pass nor show the failure.

    `lasting`: no test shows that later commits fail for another reason.
    """
    if len(suspects) == 1:
        since = "it fails since this commit:" if lasting else "it fails at this commit, and does not fail before it:"
        return [PatchLine(since, "bold"), _told(suspects[0])]
    head = f"it fails since one of {len(suspects)} commits: those before the last end in another way"
    lines = [PatchLine(head, "bold"), *map(_told, suspects)]
    if untested:
        first = untested[0]
        lines.append(PatchLine(f"the first that does not pass is {first.commit.sha[:12]}: {first.how}"))
        others = Counter(each.how for each in untested[1:])
        lines += [PatchLine(f"  {counted(many, 'other')}: {how}") for how, many in others.items()]
    return lines


def _told(commit: Commit) -> PatchLine:
    return PatchLine(f"  {commit.sha[:12]} {commit.date[:10]} {commit.author} {commit.subject}", "cyan")


def bisect_json(result: BisectResult) -> str:
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
            "untested": [{**each.commit.as_json(), "how": each.how} for each in result.untested],
            "merged": [
                {"suspects": [commit.as_json() for commit in each.suspects], "why": each.why} for each in result.merged
            ],
            "others": result.others,
            "guilty": [each.as_json() for each in result.guilty],
            "breaks": answer_json(culprits, culprits.breaks) if culprits is not None else None,
            **(causes_json(culprits) if culprits is not None else {"causes": [], "more": None}),
            "properties": properties_json(culprits) if culprits is not None else None,
            "outputs": list(result.outputs),
            "notes": list(result.notes),
        }
    )
