"""`bisect`: since when it fails, and which commits it takes: also several, which a binary search alone cannot find.

First along the revisions, as they are, on the line of first parents. Then among the changes from the good revision to
the first one that fails, by commits: a failure that takes two commits shows at the second one only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TypeVar

from wynot.core.artifact import digest, size
from wynot.core.config import Config
from wynot.core.events import Event, Improved, Listener, Said, Stage, Warned
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, ONLY_PASS, PASS, Outcome
from wynot.domains.changes.history import Commit
from wynot.errors import Ended, NoFailureError, UsageError
from wynot.oracles.words import Oracle
from wynot.run.anew import afresh, holds
from wynot.run.baseline import baseline, looked_for, shows
from wynot.run.changes import NAME, changes
from wynot.run.culprits import Culprits, Question
from wynot.run.drive import drive
from wynot.run.options import Options
from wynot.run.record.telling import Telling
from wynot.run.repository import Repository
from wynot.run.result import Cost
from wynot.run.revisions import commit_of, commits, revision, unknown
from wynot.run.session import Session, carrying, session
from wynot.run.sources import sources
from wynot.search.bisection import bisection

BY_COMMIT = ("commit", "folder", "file", "function", "words")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of history: commits from a good revision, which is not among them, to a bad one."""

    repository: Repository
    good: str
    commits: tuple[Commit, ...]

    def folder(self, count: int) -> Folder:
        """What the tree is after so many commits."""
        return revision(self.repository, self.name(count)).folder

    def name(self, count: int) -> str:
        """The revision after so many commits."""
        return self.commits[count - 1].sha if count else self.good


@dataclass(frozen=True, slots=True)
class Bisected:
    """Since when it fails, and because of what."""

    stretch: Stretch
    passing: int
    """So many commits pass, ..."""
    failing: int
    """... and so many fail."""
    cost: Cost
    """What the search along the revisions took."""
    looked_for: str
    run: str | None
    status: str = "done"
    culprits: Culprits | None = None
    """The changes from the good revision to the first one that fails; None if it was not looked for them."""
    outputs: tuple[str, ...] = ()
    begun: bool = True
    """Whether both ends were looked at: before, nothing is known."""

    @property
    def suspects(self) -> tuple[Commit, ...]:
        """The first one that fails; with those before it that could not be tested."""
        return self.stretch.commits[self.passing : self.failing] if self.begun else ()

    @property
    def guilty(self) -> tuple[Commit, ...]:
        """The commits that it takes, oldest first."""
        answer = self.culprits.breaks if self.culprits is not None else None
        return answer.commits if answer is not None and answer.commits else self.suspects

    @property
    def minimality(self) -> str | None:
        """What tests have proved of the guilty changes."""
        return self.culprits.minimality if self.culprits is not None else None


def stretch(good: str, bad: str, here: Path | None = None) -> Stretch:
    """The commits between two revisions."""
    repository = Repository(here or Path.cwd(), "go into it first: cd REPOSITORY; wynot bisect GOOD BAD -- COMMAND")
    ends = [commit_of(repository, name) for name in (good, bad)]
    for name, commit in zip((good, bad), ends, strict=True):
        if commit is None and (repository.folder / name).is_dir():
            raise UsageError(
                f"{name} is a folder, and bisect goes along commits",
                f"commit what is in it, and name HEAD; or: wynot changes {quote(good)} {quote(bad)} -- COMMAND",
            )
        if commit is None:
            raise UsageError(*unknown(repository, name))
    first, last = str(ends[0]), str(ends[1])
    if repository.ask("merge-base", "--is-ancestor", first, last) is None:
        if repository.ask("merge-base", "--is-ancestor", last, first) is not None:
            raise UsageError(
                f"{good} is not among the ancestors of {bad}, but {bad} is among those of {good}",
                f"the older one comes first: wynot bisect {quote(bad)} {quote(good)} -- COMMAND",
            )
        raise UsageError(
            f"{good} is not among the ancestors of {bad}: there is no way from one to the other",
            f"name where they part: git merge-base {good} {bad}; or look at all changes: wynot changes {good} {bad}",
        )
    found = tuple(commit for commit, _ in commits(repository, first, last))
    if not found:
        raise UsageError(f"there is no commit from {good} to {bad}: they are the same", "see: git log --oneline")
    return Stretch(repository, first, found)


