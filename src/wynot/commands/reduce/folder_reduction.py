"""`reduce` for folders: which files are needed, then what is needed in each of them.

Files are the top level of the hierarchy (whole folders go first, as HDD goes from the top down), then which of them
need any content at all, then each by its own language, the largest first. A round that changes nothing ends it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from wynot.commands.reduce.pass_runner import PassRunner
from wynot.commands.reduce.pipeline import Pipeline, minimiser, pipeline
from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.core.folder import Folder, parents
from wynot.core.outcome import FAIL
from wynot.core.run_events import Event, Listener, Note, PassStarted, silent
from wynot.core.trial import Strategy
from wynot.domains.syntax import language_loading
from wynot.domains.text.atoms import WideEncoding
from wynot.domains.text.folder_entries import FolderContents, FolderEntries, largest_first, whole_only
from wynot.domains.text.protected import protected_part
from wynot.engine.baseline.baseline_runs import looked_for
from wynot.engine.baseline.result_checks import WeakTestCheck, both_failures, confirmed
from wynot.engine.driver import Search
from wynot.engine.files.output_file import BestSoFar, NoKeeper
from wynot.engine.files.output_folder import FolderKeeper, check_place
from wynot.engine.input_source import InputFolder, protected_in, searched_as_utf8
from wynot.engine.pass_search import HIERARCHICAL, ONE_MINIMAL, PassSearch
from wynot.engine.results import WHOLE, Reduced
from wynot.engine.run_options import Options
from wynot.engine.session import Session, carrying, session
from wynot.errors import UsageError
from wynot.oracles.protocol import Oracle
from wynot.oracles.python_function import Test
from wynot.search.lists.dd import ddmin
from wynot.search.trees.hdd import TreeLevels, emptied, hdd

CLANG = frozenset({"c", "cpp"})
"""What clang_delta reads."""


def reduce_folder(given: InputFolder, oracle: Oracle | Test, options: Options) -> Reduced:
    """Simplify a folder as long as it still fails."""
    if not given.data.entries:
        raise UsageError(f"{given.shown} is empty: nothing can be left out", "give a folder that has something in it")
    if options.causes > 1:
        raise UsageError("several causes are searched for in files only", "leave --causes out")
    if options.output is not None:
        check_place(options.output, given.path)
        FolderKeeper(options.output).clear()
    protected, how = protected_in(given), _searching(options)
    with session("reduce", [given.data], given.name, given.shown, oracle, options) as opened:
        return opened.searched(lambda: _FolderReduction(opened, given.data, protected, how).run())


class FolderSearch(NamedTuple):
    """How entries and contents are searched."""

    entries: Callable[[TreeLevels, Config], Strategy]
    minimise: Callable[[Config], Strategy]
    once: bool
    """One round only, as the papers' algorithms do."""
    proved: bool
    """Nothing that a whole round does not change can be left out."""


def _searching(options: Options) -> FolderSearch:
    """By the algorithm that is asked for; what cannot be done is told here, before anything is run."""
    pipeline(b"", "", _suited(options, None), silent)
    if options.algorithm in HIERARCHICAL:
        return FolderSearch(HIERARCHICAL[options.algorithm], ddmin, once=True, proved=False)
    return FolderSearch(hdd, minimiser(options), once=False, proved=(options.algorithm or "sweep") in ONE_MINIMAL)


def _suited(options: Options, language: str | None) -> Options:
    """The options for a file of a language: of a folder, only what clang_delta can read is given to it."""
    if language in CLANG:
        return options
    return replace(options, cleanups=tuple(each for each in options.cleanups if each != "clang-delta"))


