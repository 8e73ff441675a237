"""`wynot bisect`: the first commit that fails, and whether the last revision fails because of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from shlex import quote

from wynot.commands.changes.changes_result import ChangesQuestion, ChangesResult
from wynot.commands.changes.check_ends import (
    LIKE_OLD,
    OldAndNew,
    check_old_passes,
    rest_of,
    unused,
    with_values_or_without,
)
from wynot.commands.changes.investigation import NAME, changes
from wynot.commands.changes.old_and_new import CommitRange, left_out, sources
from wynot.commands.changes.repository import Repository
from wynot.commands.changes.revisions import commits, reverted
from wynot.commands.changes.trial_run import holds, rebuild_from_nothing
from wynot.core.config import Config
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.run_events import Caution, Event, Improved, Listener, Note, PassStarted
from wynot.domains.changes.commit_history import Commit
from wynot.engine.baseline.baseline_runs import heed_passing, looked_for, shows
from wynot.engine.baseline.result_checks import confirmed
from wynot.engine.driver import drive
from wynot.engine.record.read import ResultSummary
from wynot.engine.results import Cost
from wynot.engine.run_options import Options
from wynot.engine.session import Session, carrying, session
from wynot.engine.tester import Tester
from wynot.errors import Ended, NoFailureError
from wynot.oracles.protocol import CONSTRUCTION, Oracle
from wynot.oracles.python_function import Test
from wynot.search.lists.bisection import bisection

# Whether the last revision fails without the first commit that fails, too: then it has another cause.
#
# A binary search takes it for granted that all revisions after the first one that fails do so as well. Where a later
# commit has undone the failure, and another one brings it again, the first one explains nothing of the last revision.


def fails_without(tester: Tester[Folder], repository: Repository, last: str, commits: Sequence[Commit]) -> bool:
    """Whether the last revision is seen to fail where these commits are reverted; False if that is a conflict, too."""
    tree = reverted(repository, last, commits)
    if tree is None:
        return False
    return tester.test(tree.digest(), tree, tree.size) is FAIL and confirmed(tester, tree)


# `bisect`: since when it fails, and which commits it takes: also several, which a binary search alone cannot find.
#
# First along the revisions, as they are, on the line of first parents. Then among the changes from the good revision to
# the first one that fails, by commits: a failure that takes two commits shows at the second one only.


LONGEST = 200
"""Characters of a message that are reported."""
_TOGETHER = "no single commit is the cause: each side passes, their combination fails"
_UNTESTED_SIDE = "the commit is not known: the side that it has merged cannot be tested"
_SIDES = {
    **dict.fromkeys(product((PASS,), Outcome), _TOGETHER),
    **dict.fromkeys(product((UNRESOLVED,), Outcome), _UNTESTED_SIDE),
    (FAIL, FAIL): "no commit of the merge is the cause: the commit from which the merged side starts also fails",
    (FAIL, UNRESOLVED): "the commit is not known: the commit from which the merged side starts cannot be tested",
}
"""Why a merge is not searched within, by the outcomes of what it has merged: its end and its beginning."""


@dataclass(frozen=True, slots=True)
class UntestedCommit:
    """A commit that neither passes nor shows the failure."""

    commit: Commit
    how: str
    """How it ends: it does not build, or what it says in place of the failure."""


@dataclass(frozen=True, slots=True)
class MergeResult:
    """What the search within a merge has found, on the side that it has merged."""

    suspects: tuple[Commit, ...] = ()
    """The first commit of that side that fails, with those before it that could not be tested."""
    untested: tuple[UntestedCommit, ...] = ()
    why: str = ""
    """Why there is none: both sides pass, say."""


@dataclass(frozen=True, slots=True)
class BisectResult:
    """Since when it fails, and because of what."""

    stretch: CommitRange
    passing: int
    """So many commits pass, ..."""
    failing: int
    """... and so many fail."""
    cost: Cost
    """What the search along the revisions took."""
    looked_for: str
    run: str | None
    status: str = "done"
    culprits: ChangesResult | None = None
    """The changes from the good revision to the first one that fails; None if it was not looked for them."""
    outputs: tuple[str, ...] = ()
    begun: bool = True
    """Whether both ends were looked at: before, nothing is known."""
    untested: tuple[UntestedCommit, ...] = ()
    """The suspects but the last."""
    merged: tuple[MergeResult, ...] = ()
    """Where the first one that fails is a merge: what is within, and in merges there."""
    notes: tuple[str, ...] = ()
    """What is to be known of the comparison of failures."""
    others: bool = False
    """Whether the bad revision fails where the suspects are reverted, too."""
    causes: int = 1
    """How many causes were asked for."""

    @property
    def suspects(self) -> tuple[Commit, ...]:
        """The first one that fails; with those before it that could not be tested."""
        return self.stretch.commits[self.passing : self.failing] if self.begun else ()

    @property
    def searched(self) -> int:
        """After how many commits the changes are searched: the first that fails, or all, for the causes of the last."""
        return len(self.stretch.commits) if self.others and self.causes > 1 else self.failing

    @property
    def guilty(self) -> tuple[Commit, ...]:
        """The commits that it takes, oldest first."""
        answer = self.culprits.breaks if self.culprits is not None else None
        return answer.commits if answer is not None and answer.commits else self.suspects

    @property
    def minimality(self) -> str | None:
        """What tests have proved of the guilty changes."""
        return self.culprits.minimality if self.culprits is not None else None


def bisect(
    between: CommitRange,
    oracle: Oracle,
    options: Options,
    question: ChangesQuestion,
    shown: tuple[str, str] = ("good", "bad"),
    *,
    apart: int = 2,
) -> BisectResult:
    """Find the first commit at which it fails, and then all that the failure takes."""
    for path in between.absent:
        options.listener(Caution(left_out(path)))
    ends = [between.folder(0), between.folder(len(between.commits))]
    identity = f"bisect {between.good} {between.commits[-1].sha}"

    def search(oracle: Oracle | Test, options: Options) -> tuple[BisectResult, Session]:
        with session(
            "bisect",
            ends,
            NAME,
            shown[1],
            oracle,
            replace(options, output=None),
            question=identity,
            lasting=True,
        ) as opened:
            opened.summarise_with(_told)
            return opened.searched(lambda: _Bisection(opened, between, ends, shown).run()), opened

    found, notes = with_values_or_without(search, oracle, options, _unanswered)
    found = replace(found, notes=notes, causes=question.causes)
    left = replace(rest_of(options, found.cost), listener=partial(_once, options.listener))
    last = found.searched
    given = sources(between.name(0), between.name(last), here=between.repository.folder, apart=apart)
    asked = replace(question, by_commit=True, youngest_needed=last - found.passing == 1)
    try:
        culprits = changes(given, oracle, left, asked, shown=(shown[0], between.name(last)[:12]))
    except Ended as end:
        best = end.best if isinstance(end.best, ChangesResult) else None
        end.best = replace(found, culprits=best, status=end.status)
        raise
    return replace(found, culprits=culprits)


def _unanswered(found: BisectResult) -> int:
    """How many commits there are, if each of them may have brought the failure."""
    many = len(found.stretch.commits)
    return many if many > 1 and len(found.suspects) == many else 0


def _told(result: BisectResult) -> ResultSummary:
    """For the record."""
    view = {"suspects": [each.as_json() for each in result.suspects], "good": result.stretch.good}
    ends = ((result.passing, PASS), (result.failing, FAIL))
    return ResultSummary(
        len(result.stretch.commits), result.failing - result.passing, "commits", view,
        claims=lambda: tuple((result.stretch.folder(count), outcome) for count, outcome in ends),
    )  # fmt: skip


def _once(listener: Listener, event: Event) -> None:
    """Tell all but what was said already: which failure is looked for, and how the good one ends."""
    if not (isinstance(event, Note) and (event.message.startswith("looking for") or event.message.endswith(LIKE_OLD))):
        listener(event)


class _Bisection:
    """The search along the revisions; it is its own domain, whose deltas are commits."""

    def __init__(self, session: Session, between: CommitRange, ends: Sequence[Folder], shown: tuple[str, str]) -> None:
        self.session, self.tester = session, session.tester
        self.between, self.shown = between, shown
        self.passing, self.failing, self.begun = 0, len(between.commits), False
        self._folders = {0: ends[0], self.failing: ends[1]}
        self.untested: tuple[UntestedCommit, ...] = ()
        self.merged: tuple[MergeResult, ...] = ()
        self.others = False

    def run(self) -> BisectResult:
        """Both ends, and then what is between them."""
        with carrying(self._result):
            self._check_bad_fails()
            self._good_passes()
            self.begun = True
            self.tester.listener(PassStarted("commits", self.failing))
            self._search()
            for count, expected in ((self.passing, PASS), (self.failing, FAIL)):
                holds(self.tester, self._folders.get(count) or self.between.folder(count), expected)  # it warns if not
            if self.failing < len(self.between.commits):
                suspects, bad = self.between.commits[self.passing : self.failing], self.between.commits[-1].sha
                self.others = fails_without(self.tester, self.between.repository, bad, suspects)
        return self._result("done")

    def _search(self) -> None:
        """Narrow down the suspects; a single one that is a merge is searched within."""
        drive(partial(bisection, self.failing), self, self.tester, self._keep)
        between = range(self.passing + 1, self.failing)
        self.untested = tuple(UntestedCommit(self.between.commits[count - 1], self._how(count)) for count in between)
        last = self.between.commits[self.failing - 1]
        if not between and len(last.parents) > 1:
            self.merged = self._within(last)

    def _how(self, count: int) -> str:
        """How a tree ends that is unresolved."""
        key = self.render(Config.full(count)).digest()
        report = self.tester.journal.report(key) if self.tester.journal is not None else None
        why = report.why if report is not None else ""
        said = _said(self.tester.outcomes.evidence(key))
        if self.tester.outcomes.phase(key) == CONSTRUCTION and "build" not in why:
            why = "does not build"
        return said if why in said else why if not said or said in why else f"{why}: {said}"

    def _within(self, merge: Commit) -> tuple[MergeResult, ...]:
        """Search the sides that a merge has merged; its first parent passes."""
        repository, why = self.between.repository, ""
        for parent in merge.parents[1:]:
            base = (repository.ask("merge-base", merge.parents[0], parent) or b"").decode().strip()
            log = tuple(commit for commit, _ in commits(repository, base, parent)) if base else ()
            if not log:
                continue
            side = CommitRange(repository, base, log)
            ends = [side.folder(0), side.folder(len(log))]
            within = _Bisection(self.session, side, ends, (base[:12], parent[:12]))
            end, begin = within.tested(len(log)), within.tested(0)
            if (end, begin) == (FAIL, PASS):
                self.tester.listener(PassStarted("commits of a merge", len(log)))
                within._search()
                found = log[within.passing : within.failing]
                return MergeResult(found, within.untested), *within.merged
            why = _SIDES[end, begin]
            if UNRESOLVED in {end, begin} and end is not PASS:
                why = f"{why} ({within._how(0 if end is FAIL else len(log))})"
        return (MergeResult(why=why or "no commit of the merge is the cause: it has no side of its own"),)

    def tested(self, count: int) -> Outcome:
        """The outcome after so many commits."""
        tree = self.render(Config.full(count))
        return self.tester.test(tree.digest(), tree, tree.size)

    def _check_bad_fails(self) -> None:
        """See that it does; where the good one fails instead, it was repaired."""
        if heed_passing(self.tester, self._folders[0]):
            rebuild_from_nothing(self.tester)
        try:
            self.session.observe(self._folders[self.failing], self.shown[1])
        except NoFailureError as error:
            if not shows(self.tester, self._folders[0]):
                raise unused(self.tester, self._ends, error) from None
            good, bad = self.shown
            turned = f"wynot bisect {quote(good)} {quote(bad)} -- sh -c '! COMMAND'"
            raise NoFailureError(
                f"{good} fails and {bad} does not: the range repairs the failure instead of introducing it",
                f"for the commit that repaired it, invert the test: {turned}",
                reason="swapped",
            ) from None

    def _good_passes(self) -> None:
        check_old_passes(self.tester, self._ends)

    @property
    def _ends(self) -> OldAndNew:
        last = self._folders[len(self.between.commits)]
        typed, absent = self.session.options.typed, self.between.absent
        return OldAndNew(self._folders[0], last, self.shown, "bisect", NAME, typed, absent)

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
        self.tester.listener(Improved(self.failing - self.passing, partial(self._suspects, self.passing, self.failing)))

    def _suspects(self, passing: int, failing: int) -> tuple[str, ...]:
        """The commits that may have brought the failure, for people."""
        return tuple(f"{each.sha[:12]} {each.subject}" for each in self.between.commits[passing:failing])

    def _result(self, status: str) -> BisectResult:
        return BisectResult(
            self.between,
            self.passing,
            self.failing,
            self.session.cost(),
            looked_for(self.tester.executor),
            self.session.run,
            status,
            begun=self.begun,
            untested=self.untested,
            merged=self.merged,
            others=self.others,
        )


def _said(text: str) -> str:
    """What an unresolved test says, in a line."""
    from wynot.oracles.readers import loaded_readers  # noqa: PLC0415 - where there is something to read

    found = loaded_readers.diagnose(text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return f"{found.kind}: {found.message}".strip(": ")[:LONGEST] if found else lines[-1][:LONGEST] if lines else ""
