"""Reduce a trace for a criterion, and what the result holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from wynot.commands.trace.checkpointed_replay import SEVERAL, Checkpoints, checkpoints
from wynot.commands.trace.record_run import RecordingFolder, RunSettings, inputs_of, studio
from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.core.outcome import FAIL, NOTHING, Outcome
from wynot.core.run_events import Improved, Note, PassStarted, ResultSettled
from wynot.core.text import counted
from wynot.core.trial import Strategy
from wynot.domains.traces.trace_tree import TraceTree, plan_of
from wynot.engine.baseline.baseline_runs import looked_for
from wynot.engine.baseline.repeated_runs import raise_time_limit
from wynot.engine.baseline.result_checks import confirmed
from wynot.engine.driver import attempt, drive
from wynot.engine.pass_search import MINIMISERS, ONE_MINIMAL
from wynot.engine.record.read import ResultSummary
from wynot.engine.results import Cost
from wynot.engine.run_options import Options, Verifying
from wynot.engine.session import Session, carrying, session
from wynot.errors import Ended as EndedEarly
from wynot.errors import NoFailureError, UsageError
from wynot.oracles.command import Command
from wynot.oracles.protocol import HOLE, Oracle
from wynot.search.combinators import embed
from wynot.search.lists.sweep import skim, sweep
from wynot.search.trees.hdd import TreeLevels, emptied, hdd

# What is left of a trace for one criterion, and what the record keeps of it.


MANY = 400
"""Up to so many events the whole trace is kept; else what is left of it..."""
MOST = 5000
"""...but not more of that than these."""


@dataclass(frozen=True, slots=True)
class CriterionResult:
    """A reduced trace: what is left of it for one criterion."""

    title: str
    kept: Config
    """The events that are left."""
    minimality: str | None
    looked_for: str
    cost: Cost
    run: str | None = None
    status: str = "done"
    others: tuple[Config, ...] = ()
    """The events of further causes, each of which lacks events of those before it..."""
    more: bool | None = None
    """...and whether the trace still fails without events of each; None: nobody has looked."""

    @property
    def sets(self) -> tuple[tuple[str, Config], ...]:
        """The events of each cause, with a title."""
        further = ((f"{self.title}, cause {number}", each) for number, each in enumerate(self.others, 2))
        return ((self.title, self.kept), *further)


def criterion_summary(whole: TraceTree, column: object) -> ResultSummary | None:
    """The table of figure 6: events, their source, and whether they are left."""
    if not isinstance(column, CriterionResult):
        return None
    kept = [each for _, each in column.sets]
    shown = Config.of(event for each in kept for event in each)
    events = range(len(whole)) if len(whole) <= MANY else islice(shown, MOST)
    rows = []
    for event in events:
        statement = whole.statement(event)
        file = whole.recorded.files[statement.file]
        lines = file.source.splitlines()
        text = lines[statement.line - 1].strip() if 0 < statement.line <= len(lines) else ""
        rows.append([event + 1, file.path, statement.line, text, event in column.kept])
    further = [[event + 1 for event in islice(each, MOST)] for each in column.others]
    view = {"title": column.title, "rows": rows, "whole": len(whole) <= MANY, "further": further, "more": column.more}
    return ResultSummary(
        len(whole), len(column.kept), "events", view, claims=lambda: tuple((plan_of(each), FAIL) for each in kept)
    )


# `trace`: the executed statements that a failure, or an output, takes.
#
# Coarse to fine: all that a function does, all that a line does, then calls, rounds of loops and lines as a tree, then
# single events. The last stage proves that no single event can be left out.


Criterion = Callable[[Command], Oracle]
"""Makes the oracle of a command that is run in our own way."""
FORKED, CONFIRMED = "forked", "confirmed"
"""Facts of a journal: replays went on from checkpoints; what was run once without them, as a digest."""
GAIN = 4
"""A coarse stage is worth it if there are so many times fewer deltas."""


@dataclass(frozen=True, slots=True)
class TraceResult:
    """A recorded trace, and what is left of it for each criterion."""

    trace: TraceTree
    kind: str
    columns: tuple[CriterionResult, ...]

    @property
    def status(self) -> str:
        """How it ended."""
        return self.columns[-1].status if self.columns else "done"

    @property
    def sets(self) -> tuple[tuple[str, Config], ...]:
        """The sets of events that were found, with their titles: for each criterion one or more."""
        return tuple(each for column in self.columns for each in column.sets)


def trace(
    setting: RunSettings, criteria: Sequence[tuple[str, Criterion]], options: Options | None = None
) -> TraceResult:
    """Reduce the trace of a program for each of these criteria."""
    options = options or Options()
    if isinstance(options.mode, Verifying):
        setting = replace(setting, checkpoints=False)  # a proof rests on the program alone
    done: list[CriterionResult] = []
    with studio(setting) as place:
        whole, _ended = place.record(options.listener)
        options.listener(
            Note(f"recorded {counted(len(whole), 'event')} in {counted(len(whole.events.calls.functions), 'call')}")
        )
        for title, criterion in criteria:
            options.listener(Improved(len(whole), partial(_lines, whole, Config.full(len(whole.shape)))))
            try:
                done.append(_column(place, whole, title, criterion, options))
            except EndedEarly as end:
                if isinstance(end.best, CriterionResult):
                    end.best = TraceResult(whole, setting.program.kind, (*done, end.best))
                raise
    return TraceResult(whole, setting.program.kind, tuple(done))


def _column(
    place: RecordingFolder, whole: TraceTree, title: str, criterion: Criterion, options: Options
) -> CriterionResult:
    setting = place.setting
    command = Command(place.tracer.argv(HOLE), stdin=setting.stdin, typed=setting.program.typed)
    oracle, inputs = criterion(command), inputs_of(setting, whole.recorded)
    with (
        session("trace", inputs, "plan", "the whole trace", oracle, options) as opened,
        checkpoints(place, opened.tester.executor, whole) as posts,
    ):
        opened.summarise_with(partial(criterion_summary, whole))
        return opened.found(TraceReduction(opened, whole, title, posts).run())


class TraceReduction:
    """The work itself; `config` is the best so far."""

    def __init__(self, session: Session, whole: TraceTree, title: str, posts: Checkpoints | None = None) -> None:
        self.posts = posts
        if posts is not None and session.tester.journal is not None:
            posts.told = partial(session.tester.journal.state, FORKED, value=True)
        self.session, self.tester, self.options = session, session.tester, session.options
        self.whole, self.title = whole, title
        self.config = self.rest = Config.full(len(whole.shape))
        """What is searched: without what was taken away of the causes that are known."""
        self.done: list[Config] = []
        """The causes that are known."""
        self.searching = True
        self.more: bool | None = None
        self.algorithm = self.options.algorithm or "sweep"
        if self.algorithm not in MINIMISERS:
            raise UsageError(
                f"trace has no algorithm {self.algorithm!r}", f"choose one of: {', '.join(sorted(MINIMISERS))}"
            )

    def run(self) -> CriterionResult:
        """From the baseline to the result."""
        with carrying(partial(self._result, minimality=None)):
            self._observe()
            self._causes()
            self._confirm()
        return self._result("done", "1-minimal" if self.algorithm in ONE_MINIMAL else None)

    def _observe(self) -> None:
        try:
            self.session.observe(self.whole.render(self.config))
        except NoFailureError as error:
            error.hint = (
                "the failure is not one? explain the output: --same-output, --output-line REGEX; or: " + error.hint
            )
            raise

    def _causes(self) -> None:
        """One cause after the other: of each, as much as possible is taken away, and the rest is searched."""
        while True:
            self._search()
            self.done.append(self.config)
            self.searching = False
            if self.options.causes == 1:
                return
            self.more = None  # until that is tested
            self.tester.listener(ResultSettled())
            rest = self._taken_away()
            self.more = rest != self.rest
            if not self.more or len(self.done) == self.options.causes:
                return
            self.tester.listener(ResultSettled())
            self.rest = self.config = rest
            self.searching = True
            if self.posts is not None:
                self.posts.improve(self.whole.render(rest))

    def _taken_away(self) -> Config:
        """What still fails with as few events as possible of the last cause; all of the rest if it needs each.

        Causes have events in common: what defines a function is executed before each of its calls.
        """
        events = self.whole.singles(self.config)
        self.tester.listener(PassStarted("events of this cause", len(events)))
        lift = partial(self.whole.without, self.rest, events)

        def search(inner: Strategy | None = None) -> Strategy:
            found = yield from embed(inner or emptied(sweep(Config.full(len(events)))), lift, search)
            return type(found)(lift(found.failing))

        while True:
            nothing = lift(Config())
            rest = nothing if self._fails(nothing) else drive(search, self.whole, self.tester, _unheard).failing
            if rest == self.rest or confirmed(self.tester, self.whole.render(rest)):
                return rest

    def _fails(self, config: Config) -> bool:
        candidate = self.whole.render(config)
        return self.tester.test(digest(candidate), candidate, self.whole.size(candidate), config) is FAIL

    def _confirm(self) -> None:
        """What was found by way of checkpoints has to hold without them."""
        plans, journal = [self.whole.render(each) for each in self.done], self.tester.journal
        name = digest(b"\n".join(plans)).hex()
        known = journal is not None and journal.fact(CONFIRMED) == name
        if known or not self._forked():
            return
        if self.posts is not None:
            self.posts.over = True
        for plan in plans:
            if self.tester.probe(digest(plan), plan, self.whole.size(plan), NOTHING).outcome is not FAIL:
                raise UsageError(
                    "a reduced trace fails only if it goes on from a checkpoint: something outside the program matters",
                    "do without: wynot trace --no-checkpoints --fresh ...",
                )
        if journal is not None:
            journal.state(CONFIRMED, name)

    def _forked(self) -> bool:
        """Whether something was found by way of checkpoints, by this process or by an earlier one of the same run."""
        if self.posts is not None and self.posts.forked >= SEVERAL:
            return True
        return self.tester.journal is not None and bool(self.tester.journal.fact(FORKED))

    def _result(self, status: str, minimality: str | None) -> CriterionResult:
        first, *others = map(self.whole.kept, [*self.done, *([self.config] if self.searching else [])])
        return CriterionResult(
            self.title,
            first,
            minimality,
            looked_for(self.tester.executor),
            self.session.cost(),
            self.session.run,
            status,
            tuple(others),
            None if self.searching else self.more,
        )

    def _search(self) -> None:
        if self.options.algorithm is None:
            self._coarse()
        while True:
            before = self.config
            self._groups("events", self.whole.singles(self.config), MINIMISERS[self.algorithm])
            if not raise_time_limit(self.tester) or self.config == before:
                return

    def _coarse(self) -> None:
        """Most of what can go, in few tests."""
        statements = self.whole.recorded.statements
        functions = self.whole.groups(self.config, lambda number: statements[number].function)
        self._worth("functions", functions)
        self._worth("lines", self.whole.groups(self.config, lambda number: number))
        if len(self.whole.kept(self.config)) > GAIN * len(self.whole.groups(self.config, lambda number: number)):
            self._tree()

    def _worth(self, name: str, groups: list[list[int]]) -> None:
        if GAIN * len(groups) <= len(self.whole.kept(self.config)):
            self._groups(name, groups, skim, skippable=True)

    def _groups(
        self, name: str, groups: list[list[int]], minimise: Callable[[Config], Strategy], *, skippable: bool = False
    ) -> None:
        """Minimise groups of events."""
        self.tester.listener(PassStarted(name, len(groups), skippable))
        start = self.config
        lift = partial(self.whole.without, start, groups)

        def search(inner: Strategy | None = None) -> Strategy:
            found = yield from embed(inner or emptied(minimise(Config.full(len(groups)))), lift, search)
            return type(found)(lift(found.failing))

        self._found(search, start, skippable=skippable)

    def _tree(self) -> None:
        """Calls, rounds and lines, level by level."""
        self.tester.listener(PassStarted("calls and rounds", len(self.config), skippable=True))
        levels = TreeLevels(self.whole.shape, bool, skim)
        self._found(partial(hdd, levels, self.config, hasty=True), self.config, skippable=True)

    def _found(self, search: Callable[[], Strategy], start: Config, *, skippable: bool) -> None:
        while True:
            found = attempt(search, self.whole, self.tester, self._keep, skippable=skippable)
            if found is None:
                self.tester.listener(Note("skipped: the next pass goes on from the best so far"))
            config = self.config if found is None else found.failing
            if config == start or confirmed(self.tester, self.whole.render(config)):
                self.config = config
                return
            self.config = start  # it was taken for a failure by mistake; what is known now is known

    def _keep(self, config: Config, outcome: Outcome) -> None:
        if outcome is FAIL:
            self.config = config
            self.tester.listener(Improved(len(self.whole.kept(config)), partial(_lines, self.whole, config)))
            if self.posts is not None:
                self.posts.improve(self.whole.render(config))


def _unheard(_config: Config, _outcome: Outcome) -> None:
    """Keep nothing of a search that gives no result of its own."""


def _lines(trace: TraceTree, config: Config) -> tuple[str, ...]:
    """The source lines that are left, for people."""
    places = {(statement.file, statement.line) for statement in map(trace.statement, trace.kept(config))}
    texts = [file.source.splitlines() for file in trace.recorded.files]
    return tuple(f"{line:>5}  {texts[file][line - 1]}" for file, line in sorted(places) if line <= len(texts[file]))