class _FolderReduction:
    """The work itself: what is best so far, and the way there."""

    def __init__(self, session: Session, folder: Folder, protected: frozenset[str], how: FolderSearch) -> None:
        self.session, self.tester, self.options = session, session.tester, session.options
        self.original, self.protected, self.how = folder, protected, how
        target = self.options.output
        self.best = BestSoFar(folder, NoKeeper() if target is None else FolderKeeper(target), self.tester.listener)
        self.said = _Once(self.tester.listener)
        self.weak = False
        self.promises: set[str | None] = set()
        """What the latest round has proved of the files it went through..."""
        self.tried: set[str] = set()
        """...and what it has tried in them for that."""
        self.opened: set[str] = set()
        """The files that were looked into before: what opens a search of one is done once."""

    def run(self) -> Reduced:
        """From the baseline to the result."""
        with carrying(self._ended):
            self.session.observe(self.original)
            self._search_if_any()
        return self._result("done", self._minimality())

    def _ended(self, status: str) -> Reduced:
        """The best so far."""
        self.best.look_again(self.session)
        return self._result(status, None)

    def _result(self, status: str, minimality: str | None) -> Reduced:
        if self.weak and not self.best.content.count:
            self.best.keeper.withdraw()
        else:
            self.best.keeper.put(self.best.content)
        return Reduced(
            self.original,
            (self.best.content,),
            minimality,
            "files",
            self.session.cost(),
            looked_for(self.tester.executor),
            self.session.run,
            status,
            weak=self.weak,
            tried=frozenset(self.tried),
            failures=both_failures(self.session, self.original, self.best.content),
        )

    def _minimality(self) -> str | None:
        if None in self.promises or not self.how.proved:
            return None
        return "1-tree-minimal" if "1-tree-minimal" in self.promises else "1-minimal"

    def _search_if_any(self) -> None:
        """Search, unless the failure shows with nothing in the folder at all."""
        nothing = self._nothing()
        named = "the empty folder" if not self.protected else "what is protected alone"
        weak = WeakTestCheck(self.tester, nothing, named, "the rest") if nothing != self.original else None
        if weak is not None and weak.shows():
            self._without(nothing)
            return
        self._search()
        if weak is not None and weak.shows_after_all():
            self._without(nothing)

    def _search(self) -> None:
        """Round after round, until one changes nothing.

        At first only the passes that cost little (the first tier) are run in each file: what the others prove would
        have to be proved again after each change of any other file.
        """
        proving = self.how.once
        while True:
            before = self.best.content
            self._round(proving=proving)
            if self.how.once or (proving and self.best.content == before):
                return
            proving = proving or self.best.content == before

    def _round(self, *, proving: bool) -> None:
        self.promises.clear()
        self.tried.clear()
        self._leave_out_entries()
        self._leave_out_contents()
        for path in largest_first(self.best.content):
            self._go_into(path, proving=proving)

    def _leave_out_entries(self) -> None:
        domain = FolderEntries(self.best.content, self.protected)
        levels = TreeLevels(domain.shape, domain.cuttable, self.how.minimise)
        search = partial(self.how.entries, levels, Config.full(len(domain)))
        self._found(PassStarted("files", self.best.content.count, skippable=True), domain, search)

    def _leave_out_contents(self) -> None:
        domain = FolderContents(self.best.content, self.protected)
        if len(domain):
            search = partial(_emptied, self.how, len(domain))
            self._found(PassStarted("contents of files", len(domain), skippable=True), domain, search)

    def _found(self, stage: PassStarted, domain: FolderEntries | FolderContents, search: Search) -> None:
        """Search, unless the user does not wait for it."""
        self.tester.listener(stage)
        sought = PassSearch(self.tester, self.best, domain, len(domain), search, skippable=True)
        sought.found(proved=self.how.proved)
        if sought.skipped:
            self.tester.listener(Note(f"skipped: {stage.name}, {stage.deltas} deltas"))
            self.promises.add(None)

    def _go_into(self, path: str, *, proving: bool) -> None:
        """Reduce one file, if it is still needed, and if anything in it is."""
        folder = self.best.content
        if path not in self.protected and self._tried(folder.without(path)):
            return
        text, original = folder.entries[path].data, self.original.entries[path].data
        whole: Callable[[bytes], Folder] = partial(folder.replaced, path)
        encoding = searched_as_utf8(original, self.options)
        if encoding is not None:
            text, original = encoding.narrowed(text), encoding.narrowed(original)
            whole = partial(_within, whole, encoding)
        passes = self._pipeline(path, original)
        if path in self.opened:
            passes = passes._replace(opening=None)
        self.opened.add(path)
        if not proving:
            passes = passes._replace(tiers=passes.tiers[:1])
        marked = path in self.protected
        descent = PassRunner(self.tester, self.best, passes, text, whole, of=f" of {path}", marked=marked)
        if descent.nothing == text or self._tried(whole(descent.nothing)):
            return
        if self.options.atoms == "auto" and whole_only(original):
            self.tried.add(WHOLE)
            return
        descent.run()
        if proving:  # else the last tiers were left out
            self.promises.add(descent.minimality)
            self.tried |= descent.tried

    def _pipeline(self, path: str, data: bytes) -> Pipeline:
        name = path.rpartition("/")[2]
        language = self.options.language or language_loading.guessed(name, data)
        return pipeline(data, name, _suited(self.options, language), self.said)

    def _tried(self, candidate: Folder) -> bool:
        """Go on with this, if it fails."""
        if self.tester.test(digest(candidate), candidate, candidate.size) is not FAIL:
            return False
        if not confirmed(self.tester, candidate):
            return False
        self.best.improve(candidate)
        return True

    def _nothing(self) -> Folder:
        """The folder with all left out that can be."""
        kept = {each for path in self.protected for each in (*parents(path), path)}
        nothing = self.original.only(kept.__contains__)
        for path in self.protected:
            nothing = nothing.replaced(path, protected_part(nothing.entries[path].data))
        return nothing

    def _without(self, nothing: Folder) -> None:
        """There is nothing to search for, and nothing is promised."""
        self.best.content, self.weak = nothing, True
        self.promises.add(None)


def _within(whole: Callable[[bytes], Folder], encoding: WideEncoding, text: bytes) -> Folder:
    return whole(encoding.widened(text))


def _emptied(how: FolderSearch, count: int) -> Strategy:
    return emptied(how.minimise(Config.full(count)))


class _Once:
    """A listener that is told a thing once only, though it is so for many files."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._said: set[str] = set()

    def __call__(self, event: Event) -> None:
        """Pass it on, if it is new."""
        if isinstance(event, Note):
            if event.message in self._said:
                return
            self._said.add(event.message)
        self._listener(event)
