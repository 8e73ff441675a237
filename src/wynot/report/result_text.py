"""Results in words, also of `verify`, with what minimality means for each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection

from wynot.core.artifact import size
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL_ERROR, PASS_ERROR
from wynot.core.text import counted
from wynot.domains.text.zeroing import binary
from wynot.engine.record.repeat_proof import ProofVerdict, RepeatedTest
from wynot.engine.results import (
    DELTAS,
    EDITS,
    ORIGINAL_DELTAS,
    PROTECTED,
    VALID_EDITS,
    WHOLE,
    Cost,
    Explained,
    Isolated,
    Reduced,
    ReducedRecording,
)
from wynot.report.page.page_text import visible
from wynot.report.run_table import sizes

# What minimality means, in words: what was tried without success, no more.


UNITS = {"chars": "character", "bytes": "byte", "lines": "line", "tokens": "token", "delimited": "stretch"}
NO_EDIT = "no token or syntax-tree node can be removed, and no node of several tokens replaced by a minimal one"
"""What 1-tree-minimal means."""
BY_TREE = {
    ORIGINAL_DELTAS: "no node of the original's syntax tree can be removed or replaced by an edit of the search",
    DELTAS: "no node of its syntax tree can be removed or replaced by an edit of the search",
    VALID_EDITS: f"among texts that parse, {NO_EDIT}",
    EDITS: NO_EDIT,
}
"""What was tried along a tree, the least first."""


def by_statistics(minimality: str, words: str, whose: str = "") -> str:
    """What is proved where the failure shows only sometimes; `whose` rate is compared, if not that of the result."""
    rate = f"the failure rate below that of {whose}" if whose else "the failure rate"
    return f"{minimality} by statistics, error at most {PASS_ERROR:.0%} each: without lowering {rate}, {words}"


def by_uncertain_outcomes(minimality: str) -> str:
    """The same of a result that rests on outcomes of both kinds: failing and passing ones."""
    return f"{minimality} by statistics: each outcome may be wrong, error at most {FAIL_ERROR:.0%}"


def promise(minimality: str, tried: Collection[str], *, folder: bool = False, rate: float = 1) -> str:
    """What was proved of a file, or of all files of a folder; `rate`: how often the failure shows.

    >>> promise("1-minimal", {"chars"})
    '1-minimal: no single character can be removed'
    >>> promise("1-minimal", {"chars"}, folder=True)
    '1-minimal: no file and no single character of a file can be removed'
    >>> promise("1-minimal", {"lines", "protected"})
    '1-minimal: no single line can be removed; protected text is kept'
    """
    words = _words(tried, folder=folder) + ("; protected text is kept" if PROTECTED in tried else "")
    return by_statistics(minimality, words) if rate < 1 else f"{minimality}: {words}"


def _words(tried: Collection[str], *, folder: bool) -> str:
    """What cannot be removed."""
    by_tree = next((words for kind, words in BY_TREE.items() if kind in tried), "")
    units = " or ".join(unit for atoms, unit in UNITS.items() if atoms in tried)
    whole = "; large binary files were not reduced" if WHOLE in tried else ""
    if not folder:
        return by_tree or f"no single {units or 'part'} can be removed"
    if not by_tree:
        return f"no file{f' and no single {units} of a file' if units else ''} can be removed{whole}"
    others = f"; in a file without a syntax tree, no single {units} can be removed" if units else ""
    return f"no file can be removed; in each file, {by_tree}{others}{whole}"


_TOO_WEAK = "the test is too weak: it needs nothing of the input"
_PROTECTED_ALONE = "only the protected text remains, and it fails"
_EARLY = {
    "budget": "the budget ended the search",
    "stopped": "stopped",
    "changed": "the test changed",
    "interrupted": "interrupted",
}


def cost_text(cost: Cost, parts: str = "", skipped: str = "would not parse") -> str:
    """The tests and the time that a search took; `parts`: what for, `skipped`: why tests were not run.

    >>> from wynot.engine.budget import TestCounts
    >>> cost_text(Cost(TestCounts(baseline=4, tests=24, cached=6, predicted=12), 0.6, 0.6))
    '24 tests (+4 baseline, 6 cached, 12 skipped: would not parse) in 0.6 s'
    """
    counts = cost.counts
    details = [*([parts] if parts else []), f"+{counts.baseline} baseline"]
    details += [f"+{counts.after} to confirm"] if counts.after else []
    details += [f"{counts.cached} cached"] if counts.cached else []
    details += [f"{counts.predicted} skipped: {skipped}"] if counts.predicted else []
    runs = f"; {counted(cost.runs, 'run')} in total, because the failure is flaky" if cost.rate < 1 else ""
    return f"{counted(counts.tests, 'test')} ({', '.join(details)}) in {cost.wall:.1f} s{runs}"


def too_weak(left: int) -> str:
    """What is said instead of a promise where nothing was needed of what could be left out; `left`: bytes."""
    return _PROTECTED_ALONE if left else _TOO_WEAK


def guarantee(result: Reduced | Isolated | Explained | ReducedRecording, words: str = "") -> str:
    """What was proved of a result; `words`: what cannot be left out, where the result does not know."""
    if result.status in _EARLY:
        return f"{_EARLY[result.status]}: not known to be minimal"
    if isinstance(result, Reduced) and result.weak:
        return too_weak(size(result.found[0]))
    if not result.minimal or result.minimality is None:
        return "not proved to be 1-minimal"
    if isinstance(result, Reduced):
        folder = isinstance(result.original, Folder)
        return promise(str(result.minimality), result.tried, folder=folder, rate=result.cost.rate)
    return _guarantee_of_parts(result, words)


def _guarantee_of_parts(result: Isolated | Explained | ReducedRecording, words: str) -> str:
    if result.cost.rate == 1:
        return f"1-minimal: {words}" if words else "1-minimal"
    if isinstance(result, Isolated) or (isinstance(result, Explained) and result.preventing):
        return by_uncertain_outcomes("1-minimal")
    return by_statistics("1-minimal", words)


def reduced_text(result: Reduced) -> str:
    """A few lines about a simplified input."""
    if isinstance(result.original, Folder):
        return _folder_text(result, result.original)
    sizes = " and ".join(str(len(cause)) for cause in result.causes)
    lines = [f"{len(result.original)} -> {sizes} bytes, {cost_text(result.cost)}", guarantee(result)]
    if binary(result.original):
        before, after = (len(data) - data.count(0) for data in (result.original, result.causes[-1]))
        lines.insert(1, f"{before} -> {after} of these bytes are not zero")
    if len(result.causes) > 1:
        lines.append(f"{len(result.causes)} independent causes, found in turn")
    if result.more is not None:
        rest = "the failure stays" if result.more else "it no longer fails"
        lines.append(f"without {'them' if len(result.causes) > 1 else 'it'}, {rest}")
    lines += other_failure(result)
    lines += [f"written to {path}" for path in result.outputs]
    return "\n".join(lines)


def other_failure(result: Reduced | Isolated | ReducedRecording | Explained) -> list[str]:
    """What the program says of the original and of the result, where that is not the same."""
    from wynot.oracles.normalise import steady  # noqa: PLC0415 - where there is something to compare

    if result.failures is None or steady(result.failures[0]) == steady(result.failures[1]):
        return []
    return [f"original: {result.failures[0]}", f"result:   {result.failures[1]}"]


def _folder_text(result: Reduced, before: Folder) -> str:
    """A few lines about a simplified folder."""
    sizes = f"{before.size} -> {result.folder.size} bytes in {before.count} -> {result.folder.count} files"
    return "\n".join(
        [
            f"{sizes}, {cost_text(result.cost)}",
            guarantee(result),
            *other_failure(result),
            *(f"written to {path}" for path in result.outputs),
        ]
    )


def isolated_text(result: Isolated) -> str:
    """A few lines about a pair of inputs."""
    lines: list[str] = []
    for each in result.causes:
        between = f"{counted(each.deltas, UNITS[result.atoms])} between them" if each.deltas else "not compared yet"
        lines.append(f"passing {counted(len(each.passing), 'byte')}, failing {counted(len(each.failing), 'byte')}")
        lines.append(f"{between} ({guarantee(result)})")
    if result.more is not None:
        rest = "it still fails: there are more" if result.more else "it does not fail"
        lines.append(f"{counted(len(result.causes), 'difference')}, found in turn; with none of them, {rest}")
    lines.append(cost_text(result.cost))
    lines += other_failure(result)
    lines += [f"written to {path}" for path in result.outputs]
    return "\n".join(lines)


# What a second look at a result has shown: in words, and for machines.


MOST = 600
"""Characters that are shown of something smaller."""
_SAYS = {"fail": "fails", "pass": "passes", "unresolved": "is unresolved"}


def verify_text(verdict: ProofVerdict) -> str:
    """What was checked, and whether it holds."""
    run = verdict.run
    lines = [f"run {run.short}: {run.kind} {run.facts.get('shown', '')}, {sizes(run)}"]
    if verdict.changed:
        lines.append("the program, the test or wynot has changed since: this checks the present state")
    for claim in verdict.claims:
        said = _SAYS[claim.got.value]
        as_then = ", as it did" if claim.holds else f"; it {'failed' if claim.expected.value == 'fail' else 'passed'}"
        lines.append(f"the {_what(claim)} {said}{as_then}{'' if claim.holds else ' (' + claim.why + ')'}")
    mix = Counter(each.got.value for each in verdict.others)
    counted = ", ".join(f"{count} {name}" for name, count in sorted(mix.items()))
    count = len(verdict.others)
    lines.append(f"tests that rule out something smaller, run again: {count}{f' ({counted})' if counted else ''}")
    for each in verdict.refuting[:1]:
        lines += [f"something smaller {_SAYS[each.got.value]}: {size(each.candidate)} bytes", *_shown(each)]
    lines.append(_ending(verdict))
    return "\n".join(lines)


def _ending(verdict: ProofVerdict) -> str:
    tests = len(verdict.claims) + len(verdict.others)
    facts = verdict.run.facts
    minimality = facts.get("minimality") or "the first that fails"
    if facts.get("weak"):
        minimality = too_weak(facts.get("after") or 0)
    if facts.get("rate", 1) < 1 and facts.get("minimality"):
        minimality = f"{minimality} by statistics"
    if verdict.holds:
        return f"it holds: {minimality} ({counted(tests, 'test')}, none from memory)"
    if not all(claim.holds for claim in verdict.claims):
        return f"it does not hold: the result is no longer what it was ({counted(tests, 'test')})"
    return f"it does not hold: it is not {minimality} ({len(verdict.refuting)} of {counted(tests, 'test')} say so)"


def _what(claim: RepeatedTest) -> str:
    return "result" if claim.expected.value == "fail" else "passing side"


def _shown(each: RepeatedTest) -> list[str]:
    """Something smaller, as far as it can be shown in a few lines."""
    if isinstance(each.candidate, Folder):
        return [f"  {path}" for path in list(each.candidate.files)[:10]]
    text = each.candidate if isinstance(each.candidate, bytes) else each.candidate.text()
    return [f"  {line}" for line in visible(text[:MOST]).splitlines()]


def verify_json(verdict: ProofVerdict) -> str:
    """The same as one object."""
    return json.dumps(
        {
            "command": "verify",
            "run": verdict.run.id,
            "holds": verdict.holds,
            "minimality": verdict.run.facts.get("minimality"),
            "changed": verdict.changed,
            "claims": [{"expected": each.expected.value, "got": each.got.value} for each in verdict.claims],
            "tests": len(verdict.claims) + len(verdict.others),
            "refuting": [{"bytes": size(each.candidate), "outcome": each.got.value} for each in verdict.refuting],
        }
    )
