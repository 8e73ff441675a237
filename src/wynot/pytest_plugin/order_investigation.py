"""A failing test of a suite, looked into in fresh processes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

import pytest

from wynot.commands.test_order_search import TestOrderResult, order
from wynot.core.call import Variable
from wynot.core.folder import Folder
from wynot.core.run_events import Event, Improved, PassStarted, TrialAnswered
from wynot.core.text import counted
from wynot.domains.recordings.recorded_steps import EarlierTests
from wynot.engine.executors.orphans import MARK
from wynot.engine.run_options import Options
from wynot.errors import Ended, WynotError
from wynot.oracles.script import ExitCodeOracle
from wynot.pytest_plugin.suite_state import STARTED, SuiteFiles, listening
from wynot.report.test_order_report import RunLocation, order_text

_VALUED = frozenset(
    (
        "-n", "--numprocesses", "--maxprocesses", "--dist", "--tx", "-k", "-m", "--maxfail", "--tb", "--durations",
        "--junitxml", "--junit-xml", "--wynot-jobs", "--wynot-most", "--wynot-time", "--wynot-since", "--show-capture",
        "--color", "-r", "--deselect", "--ignore",
    )
)  # fmt: skip
"""Options of the suite, with an argument, that are not meant for a fresh process..."""
_PLAIN = (
    "-x",
    "--exitfirst",
    "--lf",
    "--ff",
    "--nf",
    "--sw",
    "--last-failed",
    "--failed-first",
    "--stepwise",
    "-v",
    "-q",
    "-s",
)
"""...and without one."""
_SHORT = re.compile(r"-(n|r|v|q)\w*$")
"""-n4, -rA, -vv."""


def explained(
    config: pytest.Config, disk: SuiteFiles, listened: frozenset[str], victim: str, signs: tuple[str, str],
    earlier: Sequence[str],
) -> str:  # fmt: skip
    """How a failing test depends on those before it, in words.

    `listened`: where the suite's process listened when it started.
    `signs`: what its failure looks like, with the message; and without it, where that gives no answer.
    """
    try:
        return _Explaining(config, disk, victim, signs, earlier).text(tuple(sorted(listening() - listened)))
    except WynotError as error:
        return f"the order could not be looked into: {error}"


WITHOUT_MESSAGE = "the message of the failure was not compared, only its place: with the message there is no answer"


class _Explaining:
    """Questions to fresh processes about one test.

    They run in a copy of the project as it was when the suite started. If the test fails alone there, it is asked
    again without the files that the suite writes: an earlier suite may have left them. Where the copy does not show
    the failure at all, the project's own folder is asked.
    """

    def __init__(
        self, config: pytest.Config, disk: SuiteFiles, victim: str, signs: tuple[str, str], earlier: Sequence[str]
    ) -> None:  # fmt: skip
        self.config, self.disk, self.victim, self.earlier = config, disk, victim, earlier
        self.signs = signs
        self.by_place: list[TestOrderResult] = []
        """Answers for which the message was not compared."""
        self.options = Options(
            jobs=jobs_of(config), budget_time=config.getoption("--wynot-time"), listener=_Telling(config, victim)
        )

    def text(self, listens: tuple[str, ...]) -> str:
        """The answer, and what the suite left on disk; its process still listens there."""
        found, where = self._found()
        note = f"\nnote: {WITHOUT_MESSAGE}" if any(found is each for each in self.by_place) else ""
        left = [f"{path} (new)" for path in self.disk.new] + [f"{path} (changed)" for path in self.disk.changed]
        return order_text(found, where, tuple(left), self.disk.outside(), listens) + note

    def _found(self) -> tuple[TestOrderResult, RunLocation]:
        copy = self.disk.copy
        if copy is None:
            return self._asked(None), RunLocation(why=self.disk.why)
        found = self._asked(copy)
        written = tuple(path for path in self.disk.changed if path in copy.entries and not path.endswith(".py"))
        if found.kind == "alone" and written:
            clean = self._asked(copy.only(lambda path: path not in written))
            if clean.kind in {"polluted", "never"}:
                return clean, RunLocation(without=written)
        if found.kind in {"never", "unresolved"}:
            own = self._asked(None)
            if own.kind not in {"never", "unresolved"}:
                return own, RunLocation(why=f"in a copy of the project {_ELSE[found.kind]}")
        return found, RunLocation()

    def _asked(self, copy: Folder | None) -> TestOrderResult:
        """The answer for the failure with its message; else, if there is none, for any failure at its place."""
        message, place = self.signs
        found = self._asked_for(message, copy)
        if found.kind != "unresolved" or message == place:
            return found
        other = self._asked_for(place, copy)
        if other.kind == "unresolved":
            return found
        self.by_place.append(other)
        return other

    def _asked_for(self, sign: str, copy: Folder | None) -> TestOrderResult:
        judge = self._judge(copy)
        found = _ordered(EarlierTests(tuple(self.earlier), self.victim, sign), judge, self.options)
        if found.kind == "alone":
            others = _before(self.config, self.victim)
            if set(others) - set(self.earlier):
                wider = _ordered(EarlierTests(tuple(others), self.victim, sign), judge, self.options, needed=True)
                found = wider if wider.kind == "needs" else found
        return found

    def _judge(self, copy: Folder | None) -> ExitCodeOracle:
        env, root = list(STARTED.changes()), str(self.config.rootpath)
        if copy is not None:  # what is imported from the project has to be the copy's
            inside = [path for path in STARTED.imports if path == root or path.removeprefix(f"{root}/") in copy.entries]
            paths = [*inside, *filter(None, [STARTED.environment.get("PYTHONPATH")])]
            env = [each for each in env if each.name != "PYTHONPATH"]
            env += [Variable("PYTHONPATH", os.pathsep.join(paths))] if paths else []
            known = {each.name for each in env}
            env += [Variable(n, v) for n, v in STARTED.environment.items() if root in v and n not in known]
        return ExitCodeOracle(
            str(self.config.invocation_params.dir),
            argv=tuple(_command(self.config)),
            words=f"{self.victim} fails",
            env=tuple(each for each in env if each.name not in _OWN),
            umask=STARTED.umask,
            copy=copy,
            root=root,
        )


_ELSE = {"never": "it does not fail", "unresolved": "it fails in another way"}
_OWN = frozenset({"TMPDIR", MARK, "PYTEST_CURRENT_TEST"})
"""Variables that a fresh process has of its own."""


def _ordered(domain: EarlierTests, judge: ExitCodeOracle, options: Options, *, needed: bool = False) -> TestOrderResult:
    try:
        return order(domain, judge, options, needed=needed)
    except Ended as ended:
        if isinstance(ended.best, TestOrderResult):
            return ended.best
        raise


def jobs_of(config: pytest.Config) -> int:
    """How many processes may run at once."""
    wished = config.getoption("--wynot-jobs")
    workers = config.getoption("numprocesses", default=None)
    return max(1, wished or (workers if isinstance(workers, int) else 1))


def _command(config: pytest.Config) -> Iterator[str]:
    """The suite's own command, less what was said of this suite only."""
    yield from (sys.executable, "-m", "pytest", "-p", "wynot.pytest_plugin", "-p", "no:cacheprovider")
    yield from (f"--rootdir={config.rootpath}", "--no-header", "--no-summary", "--tb=native")
    yield f"--verbosity={config.option.verbose}"  # it decides how much of a value a message shows
    if config.inipath is not None:
        yield f"--config-file={config.inipath}"
    if config.pluginmanager.hasplugin("xdist"):
        yield "-n0"
    if config.pluginmanager.hasplugin("_cov"):
        yield "--no-cov"
    if config.pluginmanager.hasplugin("randomly"):
        yield from ("-p", "no:randomly")
    yield from forwarded(config)
    yield "--wynot-judge"