def bisect(
    between: Stretch, oracle: Oracle, options: Options, question: Question, shown: tuple[str, str] = ("good", "bad"),
    *, apart: int = 2,
) -> Bisected:  # fmt: skip
    """Find the first commit at which it fails, and then all that the failure takes."""
    ends = [between.folder(0), between.folder(len(between.commits))]
    kind = f"bisect {between.good} {between.commits[-1].sha}"
    with session(kind, ends, NAME, shown[1], oracle, replace(options, output=None), lasting=True) as opened:
        opened.teller = _told
        found = opened.found(_Bisection(opened, between, ends, shown).run())
    left = replace(
        options,
        budget_tests=_rest(options.budget_tests, found.cost.counts.needed),
        budget_time=_rest(options.budget_time, found.cost.wall),
        listener=partial(_once, options.listener),
    )
    given = sources(between.name(0), between.name(found.failing), here=between.repository.folder, apart=apart)
    for note in given.notes:
        options.listener(Warned(note))
    try:
        culprits = changes(given, oracle, left, question, shown=(shown[0], between.name(found.failing)[:12]))
    except Ended as end:
        best = end.best if isinstance(end.best, Culprits) else None
        end.best = replace(found, culprits=best, status=end.status)
        raise
    return replace(found, culprits=culprits)


def _told(result: Bisected) -> Telling:
    """For the record."""
    view = {"suspects": [each.as_json() for each in result.suspects], "good": result.stretch.good}
    ends = ((result.passing, PASS), (result.failing, FAIL))
    return Telling(
        len(result.stretch.commits), result.failing - result.passing, "commits", view,
        claims=lambda: tuple((result.stretch.folder(count), outcome) for count, outcome in ends),
    )  # fmt: skip


def _once(listener: Listener, event: Event) -> None:
    """Tell all but what was said already: which failure is looked for."""
    if not (isinstance(event, Said) and event.message.startswith("looking for")):
        listener(event)


Amount = TypeVar("Amount", int, float)


def _rest(budget: Amount | None, used: Amount) -> Amount | None:
    """What is left of a budget: a little at least, so that whoever gets it can say that it has ended."""
    return None if budget is None else max(budget - used, type(budget)(1))


class _Bisection:
    """The search along the revisions; it is its own domain, whose deltas are commits."""

    def __init__(self, session: Session, between: Stretch, ends: Sequence[Folder], shown: tuple[str, str]) -> None:
        self.session, self.lab = session, session.lab
        self.between, self.shown = between, shown
        self.passing, self.failing, self.begun = 0, len(between.commits), False
        self._folders = {0: ends[0], self.failing: ends[1]}

    def run(self) -> Bisected:
        """Both ends, and then what is between them."""
        with carrying(self._result):
            self.session.rate = self._bad_fails()
            self._good_passes()
            self.begun = True
            self.lab.listener(Stage("commits", self.failing))
            drive(partial(bisection, self.failing), self, self.lab, self._keep)
            for count, expected in ((self.passing, PASS), (self.failing, FAIL)):
                holds(self.lab, self._folders.get(count) or self.between.folder(count), expected)  # it warns if not
        return self._result("done")

    def _bad_fails(self) -> float:
        """How often; where the good one fails instead, it was repaired."""
        try:
            return baseline(self.lab, self._folders[self.failing], self.shown[1]).rate
        except NoFailureError:
            if not shows(self.lab, self._folders[0]):
                raise
            good, bad = self.shown
            turned = f"wynot bisect {quote(good)} {quote(bad)} -- sh -c '! COMMAND'"
            raise NoFailureError(
                f"{good} fails and {bad} does not: the failure was not brought but repaired",
                f"for the commit that repaired it, turn the test round: {turned}",
            ) from None

    def _good_passes(self) -> None:
        good = self._folders[0]
        afresh(self.lab)
        if self.lab.probe(digest(good), good, size(good), ONLY_PASS).outcome is not PASS:
            raise NoFailureError(f"{self.shown[0]} does not pass the test", "name an older one that works: git log")

    def render(self, config: Config) -> Folder:
        """The tree after so many commits."""
        count = len(config)
        if count not in self._folders:
            self._folders[count] = self.between.folder(count)
        return self._folders[count]

    def digest(self, candidate: Folder) -> bytes:
        """The key of its outcome."""
        return candidate.digest()

    def size(self, candidate: Folder) -> int:
        """How large it is."""
        return candidate.size

    def _keep(self, config: Config, outcome: Outcome) -> None:
        if outcome is FAIL:
            self.failing = len(config)
        else:
            self.passing = len(config)
        between = range(self.passing, self.failing + 1)
        self._folders = {count: folder for count, folder in self._folders.items() if count in between}
        self.lab.listener(Improved(self.failing - self.passing, partial(self._suspects, self.passing, self.failing)))

    def _suspects(self, passing: int, failing: int) -> tuple[str, ...]:
        """The commits that may have brought the failure, for people."""
        return tuple(f"{each.sha[:12]} {each.subject}" for each in self.between.commits[passing:failing])

    def _result(self, status: str) -> Bisected:
        return Bisected(
            self.between, self.passing, self.failing, self.session.cost(), looked_for(self.lab.bench), self.session.run,
            status, begun=self.begun,
        )  # fmt: skip
