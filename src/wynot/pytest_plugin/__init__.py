"""The pytest plugin: explains failures of a suite under their reports. It prints nothing when nothing fails.

- `--wynot-order`: a test that fails in the suite and passes alone: the smallest set of earlier tests that makes it
  fail; a test that fails alone and passes in the whole suite: the tests that it needs.
- `--wynot-since REV`: a test that passed at that revision: the changes since then because of which it fails.
- `@pytest.mark.wynot_reduce` and the fixture `wynot_reduce`: a failing value is made small, in the same process.

Whatever it finds, a test that has failed has failed: no outcome and no exit code of a suite is ever changed. (The only
exit codes that are ours are those of the fresh processes that we start, `--wynot-judge`.)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Protocol

import pytest

from wynot.oracles.normalise import steady
from wynot.oracles.script import FINE, SHOWS
from wynot.pytest_plugin.suite_state import STARTED as STARTED  # before anything of the project runs
from wynot.report.escape import printable

TEXT = pytest.StashKey[list[str]]()
"""What was found out about a failing value, until its report is made."""
DISK = pytest.StashKey[Any]()
"""The project's files when the suite started: a `pytest_plugin.disk.Disk`."""
INHERITED = pytest.StashKey[Any]()
"""What its process would have handed on then: a `pytest_plugin.inherited.Inherited`."""
LISTENING = pytest.StashKey[frozenset[str]]()
"""Where it listened then."""
WRITTEN = "wynot-written"
"""The files that a worker of xdist has written, in its report to the suite."""
FIRST = 10
"""So many failing tests are looked into, unless told otherwise."""
TITLE = "wynot"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("wynot", "explain failures by experiment")
    group.addoption(
        "--wynot-order",
        action="store_true",
        help="for each failing test: the earlier tests that make it fail, or those it needs, found in fresh processes",
    )
    group.addoption(
        "--wynot-since",
        metavar="REV",
        help="for each failing test that passed at this git revision: find the changes that make it fail now",
    )
    group.addoption(
        "--wynot-jobs", type=int, default=None, metavar="N", help="fresh processes at once [1, or xdist's number]"
    )
    group.addoption(
        "--wynot-most", type=int, default=FIRST, metavar="N", help=f"examine at most this many failing tests [{FIRST}]"
    )
    group.addoption(
        "--wynot-time", type=float, default=None, metavar="SECONDS", help="time for each failing test [no limit]"
    )
    group.addoption("--wynot-judge", default=None, metavar="PLAN", help="(used by --wynot-order itself)")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Look at the project's files before anything of the project runs."""
    given = early_config.known_args_namespace
    if getattr(given, "wynot_order", False) and not hasattr(early_config, "workerinput"):
        _remember(early_config)


def _remember(config: pytest.Config) -> None:
    """Keep what the suite starts with."""
    from wynot.pytest_plugin.suite_state import (  # noqa: PLC0415
        InheritedState,
        SuiteFiles,
        listening,
    )

    config.stash[INHERITED] = InheritedState.now()
    config.stash[LISTENING] = listening()
    config.stash[DISK] = SuiteFiles.now(config.rootpath)


