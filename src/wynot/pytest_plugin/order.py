"""A failing test of a suite, looked into in fresh processes."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

import pytest

from wynot.core.counted import counted
from wynot.core.events import Answered, Event, Improved, Stage
from wynot.domains.order import Order
from wynot.errors import Ended, WynotError
from wynot.oracles.judge import Judge
from wynot.report.order import ordered_text
from wynot.run.options import Options
from wynot.run.order import Ordered, order

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


def explained(config: pytest.Config, victim: str, sign: str, earlier: Sequence[str]) -> str:
    """How a failing test depends on those before it, in words."""
    tell = _Telling(config, victim)
    options = Options(jobs=jobs_of(config), budget_time=config.getoption("--wynot-time"), listener=tell)
    judge = Judge(str(config.invocation_params.dir), argv=tuple(_command(config)), words=f"{victim} fails")
    try:
        found = _ordered(Order(tuple(earlier), victim, sign), judge, options)
        if found.kind == "alone":
            others = _before(config, victim)
            if set(others) - set(earlier):
                wider = _ordered(Order(tuple(others), victim, sign), judge, options, needed=True)
                found = wider if wider.kind == "needs" else found
    except WynotError as error:
        return f"the order could not be looked into: {error}"
    return ordered_text(found)


def _ordered(domain: Order, judge: Judge, options: Options, *, needed: bool = False) -> Ordered:
    try:
        return order(domain, judge, options, needed=needed)
    except Ended as ended:
        if isinstance(ended.best, Ordered):
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
    yield from (f"--rootdir={config.rootpath}", "-q", "--no-header", "--no-summary", "--tb=native")
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
    words = [word for word in command if word not in {"--no-summary", "--no-header"}]
    done = subprocess.run(words, cwd=config.invocation_params.dir, capture_output=True, text=True, check=False)
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
            case Stage():
                self._left = event.deltas
                self._say(f"which of {event.deltas} {event.name} matter to {self._victim}?")
            case Improved():
                self._left = event.size
            case Answered():
                self._runs += 1
                if time.monotonic() - self._said > SELDOM:
                    self._say(f"{counted(self._runs, 'run')}, {counted(self._left, 'earlier test')} left")

    def _say(self, line: str) -> None:
        self._said = time.monotonic()
        if self._shown:
            if self._writer.width_of_current_line:  # a row of dots
                self._writer.line()
            self._writer.line(f"wynot: {line}")
