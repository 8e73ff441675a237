"""`reduce`: simplify a failing input, level by level, until nothing more can be left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, cached_property, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from wynot.core.artifact import Content, digest
from wynot.core.config import Config
from wynot.core.events import Settled
from wynot.core.outcome import FAIL
from wynot.domains.protected import protected_part
from wynot.errors import UsageError
from wynot.oracles.words import Oracle
from wynot.run.baseline import baseline, by_the_clock, looked_for
from wynot.run.benches import Test
from wynot.run.best import Best
from wynot.run.encoded import searched_as_utf8
from wynot.run.inputs import InputFolder, Source, check_marks, read_given
from wynot.run.lab import NOTHING_TO_DO
from wynot.run.loading import load
from wynot.run.options import Options
from wynot.run.output import Keeper
from wynot.run.session import Session, carrying, session

if TYPE_CHECKING:  # loaded while the first test runs
    from wynot.domains.wide import Wide
    from wynot.run.descent import Descent
    from wynot.run.pipeline import Pipeline
    from wynot.run.result import Reduced
    from wynot.run.weak import Weak

_FIRST = (
    "wynot.search.hdd", "wynot.run.drive", "wynot.domains.tree.places", "wynot.run.forest", "wynot.run.passes",
    "wynot.domains.tree.languages", "wynot.run.algorithms", "wynot.run.ending", "wynot.run.remade",
    "wynot.run.pipeline", "wynot.run.descent", "wynot.run.weak",
)  # fmt: skip
"""What the search needs, in steps of a few milliseconds..."""
_LAST = ("wynot.run.result", "wynot.run.record.telling")
"""...and what the result does."""


def reduce(
    source: Source | InputFolder,
    oracle: Oracle | Test,
    options: Options | None = None,
    *,
    name: str | None = None,
) -> Reduced:
    """Simplify an input as long as it still fails.

    `source` is a path or the content itself; `oracle` a Script, a Command, or a callable that takes bytes and gives
    an Outcome or a bool (True = fails). Ends early with BudgetEnded or Interrupted, whose `best` is the result so
    far.

    The path may be that of a folder. Then a callable takes the contents of its files by their paths, a dict[str, bytes]
    in which links and folders are not named, and the result has `files`, such a dict, in the place of `data`.

    >>> reduce(b'<SELECT NAME="priority" MULTIPLE SIZE=7>', lambda b: b"<SELECT" in b and b">" in b).data
    b'<SELECT>'
    """
    options = options or Options()
    given = read_given(source, name)
    if isinstance(given, InputFolder):
        from wynot.run.folder import reduce_folder  # noqa: PLC0415 - for those who ask for it

        return reduce_folder(given, oracle, options)
    data, name, shown = given
    if not data:
        raise UsageError(f"{shown} is empty: nothing can be left out", "give an input that has something in it")
    check_marks(data)
    if options.grammar is not None:
        from wynot.run.grammars import see_that_it_parses, tell_warnings  # noqa: PLC0415 - it takes time to load

        tell_warnings(options.grammar, options.listener)
        see_that_it_parses(options.grammar, data, shown)
    with session("reduce", [data], name, shown, oracle, options) as opened:
        return opened.found(_Reduction(opened, data, name).run())


class _Reduction:
    """The work itself: what is best so far, and the way there."""

    def __init__(self, session: Session, data: bytes, name: str) -> None:
        self.session, self.lab, self.options = session, session.lab, session.options
        self.original = data
        self.name = name
        self.best = Best(data, Keeper(self.options.output), self.lab.listener)
        self.done: list[bytes] = []
        self.searching, self.weak = True, False
        self.more: bool | None = None
        self.promises: set[str | None] = set()
        """What was proved of the causes."""
        self.ready, self.last = self._ready(), self._last()

    @cached_property
    def wide(self) -> Wide | None:
        """The encoding, where the file is searched as UTF-8 for another one."""
        return searched_as_utf8(self.original, self.options)

    @cached_property
    def pipeline(self) -> Pipeline:
        """The passes for this file."""
        from wynot.run.pipeline import pipeline  # noqa: PLC0415 - it takes time to load

        text = self.original if self.wide is None else self.wide.narrowed(self.original)
        return pipeline(text, self.name, self.options, self.lab.listener)

    def _ready(self) -> Iterator[None]:
        """What has to be done before the search, step by step: while the first tests run, if they take time."""
        for name in _FIRST:
            load(name)
            yield
        descent = self._descent(self.original)
        yield
        yield from descent.ready()

    def _last(self) -> Iterator[None]:
        """What has to be done before the result is told."""
        for name in (*_LAST, *self.options.later):
            load(name)
            yield

    def run(self) -> Reduced:
        """From the baseline to the result."""
        if self.options.particular:  # what cannot be done is told before anything is run
            self.ready = self._descent(self.original).ready()
        if by_the_clock(self.lab.bench):  # a step takes some milliseconds, in which nobody sees the end of a test
            self.ready = self.last = NOTHING_TO_DO
        with carrying(self._ended):
            self.session.rate = baseline(
                self.lab, self.original, self.session.shown, chain(self.ready, self.last)
            ).rate  # fmt: skip
            self.lab.later = NOTHING_TO_DO if by_the_clock(self.lab.bench) else self._last()
            self._search()
        return self._result("done", None if None in self.promises else self.pipeline.minimality)

    def _ended(self, status: str) -> Reduced:
        """The best so far."""
        if self.searching:
            self.best.look_again(self.session)
        return self._result(status, None)

    def _result(self, status: str, minimality: str | None) -> Reduced:
        causes = (*self.done, self.best.content) if self.searching else tuple(self.done)
        self.best.keeper.put(causes[-1])
        from wynot.run.result import Reduced  # noqa: PLC0415 - it takes time to load

        return Reduced(
            self.original, causes, minimality, self.pipeline.atoms, self.session.cost(), looked_for(self.lab.bench),
            self.session.run, status, self.more, weak=self.weak,
        )  # fmt: skip

    def _search(self) -> None:
        """One cause after the other."""
        rest = self.original
        while True:
            self.searching = True
            cause = self._minimise(rest)
            self.done.append(self.best.content)
            self.searching = False
            if self.options.causes == 1 or not cause:
                return
            left = Config.full(len(rest)) - cause
            rest = b"".join(rest[a:b] for a, b in left.intervals())
            self.more = self.lab.test(digest(rest), rest, len(rest)) is FAIL
            if not self.more or len(self.done) >= self.options.causes:
                return
            self.lab.listener(Settled())
            self.best.keeper.put(self.best.content)
            target = self.options.output
            keeper = Keeper(None if target is None else numbered(target, len(self.done) + 1))
            self.best = Best(rest, keeper, self.lab.listener)

    def _minimise(self, data: bytes) -> Config:
        """Find one cause; gives its positions in `data`, as far as passes keep positions (those of trees do not)."""
        nothing = protected_part(data)
        weak = self._weak(data, nothing)
        begun = cache(partial(self._descent, data))
        if weak is not None and weak.shows(chain(self.ready, self._early(begun), self.last)):
            return self._without(nothing)
        descent = begun()
        if self.wide is not None and not descent.nothing and self._fails(self.wide.widened(b"")):
            self.promises.add(descent.minimality)
            return Config()
        kept = descent.run()
        if weak is not None and weak.shows_after_all():
            return self._without(nothing)
        self.promises.add(descent.minimality)
        return kept

    def _early(self, begun: Callable[[], Descent[bytes]]) -> Iterator[None]:
        """Begin the search while another test runs; not where nobody may miss the end of that."""
        if not by_the_clock(self.lab.bench):
            yield from begun().early()

    def _fails(self, mark: bytes) -> bool:
        """Whether the mark of an encoding is enough, with no text at all: no search among texts asks for that."""
        from wynot.run.confirm import confirmed  # noqa: PLC0415 - it takes time to load

        if self.lab.test(digest(mark), mark, len(mark)) is not FAIL or not confirmed(self.lab, mark):
            return False
        self.best.improve(mark)
        return True

    def _descent(self, data: bytes) -> Descent[bytes]:
        from wynot.run.descent import Descent  # noqa: PLC0415 - it takes time to load

        if self.wide is None:
            return Descent(self.lab, self.best, self.pipeline, data, _itself)
        return Descent(self.lab, self.best, self.pipeline, self.wide.narrowed(data), self.wide.widened)

    def _weak(self, data: bytes, nothing: bytes) -> Weak[Content] | None:
        """Looks whether the failure shows with nothing in the file at all; None where that cannot be asked."""
        grammar = self.options.grammar
        if nothing == data or (grammar is not None and grammar.language.read(nothing).root is None):
            return None
        named = "the empty input" if not nothing else "the protected text alone"
        from wynot.run.weak import Weak  # noqa: PLC0415 - it takes time to load

        return Weak(self.lab, nothing, named, "the input")

    def _without(self, nothing: bytes) -> Config:
        """There is nothing to search for. Where the failure shows only sometimes, nothing is promised, either."""
        from wynot.run.confirm import unsteady  # noqa: PLC0415 - it takes time to load

        self.best.content, self.weak = nothing, True
        if unsteady(self.lab):
            self.promises.add(None)
        return Config()


def _itself(text: bytes) -> bytes:
    return text


def numbered(path: Path, number: int) -> Path:
    """Where a cause goes: the first to bug.reduced.c, the second to bug.reduced.2.c, and so on."""
    return path if number == 1 else path.with_name(f"{path.stem}.{number}{path.suffix}")
