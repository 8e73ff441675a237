"""`changes`: which changes made a program fail (Zeller 1999). Yesterday it worked, today it does not.

Two questions, two answers. What breaks the old one: the smallest set of changes that, applied to it, fails. What to
take back: the smallest set without which the new one passes. Both are searches among the same changes, with the same
tests, so the second one has much of what the first has found out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wynot.core.artifact import digest, size
from wynot.core.config import Config
from wynot.core.events import Improved, Said, Stage, Warned
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL, ONLY_PASS, PASS, Outcome
from wynot.domains.changes.change import Change
from wynot.domains.changes.finer import lines_of
from wynot.domains.changes.patch import patch
from wynot.domains.changes.patched import Patched
from wynot.domains.coverage.executed import Executed
from wynot.errors import NoFailureError, UsageError
from wynot.oracles.words import Oracle
from wynot.run.algorithms import ISOLATORS, MINIMISERS, ONE_MINIMAL
from wynot.run.baseline import baseline, looked_for
from wynot.run.confirm import confirmed
from wynot.run.coverage import record
from wynot.run.culprits import Answer, Culprits, Question
from wynot.run.drive import Search, drive
from wynot.run.hunt import Hunt
from wynot.run.output import Keeper
from wynot.run.processes import ProcessBench
from wynot.run.session import Options, Session, Test, carrying, session
from wynot.run.sources import Sources

NAME = "tree"
"""What the folder is called that tests get."""


def changes(
    sources: Sources,
    oracle: Oracle | Test,
    options: Options | None = None,
    question: Question | None = None,
    *,
    executed: Executed | None = None,
    shown: tuple[str, str] = ("the old one", "the new one"),
) -> Culprits:
    """Find the changes because of which the new tree fails and the old one does not.

    `oracle` is asked about whole trees: a Script, a Command, or a callable that takes the files of a tree by their
    paths. `executed`: what the failing run executes of the new tree, where that is known already.
    """
    options, question = options or Options(), question or Question()
    _known(options)
    kind = repr(("changes", question, executed and executed.as_json()))
    with session(kind, [sources.old, sources.new], NAME, shown[1], oracle, options, lasting=True) as opened:
        return _Investigation(opened, sources, question, executed, shown).run()


def _known(options: Options) -> None:
    names = (*sorted(MINIMISERS), *ISOLATORS)
    if options.algorithm is not None and options.algorithm not in names:
        raise UsageError(f"changes has no algorithm {options.algorithm!r}", f"choose one of: {', '.join(names)}")


class _Investigation:
    """From two trees to the culprits."""

    def __init__(
        self, session: Session, sources: Sources, question: Question, executed: Executed | None, shown: tuple[str, str]
    ) -> None:
        self.session, self.lab, self.options = session, session.lab, session.options
        self.sources, self.question, self.shown = sources, question, shown
        self.domain = Patched(sources.old, sources.new, sources.changes)
        self.whole = Config.full(len(sources.changes))
        self.live, self.how, self._given = self.whole, "", executed
        self.keeper = Keeper(self.options.output)
        self.breaks: Config | None = None
        self.lines: tuple[Change, ...] = ()
        self.repairs: Config | None = None
        self.proved = {"breaks": False, "repairs": False}
        self.tests: dict[str, int] = {}

    def run(self) -> Culprits:
        """All of it; what was found by then if it has to end early."""
        with carrying(self._result):
            self.session.rate = baseline(self.lab, self.sources.new, self.shown[1]).rate
            self._old_passes()
            self._set_aside()
            self._search()
        return self._result("done")

    def _old_passes(self) -> None:
        old = self.sources.old
        report = self.lab.probe(digest(old), old, size(old), ONLY_PASS)
        if report.outcome is PASS:
            return
        says = "fails, too" if report.outcome is FAIL else f"is unresolved ({report.why})"
        last = report.evidence.strip().splitlines()[-1:] if report.evidence else []
        hint = "name an older one that works" if report.outcome is FAIL else "see that the test runs there"
        raise NoFailureError(": ".join((f"{self.shown[0]} does not pass the test: it {says}", *last)), hint)

    def _set_aside(self) -> None:
        """Leave out what the failing run does not execute, if it fails without that, too (section 10)."""
        changes = self.sources.changes
        given = [(self._given, None, "as was told")] if self._given is not None else self._recorded()
        for new, old, how in given:
            live = Config.of(number for number, change in enumerate(changes) if _executes(new, old, change))
            if not live or live == self.whole:
                continue
            self.lab.listener(Stage("changes that are executed", len(live)))
            if self._test(live) is FAIL:
                self.live, self.how = live, how
                aside = len(self.whole) - len(live)
                self.lab.listener(Said(f"{aside} of {len(self.whole)} changes set aside: not executed ({how})"))
                return

    def _recorded(self) -> Iterator[tuple[Executed, Executed | None, str]]:
        """What the tests of both trees execute: by lines where these are known, and then by files."""
        if not self.question.coverage or not isinstance(self.lab.bench, ProcessBench):
            return
        new = self._executed(self.lab.bench, self.sources.new, FAIL, "new")
        old = self._executed(self.lab.bench, self.sources.old, PASS, "old")
        if new is not None and new.idle:
            yield new, old, "by the lines that tests execute"
        if new is not None:
            yield replace(new, lines=None, idle=None), old and replace(old, lines=None, idle=None), "by the files read"

    def _executed(self, bench: ProcessBench, tree: Folder, expected: Outcome, fact: str) -> Executed | None:
        journal = self.lab.journal
        known = journal.fact(f"executed {fact}") if journal is not None else None
        if isinstance(known, dict):
            return Executed.from_json(known["executed"]) if known["executed"] is not None else None
        about = {path for change in self.sources.changes for path in (change.path, change.old_path)}
        found = record(bench.oracle, NAME, tree, bench.limits, about, expected=expected, alone=self.options.alone)
        self.lab.counts.baseline += found.tests
        executed = found.executed if found.report.outcome is expected else None
        if journal is not None:
            journal.state(f"executed {fact}", {"executed": executed and executed.as_json()})
        return executed

    def _test(self, config: Config) -> Outcome:
        candidate = self.domain.render(config)
        return self.lab.test(digest(candidate), candidate, size(candidate))

    def _search(self) -> None:
        if self.options.algorithm is not None:
            self._asked_for(self.options.algorithm)
            return
        hunt = Hunt(self.lab, self.sources, self.domain, self.live, self.question, self._better)
        if self.question.breaks:
            begun = self.lab.counts.needed
            self.breaks = self._confirmed(hunt.breaks(), FAIL)
            self.proved["breaks"] = True
            self.tests["breaks"] = self.lab.counts.needed - begun
        if self.question.repairs:
            begun = self.lab.counts.needed
            self.repairs = hunt.repairs(self.breaks)
            self.proved["repairs"] = self.repairs is not None
            self.tests["repairs"] = self.lab.counts.needed - begun
        if self.question.lines and self.breaks is not None:
            self._lines(self.breaks)

    def _confirmed(self, config: Config, outcome: Outcome) -> Config:
        if not confirmed(self.lab, self.domain.render(config), outcome):
            self.lab.listener(Warned("the result does not hold when looked at again: the test is not steady enough"))
        return config

    def _asked_for(self, name: str) -> None:
        """One of the papers' algorithms, on all changes that are not set aside."""
        self.lab.listener(Stage("changes", len(self.live)))
        begun = self.lab.counts.needed
        search: Search
        if name in ISOLATORS:
            isolator = ISOLATORS[name]
            search = lambda: isolator(Config(), self.live)  # noqa: E731 - one or the other
        else:
            minimiser = MINIMISERS[name]
            search = lambda: minimiser(self.live)  # noqa: E731
        found = drive(search, self.domain, self.lab, self._keep)
        self.breaks = found.failing
        self.proved["breaks"] = name in ONE_MINIMAL and self._test(found.failing) is FAIL
        self.tests["breaks"] = self.lab.counts.needed - begun

    def _keep(self, config: Config, outcome: Outcome) -> None:
        if outcome is FAIL:
            self._better(config, FAIL)

    def _better(self, config: Config, outcome: Outcome) -> None:
        """A smaller answer to one of the questions."""
        if outcome is FAIL:
            self.breaks = config
            self.keeper.offer(patch(self.sources.changes, config, self.sources.old))
        else:
            self.repairs = config
        self.lab.listener(Improved(len(config)))

    def _lines(self, config: Config) -> None:
        """The lines of guilty changes that matter."""
        guilty = [self.sources.changes[each] for each in config]
        lines = tuple(line for change in guilty for line in lines_of(change))
        if len(lines) == len(guilty):
            return
        new = self.domain.render(config)
        domain = Patched(self.sources.old, new, lines)
        begun = self.lab.counts.needed
        self.lab.listener(Stage("lines", len(lines)))
        found = drive(lambda: MINIMISERS["sweep"](Config.full(len(lines))), domain, self.lab, lambda _c, _o: None)
        self.lines = tuple(lines[each] for each in found.failing)
        self.tests["lines"] = self.lab.counts.needed - begun

    def _result(self, status: str) -> Culprits:
        breaks = self._answer(self.breaks, "breaks") if self.question.breaks else None
        repairs = self._answer(self.repairs, "repairs") if self.question.repairs else None
        if breaks is not None and self.lines:
            whole = Config.full(len(self.lines))
            breaks = replace(breaks, changes=self.lines, patch=patch(self.lines, whole, self.sources.old))
        kept = breaks or repairs
        if kept is not None:
            self.keeper.put(kept.patch)
        return Culprits(
            self.sources, breaks, repairs, len(self.whole) - len(self.live), self.how, self.session.cost(),
            looked_for(self.lab.bench), self.session.run, status, self.tests,
        )  # fmt: skip

    def _answer(self, config: Config | None, kind: str) -> Answer | None:
        if config is None:
            return None
        sources = self.sources
        text = patch(sources.changes, config, sources.old) if kind == "breaks" else b""
        commits: tuple[int, ...] = ()
        if sources.history is not None:
            commits = tuple(sorted({each for number in config for each in sources.history.origins[number]}))
        told = tuple(sources.history.commits[each] for each in commits) if sources.history is not None else ()
        return Answer(tuple(sources.changes[n] for n in config), config, told, text, self.proved[kind])


def _executes(new: Executed, old: Executed | None, change: Change) -> bool:
    """Whether the failing run may have executed what a change adds, or the passing one what it removes."""
    if new.touches(change.path, change.new_start, change.new_count):
        return True
    return (
        old is not None
        and change.path in new.files
        and old.touches(change.old_path, change.old_start, change.old_count)
    )
