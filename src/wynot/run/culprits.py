"""What a search among changes has found."""

from __future__ import annotations

from dataclasses import dataclass, field

from wynot.core.config import Config
from wynot.domains.changes.change import Change
from wynot.domains.changes.history import Commit
from wynot.run.result import Cost
from wynot.run.sources import Sources
from wynot.search.classification import Classification


@dataclass(frozen=True, slots=True)
class Question:
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


@dataclass(frozen=True, slots=True)
class Answer:
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
class Culprits:
    """The answers."""

    sources: Sources
    breaks: Answer | None
    repairs: Answer | None
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
    causes: tuple[Answer, ...] = ()
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


def commits_of(culprits: Culprits, change: Change) -> tuple[Commit, ...]:
    """The commits that a guilty change, or a line of one, comes from, oldest first."""
    sources = culprits.sources
    if sources.history is None:
        return ()
    return tuple(sources.history.commits[each] for each in sources.history.behind(change))
