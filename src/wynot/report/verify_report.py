"""What a second look at a result has shown: in words, and for machines."""

from __future__ import annotations

import json
from collections import Counter

from wynot.core.artifact import size
from wynot.core.folder import Folder
from wynot.core.text import counted
from wynot.engine.record.repeat_proof import ProofVerdict, RepeatedTest
from wynot.report.page.page_text import visible
from wynot.report.result_text import too_weak
from wynot.report.run_table import sizes

MOST = 600
"""Characters that are shown of something smaller."""
_SAYS = {"fail": "fails", "pass": "passes", "unresolved": "is unresolved"}


def verify_text(verdict: ProofVerdict) -> str:
    """What was checked, and whether it holds."""
    run = verdict.run
    lines = [f"run {run.short}: {run.kind} {run.facts.get('shown', '')}, {sizes(run)}"]
    if verdict.changed:
        lines.append("the program, the test or wynot is not what it was then: this is what is there now")
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
