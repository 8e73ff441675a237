"""The result of `wynot changes`: the minimal sets, where they come from, and what the record keeps of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any

from wynot.commands.changes.old_and_new import Sources
from wynot.commands.changes.trial_run import proved
from wynot.core.artifact import Content
from wynot.core.config import Config
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL
from wynot.core.run_events import PassStarted
from wynot.domains.changes.change import Change
from wynot.domains.changes.commit_history import Commit, History
from wynot.domains.changes.git_patch import patch
from wynot.domains.changes.group_levels import GroupedChanges
from wynot.domains.changes.group_tree import GroupTree
from wynot.domains.changes.patched_folder import PatchedFolder, lines_of
from wynot.engine.driver import drive
from wynot.engine.record.read import Claims, ResultSummary
from wynot.engine.results import Cost
from wynot.engine.tester import Tester
from wynot.search.lists.sweep import sweep
from wynot.search.prediction import Classification


@dataclass(frozen=True, slots=True)
class ChangesQuestion:
    """What to find out, and by which means."""

    breaks: bool = True
    """Which changes break the old one."""
    repairs: bool = True
    """Which ones to take back from the new one."""
    by: tuple[str, ...] = ("folder", "file", "function", "words")
    """By which criteria changes are grouped; none: each by itself."""
    resolving: bool = True
    """Whether messages of unresolved tests are read, and what they miss is pulled in."""
    coverage: bool = True
    """Whether changes to what the failing run does not execute are set aside first."""
    lines: bool = False
    """Whether to go on to the lines of guilty changes."""
    ordered: bool = False
    """Whether each change implies those of earlier commits: only what lies before one of them is tested."""
    by_commit: bool = False
    """Whether to test, at the end, which commits' lines of the guilty changes the failure needs."""
    causes: int = 1
    """How many sets of changes that break the old one to look for, of which no two have a change in common."""
    youngest_needed: bool = False
    """Whether tests have shown that without the youngest commit it does not fail."""

    def identity(self) -> str:
        """What tells runs with different questions apart; the form is that of the first journals."""
        return f"Question({', '.join(f'{each.name}={getattr(self, each.name)!r}' for each in fields(self))})"


@dataclass(frozen=True, slots=True)
class GuiltySet:
    """A set of changes: applied to the old one it fails, or taken back from the new one it passes."""

    changes: tuple[Change, ...]
    numbers: Config
    """Where they are among all changes; of lines, the changes that these are of."""
    commits: tuple[Commit, ...] = ()
    """Where they come from, oldest first; only those whose lines are needed, where tests have shown which."""
    patch: bytes = b""
    """To be applied to the old one; or to the new one, to take them back."""
    beside: Config = field(default_factory=Config)
    """Others that go with them and that pass by themselves: earlier commits, or what `dd` leaves applied."""
    minimal: bool = False
    """Whether tests have proved that no single one can be left out."""


