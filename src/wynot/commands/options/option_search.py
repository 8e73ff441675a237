"""`options`: which options, variables and configuration keys cause a failure, or prevent it (2002, section IV-A)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from wynot.core.artifact import digest, size
from wynot.core.call import Call
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.run_events import Improved, PassStarted, ResultSettled
from wynot.core.trial import Strategy
from wynot.domains.calls.call_tree import CallTree, Delta
from wynot.engine.baseline.baseline_runs import looked_for
from wynot.engine.baseline.repeated_runs import raise_time_limit
from wynot.engine.baseline.result_checks import both_failures, confirmed
from wynot.engine.driver import drive
from wynot.engine.executors.executor import ProgramExecutor
from wynot.engine.pass_search import MINIMISERS, ONE_MINIMAL
from wynot.engine.results import CauseNames, Explained
from wynot.engine.run_options import Options
from wynot.engine.session import Session, carrying, session
from wynot.errors import NoFailureError, UsageError
from wynot.oracles.protocol import Oracle
from wynot.oracles.python_function import Test
from wynot.oracles.script import Script
from wynot.search.combinators import swap_outcomes
from wynot.search.trees.hdd import TreeLevels, hdd, hdd_star


def circumstances(
    call: CallTree,
    oracle: Oracle | Test,
    options: Options | None = None,
    *,
    preventing: bool = False,
    every: bool = False,
) -> Explained:
    """Find the circumstances of a call that its failure needs; or, `preventing`, those that make it disappear.

    With `every`, what was found is taken away and the rest searched, as long as that still does it. A callable as the
    test takes the Setting.

    >>> from wynot.domains.calls.call_tree import pieces
    >>> call = CallTree(pieces(["prog", "-a", "-b", "-c", "in"], {"-c": 0}))
    >>> found = circumstances(call, lambda setting: "-b" in setting.argv)
    >>> found.causes[0].names, found.causes[0].setting.argv
    (('-b',), ('prog', '-b', 'in'))
    """
    options = options or Options()
    algorithm = options.algorithm or "sweep"
    if algorithm not in MINIMISERS:
        raise UsageError(f"options has no algorithm {algorithm!r}", f"choose one of: {', '.join(sorted(MINIMISERS))}")
    if not call.count and call.harmless:
        raise UsageError(
            f"there is nothing to leave out but {', '.join(call.harmless)}, which keeps the program from writing",
            f"tests work on copies of the files that are named; leave it out, too: --try-without {call.harmless[0]}",
        )
    if not call.count:
        raise UsageError(
            "there is nothing to leave out: no option is given",
            "give the options after --, name variables with --env or a file with --config",
        )
    whole = call.render(Config.full(len(call)))
    with session(
        "options", [whole], "call", whole.argv[0], oracle, options, question="prevent" if preventing else ""
    ) as opened:
        return opened.searched(
            lambda: _Explanation(opened, call, whole, algorithm, preventing=preventing, every=every).run()
        )


class _Explanation:
    """The work itself: the causes found, and the best configuration of the search that is in progress."""

    def __init__(
        self, session: Session, call: CallTree, whole: Call, algorithm: str, *, preventing: bool, every: bool
    ) -> None:
        self.session, self.tester, self.call, self.whole = session, session.tester, call, whole
        self.preventing, self.every, self.algorithm = preventing, every, algorithm
        self.wanted = PASS if preventing else FAIL
        self.causes: list[CauseNames] = []
        self.best: Config | None = None
        """What still does it, in the search under way."""
        self.reading = call
        self.more: bool | None = None

    def run(self) -> Explained:
        """From the baseline to the result."""
        with carrying(self._result):
            self._begin()
            self._search()
        return self._result("done")

    def _result(self, status: str) -> Explained:
        causes = [*self.causes, *([self._cause(self.reading, self.best)] if self.best is not None else [])]
        first = causes[0].setting if causes and not self.preventing else self.whole
        failures = both_failures(self.session, self.whole, first)
        return Explained(
            self.whole, tuple(causes), self.preventing, self.call.count,
            status == "done" and self.algorithm in ONE_MINIMAL, self.session.cost(), looked_for(self.tester.executor),
            self.session.run, status, self.more, self.call.harmless,
            failures=failures,
        )  # fmt: skip

    def _begin(self) -> None:
        """See that the two ends are as they should be: with all circumstances, and with none."""
        full, none = self.whole, self.call.render(self.call.nothing())
        count, shown = self.call.count, self.session.shown
        failing, without = (none, "without them") if self.preventing else (full, "as it is")
        try:
            self.session.observe(failing, f"{shown} {without}")
        except NoFailureError as error:
            hint = (
                "the other way round? leave --preventing out"
                if self.preventing
                else "do the options prevent it? then: wynot options --preventing ..."
            )
            if error.hint.startswith("try it by hand"):
                error.hint = f"try it by hand: {self._typed(failing)}; echo $?"
            raise NoFailureError(str(error), f"{hint}; {error.hint}" if error.hint else hint) from None
        other = self._probe(full if self.preventing else none)
        if self.preventing and other is FAIL:
            raise NoFailureError(
                f"the failure stays with {f'all {count} of them' if count != 1 else 'it'}: none prevents it",
                "which cause it? leave --preventing out",
            )
        if not self.preventing and other is FAIL:
            harmless = self.call.harmless
            kept = f"{', '.join(harmless)} stayed; search it, too: --try-without {harmless[0]}; " if harmless else ""
            given = [each.name for each in self.call.given(Config.full(len(self.call)))]
            none_of = f"any of them, too: none of these {count} is" if count != 1 else f"{given[0]}, too: it is not"
            raise UsageError(
                f"the failure shows without {none_of} needed",
                f"{kept}name others (--env, --config FILE), or simplify the input: wynot reduce FILE -- COMMAND {{}}",
            )

    def _typed(self, setting: Call) -> str:
        """What a user would type; a test script is given the words."""
        oracle = self.tester.executor.oracle if isinstance(self.tester.executor, ProgramExecutor) else None
        return (replace(setting, argv=(oracle.path, *setting.argv)) if isinstance(oracle, Script) else setting).typed()

    def _probe(self, setting: Call) -> Outcome:
        return self.tester.probe(digest(setting), setting, size(setting)).outcome

    def _search(self) -> None:
        """One cause after the other."""
        rest = Config.full(len(self.call))
        while True:
            found = self._minimise(rest)
            self.causes.append(self._cause(self.reading, found, look=True))
            self.best = None
            self.tester.listener(ResultSettled())
            if not self.every:
                return
            taken = Config.of(node for node in found if self.call.cuttable(node))
            rest -= _leaves(self.call, taken)
            setting = self.call.render(rest)
            self.more = self.tester.test(digest(setting), setting, size(setting)) is self.wanted
            if not self.more:
                return

    def _minimise(self, rest: Config) -> Config:
        """The likelier reading of the words first; then the other one, for what is left."""
        self.reading = self.call
        found = self._once(rest)
        if any(not self._piece_sure(node) for node in found):
            kept = {self.call.deltas[node] for node in found}
            self.reading = replace(
                self.call,
                pieces=[
                    piece.otherwise() if any(d and d.kind == "option" and d.of == at for d in kept) else piece
                    for at, piece in enumerate(self.call.pieces)
                ],
            )
            found = self._once(found)
        return found

    def _piece_sure(self, node: int) -> bool:
        delta = self.call.deltas[node]
        return delta is None or delta.kind != "option" or self.call.pieces[delta.of].sure

    def _once(self, rest: Config) -> Config:
        domain = self.reading
        levels = TreeLevels(domain.shape, domain.cuttable, MINIMISERS[self.algorithm])
        deep = max(domain.shape.depths) > 1
        search: Callable[[], Strategy] = partial(hdd_star if deep else hdd, levels, rest)
        if self.preventing:
            search = partial(_mirrored, search)
        self.tester.listener(PassStarted("circumstances", len(domain.given(rest))))
        while True:
            self.best = rest
            found = drive(search, domain, self.tester, self._keep).failing
            again = raise_time_limit(self.tester)
            candidate = domain.render(found)
            if not again and (found == rest or confirmed(self.tester, candidate, self.wanted)):
                return found

    def _keep(self, config: Config, outcome: Outcome) -> None:
        if outcome is self.wanted:
            self.best = config
            given = self.reading.given(config)
            self.tester.listener(Improved(len(given), lambda: tuple(each.name for each in given)))

    def _cause(self, reading: CallTree, config: Config, look: bool = False) -> CauseNames:
        """What decides, and what only belongs to the call: told apart by what happens without it.

        Where the small call fails otherwise without it, the whole call without it may tell.
        """
        names, fixed = list[str](), list[str]()
        opposite = FAIL if self.preventing else PASS
        for delta in reading.given(config):
            gone = reading.shape.subtree(reading.deltas.index(delta))
            outcome = self.tester.outcomes.known(digest(reading.render(config - gone)))
            if outcome is UNRESOLVED and look:
                whole = self.call.render(Config.full(len(self.call)) - gone)
                outcome = self.tester.test(digest(whole), whole, size(whole))
            (names if outcome in {opposite, None} else fixed).append(self._name(delta))
        return CauseNames(tuple(names), tuple(fixed), reading.render(config))

    def _name(self, delta: Delta) -> str:
        """What a user calls it: an option that stays is named with the word that may be its argument."""
        return next(
            each.name for each in self.call.deltas if each and each[2:] == delta[2:] and each.kind == delta.kind
        )


def _leaves(call: CallTree, config: Config) -> Config:
    """Without the keys that hold other keys: those stay for the others in them."""
    return Config.of(node for node in config if not any(child in config for child in call.shape.children(node)))


def _mirrored(search: Callable[[], Strategy]) -> Strategy:
    return swap_outcomes(search())
