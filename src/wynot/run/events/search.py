"""`events`: which of the recorded actions a failure needs (2002, section IV-B)."""

from __future__ import annotations

from functools import partial

from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.core.events import Improved, Listener, Said, Settled, Stage
from wynot.core.outcome import FAIL
from wynot.domains.events.choose import read_recording
from wynot.domains.events.groups import Actions
from wynot.domains.events.words import RecordingError
from wynot.errors import NoFailureError, UsageError
from wynot.oracles.words import Oracle
from wynot.run.algorithms import MINIMISERS, ONE_MINIMAL
from wynot.run.baseline import baseline, looked_for
from wynot.run.benches import Test
from wynot.run.best import Best
from wynot.run.both_failures import both_failures
from wynot.run.inputs import Input
from wynot.run.options import Options
from wynot.run.output import Keeper, numbered
from wynot.run.patience import grown
from wynot.run.result import Acted
from wynot.run.session import Session, carrying, session
from wynot.run.sought import Sought
from wynot.search.hdd import Levels, hdd_star


def read_actions(given: Input) -> Actions:
    """The actions of a recording."""
    try:
        recording = read_recording(given.name, given.data)
        if not recording.actions:
            raise RecordingError("it has no actions")  # noqa: TRY301
        return Actions(recording)
    except RecordingError as error:
        formats = "a DevTools recording (JSON), a Playwright script (.py), or JSON lines"
        raise UsageError(f"{given.shown} is no recording: {error}", f"give {formats}") from None


def events(given: Input, oracle: Oracle | Test, options: Options | None = None) -> Acted:
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

    def __init__(self, session: Session, domain: Actions, whole: bytes, algorithm: str) -> None:
        self.session, self.lab, self.domain, self.algorithm = session, session.lab, domain, algorithm
        self.whole = whole
        self.done: list[bytes] = []
        """Recordings with one cause each, after the first one too."""
        self.searching = True
        self.more: bool | None = None
        self.before = domain.recording
        self.listener: Listener = self.lab.listener
        self.best = Best(whole, Keeper(session.options.output, mode=session.options.output_mode), self._heard)

    def _heard(self, event: object) -> None:
        """How many actions are left says more than how many bytes."""
        if isinstance(event, Improved):
            left = read_recording(self.session.shown, self.best.content)
            names = tuple(step.name for step in left.steps if not step.pinned)
            self.listener(Improved(left.actions, lambda: names))

    def run(self) -> Acted:
        """From the baseline to the result."""
        recording = self.domain.recording
        if recording.induced:
            every = len(recording.steps) + recording.induced
            self.listener(Said(f"{every} events, {recording.actions} of them actions of the user"))
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
            self.more = left.actions > 0 and self.lab.test(digest(rest), rest, len(rest)) is FAIL
            if not self.more or len(self.done) == most:
                return
            self.lab.listener(Settled())
            self.best.keeper.put(self.best.content)
            target = self.session.options.output
            place = None if target is None else numbered(target, len(self.done) + 1)
            keeper = Keeper(place, mode=self.session.options.output_mode)
            self.best, self.domain, self.searching = Best(rest, keeper, self._heard), Actions(left), True

    def _begin(self) -> None:
        try:
            self.session.rate = baseline(self.lab, self.whole, self.session.shown).rate
        except NoFailureError as error:
            raise NoFailureError(
                f"the recording does not reproduce the failure: {error}",
                "see what happens: wynot events replay ...; slower: --pace 50ms --patience 5s",
            ) from None
        nothing = self.domain.render(self.domain.nothing())
        if self.lab.probe(digest(nothing), nothing, len(nothing)).outcome is FAIL:
            raise UsageError(
                "the failure shows without any action, too",
                "say what counts: --fail-if-error REGEX, --fail-if-text TEXT",
            )

    def _ended(self, status: str) -> Acted:
        self.best.look_again(self.session)
        return self._result(status)

    def _result(self, status: str) -> Acted:
        self.best.keeper.put(self.best.content)
        causes = (*self.done, self.best.content) if self.searching else tuple(self.done)
        left, recording = read_recording(self.session.shown, causes[0]), self.before
        return Acted(
            causes[0], tuple(step.name for step in left.steps if not step.pinned), recording.actions,
            recording.induced, status == "done" and self.algorithm in ONE_MINIMAL, self.session.cost(),
            looked_for(self.lab.bench), self.session.run, status,
            causes=causes, more=None if self.searching else self.more,
            failures=both_failures(self.session, self.whole, causes[0]),
        )  # fmt: skip

    def _search(self) -> Config:
        """Stretches, then units, then single actions; until nothing more can be left out."""
        domain = self.domain
        levels = Levels(domain.shape, domain.cuttable, MINIMISERS[self.algorithm])
        config = Config.full(len(domain))
        while True:
            self.listener(Stage("actions", len(domain.kept(config))))
            search = partial(hdd_star, levels, config)
            config = Sought(self.lab, self.best, domain, len(domain), search).found(proved=True)
            if not grown(self.lab):
                return config
