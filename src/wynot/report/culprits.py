"""The guilty changes in words: which ones, where they come from, what it took, and what to type next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wynot.core.config import Config
from wynot.core.counted import counted
from wynot.core.outcome import FAIL, PASS, UNRESOLVED
from wynot.domains.changes.change import Change, Kind
from wynot.domains.changes.history import Commit
from wynot.domains.changes.patch import patch
from wynot.report.applying import applying, patched_tree
from wynot.report.hunks import Line, painted, patch_lines
from wynot.report.text import cost_text
from wynot.run.culprits import Answer, Culprits, commits_of
from wynot.run.revisions import merged_by

FEW = 5
"""So many commits are named in a command."""
MOST = 40
"""So many changes are shown in full."""
_UNFINISHED = {"budget": "the budget ended the search", "stopped": "stopped", "interrupted": "interrupted"}


def culprits_text(result: Culprits, shown: tuple[str, str], *, colour: bool) -> str:
    """All that there is to say. `shown`: the old and the new one as the user knows them."""
    return painted([*_view(result, shown), *_account(result), *_next(result, shown)], colour=colour)


def _view(result: Culprits, shown: tuple[str, str]) -> Iterator[Line]:
    """The guilty changes in context, for each question."""
    total = len(result.sources.changes)
    if result.breaks is not None:
        verb = "breaks" if len(result.breaks.changes) == 1 else "together break"
        yield _title(f"{_many(result, result.breaks, total)} {verb} {shown[0]}{_proof(result, result.breaks)}")
        yield from _hunks(result, result.breaks)
    if result.repairs is not None:
        same = result.breaks is not None and result.breaks.numbers == result.repairs.numbers
        many = "the same, taken back," if same else f"{_many(result, result.repairs, total)}, taken back,"
        verb = "repairs" if same or len(result.repairs.changes) == 1 else "repair"
        yield _title(f"{many} {verb} {shown[1]}{_proof(result, result.repairs)}")
        seen = result.breaks.numbers if result.breaks is not None else Config()
        if not same and result.repairs.numbers <= seen:
            yield from (Line(f"  {each.path} {each.header}") for each in result.repairs.changes)
            yield Line("")
        elif not same:
            yield from _hunks(result, result.repairs)


def _title(text: str) -> Line:
    return Line(text, "bold")


def _many(result: Culprits, answer: Answer, total: int) -> str:
    """How many changes of how many; lines of changes, or files that have moved, if the search went on to them."""
    count = len(answer.changes)
    if answer is result.breaks and "lines" in result.tests:
        what = "part" if any(each.kind is Kind.RENAMED for each in answer.changes) else "line"
        return f"{counted(count, what)} in {len(answer.numbers)} of {counted(total, 'change')}"
    beside = f" (on top of {len(answer.beside)} others)" if answer.beside else ""
    return f"{count} of {counted(total, 'change')}{beside}"


def _proof(result: Culprits, answer: Answer) -> str:
    if answer.minimal:
        return " (1-minimal: none of them can be left out)" if len(answer.changes) > 1 else ""
    return f" ({_UNFINISHED.get(result.status, 'not proved to be 1-minimal')})"


def _hunks(result: Culprits, answer: Answer) -> Iterator[Line]:
    """File by file, with the commits that the changes come from."""
    sources = result.sources
    by_path: dict[str, list[Change]] = {}
    for change in answer.changes[:MOST]:
        by_path.setdefault(change.path, []).append(change)
    for changes in by_path.values():
        plain = [change for change in changes if not change.moved]
        yield from (Line(f"{change.path} {change.header}") for change in changes if change.moved)
        yield from patch_lines(patch(plain, Config.full(len(plain)), sources.old))
        told = {each for change in changes for each in commits_of(result, change)}
        for each in sources.history.commits if sources.history else ():
            if each in told:
                yield _from(each)
                yield from _merged(result, each, changes)
    if len(answer.changes) > MOST:
        yield Line(f"  … and {len(answer.changes) - MOST} more changes: see the patch", "dim")
    yield Line("")


def _from(commit: Commit) -> Line:
    words = (commit.sha[:12], commit.date[:10], commit.author, commit.subject)
    return Line(f"  from {' '.join(word for word in words if word)}", "cyan")


def _merged(result: Culprits, commit: Commit, changes: Sequence[Change]) -> Iterator[Line]:
    """What a merge brought to the files of these changes."""
    if len(commit.parents) > 1 and result.sources.repository is not None:
        paths = list(dict.fromkeys(each.path for each in changes))
        yield from (Line(f"    merged {each}") for each in merged_by(result.sources.repository, commit.sha, paths))


def _account(result: Culprits) -> Iterator[Line]:
    """What it took."""
    counts = result.cost.counts
    if result.aside:
        yield Line(
            f"{result.aside} of {counted(len(result.sources.changes), 'change')} set aside: not executed ({result.how})"
        )
    names = {"breaks": "for what breaks it", "repairs": "for what repairs it", "lines": "for the lines"}
    parts = ", ".join(f"{count} {names[name]}" for name, count in result.tests.items())
    yield Line(cost_text(result.cost, f" ({parts})" if parts else ""))
    phases = ", ".join(f"{count} in {name}" for name, count in sorted(counts.phases.items()))
    kinds = ((FAIL, "fail"), (PASS, "pass"), (UNRESOLVED, "unresolved"))
    mix = ", ".join(f"{counts.outcomes[outcome]} {name}" for outcome, name in kinds)
    yield Line(f"outcomes: {mix}{f' ({phases})' if phases else ''}")


def _next(result: Culprits, shown: tuple[str, str]) -> Iterator[Line]:
    """Where the patches are, and what to do with them."""
    for path, answer, where in zip(result.outputs, _given(result), _places(result, shown), strict=False):
        if answer is not None:
            tree, other, effect = where
            command = applying(path, patched_tree(tree, other, result.sources.repository))
            yield Line(f"written to {path}; in {tree} it {effect}: {command}")
    repairs = result.repairs
    if repairs is None or result.status != "done":
        return
    named = [each for each in repairs.commits if each.sha and each.author and len(each.parents) == 1]
    if named and len(named) == len(repairs.commits) <= FEW:
        whole = "the whole commit" if len(named) == 1 else "the whole commits"
        yield Line(f"or take back {whole}: git revert {' '.join(each.sha[:12] for each in reversed(named))}")


def _given(result: Culprits) -> Sequence[Answer | None]:
    return [each for each in (result.breaks, result.repairs) if each is not None]


def _places(result: Culprits, shown: tuple[str, str]) -> list[tuple[str, str, str]]:
    """What each answer's patch is to be applied to, what that was compared with, and what the patch does there."""
    places = ((*shown, "brings the failure"), (*shown[::-1], "takes it away"))
    return [place for place, each in zip(places, (result.breaks, result.repairs), strict=True) if each is not None]
