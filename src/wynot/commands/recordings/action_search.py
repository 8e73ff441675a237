"""`events`: which of the recorded actions a failure needs (2002, section IV-B)."""

from __future__ import annotations

from functools import partial

from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.core.outcome import FAIL
from wynot.core.run_events import Improved, Listener, Note, PassStarted, ResultSettled
from wynot.domains.recordings.recorded_steps import ActionTree, RecordingError
from wynot.domains.recordings.recording_formats import read_recording
from wynot.engine.baseline.baseline_runs import looked_for
from wynot.engine.baseline.repeated_runs import raise_time_limit
from wynot.engine.baseline.result_checks import both_failures
from wynot.engine.files.output_file import BestSoFar, FileKeeper, numbered
from wynot.engine.input_source import Input
from wynot.engine.pass_search import MINIMISERS, ONE_MINIMAL, PassSearch
from wynot.engine.results import ReducedRecording
from wynot.engine.run_options import Options
from wynot.engine.session import Session, carrying, session
from wynot.errors import NoFailureError, UsageError
from wynot.oracles.protocol import Oracle
from wynot.oracles.python_function import Test
from wynot.search.trees.hdd import TreeLevels, hdd_star


def read_actions(given: Input) -> ActionTree:
    """The actions of a recording."""
    try:
        recording = read_recording(given.name, given.data)
        if not recording.actions:
            raise RecordingError("it has no actions")  # noqa: TRY301
        return ActionTree(recording)
    except RecordingError as error:
        formats = "a DevTools recording (JSON), a Playwright script (.py), or JSON lines"
        raise UsageError(f"{given.shown} is not a recording: {error}", f"give {formats}") from None


def events(given: Input, oracle: Oracle | Test, options: Options | None = None) -> ReducedRecording:
    r"""Leave out the actions of a recording that its failure does not need.

    >>> log = b"".join(b'{"type": "%s"}\n' % kind for kind in (b"open", b"zoom", b"print", b"undo"))
    >>> test = lambda text: b"open" in text and b"print" in text
    >>> events(Input(log, "log.jsonl", "log.jsonl"), test).data
    b'{"type": "open"}\n{"type": "print"}\n'
    """
    options = options or Options()
    algorithm = options.algorithm or "sweep"
    if algorithm not in MINIMISERS:
        raise UsageError(f"events has no algorithm {algorithm!r}", f"choose one of: {', '.join(sorted(MINIMISERS))}")
    domain = read_actions(given)
    whole = domain.render(Config.full(len(domain)))
    with session("events", [whole], given.name, given.shown, oracle, options) as opened:
        return opened.searched(lambda: _Acting(opened, domain, whole, algorithm).run())


class _Acting:
    """The work itself: what is best so far, and the way there."""

    def __init__(self, session: Session, domain: ActionTree, whole: bytes, algorithm: str) -> None:
        self.session, self.tester, self.domain, self.algorithm = session, session.tester, domain, algorithm
        self.whole = whole
        self.done: list[bytes] = []
        """Recordings with one cause each, after the first one too."""
        self.searching = True
        self.more: bool | None = None
        self.before = domain.recording
        self.listener: Listener = self.tester.listener
        self.best = BestSoFar(whole, FileKeeper(session.options.output, mode=session.options.output_mode), self._heard)

    def _heard(self, event: object) -> None:
        """How many actions are left says more than how many bytes."""
        if isinstance(event, Improved):
            left = read_recording(self.session.shown, self.best.content)
            names = tuple(step.name for step in left.steps if not step.pinned)
            self.listener(Improved(left.actions, lambda: names))

    def run(self) -> ReducedRecording:
        """From the baseline to the result."""
        recording = self.domain.recording
        if recording.induced:
            every = len(recording.steps) + recording.induced
            self.listener(Note(f"{every} events, {recording.actions} of them actions of the user"))
        with carrying(self._ended):
            self._begin()
            self._causes()
        return self._result("done")

    def _causes(self) -> None:
        """One cause after the other: each search is among the actions that those before it have left out."""
        most = self.session.options.causes
        while True:
            config = self._search()
            self.done.append(self.best.content)
            self.searching = False
            if most == 1:
                return
            rest = self.domain.render(self.domain.without(config))
            left = read_recording(self.session.shown, rest)
            self.more = left.actions > 0 and self.tester.test(digest(rest), rest, len(rest)) is FAIL
            if not self.more or len(self.done) == most:
                return
            self.tester.listener(ResultSettled())
            self.best.keeper.put(self.best.content)
            target = self.session.options.output
            place = None if target is None else numbered(target, len(self.done) + 1)
            keeper = FileKeeper(place, mode=self.session.options.output_mode)
            self.best, self.domain, self.searching = BestSoFar(rest, keeper, self._heard), ActionTree(left), True

    def _begin(self) -> None:
        try:
            self.session.observe(self.whole)
        except NoFailureError as error:
            raise NoFailureError(
                f"the recording does not reproduce the failure: {error}",
                "see what happens: wynot events replay ...; slower: --pace 50ms --patience 5s",
            ) from None
        nothing = self.domain.render(self.domain.nothing())
        if self.tester.probe(digest(nothing), nothing, len(nothing)).outcome is FAIL:
            raise UsageError(
                "the failure also shows without any action",
                "say what counts: --fail-if-error REGEX, --fail-if-text TEXT",
            )

    def _ended(self, status: str) -> ReducedRecording:
        self.best.look_again(self.session)
        return self._result(status)

    def _result(self, status: str) -> ReducedRecording:
        self.best.keeper.put(self.best.content)
        causes = (*self.done, self.best.content) if self.searching else tuple(self.done)
        left, recording = read_recording(self.session.shown, causes[0]), self.before
        return ReducedRecording(
            causes[0], tuple(step.name for step in left.steps if not step.pinned), recording.actions,
            recording.induced, status == "done" and self.algorithm in ONE_MINIMAL, self.session.cost(),
            looked_for(self.tester.executor), self.session.run, status,
            causes=causes, more=None if self.searching else self.more,
            failures=both_failures(self.session, self.whole, causes[0]),
        )  # fmt: skip

    def _search(self) -> Config:
        """Stretches, then units, then single actions; until nothing more can be left out."""
        domain = self.domain
        levels = TreeLevels(domain.shape, domain.cuttable, MINIMISERS[self.algorithm])
        config = Config.full(len(domain))
        while True:
            self.listener(PassStarted("actions", len(domain.kept(config))))
            search = partial(hdd_star, levels, config)
            config = PassSearch(self.tester, self.best, domain, len(domain), search).found(proved=True)
            if not raise_time_limit(self.tester):
                return config
