"""`wynot.explain`: why a call fails. Its arguments are simplified, or compared with arguments that work."""

from __future__ import annotations

import contextlib
import copy
import functools
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any, TypeVar

from wynot.commands.reduce.reduction import reduce
from wynot.core.config import Config
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome
from wynot.core.run_events import Improved, PassStarted
from wynot.core.text import counted
from wynot.core.trial import Strategy
from wynot.domains.values.deconstruct import UNBUILT, Arguments, fingerprint, shown
from wynot.domains.values.scalars import NestedValue, ScalarPieces, Way, cuts, leaves, length, replaced, simpler
from wynot.domains.values.structured_text import CsvTable, TextDeltas, as_bytes, language_of, packed
from wynot.domains.values.value_diff import ValueDiff
from wynot.engine.budget import Budget, TestCounts
from wynot.engine.driver import drive
from wynot.engine.executors.executor import Executor, InlineExecutor, ThreadExecutor
from wynot.engine.lookahead import SearchDomain
from wynot.engine.run_options import Options
from wynot.engine.session import carrying
from wynot.engine.tester import Tester
from wynot.errors import NoFailureError, UsageError
from wynot.oracles.message_values import keeps, values_in
from wynot.oracles.python_function import CallMismatch, RaisedException, check_fit
from wynot.search.lists.dd import dd
from wynot.search.lists.sweep import sweep
from wynot.search.trees.hdd import TreeLevels, emptied, hdd_star

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a call fails: `print` it, or look at its parts."""

    name: str
    failing: Arguments
    """Small arguments with which it fails..."""
    passing: Arguments | None
    """...and, if such were given, arguments close to these with which it works."""
    difference: tuple[tuple[Any, Any], ...]
    """What is between the two: pairs of what works and what fails; None where there is nothing."""
    raised: RaisedException
    tests: int
    """Calls that the search needed."""
    minimal: bool = True
    original: RaisedException | None = None
    """What the call with the original arguments raises."""
    calls: int = 0
    """Calls of the function in all: those before and after the search, too."""

    @property
    def args(self) -> tuple[Any, ...]:
        """The positional arguments."""
        return self.failing.args

    @property
    def kwargs(self) -> dict[str, Any]:
        """The keyword arguments."""
        return dict(self.failing.kwargs)

    def __str__(self) -> str:
        lines = [f"{self.name}{self.failing!r} raises {self.raised}"]
        if self.original is not None and self.original.message != self.raised.message:
            lines.append(f"the original call raises {self.original}")
        if self.passing is not None:
            lines.append(f"{self.name}{self.passing!r} works")
            lines += [f"the difference: {shown(old)} -> {shown(new)}" for old, new in self.difference]
        return "\n".join([*lines, f"({counted(self.calls, 'call')})"])


def explain(
    function: Callable[..., Any], failing_args: object, passing_args: object = None, options: Options | None = None
) -> Explanation:
    """Explain by experiment why `function` raises.

    Arguments are a tuple (positional), a dict (by keyword) or `wynot.arguments(...)`. Strings, bytes, lists, tuples,
    sets, dicts, dataclasses and plain objects in them, however nested, lose what is not needed, numbers become small,
    keyword arguments go; with `passing_args`, the differences between the two become few instead. A text that is JSON,
    XML or CSV is reduced along its structure first. A call fails in the same way if it raises the same type of
    exception at the same place; any other exception is unresolved. Each call gets a copy of its own.

    A budget (`Options(budget_tests=100)`, `budget_time=10`: seconds) ends it by BudgetEnded; its `best` is the
    Explanation so far, whose `minimal` is False.

    >>> from wynot import arguments
    >>> def parse(text, strict=False, limit=10):
    ...     if "<" in text and strict:
    ...         raise ValueError("unexpected <")
    >>> explain(parse, arguments("some <b>text</b>", strict=True, limit=3)).failing
    ('<', strict=True)
    >>> explain(parse, arguments("a < b", strict=True), arguments("a b", strict=True)).difference
    (('', '<'),)
    """
    failing = Arguments.of(failing_args)
    passing = None if passing_args is None else Arguments.of(passing_args)
    try:
        return _Explaining(function, failing, options or Options()).run(passing)
    except RecursionError:  # what the function itself raises is caught where it is called
        raise UsageError(
            "the arguments are nested too deeply to be taken apart", "raise sys.setrecursionlimit(...)"
        ) from None


def explaining(function: F) -> F:
    """A decorator: when the function raises, its arguments are simplified and told in a note of the exception.

    >>> @explaining
    ... def total(numbers):
    ...     return sum(100 / number for number in numbers)
    >>> try:
    ...     total([5, 3, 0, 7])
    ... except ZeroDivisionError as error:
    ...     print(error.__notes__[0].splitlines()[0])
    wynot: total([0]) raises ZeroDivisionError: division by zero at <doctest wynot.api.explain.explaining[0]>:3
    """

    @functools.wraps(function)
    def explained(*args: Any, **kwargs: Any) -> Any:
        given = _copied(Arguments(args, tuple(kwargs.items())))
        try:
            return function(*args, **kwargs)
        except Exception as error:
            try:
                error.add_note(f"wynot: {explain(function, given)}")
            except (NoFailureError, UsageError):  # it does not fail again, or was no call at all
                pass
            except Exception as problem:  # noqa: BLE001 - the caller gets the exception of the function, and no other
                error.add_note(f"wynot: no explanation: {type(problem).__name__}")
            raise

    return explained  # type: ignore[return-value]


class _Explaining:
    """The work itself; `best` is the simplest call that fails so far."""

    def __init__(self, function: Callable[..., Any], failing: Arguments, options: Options) -> None:
        self.function, self.original, self.options = function, failing, options
        self.name = getattr(function, "__name__", type(function).__name__)
        self.file = getattr(getattr(function, "__code__", None), "co_filename", "")
        self.best = failing
        self.passing: Arguments | None = None
        self.difference: list[tuple[Any, Any]] = []
        self.values: tuple[str, ...] = ()
        """Values that the message has to keep."""
        self.budget, self.counts = Budget(options.budget_tests, options.budget_time), TestCounts()
        """Of all searches together."""
        self.calls, self._counting = 0, threading.Lock()
        """The function may be called by several threads."""
        self.structured = set[str | bytes]()
        """Texts in which no node, row, column or cell can be left out."""
        try:
            self.raised = self._call(failing)
        except CallMismatch as misfit:
            raise UsageError(
                f"{self.name}{failing!r} does not match its signature: {misfit}",
                "give arguments that fit; one list: ([1, 2],)",
            ) from None

    def _call(self, arguments: Arguments) -> RaisedException | None:
        """What a call raises. Ctrl-C is the user's."""
        given = _copied(arguments)
        with self._counting:
            self.calls += 1
        try:
            self.function(*given.args, **dict(given.kwargs))
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:  # noqa: BLE001 - whatever it raises is what is looked at
            if isinstance(error, TypeError) and error.__traceback__ and error.__traceback__.tb_next is None:
                check_fit(self.function, given.args, dict(given.kwargs))
            return RaisedException.of(error, self.file)
        return None

    def _ask(self, arguments: Arguments) -> Outcome:
        if arguments is UNBUILT:
            return UNRESOLVED
        try:
            raised = self._call(arguments)
        except CallMismatch:
            return UNRESOLVED
        if raised is None:
            return PASS
        same = self.raised is not None and self.raised.same(raised)
        return FAIL if same and keeps(raised.message, self.values) else UNRESOLVED

    def run(self, passing: Arguments | None) -> Explanation:
        if self.raised is None:
            raise NoFailureError(f"{self.name}{self.original!r} does not raise anything")
        self._search_all(passing)
        found = self._call(self.best)
        values = () if passing is not None else values_in(self.raised.kind, self.raised.message, repr(self.original))
        if found is not None and not keeps(
            found.message, values
        ):  # it fails with other values: search for one that keeps them
            self.values, self.best = values, self.original
            self._search_all(passing)
        return self._result(minimal=True)

    def _search_all(self, passing: Arguments | None) -> None:
        jobs, options = self.options.jobs, self.options
        executor: Executor[Any] = InlineExecutor(self._ask) if jobs == 1 else ThreadExecutor(self._ask, jobs)
        self.tester = Tester(executor, None, self.budget, options.listener, counts=self.counts)
        with closing(executor), carrying(lambda _status: self._result(minimal=False)):
            if self._outcome(self.best) is not FAIL:
                raise NoFailureError(f"{self.name}{self.original!r} does not fail twice in the same way: {self.raised}")
            if passing is None:
                self._simplify()
            else:
                self._isolate(passing)

    def _result(self, *, minimal: bool) -> Explanation:
        assert self.raised is not None  # noqa: S101 - or there is nothing to explain
        raised = self._call(self.best) or self.raised
        return Explanation(
            self.name, self.best, self.passing, tuple(self.difference), raised, self.counts.tests, minimal, self.raised,
            self.calls,
        )  # fmt: skip

    def _outcome(self, arguments: Arguments) -> Outcome:
        return self.tester.test(fingerprint(arguments), arguments, length(arguments))

    def _isolate(self, passing: Arguments) -> None:
        outcome = self._outcome(passing)
        if outcome is not PASS:
            what = "fails in the same way" if outcome is FAIL else "raises something else"
            raise UsageError(f"{self.name}{passing!r} {what}: there is no difference to isolate", "give one that works")
        domain = ValueDiff(passing, self.best)
        self.tester.listener(PassStarted("differences", len(domain)))
        found = drive(
            lambda: dd(Config(), Config.full(len(domain))), domain, self.tester, lambda _config, _outcome: None
        )
        self.best, self.passing = domain.render(found.failing), domain.render(found.passing)
        self.difference = domain.described(found.difference)

    def _simplify(self) -> None:
        """Parts first, then texts by their structure, then by characters, then numbers; until nothing changes."""
        before = None
        while before != fingerprint(self.best):
            before = fingerprint(self.best)
            self._parts()
            self._structures()
            self._strings()
            self._numbers()

    def _search(self, domain: SearchDomain[Any], deltas: int, search: Callable[[], Strategy]) -> None:
        self.tester.listener(PassStarted("parts", deltas))

        def keep(config: Config, outcome: Outcome) -> None:
            if outcome is FAIL:
                self.best = domain.render(config)
                self.tester.listener(Improved(length(self.best)))

        self.best = domain.render(drive(search, domain, self.tester, keep).failing)

    def _parts(self) -> None:
        domain = NestedValue(self.best)
        levels = TreeLevels(domain.shape, domain.cuttable, sweep)
        self._search(domain, len(domain), lambda: hdd_star(levels, Config.full(len(domain))))

    def _texts(self) -> list[tuple[Way, Any]]:
        """The strings and bytes that are not empty, the longest first."""
        texts = [(way, leaf) for way, leaf in leaves(self.best) if type(leaf) in {str, bytes} and leaf]
        return sorted(texts, key=lambda each: -len(each[1]))

    def _structures(self) -> None:
        for way, leaf in self._texts():
            data = as_bytes(leaf)
            if data is None or leaf in self.structured:
                continue
            if (language := language_of(data)) is not None:
                self._reduce_text(way, leaf, data, language)
            else:
                self._reduce_table(way)
            self.structured.add(dict(leaves(self.best))[way])

    def _reduce_text(self, way: Way, leaf: str | bytes, data: bytes, language: str) -> None:
        """Reduce a text by the passes that `reduce` has for such a file."""
        base = self.best

        def with_text(content: bytes) -> Arguments:
            changed: Arguments = replaced(base, way, content if isinstance(leaf, bytes) else content.decode())
            return changed

        def fails(content: bytes) -> Outcome:
            try:
                candidate = with_text(content)
            except UnicodeDecodeError:
                return UNRESOLVED
            outcome = self._outcome(candidate)
            if outcome is FAIL and length(candidate) < length(self.best):
                self.best = candidate
                self.tester.listener(Improved(length(candidate)))
            return outcome

        self.tester.listener(PassStarted(language, len(data)))
        with contextlib.suppress(UsageError):  # a text with marks of `reduce`: then only its characters go
            found = reduce(data, fails, name=f"argument.{language}").data
            self.best = with_text(found)
            if (without_blanks := packed(found, language)) != found and fails(without_blanks) is FAIL:
                self.best = with_text(without_blanks)

    def _reduce_table(self, way: Way) -> None:
        """Rows, then columns, then the contents of cells, as long as it is a table."""
        for level in range(3):
            text = dict(leaves(self.best))[way]
            if (table := CsvTable.of(text)) is None:
                return
            count, build = list(table.deltas())[level]
            domain = TextDeltas(self.best, way, count, build, as_in=text)
            self._search(domain, count, functools.partial(_emptied, Config.full(count)))

    def _strings(self) -> None:
        for way, leaf in self._texts():
            text = leaf
            for fine in range(len(list(cuts(leaf)))):
                pieces = list(cuts(text))[min(fine, len(list(cuts(text))) - 1)]
                domain = ScalarPieces(self.best, way, pieces, leaf[:0])
                full = Config.full(len(pieces))
                self._search(domain, len(pieces), functools.partial(_emptied, full))
                text = dict(leaves(self.best))[way]
                if not text:
                    break

    def _numbers(self) -> None:
        for way, leaf in list(leaves(self.best)):
            value = leaf
            while (found := next((new for new in simpler(value) if self._tried(way, new)), None)) is not None:
                value = found

    def _tried(self, way: tuple[int, ...], new: Any) -> bool:
        candidate = replaced(self.best, way, new)
        if self._outcome(candidate) is not FAIL:
            return False
        self.best = candidate
        return True


def _emptied(config: Config) -> Strategy:
    return emptied(sweep(config))


def _copied(arguments: Arguments) -> Arguments:
    """A function may change what it is given."""
    try:
        return copy.deepcopy(arguments)
    except Exception:  # noqa: BLE001 - what cannot be copied is given as it is
        return arguments