def forwarded(config: pytest.Config) -> Iterator[str]:
    """What was said on the command line, less the tests to run and what is for the suite as a whole only."""
    words = iter(map(str, config.invocation_params.args))
    for word in words:
        name = word.partition("=")[0]
        if name in _VALUED:
            if "=" not in word:
                next(words, None)
        elif not (word in config.args or name in _PLAIN or name.startswith("--wynot") or _SHORT.match(word)):
            yield word


def _before(config: pytest.Config, victim: str) -> list[str]:
    """All tests of the project that would run before this one."""
    command = [*list(_command(config))[:-1], "--collect-only"]
    loud = ("--no-summary", "--no-header", "--verbosity=")
    words = [*(word for word in command if not word.startswith(loud)), "-q"]
    done = subprocess.run(
        words,
        cwd=config.invocation_params.dir,
        env=dict(STARTED.environment),
        capture_output=True,
        text=True,
        check=False,
    )
    names = [line for line in done.stdout.splitlines() if "::" in line and " " not in line.partition("[")[0]]
    return names[: names.index(victim)] if victim in names else []


SELDOM = 10.0
"""Seconds between two lines about how it stands."""


class _Telling:
    """A listener that says in the terminal what takes its time."""

    def __init__(self, config: pytest.Config, victim: str) -> None:
        self._writer = config.get_terminal_writer()
        self._shown = config.pluginmanager.hasplugin("terminalreporter")
        self._victim = victim
        self._runs, self._left, self._said = 0, 0, 0.0

    def __call__(self, event: Event) -> None:
        """Take an event in."""
        match event:
            case PassStarted():
                self._left = event.deltas
                self._say(f"which of {event.deltas} {event.name} matter to {self._victim}?")
            case Improved():
                self._left = event.size
            case TrialAnswered():
                self._runs += 1
                if time.monotonic() - self._said > SELDOM:
                    self._say(f"{counted(self._runs, 'run')}, {counted(self._left, 'earlier test')} left")

    def _say(self, line: str) -> None:
        self._said = time.monotonic()
        if self._shown:
            if self._writer.width_of_current_line:  # a row of dots
                self._writer.line()
            self._writer.line(f"wynot: {line}")