@dataclass(frozen=True, slots=True)
class ChangesResult:
    """The answers."""

    sources: Sources
    breaks: GuiltySet | None
    repairs: GuiltySet | None
    aside: int
    """Changes that were set aside, because the failing run does not execute them."""
    how: str
    """How that was found out."""
    cost: Cost
    looked_for: str
    run: str | None = None
    status: str = "done"
    tests: dict[str, int] = field(default_factory=dict)
    """Tests that each question took."""
    outputs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What is to be known of the comparison of failures."""
    properties: Classification = field(default_factory=Classification)
    """Which properties the tests contradict: sets of changes by their numbers."""
    undone_by: Config = field(default_factory=Config)
    """Changes that undo, in the new one, what breaks the old one: there are two causes. Empty: none are known."""
    causes: tuple[GuiltySet, ...] = ()
    """Further sets that break the old one; no two have a change in common, and none has one with `breaks`."""
    more: bool | None = None
    """Whether the changes that are in none of these sets still fail; None: nobody has looked."""
    others: bool = False
    """Whether the new one fails without what breaks the old one, too."""
    reverts: tuple[Commit, ...] = ()
    """Commits, oldest first, that `git revert` was seen to take back, without a conflict: then the new one passes."""

    @property
    def minimality(self) -> str | None:
        """What tests have proved."""
        answers = [each for each in (self.breaks, self.repairs) if each is not None]
        return "1-minimal" if answers and all(each.minimal for each in answers) else None


def commits_of(culprits: ChangesResult, change: Change) -> tuple[Commit, ...]:
    """The commits that a guilty change, or a line of one, comes from, oldest first."""
    sources = culprits.sources
    if sources.history is None:
        return ()
    return tuple(sources.history.commits[each] for each in sources.history.behind(change))


MARK = b"Found by wynot changes: "
"""What patches begin with; programs that apply them skip it."""
_HEADS = {
    "breaks": MARK + b"applied to the old one, the failure shows.\n\n",
    "repairs": MARK + b"applied to the new one, the failure is gone.\n\n",
}


def answer(sources: Sources, kind: str, numbers: Config, beside: Config, *, minimal: bool) -> GuiltySet:
    """These changes as an answer to one of the questions; `beside`: others that go with them."""
    changes = tuple(sources.changes[each] for each in numbers)
    told = sources.history
    origins = {each for number in numbers for each in told.origins[number]} if told is not None else set()
    commits = tuple(told.commits[each] for each in sorted(origins)) if told is not None else ()
    text = patch_of(sources, kind, sources.changes, numbers | beside)
    return GuiltySet(changes, numbers, commits, text, beside, minimal)


def commits_behind(sources: Sources, lines: Sequence[Change]) -> tuple[Commit, ...]:
    """The commits that single lines come from, oldest first."""
    told = sources.history
    origins = {each for line in lines for each in told.behind(line)} if told is not None else set()
    return tuple(told.commits[each] for each in sorted(origins)) if told is not None else ()


def patch_of(sources: Sources, kind: str, changes: Sequence[Change], numbers: Config) -> bytes:
    """These of the changes, to the old folder; or what takes them back from the new one."""
    if kind == "breaks":
        return _HEADS[kind] + patch(changes, numbers, sources.old)
    return _HEADS[kind] + patch([each.back for each in changes], numbers, sources.new)


def needed_lines(tester: Tester[Folder], lines: PatchedFolder) -> tuple[Change, ...]:
    """Those of the lines that the failure needs; nothing where they do not hold when looked at again."""
    tester.listener(PassStarted("lines", len(lines)))
    found = drive(partial(sweep, Config.full(len(lines))), lines, tester, lambda _config, _outcome: None)
    kept, held = proved(tester, found.failing, lines.render, FAIL)
    return tuple(lines.changes[each] for each in kept) if held else ()


def needed_commits(
    tester: Tester[Folder], old: Folder, broken: Folder, guilty: Sequence[Change], history: History
) -> Config:
    """The commits whose lines of the guilty changes the failure needs, by number; nothing where that does not hold.

    A hunk may hold lines of several commits; lines of one commit stay together. `broken`: old with the guilty changes.
    """
    lines = tuple(line for change in guilty for line in lines_of(change))
    by_commit: dict[tuple[int, ...], list[int]] = {}
    for number, line in enumerate(lines):
        by_commit.setdefault(history.behind(line), []).append(number)
    domain = GroupedChanges(PatchedFolder(old, broken, lines), [Config.of(numbers) for numbers in by_commit.values()])
    tester.listener(PassStarted("commits", len(domain)))
    found = drive(partial(sweep, Config.full(len(domain))), domain, tester, lambda _config, _outcome: None)
    kept, held = proved(tester, found.failing, domain.render, FAIL)
    origins = list(by_commit)
    return Config.of(commit for each in kept for commit in origins[each]) if held else Config()


# What the record keeps of guilty changes: the patches, where they come from, the groups that were searched.


MANY = 2000
"""A tree of groups with more nodes than these is not kept whole: only what lies around the guilty ones."""


def changes_summary(
    result: ChangesResult, groups: GroupTree | None, numbers: list[int], claims: Claims
) -> ResultSummary:
    """The answers."""
    answers = {"breaks": result.breaks, "repairs": result.repairs}
    view: dict[str, Any] = {name: _answer(result, each) for name, each in answers.items() if each is not None}
    contents: dict[str, Content] = {name: each.patch for name, each in answers.items() if each is not None}
    view["other_causes"] = [_answer(result, each) for each in result.causes]
    contents |= {f"breaks {number}": each.patch for number, each in enumerate(result.causes, 2)}
    view["aside"] = {"changes": result.aside, "how": result.how}
    view["questions"] = result.tests
    first = result.breaks or result.repairs
    guilty = Config() if first is None else first.numbers
    if groups is not None:
        view["groups"] = _tree(groups, numbers, guilty)
        if result.aside and view["groups"]:
            view["groups"][0][2] = f"all changes but {result.aside} set aside"
    count = len(result.sources.changes)
    return ResultSummary(count, len(guilty) if first is not None else count, "changes", view, contents, claims)


def _answer(result: ChangesResult, answer: GuiltySet) -> dict[str, Any]:
    return {
        "minimal": answer.minimal,
        "changes": [
            {
                "path": change.path,
                "header": change.header,
                "commits": [each.sha for each in commits_of(result, change)],
            }
            for change in answer.changes
        ],
        "commits": [each.as_json() for each in answer.commits],
        "beside": len(answer.beside),
    }


def _tree(groups: GroupTree, numbers: list[int], guilty: Config) -> list[list[Any]]:
    """Depth, kind, label, number of changes, how many of them are guilty: in the order of a walk."""
    depths = groups.shape.depths
    rows: list[list[Any]] = []
    for node, label in enumerate(groups.labels):
        bad = sum(numbers[each] in guilty for each in groups.below(node))
        if len(groups.labels) <= MANY or bad:
            rows.append([depths[node], groups.kinds[node], label, groups.shape.weights[node], bad])
    return rows[:MANY]
