"""`changes`: which changes made a program fail (Zeller 1999). Yesterday it worked, today it does not.

Two questions, two answers. What breaks the old one: the smallest set of changes that, applied to it, fails. What to
take back: the smallest set without which the new one passes. Both are searches among the same changes, with the same
tests, so the second one has much of what the first has found out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from wynot.commands.changes.change_search import FEW_CHANGES, ChangeSearch
from wynot.commands.changes.changes_result import (
    ChangesQuestion,
    ChangesResult,
    GuiltySet,
    answer,
    changes_summary,
    commits_behind,
    needed_commits,
    needed_lines,
    patch_of,
)
from wynot.commands.changes.check_ends import (
    OldAndNew,
    check_new_fails,
    check_old_passes,
    check_old_still_passes,
    with_values_or_without,
)
from wynot.commands.changes.coverage_filter import CoverageFilter
from wynot.commands.changes.old_and_new import Sources
from wynot.commands.changes.published_search import PublishedSearch, check
from wynot.commands.changes.trial_run import proved
from wynot.core.artifact import Content, digest, size
from wynot.core.config import Config
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.run_events import Caution, Event, Improved, Note, PassStarted, ResultSettled, TrialAnswered
from wynot.domains.changes.change import Change
from wynot.domains.changes.commit_history import Commit
from wynot.domains.changes.group_levels import GroupedChanges
from wynot.domains.changes.patched_folder import PatchedFolder, lines_of
from wynot.domains.coverage.line_counts import ExecutedFiles
from wynot.engine.baseline.baseline_runs import looked_for
from wynot.engine.baseline.result_checks import unsteady
from wynot.engine.files.output_file import FileKeeper, numbered
from wynot.engine.pass_search import ISOLATORS
from wynot.engine.record.read import ResultSummary
from wynot.engine.run_options import Options, Verifying
from wynot.engine.session import Session, carrying, session
from wynot.errors import BudgetEnded
from wynot.oracles.protocol import Oracle
from wynot.oracles.python_function import Test
from wynot.search.prediction import Classification, classified

NAME = "tree"
"""What the folder is called that tests get."""
FEW_TO_READ = 5
"""All of so few changes are an answer, as each can be looked at: they do bring exactly this failure."""
MANY_REVERTS = 5
"""Not more commits are tried to be reverted: nobody would type them."""
HARD = 4
"""If so many tests have come to nothing before the search has begun, most of it would."""


def changes(
    sources: Sources,
    oracle: Oracle | Test,
    options: Options | None = None,
    question: ChangesQuestion | None = None,
    *,
    executed: ExecutedFiles | None = None,
    shown: tuple[str, str] = ("the old one", "the new one"),
    repair: Path | None = None,
) -> ChangesResult:
    """Find the changes because of which the new tree fails and the old one does not.

    `oracle` is asked about whole trees: a Script, a Command, or a callable that takes the files of a tree by their
    paths. `executed`: what the failing run executes of the new tree, where that is known already. `repair`: where the
    patch goes that takes changes back; the one that breaks the old one goes to the output that options name.
    """
    options, question = options or Options(), question or ChangesQuestion()
    check(options.algorithm, sources, ordered=question.ordered)
    identity = f"('changes', {question.identity()}, {executed and executed.as_json()!r})"

    def search(oracle: Oracle | Test, options: Options) -> tuple[ChangesResult, Session]:
        with session(
            "changes",
            [sources.old, sources.new],
            NAME,
            shown[1],
            oracle,
            options,
            question=identity,
            lasting=True,
        ) as opened:

            def investigate() -> ChangesResult:
                work = _Investigation(opened, sources, question, executed, shown, repair)
                opened.summarise_with(work.told)
                return work.run()

            return opened.searched(investigate), opened

    found, notes = with_values_or_without(search, oracle, options, _unanswered)
    return replace(found, notes=notes)


def _unanswered(found: ChangesResult) -> int:
    """How many changes there are, if there are many and nothing smaller than all of them fails in the same way."""
    many = len(found.sources.changes)
    whole = found.breaks is not None and len(found.breaks.numbers) == many
    return many if whole and many > FEW_TO_READ else 0


class _Investigation:
    """From two trees to the culprits."""

    def __init__(
        self, session: Session, sources: Sources, question: ChangesQuestion, executed: ExecutedFiles | None,
        shown: tuple[str, str], repair: Path | None,
    ) -> None:  # fmt: skip
        self.session, self.tester, self.options = session, session.tester, session.options
        self.sources, self.question, self.shown = sources, question, shown
        self._verifying = isinstance(self.options.mode, Verifying)
        self.domain = PatchedFolder(sources.old, sources.new, sources.changes)
        self.whole = Config.full(len(sources.changes))
        self.live, self.how, self._given = self.whole, "", executed
        self.keepers = {
            "breaks": FileKeeper(self.options.output),
            "repairs": FileKeeper(None if self._verifying else repair),
        }
        self.breaks: Config | None = None
        self.beside = Config()
        self.lines: tuple[Change, ...] = ()
        self.commits = Config()
        """Whose lines are needed, where tests have shown that."""
        self.repairs: Config | None = None
        self.proved = {"breaks": False, "repairs": False}
        self.seen: dict[Config, Outcome] = {}
        """Outcomes of sets of changes, as the search has seen them."""
        self.properties, self.undone_by = Classification(), Config()
        self.causes: list[Config] = []
        self.more: bool | None = None
        self.in_numbers: Callable[[Config], Config] = _itself
        """Gives the changes of a set of deltas, which may be groups of changes."""
        self.tests: dict[str, int] = {}
        self.reverts: tuple[Commit, ...] = ()

    def run(self) -> ChangesResult:
        """All of it; what was found by then if it has to end early."""
        with carrying(self._result):
            given = self.sources
            ends = OldAndNew(given.old, given.new, self.shown, name=NAME, argv=self.options.typed, absent=given.absent)
            check_new_fails(self.session, ends)
            check_old_passes(self.tester, ends)
            self.breaks = self.whole
            self._set_aside()
            self.breaks = self.live
            with self.tester.telling(self._see):
                self._search()
            check_old_still_passes(self.tester, self.sources.old, self.shown[0])
            self._prove()
            self._classify()
            self._other_causes()
            self._lines()
            self._commits()
            self._try_reverts()
        return self._result("done")

    def _set_aside(self) -> None:
        """Leave out what tests do not execute, if it fails without that, too (section 10)."""
        aside = CoverageFilter(self.tester, self.sources, NAME, alone=self.options.alone)
        told = aside.told(self._given) if self._given is not None else aside.recorded()
        found = list(told) if self._given is not None or self.question.coverage else []
        near = found[-1][0] if found else self.whole
        self.hunt = ChangeSearch(self.tester, self.sources, self.domain, near, self.question, self._better)
        self.hunt.counting = found[0][0] if found else self.whole
        for executed, how in found:
            self.tester.listener(PassStarted("changes that are executed", len(executed)))
            live = self._enough(executed)
            if live is not None:
                self.live = self.hunt.live = live
                self.how = how
                left = len(self.whole) - len(live)
                self.tester.listener(Note(f"{left} of {len(self.whole)} changes set aside: not executed ({how})"))
                return
        self.hunt.live = self.whole

    def _enough(self, config: Config) -> Config | None:
        """These changes, and what they turn out to need, if they fail by themselves."""
        if self.options.algorithm is None and not self.question.ordered:
            return self.hunt.enough(config)
        return config if self._test(config) is FAIL else None

    def _prove(self) -> None:
        """Answers are looked at again; one that does not hold gives way to what is known: all changes."""
        if self.question.breaks and self.breaks is not None:
            found, held = proved(self.tester, self.breaks, self._with_beside, FAIL)
            self.breaks, self.beside = (found, self.beside) if held else (self.whole, Config())
            self.proved["breaks"] = held and self.proved["breaks"]
        if self.question.repairs and self.repairs is not None:
            found, held = proved(self.tester, self.repairs, self._without, PASS)
            self.repairs = found if held else self.whole
            self.proved["repairs"] = held and self.proved["repairs"]

    def _with_beside(self, config: Config) -> Folder:
        return self.domain.render(config | self.beside)

    def _without(self, config: Config) -> Folder:
        return self.domain.render(self.whole - config)

    def _test(self, config: Config) -> Outcome:
        candidate = self.domain.render(config)
        return self.tester.test(digest(candidate), candidate, size(candidate))

    def _search(self) -> None:
        if self.options.algorithm is not None or self.question.ordered:
            self._asked_for(self.options.algorithm or "ddplus")
            return
        start = None
        if self._hard():
            with self._counted("repairs" if self.question.repairs else "breaks"):
                start = self.hunt.probe()
        if self.question.breaks:
            with self._counted("breaks"):
                self.breaks = self.hunt.breaks(start)
                self.proved["breaks"] = True
            self.tester.listener(ResultSettled())
        if self.question.repairs:
            with self._counted("repairs"):
                self.repairs = self.whole
                self.repairs = self.hunt.repairs(self.breaks if self.question.breaks else None)
                self.proved["repairs"] = True

    def _see(self, event: Event) -> None:
        """Keep the outcomes that the search is given."""
        if isinstance(event, TrialAnswered) and event.config is not None:
            self.seen[self.in_numbers(event.config)] = event.outcome

    def _classify(self) -> None:
        """Which properties the tests contradict; and whether what breaks the old one is undone in the new one.

        Where failures show only sometimes, two outcomes contradict nothing.
        """
        if unsteady(self.tester):
            return
        breaks, repairs = self.breaks, self.repairs
        if breaks is not None and repairs is not None and self._is_undone(breaks, repairs):
            with self._counted("undoing"):
                self.undone_by = self.hunt.undoing(breaks, self.whole - breaks - repairs)
            self.seen.update({breaks: FAIL, breaks | self.undone_by: PASS})
        self.properties = classified(self.seen, self.whole)

    def _other_causes(self) -> None:
        """Further sets that break the old one, found in turn: without those that are known already."""
        if self.question.causes == 1 or self.breaks is None or not self.proved["breaks"]:
            return
        self.tester.listener(ResultSettled())
        gone = self.breaks
        with self._counted("causes"):
            while True:
                self.more = None  # until that is tested
                last = 1 + len(self.causes) == self.question.causes
                found = None if last else self.hunt.next_cause(gone)
                self.more = self._test(self.whole - gone) is FAIL if last else found is not None
                if found is None:
                    return
                found, held = proved(self.tester, found, self.domain.render, FAIL)
                if not held:
                    self.tester.listener(Caution("another cause was found, but does not hold when it is tested again"))
                    return
                self.causes.append(found)
                gone |= found

    def _is_undone(self, breaks: Config, repairs: Config) -> bool:
        """Whether the new one passes with what breaks the old one, and fails without it."""
        proved = all(self.proved.values()) and breaks.isdisjoint(repairs)
        return proved and self.seen.get(self.whole - breaks) is FAIL

    def _hard(self) -> bool:
        """Whether most tests so far have come to nothing, and there is much to search."""
        unresolved = self.tester.counts.outcomes[UNRESOLVED]
        return len(self.live) > FEW_CHANGES and unresolved >= HARD and not self.hunt.has_history

    @contextmanager
    def _counted(self, question: str) -> Iterator[None]:
        """Tests from here on are for this question."""
        begun = self.tester.counts.needed
        try:
            yield
        finally:
            self.tests[question] = self.tests.get(question, 0) + self.tester.counts.needed - begun

    def _asked_for(self, name: str) -> None:
        """One of the papers' algorithms, on all changes that are not set aside."""
        named = PublishedSearch(name, self.tester, self.domain, self._better, self._among)
        with self._counted("breaks"):
            if self.question.ordered:
                found = named.in_order(self.sources, self.live)
            else:
                found = (named.isolate if name in ISOLATORS else named.minimise)(self.live)
        if self._test(found.changes | found.beside) is FAIL:
            single = len(found.changes) == 1 and not found.beside
            self.breaks, self.beside, self.proved["breaks"] = found.changes, found.beside, found.minimal or single
        else:
            many = f"the {len(found.changes)} changes that {name} has found do not fail when they alone are applied"
            self.tester.listener(Caution(f"{many}: the result is the smallest set that was seen to fail"))

    def _among(self, domain: PatchedFolder | GroupedChanges) -> None:
        """The search goes on among these deltas."""
        self.in_numbers = _changes_of(domain) if isinstance(domain, GroupedChanges) else _itself

    def _better(self, config: Config, outcome: Outcome) -> None:
        """A smaller answer to one of the questions."""
        kind = "breaks" if outcome is FAIL else "repairs"
        if outcome is FAIL:
            self.breaks = config
        else:
            self.repairs = config
        if self.keepers[kind].due:
            self.keepers[kind].offer(patch_of(self.sources, kind, self.sources.changes, config))
        self.tester.listener(Improved(len(config), partial(self._names, config)))

    def _names(self, config: Config) -> tuple[str, ...]:
        changes = self.sources.changes
        return tuple(f"{changes[each].path} {changes[each].header}".rstrip() for each in config)

    def _lines(self) -> None:
        """The lines of guilty changes that matter."""
        config = self.breaks
        if not (self.question.lines and self.question.breaks) or config is None or not self.proved["breaks"]:
            return
        guilty = [self.sources.changes[each] for each in config]
        lines = tuple(line for change in guilty for line in lines_of(change))
        if len(lines) > len(guilty):
            with self._counted("lines"):
                self.lines = needed_lines(
                    self.tester, PatchedFolder(self.sources.old, self.domain.render(config), lines)
                )

    def _commits(self) -> None:
        """The commits that matter, where guilty changes have lines of several."""
        history, config = self.sources.history, self.breaks
        if not self.question.by_commit or self.lines or history is None or not self.proved["breaks"] or config is None:
            return
        if any(len(history.origins[each]) > 1 for each in config):
            guilty = [self.sources.changes[each] for each in config]
            with self._counted("commits"):
                broken = self.domain.render(config)
                self.commits = needed_commits(self.tester, self.sources.old, broken, guilty, history)

    def _try_reverts(self) -> None:
        """Whether reverting whole commits repairs the new one, too: a short command for people."""
        answer = self._answer(self.repairs, "repairs") if self.question.repairs and not self._verifying else None
        sources = self.sources
        if answer is None or sources.repository is None or not sources.head:
            return
        commits = answer.commits
        if not 0 < len(commits) <= MANY_REVERTS or not all(len(each.parents) == 1 and each.author for each in commits):
            return
        from wynot.commands.changes.revisions import reverted  # noqa: PLC0415 - where it is needed

        found = reverted(sources.repository, sources.head, commits, sources.below)
        if found is None or found == sources.new:
            return
        with suppress(BudgetEnded), self._counted("reverts"):
            if self.tester.test(digest(found), found, size(found)) is PASS:
                self.reverts = commits
        if not self.tests["reverts"]:
            del self.tests["reverts"]

    def _result(self, status: str) -> ChangesResult:
        breaks = self._answer(self.breaks, "breaks") if self.question.breaks else None
        repairs = self._answer(self.repairs, "repairs") if self.question.repairs else None
        if breaks is not None and self.lines:
            text = patch_of(self.sources, "breaks", self.lines, Config.full(len(self.lines)))
            breaks = replace(breaks, changes=self.lines, patch=text, commits=commits_behind(self.sources, self.lines))
        if breaks is not None and self.commits and self.sources.history is not None:
            breaks = replace(breaks, commits=tuple(self.sources.history.commits[each] for each in self.commits))
        for kind, given in (("breaks", breaks), ("repairs", repairs)):
            if given is not None:
                self.keepers[kind].put(given.patch)
        causes = tuple(answer(self.sources, "breaks", each, Config(), minimal=True) for each in self.causes)
        if self.options.output is not None:
            for number, cause in enumerate(causes, 2):
                FileKeeper(numbered(self.options.output, number)).put(cause.patch)
        return ChangesResult(
            self.sources, breaks, repairs, len(self.whole) - len(self.live), self.how, self.session.cost(),
            looked_for(self.tester.executor), self.session.run, status, self.tests,
            properties=self.properties, undone_by=self.undone_by, causes=causes, more=self.more,
            others=self.breaks is not None and self.seen.get(self.whole - self.breaks) is FAIL,
            reverts=self.reverts,
        )  # fmt: skip

    def told(self, result: ChangesResult) -> ResultSummary:
        """For the record; the tree of groups only where it was searched, or costs little."""
        hunt = getattr(self, "hunt", None)
        known = hunt is not None and ("groups" in vars(hunt) or len(hunt.live) <= FEW_CHANGES)
        groups, numbers = (hunt.groups, hunt.numbers) if known and hunt is not None else (None, [])
        told = changes_summary(result, groups, numbers, self._claims)
        told.view["old"] = self.shown[0]
        return told

    def _claims(self) -> tuple[tuple[Content, Outcome], ...]:
        claims: list[tuple[Content, Outcome]] = []
        if self.question.breaks and self.breaks is not None:
            claims.append((self._with_beside(self.breaks), FAIL))
        if self.question.repairs and self.repairs is not None:
            claims.append((self._without(self.repairs), PASS))
        claims += ((self.domain.render(each), FAIL) for each in self.causes)
        return tuple(claims)

    def _answer(self, config: Config | None, kind: str) -> GuiltySet | None:
        if config is None:
            return None
        beside = self.beside if kind == "breaks" else Config()
        return answer(self.sources, kind, config, beside, minimal=self.proved[kind])


def _itself(config: Config) -> Config:
    return config


def _changes_of(groups: GroupedChanges) -> Callable[[Config], Config]:
    return lambda config: groups.changes(config) | groups.beside
