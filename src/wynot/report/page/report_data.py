"""The data of a report, with the command that reproduces the failure."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any

from wynot.core.artifact import Laid
from wynot.core.folder import Folder
from wynot.engine.record.read import Run, TrialStep, siblings
from wynot.engine.record.redaction import RedactedRun, redacted_parts
from wynot.report.page.page_text import TextPart, pieces, shortened, text_of
from wynot.report.patch_text import PatchLine, git_apply_command, patch_lines, prefix
from wynot.report.result_text import by_uncertain_outcomes, promise, too_weak
from wynot.report.run_table import in_units, when

# What to type to see the failure of a run.


def repro_command(run: Run, view: dict[str, Any]) -> str:
    """What can be typed in the folder of the run; nothing where what it would need is not known."""
    command = str(run.facts.get("by_hand") or "")
    match run.kind:
        case "changes":
            return _with_patch(run, view, command)
        case "bisect":
            return _at_commit(run, view, command)
        case "options":
            causes = view.get("causes", [])
            return str(causes[0].get("typed", "")) if causes and not view.get("preventing") else ""
    return command


def _with_patch(run: Run, view: dict[str, Any], command: str) -> str:
    """The old one, in a place of its own, with the changes that break it."""
    old, patch = view.get("old"), run.facts.get("output")
    if not old or not patch or "breaks" not in view:
        return ""
    name, here = str(run.facts["name"]), Path(run.facts["cwd"])
    new = here / str(run.facts.get("shown", ""))
    if not (here / old).is_dir() and new.is_dir() and prefix(new) != Path():
        return ""  # only a part of the revision was tested
    copied = f"cp -r {quote(old)} {quote(name)}" if (here / old).is_dir() else _checked_out(name, old)
    return "\n".join((copied, git_apply_command(patch, Path(name), here), command))


def _at_commit(run: Run, view: dict[str, Any], command: str) -> str:
    """The first revision that fails."""
    suspects = view.get("suspects", [])
    name = str(run.facts["name"])
    return f"{_checked_out(name, suspects[-1]['sha'][:12])}\n{command}" if suspects else ""


def _checked_out(name: str, revision: str) -> str:
    return f"git worktree add --detach {quote(name)} {quote(revision)}"


KINDS = {
    "reduce": "Simplified input",
    "isolate": "Isolated difference",
    "changes": "Failure-inducing changes",
    "bisect": "Since when it fails",
    "options": "Failure-inducing circumstances",
    "events": "Failure-inducing actions",
    "trace": "Failure-inducing statements",
}
LONG = 120
"""Characters of a title."""
STATUS = {
    "done": "done",
    "budget": "a budget ended it: not known to be minimal",
    "stopped": "stopped by a key: not known to be minimal",
    "changed": "the test changed meanwhile: not known to be minimal",
    "interrupted": "interrupted: not known to be minimal",
    "running": "still running",
    "no failure": "the failure does not show",
    "error": "it could not be done",
    "unknown": "no record was kept",
}


@dataclass(frozen=True, slots=True)
class ReportData:
    """What is said of a run, whatever the format."""

    run: Run
    steps: list[TrialStep]
    original: Laid | None
    results: tuple[Laid, ...]
    parts: list[Run]
    """The runs of a command that made several; most make one."""

    @property
    def facts(self) -> dict[str, Any]:
        """What the record says."""
        return self.run.facts

    @property
    def view(self) -> dict[str, Any]:
        """What is special about the kind of run."""
        found = self.facts.get("view")
        return found if isinstance(found, dict) else {}

    @property
    def title(self) -> str:
        """What it is about."""
        shown = self.by_hand if self.run.kind == "trace" else str(self.facts.get("shown", self.run.id))
        return f"{KINDS.get(self.run.kind, self.run.kind.capitalize())}: {shown[:LONG]}"

    @property
    def sizes(self) -> str:
        """Before and after."""
        facts = self.facts
        if "before" not in facts:
            return "not known"
        if self.run.kind == "isolate":
            return f"{facts['after']:,} {facts['unit']} between passing and failing"
        return f"{facts['before']:,} → {facts['after']:,} {facts['unit']}"

    @property
    def promise(self) -> str:
        """What was proved."""
        if self.run.status != "done":
            return STATUS.get(self.run.status, self.run.status)
        if self.run.kind == "bisect":
            return "tested: the revision before passes, this one fails"
        if self.weak:
            return too_weak(self.facts.get("after") or 0)
        minimality = self.facts.get("minimality")
        if minimality is None:
            return "not proved to be minimal"
        folder = self.run.kind == "reduce" and isinstance(self.original, Folder)
        rate = self.facts.get("rate") or 1
        if rate < 1 and (self.run.kind == "isolate" or self.view.get("preventing")):
            return by_uncertain_outcomes(str(minimality))
        return promise(str(minimality), self.view.get("tried", ()), folder=folder, rate=rate)

    @property
    def weak(self) -> bool:
        """Whether the failure shows without any input: then the result is none."""
        return bool(self.facts.get("weak"))

    @property
    def command(self) -> str:
        """What was typed."""
        return shlex.join(("wynot", *self.run.argv)) if self.run.argv else "(called from Python)"

    @property
    def by_hand(self) -> str:
        """What to type to see the failure; nothing where that takes more than a few words."""
        if isinstance(self.run, RedactedRun):
            whole = self.run.whole
            return self.run.hidden.text(repro_command(whole, ReportData(whole, [], None, (), []).view))
        return repro_command(self.run, self.view)

    def rows(self) -> list[tuple[str, str]]:
        """The facts for a table."""
        facts, versions = self.facts, self.facts.get("versions", {})
        counted = {outcome: sum(step.outcome is outcome for step in self.steps) for outcome in _outcomes(self.steps)}
        mix = ", ".join(f"{count} {outcome.value}" for outcome, count in counted.items())
        cached = sum(step.cached for step in self.steps)
        rows = [
            ("failure", facts.get("looked_for") or _looked_for(facts)),
            ("result", f"{self.sizes} ({self.promise})"),
            ("tests", f"{self.run.searched}, and {cached} cached answers: {mix}"),
            ("time", f"{facts['wall']:.1f} s" if "wall" in facts else ""),
            ("command", self.command),
            ("in", str(facts.get("cwd", ""))),
            ("begun", when(self.run.begun)),
            ("program", " · ".join(filter(None, (versions.get("program"), versions.get("says"))))),
            ("versions", _versions(versions)),
            ("run", f"{self.run.id} (journal: {in_units(self.run.size)})"),
        ]
        return [(name, value) for name, value in rows if value]

    def laid_over(self) -> list[TextPart]:
        """The original, with what was cut."""
        if self.original is None or not self.results:
            return []
        return shortened(pieces(text_of(self.original), text_of(self.results[0])))

    def patches(self) -> list[tuple[str, list[PatchLine]]]:
        """What breaks the old one and what repairs the new one."""
        heads = {"breaks": "Applied to the old one, it fails", "repairs": "With them reverted, NEW passes"}
        found = []
        for name, head in heads.items():
            patch = self.run.content(name)
            if isinstance(patch, bytes) and name in self.view:
                lines = list(patch_lines(patch))
                found.append((head, [line for line in lines if not line.text.startswith("  Found by wynot")]))
        return found


def _outcomes(steps: Sequence[TrialStep]) -> list[Any]:
    return sorted({step.outcome for step in steps}, key=lambda each: each.value)


def _looked_for(facts: dict[str, Any]) -> str:
    notes = [str(each) for each in facts.get("notes", []) if str(each).startswith("looking for: ")]
    return notes[0].removeprefix("looking for: ") if notes else ""


def _versions(versions: dict[str, str]) -> str:
    return ", ".join(
        f"{name} {versions[key]}".strip()
        for key, name in (("wynot", "wynot"), ("python", "Python"), ("system", ""))
        if key in versions
    )


def page_of(run: Run) -> ReportData:
    """All that is known of a run."""
    names = ("result", *(f"result {n}" for n in range(2, 1 + int(_causes(run)))))
    results = tuple(found for name in names if (found := run.content(name)) is not None)
    original = run.content("original") if run.kind not in {"changes", "bisect", "trace", "unknown"} else None
    parts = [run]
    if run.kind == "trace":
        parts = redacted_parts(run, [each for each in siblings(run) if each.kind == run.kind])
    return ReportData(run, run.steps(), original, results, parts)


def _causes(run: Run) -> int:
    view = run.facts.get("view")
    causes = view.get("causes", 1) if isinstance(view, dict) else 1
    return causes if isinstance(causes, int) else 1
