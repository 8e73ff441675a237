"""The results of `changes` and `bisect` in words: guilty changes, where they come from, what to type next."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from shlex import quote

from wynot.commands.changes.changes_result import ChangesResult, GuiltySet, commits_of
from wynot.commands.changes.first_bad_commit import BisectResult, UntestedCommit
from wynot.commands.changes.revisions import commit_of, merged_by
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED
from wynot.core.text import counted
from wynot.domains.changes.change import Change, ChangeKind
from wynot.domains.changes.commit_history import Commit
from wynot.domains.changes.git_patch import patch
from wynot.report.patch_text import PatchLine, git_apply_command, painted, patch_lines, patched_tree
from wynot.report.result_json import answer_json, causes_json, common_json, properties_json
from wynot.report.result_text import by_statistics, by_uncertain_outcomes, cost_text

# Since when it fails, in words and for machines.


def bisect_text(result: BisectResult, shown: tuple[str, str], *, colour: bool) -> str:
    """The first commit that fails; the others that it takes; the changes in them."""
    if not result.begun:
        return f"nothing is known yet: {shown[1]} and {shown[0]} themselves come first"
    counts = result.cost.counts
    lines = [*_since(result), *_others(result, shown), *(PatchLine(f"note: {note}") for note in result.notes)]
    tests, revisions = counted(counts.tests, "test"), counted(len(result.stretch.commits), "revision")
    lines.append(PatchLine(f"{tests} of {revisions} (+{counts.baseline} baseline) in {result.cost.wall:.1f} s"))
    guilty = result.guilty
    if result.culprits is not None and result.culprits.minimality is not None and len(guilty) > 1:
        lines += [PatchLine(""), PatchLine(f"the failure needs changes of {len(guilty)} commits:", "bold")]
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
    commits = "that commit" if len(result.suspects) == 1 else "these commits"
    found = [PatchLine(f"{shown[1]} still fails with {commits} reverted: there is another cause", "bold")]
    if result.causes == 1:
        found.append(PatchLine(f"to find the causes of {shown[1]}, add --causes 2 or more"))
    return found


def _since(result: BisectResult) -> list[PatchLine]:
    suspects = result.suspects
    if result.status != "done" and result.culprits is None:
        return [PatchLine(f"the first failing commit is one of {len(suspects)}; the search was not finished", "bold")]
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
        since = "first failing commit:" if lasting else "it fails at this commit, and does not fail before it:"
        return [PatchLine(since, "bold"), _told(suspects[0])]
    head = f"the first failing commit is one of {len(suspects)}: those before the last end in another way"
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


MOST = 40
"""So many changes are shown in full."""
NAMED = 2
"""Up to this number of changes are named in a sentence."""
MANY = 10
"""A proved set of more changes comes with a hint: the known guilty sets of the corpus have up to this number."""
_QUESTIONS = {
    "breaks": "for what breaks it", "repairs": "for what repairs it", "lines": "for the lines",
    "causes": "for other causes", "commits": "for the commits", "undoing": "for what undoes it",
    "reverts": "for git revert",
}  # fmt: skip
_UNFINISHED = {
    "budget": "the budget ended the search",
    "stopped": "stopped",
    "changed": "the test changed",
    "interrupted": "interrupted",
}


def changes_text(result: ChangesResult, shown: tuple[str, str], *, colour: bool) -> str:
    """All that there is to say. `shown`: the old and the new one as the user knows them."""
    lines = [*_view(result, shown), *_causes(result, shown), *_account(result), *_next(result, shown)]
    return painted(lines, colour=colour)


def _view(result: ChangesResult, shown: tuple[str, str]) -> Iterator[PatchLine]:
    """The guilty changes in context, for each question."""
    total = len(result.sources.changes)
    if result.breaks is not None:
        verb = "breaks" if len(result.breaks.changes) == 1 else "together break"
        yield _title(f"{_many(result, result.breaks, total)} {verb} {shown[0]}{_proof(result, result.breaks)}")
        yield from _hunks(result, result.breaks)
    if result.undone_by and result.status == "done":
        undoing = GuiltySet(tuple(result.sources.changes[each] for each in result.undone_by), result.undone_by)
        verb = "undoes" if len(undoing.changes) == 1 else "together undo"
        yield _title(f"{_many(result, undoing, total)} {verb} that in {shown[1]}")
        yield from _hunks(result, undoing)
    for other in result.causes:
        verb = "breaks" if len(other.changes) == 1 else "together break"
        title = f"another cause: {_many(result, other, total)} {verb} {shown[0]}{_proof(result, other)}"
        yield _title(title)
        yield from _hunks(result, other)
    if result.repairs is not None:
        same = result.breaks is not None and result.breaks.numbers == result.repairs.numbers
        what = "the same changes" if same else _many(result, result.repairs, total)
        yield _title(f"reverting {what} repairs {shown[1]}{_proof(result, result.repairs)}")
        seen = result.breaks.numbers if result.breaks is not None else Config()
        if not same and result.repairs.numbers <= seen and not _suspected(result, result.repairs):
            yield from (PatchLine(f"  {each.path} {each.header}") for each in result.repairs.changes)
            yield PatchLine("")
        elif not same:
            yield from _hunks(result, result.repairs)


def _title(text: str) -> PatchLine:
    return PatchLine(text, "bold")


def _many(result: ChangesResult, answer: GuiltySet, total: int) -> str:
    """How many changes of how many; lines of changes, or files that have moved, if the search went on to them."""
    count = len(answer.changes)
    if answer is result.breaks and "lines" in result.tests:
        what = "part" if any(each.kind is ChangeKind.RENAMED for each in answer.changes) else "line"
        return f"{counted(count, what)} in {len(answer.numbers)} of {counted(total, 'change')}"
    beside = f" (on top of {len(answer.beside)} others)" if answer.beside else ""
    return f"{count} of {counted(total, 'change')}{beside}"


def _proof(result: ChangesResult, answer: GuiltySet) -> str:
    if answer.minimal and result.cost.rate < 1:
        if answer is result.breaks:
            return f" ({by_statistics('1-minimal', 'no single change can be removed', 'NEW')})"
        return f" ({by_uncertain_outcomes('1-minimal')})"
    if answer.minimal:
        return " (1-minimal: none of them can be removed)" if len(answer.changes) > 1 else ""
    return f" ({_UNFINISHED.get(result.status, 'not proved to be 1-minimal')})"


def _hunks(result: ChangesResult, answer: GuiltySet) -> Iterator[PatchLine]:
    """File by file, with the commits that the changes come from; of many mere suspects only how many are in each."""
    if _suspected(result, answer):
        yield from _files(answer)
        return
    sources = result.sources
    by_path: dict[str, list[Change]] = {}
    for change in answer.changes[:MOST]:
        by_path.setdefault(change.path, []).append(change)
    for changes in by_path.values():
        plain = [change for change in changes if not change.moved]
        yield from (PatchLine(f"{change.path} {change.header}") for change in changes if change.moved)
        yield from patch_lines(patch(plain, Config.full(len(plain)), sources.old))
        told = {each for change in changes for each in commits_of(result, change)}
        for each in sources.history.commits if sources.history else ():
            if each in told and each in answer.commits:
                yield _from(each)
                yield from _merged(result, each, changes)
    if len(answer.changes) > MOST:
        yield PatchLine(f"  … and {len(answer.changes) - MOST} more changes: see the patch", "dim")
    yield PatchLine("")


def _suspected(result: ChangesResult, answer: GuiltySet) -> bool:
    """Whether the search ended so early that many changes of an answer have not been looked at."""
    return result.status != "done" and not answer.minimal and len(answer.changes) > MANY


def _files(answer: GuiltySet) -> Iterator[PatchLine]:
    """The files with suspects, those with most of them first."""
    found = Counter(change.path for change in answer.changes).most_common()
    yield from (PatchLine(f"  {counted(many, 'suspect')} in {path}") for path, many in found[:MOST])
    if len(found) > MOST:
        yield PatchLine(f"  … and {sum(many for _, many in found[MOST:])} in {len(found) - MOST} more files", "dim")
    yield PatchLine("")


def _from(commit: Commit) -> PatchLine:
    words = (commit.sha[:12], commit.date[:10], commit.author, commit.subject)
    return PatchLine(f"  from {' '.join(word for word in words if word)}", "cyan")


def _merged(result: ChangesResult, commit: Commit, changes: Sequence[Change]) -> Iterator[PatchLine]:
    """What a merge brought to the files of these changes."""
    if len(commit.parents) > 1 and result.sources.repository is not None:
        paths = list(dict.fromkeys(each.path for each in changes))
        yield from (PatchLine(f"    merged {each}") for each in merged_by(result.sources.repository, commit.sha, paths))


def _causes(result: ChangesResult, shown: tuple[str, str]) -> Iterator[PatchLine]:
    """Where there is more than one cause, or where the tests contradict what an algorithm assumes."""
    if result.status != "done":
        return
    breaks, repairs, found = result.breaks, result.repairs, result.properties
    if breaks is not None and repairs is not None and result.undone_by:
        one, by, other = (_named(result, each) for each in (breaks.numbers, result.undone_by, repairs.numbers))
        yield PatchLine(f"two causes: {one} breaks {shown[0]}, but in {shown[1]} it is undone by {by};", "bold")
        yield PatchLine(f"{shown[1]} fails because of {other}", "bold")
    elif breaks is not None and result.others:
        yield PatchLine(
            f"more than one cause: without {_named(result, breaks.numbers)}, {shown[1]} still fails", "bold"
        )
    if breaks is not None and result.more is not None:
        many = counted(1 + len(result.causes), "cause")
        without = f"without {'them' if result.causes else 'it'}, the rest does not fail"
        rest = "the rest still fails: there are more" if result.more else without
        yield PatchLine(f"{many}, found in turn; {rest}")
    elif breaks is not None and result.others:
        yield PatchLine("to find all causes, add --causes 2 or more")
    if found.not_monotone is not None and "repairs" not in result.tests:
        fails, passes = found.not_monotone
        both = _named(result, fails), _named(result, passes - fails)
        yield PatchLine(
            "not monotone: it fails with {}, and passes with {} as well; other sets may fail, too".format(*both)
        )


def _named(result: ChangesResult, numbers: Config) -> str:
    """A few changes by their places, more by their number."""
    if len(numbers) > NAMED:
        return f"{len(numbers)} changes together"
    changes = (result.sources.changes[each] for each in numbers)
    return " with ".join(f"{each.path} {_heading(result, each)}".rstrip() for each in changes)


def _heading(result: ChangesResult, change: Change) -> str:
    """What a change is, in one line; a hunk is headed as where it is shown, with the lines around it."""
    rows = patch([change], Config.full(1), result.sources.old).decode("utf-8", "replace").splitlines()
    return next((row for row in rows if row.startswith("@@ ")), change.header)


def _account(result: ChangesResult) -> Iterator[PatchLine]:
    """What it took."""
    counts = result.cost.counts
    yield from (PatchLine(f"note: {note}") for note in result.notes)
    if result.aside:
        yield PatchLine(
            f"{result.aside} of {counted(len(result.sources.changes), 'change')} set aside: not executed ({result.how})"
        )
    parts = [f"{count} {_QUESTIONS[name]}" for name, count in result.tests.items()]
    if parts and (others := counts.tests - sum(result.tests.values())) > 0:
        parts.append(f"{others} for other checks")
    yield PatchLine(cost_text(result.cost, ", ".join(parts), "predicted"))
    phases = ", ".join(f"{count} in {name}" for name, count in sorted(counts.phases.items()))
    kinds = ((FAIL, "fail"), (PASS, "pass"), (UNRESOLVED, "unresolved"))
    mix = ", ".join(f"{counts.outcomes[outcome]} {name}" for outcome, name in kinds)
    yield PatchLine(f"outcomes: {mix}{f' ({phases})' if phases else ''}")


def _next(result: ChangesResult, shown: tuple[str, str]) -> Iterator[PatchLine]:
    """Where the patches are, what to do with them, and what to try where the answer is large."""
    yield from _hint(result, shown)
    for path, answer, where in zip(result.outputs, _given(result), _places(result, shown), strict=False):
        if answer is not None:
            tree, other, purpose = where
            command = git_apply_command(path, patched_tree(tree, other, result.sources.repository))
            yield PatchLine(f"written to {path}; to {purpose}: {command}")
    if result.reverts:
        whole = "the whole commit" if len(result.reverts) == 1 else "the whole commits"
        names = " ".join(each.sha[:12] for each in reversed(result.reverts))
        yield PatchLine(f"or revert {whole}{_elsewhere(result, shown[1])}: git revert {names}")


def _elsewhere(result: ChangesResult, new: str) -> str:
    """Where a command belongs that was tried on a revision, if that is not the one that is checked out."""
    sources = result.sources
    here = commit_of(sources.repository, "HEAD") if sources.repository is not None else None
    return "" if here == sources.head else f", on {new}"


def _hint(result: ChangesResult, shown: tuple[str, str]) -> Iterator[PatchLine]:
    """What to try next where no change can be left out alone, but many are left."""
    large = [each for each in _given(result) if each is not None and each.minimal and len(each.numbers) > MANY]
    if not large:
        return
    largest = max(large, key=lambda each: len(each.numbers))
    many = f"{len(largest.numbers)} changes"
    if result.sources.history is None:
        again = "between two git revisions, whole commits are tried as well"
        yield PatchLine(f"{many} is a large answer; choose an OLD closer to NEW: {again}")
    elif len(largest.commits) > 1:
        many = f"{many} of {len(largest.commits)} commits"
        yield PatchLine(
            f"{many} is a large answer; to find the commit: wynot bisect {' '.join(map(quote, shown))} -- COMMAND"
        )


def _given(result: ChangesResult) -> Sequence[GuiltySet | None]:
    return [each for each in (result.breaks, result.repairs, *result.causes) if each is not None]


def _places(result: ChangesResult, shown: tuple[str, str]) -> list[tuple[str, str, str]]:
    """Where to apply the patch of each answer, what that was compared with, and what the patch is for."""
    places = ((*shown, f"make {shown[0]} fail"), (*shown[::-1], f"repair {shown[1]}"))
    found = [place for place, each in zip(places, (result.breaks, result.repairs), strict=True) if each is not None]
    return found + [places[0]] * len(result.causes)