def pytest_configure(config: pytest.Config) -> None:
    """Set up what was asked for."""
    config.addinivalue_line(
        "markers",
        "wynot_reduce(*names, tests=1000, seconds=30): if the test fails, the values of these parameters (all, if none "
        "is named) are made small, and shown in its report.",
    )
    for name in ("--wynot-jobs", "--wynot-most", "--wynot-time"):
        given = config.getoption(name)
        if given is not None and given <= 0:
            raise pytest.UsageError(f"{name} has to be more than 0, not {given:g}")
    plan = config.getoption("--wynot-judge")
    if plan is not None:
        config.pluginmanager.register(_Judging(config, json.loads(Path(plan).read_bytes())), "wynot-judging")
    elif (config.getoption("--wynot-order") or config.getoption("--wynot-since")) and not hasattr(
        config, "workerinput"
    ):
        if config.getoption("--wynot-order") and DISK not in config.stash:
            _remember(config)
        config.pluginmanager.register(_Ordering(config), "wynot-ordering")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of xdist reports the files that it has written."""
    if hasattr(session.config, "workeroutput") and DISK in session.config.stash:
        session.config.workeroutput[WRITTEN] = sorted(session.config.stash[DISK].written)


def place_of(report: pytest.TestReport, root: Path) -> str:
    """When and where a test fails, the same in a copy of the project."""
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is None:
        return str(report.when)
    return f"{report.when} {str(crash.path).removeprefix(f'{root}/')}:{crash.lineno}"


def sign_of(report: pytest.TestReport, root: Path) -> str:
    """What the failure of a test looks like: when and where it happens, and the whole message."""
    crash, place = getattr(report.longrepr, "reprcrash", None), place_of(report, root)
    return place if crash is None else f"{place} {steady(crash.message.replace(f'{root}/', ''))}"


class _Judging:
    """In a fresh process: runs the tests of a plan, in its order, and says by the exit code how the last one ended."""

    def __init__(self, config: pytest.Config, plan: dict[str, Any]) -> None:
        self.plan, self.root = plan, config.rootpath
        self.places = {name: place for place, name in enumerate(plan["tests"])}
        self.signs: list[str] = []
        self.ran = False
        config.args = list(dict.fromkeys(str(config.rootpath / name.partition("::")[0]) for name in plan["tests"]))

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the tests of the plan, in its order."""
        items[:] = sorted((i for i in items if i.nodeid in self.places), key=lambda i: self.places[i.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """See how the last one ends."""
        if report.nodeid == self.plan["victim"]:
            self.ran = self.ran or (report.when == "call" and not report.skipped)
            if report.failed:
                self.signs += [sign_of(report, self.root), place_of(report, self.root)]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Say it."""
        if self.plan["sign"] in self.signs:
            session.exitstatus = SHOWS
        elif self.ran and not self.signs:
            session.exitstatus = FINE
        else:
            session.exitstatus = 125


class _Ordering:
    """In the suite itself: remembers what ran before what, and looks into the failures when all is over."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.ran: dict[str, list[str]] = {}
        """The tests of each worker, in order."""
        self.failed: dict[str, tuple[pytest.TestReport, list[str]]] = {}
        """The first report of each test that failed, and what ran before."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember."""
        worker = getattr(getattr(report, "node", None), "gateway", None)
        ran = self.ran.setdefault(getattr(worker, "id", ""), [])
        if report.when == "setup":
            ran.append(report.nodeid)
        if report.failed and report.nodeid not in self.failed:
            self.failed[report.nodeid] = (report, [name for name in ran if name != report.nodeid])

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take in what a worker has written."""
        if DISK in self.config.stash:
            self.config.stash[DISK].written.update(getattr(node, "workeroutput", {}).get(WRITTEN, ()))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Look into the failures, before their reports are printed."""
        if not self.failed or exitstatus == pytest.ExitCode.INTERRUPTED:
            return
        if DISK in self.config.stash:
            self.config.stash[DISK].close()
        with self.config.stash[INHERITED].restored() if INHERITED in self.config.stash else nullcontext():
            self._look_into()

    def _look_into(self) -> None:
        from wynot.pytest_plugin.failing_values import changed_since  # noqa: PLC0415
        from wynot.pytest_plugin.order_investigation import explained  # noqa: PLC0415 - only where something fails

        revision = self.config.getoption("--wynot-since")
        most = self.config.getoption("--wynot-most")
        victims = list(self.failed.items())[:most]
        for number, (victim, (report, earlier)) in enumerate(victims, 1):
            self._say(f"wynot: looking into {victim} ({number} of {len(victims)}) ...")
            if self.config.getoption("--wynot-order"):
                root = self.config.rootpath
                signs = sign_of(report, root), place_of(report, root)
                disk, listened = self.config.stash[DISK], self.config.stash[LISTENING]
                text = explained(self.config, disk, listened, victim, signs, earlier)
                report.sections.append((TITLE, printable(text)))
            if revision is not None:
                report.sections.append((TITLE, printable(changed_since(self.config, victim, revision))))
        if len(self.failed) > most:
            rest = f"{len(self.failed) - most} more failing tests were not looked into: --wynot-most {len(self.failed)}"
            self.failed[list(self.failed)[most]][0].sections.append((TITLE, rest))

    def _say(self, text: str) -> None:
        """Tell in the terminal what takes its time."""
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None and self.config.get_verbosity() >= 0:
            reporter.ensure_newline()
            reporter.write_line(printable(text))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Where reports are not printed in full, say it here."""
        option = self.config.option
        if option.tbstyle not in {"no", "line"} and option.showcapture == "all":
            return
        for victim, (report, _) in self.failed.items():
            for title, text in report.sections:
                if title == TITLE:
                    terminalreporter.section(f"{TITLE}: {victim}", sep="-")
                    terminalreporter.write_line(text)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """A marked test that fails is called again and again, with smaller values."""
    try:
        return (yield)
    except Exception:
        marker = pyfuncitem.get_closest_marker("wynot_reduce")
        if marker is not None:
            from wynot.pytest_plugin.failing_values import marked  # noqa: PLC0415 - only where something fails

            pyfuncitem.stash.setdefault(TEXT, []).append(marked(pyfuncitem, marker))
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show what was found out in the report of the test."""
    report = yield
    if call.when == "call" and report.failed:
        report.sections += [(TITLE, printable(text)) for text in item.stash.get(TEXT, []) if text]
    return report


class Reduce(Protocol):
    """Calls a function; if that raises, the arguments are made small and shown in the report of the test."""

    def __call__(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call it."""
        ...


@pytest.fixture
def wynot_reduce(request: pytest.FixtureRequest) -> Reduce:
    """`wynot_reduce(check, value)` calls `check(value)`; if that raises, the value is made small in the report."""

    def calling(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        from wynot.domains.values.deconstruct import arguments  # noqa: PLC0415
        from wynot.pytest_plugin.failing_values import simplified  # noqa: PLC0415

        given = arguments(*args, **kwargs)
        try:
            return function(*args, **kwargs)
        except Exception:
            request.node.stash.setdefault(TEXT, []).append(simplified(function, given))
            raise

    return calling
