"""`reduce`: simplify a failing input, level by level, until nothing more can be left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING

from wynot.core.artifact import Content, digest
from wynot.core.config import Config
from wynot.core.outcome import FAIL
from wynot.core.run_events import Caution, Note, ResultSettled
from wynot.domains.text.protected import protected_part
from wynot.engine.baseline.baseline_runs import by_the_clock, looked_for
from wynot.engine.files.output_file import BestSoFar, FileKeeper, numbered
from wynot.engine.input_source import InputFolder, Source, check_marks, read_given, searched_as_utf8
from wynot.engine.run_options import Options
from wynot.engine.session import Session, carrying, session
from wynot.engine.warmup import SEARCH, Warmup, loading
from wynot.errors import UsageError
from wynot.oracles.protocol import Oracle
from wynot.oracles.python_function import Test

if TYPE_CHECKING:  # loaded while the first tests run: engine.warmup
    from wynot.commands.reduce.pass_runner import PassRunner
    from wynot.commands.reduce.pipeline import Pipeline
    from wynot.domains.text.atoms import WideEncoding
    from wynot.engine.baseline.result_checks import WeakTestCheck
    from wynot.engine.results import Reduced
    from wynot.oracles.command import Command


def reduce(
    source: Source | InputFolder,
    oracle: Oracle | Test,
    options: Options | None = None,
    *,
    name: str | None = None,
) -> Reduced:
    """Simplify an input as long as it still fails.

    `source` is a path or the content itself; `oracle` a Script, a Command, or a callable that takes bytes and gives
    an Outcome or a bool (True = fails). A budget (`Options(budget_tests=100)`, `budget_time=10`: seconds) ends it by
    BudgetEnded, Ctrl-C by Interrupted; their `best` is the Reduced so far.

    The path may be that of a folder. Then a callable takes the contents of its files by their paths, a dict[str, bytes]
    in which links and folders are not named, and the result has `files`, such a dict, in the place of `data`.

    >>> reduce(b'<SELECT NAME="priority" MULTIPLE SIZE=7>', lambda b: b"<SELECT" in b and b">" in b).data
    b'<SELECT>'
    """
    options = options or Options()
    given = read_given(source, name)
    if isinstance(given, InputFolder):
        from wynot.commands.reduce.folder_reduction import reduce_folder  # noqa: PLC0415 - for those who ask for it

        return reduce_folder(given, oracle, options)
    data, name, shown = given
    if not data:
        raise UsageError(f"{shown} is empty: nothing can be left out", "give an input that has something in it")
    check_marks(data)
    if options.grammar is not None:
        from wynot.engine.user_grammar import see_that_it_parses, tell_warnings, too_ambiguous  # noqa: PLC0415 - as above

        grammar = options.grammar
        tell_warnings(grammar, options.listener)
        if too_ambiguous(grammar, data):
            slow = f"{grammar.name} is too ambiguous to read {shown} in reasonable time"
            options.listener(Caution(f"{slow}: reduced without the grammar"))
            options = replace(options, grammar=None)
        else:
            see_that_it_parses(grammar, data, shown)
    with session("reduce", [data], name, shown, oracle, options) as opened:
        return opened.searched(lambda: _Reduction(opened, data, name).run())


class _Reduction:
    """The work itself: what is best so far, and the way there."""

    def __init__(self, session: Session, data: bytes, name: str) -> None:
        self.session, self.tester, self.options = session, session.tester, session.options
        self.original = data
        self.name = name
        self.best = BestSoFar(
            data, FileKeeper(self.options.output, mode=self.options.output_mode), self.tester.listener
        )
        self.done: list[bytes] = []
        self.searching, self.weak = True, False
        self.more: bool | None = None
        self.promises: set[str | None] = set()
        """What was proved of the causes..."""
        self.tried: set[str] = set()
        """...and what was tried for that."""
        self.values: tuple[str, ...] = ()
        """Values of the failure's message that the result should keep..."""
        self.faithful = data
        """...and the simplest text so far that keeps them."""
        ready = self._ready()
        if self.options.particular:  # what cannot be done is told before anything is run
            ready = self._descent(data).ready()
        self.warmup = Warmup(ready, idle=by_the_clock(self.tester.executor))

    @cached_property
    def wide(self) -> WideEncoding | None:
        """The encoding, where the file is searched as UTF-8 for another one."""
        return searched_as_utf8(self.original, self.options)

    @cached_property
    def pipeline(self) -> Pipeline:
        """The passes for this file."""
        from wynot.commands.reduce.pipeline import pipeline  # noqa: PLC0415 - engine.warmup

        text = self.original if self.wide is None else self.wide.narrowed(self.original)
        return pipeline(text, self.name, self.options, self.tester.listener)

    def _ready(self) -> Iterator[None]:
        """What has to be done before the search, step by step: while the first tests run, if they take time."""
        yield from loading(SEARCH)
        descent = self._descent(self.original)
        yield
        yield from descent.ready()

    def run(self) -> Reduced:
        """From the baseline to the result."""
        with carrying(self._ended):
            self.session.observe(self.original, meanwhile=self.warmup.steps())
            self._heed_values()
            self.tester.do_later(self.warmup.result)
            self._search()
            minimality = None if None in self.promises else self.pipeline.minimality
        return self._result("done", minimality)

    def _ended(self, status: str) -> Reduced:
        """The best so far."""
        if self.searching:
            self.best.look_again(self.session)
        return self._result(status, None)

    def _result(self, status: str, minimality: str | None) -> Reduced:
        causes = (*self.done, self.best.content) if self.searching else tuple(self.done)
        if self.weak and not causes[-1]:
            self.best.keeper.withdraw()
        else:
            self.best.keeper.put(causes[-1])
        from wynot.engine.baseline.result_checks import both_failures  # noqa: PLC0415 - engine.warmup
        from wynot.engine.results import Reduced  # noqa: PLC0415 - engine.warmup

        return Reduced(
            self.original, causes, minimality, self._atoms, self.session.cost(), looked_for(self.tester.executor),
            self.session.run, status, None if self.searching else self.more, weak=self.weak,
            tried=frozenset(self.tried), failures=both_failures(self.session, self.original, causes[0]),
        )  # fmt: skip

    @property
    def _atoms(self) -> str:
        """The finest atoms; as asked for, where the end came before the text was parsed: parsing may take minutes."""
        known: Pipeline | None = vars(self).get("pipeline")
        return self.options.atoms if known is None else known.atoms

    @property
    def _command(self) -> Command | None:
        """The command whose own failure is looked for, if that shows in every run."""
        from wynot.oracles.message_values import command_in  # noqa: PLC0415 - where a command is run

        return command_in(getattr(self.tester.executor, "oracle", None)) if self.session.rate == 1 else None

    def _heed_values(self) -> None:
        """Follow which texts fail with the values that stand in the input."""
        if (command := self._command) is None or not command.failure:
            return
        from wynot.domains.syntax.language_loading import guessed  # noqa: PLC0415 - engine.warmup
        from wynot.oracles.message_values import DATA, kept_values  # noqa: PLC0415 - where a command is run

        language = self.options.language or guessed(self.name, self.original)
        program = self.options.grammar is not None or language not in DATA
        self.values = kept_values(command, self.original, program=program)
        if self.values:
            self.best.watch = self._watch

    def _watch(self, content: bytes) -> None:
        from wynot.oracles.message_values import keeps  # noqa: PLC0415 - it is loaded

        if keeps(self.tester.outcomes.failure(digest(content)), self.values):
            self.faithful = content

    def _slips(self, content: bytes) -> bool:
        """Whether a failing text fails with other values; from now on, such texts are unresolved."""
        if not self.values or self.options.causes > 1:
            return False
        from wynot.oracles.message_values import keeps  # noqa: PLC0415 - it is loaded

        if keeps(self.tester.outcomes.failure(digest(content)), self.values):
            return False
        named = ", ".join(f"'{value}'" for value in self.values)
        what = "the result" if content else "the empty input"
        self.tester.listener(Note(f"{what} fails with another value than {named}: searching for one that keeps it"))
        self.tester.outcomes.accept_only(partial(keeps, values=self.values), digest(self.original))
        return True

    def _keep_values(self) -> None:
        """Where the result fails with other values than those that stand in the input: search for one that does not."""
        if self.weak or self.best.content == self.faithful or not self._slips(self.best.content):
            return
        self.best.improve(self.faithful)
        descent = self._descent(self.faithful)
        descent.run()
        self.promises, self.tried = set(), set()
        self._promise(descent)

    def _search(self) -> None:
        """One cause after the other."""
        rest = self.original
        while True:
            self.searching = True
            cause = self._minimise(rest)
            if self.options.causes == 1:
                self._keep_values()
            self.done.append(self.best.content)
            self.searching = False
            if self.options.causes == 1 or self.weak or not cause:
                return
            left = Config.full(len(rest)) - cause
            rest = b"".join(rest[a:b] for a, b in left.intervals())
            self.more = self.tester.test(digest(rest), rest, len(rest)) is FAIL
            if not self.more or len(self.done) >= self.options.causes:
                return
            self.tester.listener(ResultSettled())
            self.best.keeper.put(self.best.content)
            target = self.options.output
            place = None if target is None else numbered(target, len(self.done) + 1)
            keeper = FileKeeper(place, mode=self.options.output_mode)
            self.best = BestSoFar(rest, keeper, self.tester.listener)

    def _minimise(self, data: bytes) -> Config:
        """Find one cause; gives its positions in `data`, as far as passes keep positions (those of trees do not)."""
        nothing = protected_part(data)
        weak = self._weak(data, nothing)
        begun = cache(partial(self._descent, data))
        if weak is not None and weak.shows(self.warmup.steps(self._early(begun))):
            return self._without(nothing)
        descent = begun()
        if self.wide is not None and not descent.nothing and self._fails(self.wide.widened(b"")):
            self._promise(descent)
            return Config()
        kept = descent.run()
        if weak is not None and weak.shows_after_all():
            return self._without(nothing)
        self._promise(descent)
        return kept

    def _promise(self, descent: PassRunner[bytes]) -> None:
        self.promises.add(descent.minimality)
        self.tried |= descent.tried

    def _early(self, begun: Callable[[], PassRunner[bytes]]) -> Iterator[None]:
        """Begin the search while another test runs."""
        yield from begun().early()

    def _fails(self, mark: bytes) -> bool:
        """Whether the mark of an encoding is enough, with no text at all: no search among texts asks for that."""
        from wynot.engine.baseline.result_checks import confirmed  # noqa: PLC0415 - engine.warmup

        if self.tester.test(digest(mark), mark, len(mark)) is not FAIL or not confirmed(self.tester, mark):
            return False
        self.best.improve(mark)
        return True

    def _descent(self, data: bytes) -> PassRunner[bytes]:
        from wynot.commands.reduce.pass_runner import PassRunner  # noqa: PLC0415 - engine.warmup

        if self.wide is None:
            return PassRunner(self.tester, self.best, self.pipeline, data, _itself)
        return PassRunner(self.tester, self.best, self.pipeline, self.wide.narrowed(data), self.wide.widened)

    def _weak(self, data: bytes, nothing: bytes) -> WeakTestCheck[Content] | None:
        """Looks whether the failure shows with nothing in the file at all; None where that cannot be asked."""
        grammar = self.options.grammar
        if nothing == data or (grammar is not None and grammar.language.read(nothing).root is None):
            return None
        named = "the empty input" if not nothing else "the protected text alone"
        from wynot.engine.baseline.result_checks import WeakTestCheck  # noqa: PLC0415 - engine.warmup

        return WeakTestCheck(self.tester, nothing, named, "the input", partial(self._slips, nothing))

    def _without(self, nothing: bytes) -> Config:
        """There is nothing to search for, and nothing is promised."""
        self.best.content, self.weak = nothing, True
        self.promises.add(None)
        return Config()


def _itself(text: bytes) -> bytes:
    return text
