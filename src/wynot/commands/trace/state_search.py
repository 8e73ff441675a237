"""`trace --state`: which variables' values make the difference between a passing and a failing run, line by line.

At a line that both runs reach, values of the failing run are put into the passing one. If all of them make it fail,
`dd` isolates a smallest difference that decides: a cause. Over several lines that is a cause-effect chain (2002,
section VIII).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from wynot.commands.trace.record_run import RecordingFolder, RunSettings, ran, studio
from wynot.commands.trace.trace_reduction import Criterion
from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.core.outcome import FAIL
from wynot.core.run_events import PassStarted
from wynot.engine.baseline.baseline_runs import baseline
from wynot.engine.driver import drive
from wynot.engine.run_options import Options
from wynot.engine.session import session
from wynot.errors import NoFailureError, UsageError
from wynot.oracles.command import Command
from wynot.oracles.protocol import HOLE
from wynot.search.lists.dd import dd

Values = dict[str, list[str]]
"""Of each variable: its bytes, and how it reads."""


@dataclass(frozen=True, slots=True)
class CausalVariable:
    """A variable whose value is a cause."""

    name: str
    passing: str
    failing: str


@dataclass(frozen=True, slots=True)
class CausalLine:
    """What was found at one line."""

    file: str
    line: int
    differing: int
    """Variables whose values differ between the runs."""
    causes: tuple[CausalVariable, ...]
    tests: int
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class _States:
    """Variables as deltas: present = the failing run's value."""

    names: Sequence[str]

    def render(self, config: Config) -> bytes:
        return "".join(f"{self.names[place]}\n" for place in config).encode()

    def digest(self, candidate: bytes) -> bytes:
        return digest(candidate)

    def size(self, candidate: bytes) -> int:
        return candidate.count(b"\n")


def chain(
    failing: RunSettings,
    passing: RunSettings,
    places: Sequence[tuple[str, int]],
    criterion: Criterion,
    options: Options,
) -> list[CausalLine]:
    """Isolate the causes at each of these lines."""
    if failing.program.kind != "python":
        raise UsageError("--state is for Python programs", "leave it out: wynot trace -- PROGRAM")
    return [_link(failing, passing, place, criterion, options) for place in places]


def _link(
    failing: RunSettings, passing: RunSettings, place: tuple[str, int], criterion: Criterion, options: Options
) -> CausalLine:
    file, line = place
    with studio(failing) as one, studio(passing) as other:
        paths = [Path(each.root) / "values" for each in (one, other)]
        states = [_saved(each, path, place) for each, path in zip((one, other), paths, strict=True)]
        names = [name for name in states[0] if states[0][name] != states[1].get(name, [])]
        here = CausalLine(file, line, len(names), (), 0)
        if not names:
            return replace(here, trouble="no variable differs here that can be set")
        other.option("state", {"file": file, "line": line, "values": str(paths[0]), "save": None})
        domain = _States(names)
        inputs = [failing.identity(), passing.identity(), json.dumps([place, *names]).encode()]
        command = Command(other.tracer.argv(HOLE), stdin=passing.stdin, typed=passing.program.typed)
        everything = Config.full(len(names))
        with session("state", inputs, "plan", "the failing state", criterion(command), options) as opened:
            opened.tester.listener(PassStarted("variables", len(names)))
            try:
                baseline(opened.tester, domain.render(everything), "the passing run with the failing run's values")
            except NoFailureError:
                return replace(here, trouble="all values together do not make the passing run fail")
            nothing = domain.render(Config())
            if opened.tester.probe(digest(nothing), nothing, 0).outcome is FAIL:
                return replace(here, trouble="the passing run fails, too")
            found = drive(partial(dd, Config(), everything), domain, opened.tester, lambda _config, _outcome: None)
            causes = tuple(_change(names[each], *states) for each in found.difference)
            return replace(here, causes=causes, tests=opened.tester.counts.tests)


def _change(name: str, failing: Values, passing: Values) -> CausalVariable:
    return CausalVariable(name, passing[name][1] if name in passing else "(not set)", failing[name][1])


def _saved(place: RecordingFolder, path: Path, line: tuple[str, int]) -> Values:
    place.option("state", {"file": line[0], "line": line[1], "values": "", "save": str(path)})
    ended = ran(place.setting, place.tracer.argv())
    if not path.exists():
        command = " ".join(place.setting.program.typed)
        raise UsageError(
            f"{command} does not reach line {line[1]} of {line[0]} (it ended with {ended})",
            "choose a line that both runs execute",
        )
    values: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return values
