"""A summary of a recorded run, and the command that repeats it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from wynot.core.artifact import Content, digest, size
from wynot.core.outcome import FAIL, PASS, Outcome
from wynot.engine.record.read import Run
from wynot.engine.results import Explained, Isolated, Reduced, ReducedRecording
from wynot.errors import UsageError

Claims = Callable[[], tuple[tuple[Content, Outcome], ...]]
"""Gives contents, and the outcomes that they have."""


@dataclass(frozen=True, slots=True)
class ResultSummary:
    """A result as the record keeps it; numbers of `before` and `after` are of the same unit."""

    before: int
    after: int
    unit: str = "bytes"
    view: dict[str, Any] = field(default_factory=dict)
    """What is special about the kind of run, as JSON has it."""
    contents: dict[str, Content] = field(default_factory=dict)
    claims: Claims = tuple
    """What the result says of itself; to be asked for only where it is to be proved."""


def summarise(result: object) -> ResultSummary | None:
    """What is to be told of a result that needs nothing else to be understood."""
    match result:
        case Reduced():
            return _reduced(result)
        case Isolated():
            return _isolated(result)
        case ReducedRecording():
            view = {"names": list(result.names), "induced": result.induced, "more": result.more}
            contents: dict[str, Content] = {"result": result.data}
            contents |= {f"result {number}": each for number, each in enumerate(result.causes[1:], 2)}
            claims = tuple((each, FAIL) for each in (result.data, *result.causes[1:]))
            return ResultSummary(result.before, len(result.names), "actions", view, contents, lambda: claims)
        case Explained():
            return _explained(result)
    return None


def _reduced(result: Reduced) -> ResultSummary:
    names = ("result", *(f"result {number}" for number in range(2, len(result.found) + 1)))
    return ResultSummary(
        size(result.original),
        size(result.found[0]),
        view={"causes": len(result.found), "more": result.more, "tried": sorted(result.tried)},
        contents=dict(zip(names, result.found, strict=True)),
        claims=lambda: tuple((each, FAIL) for each in result.found),
    )


def _isolated(result: Isolated) -> ResultSummary:
    sides: list[tuple[str, Content]] = [("passing", result.passing), ("failing", result.failing)]
    for number, each in enumerate(result.causes[1:], 2):
        sides += ((f"passing {number}", each.passing), (f"failing {number}", each.failing))
    return ResultSummary(
        len(result.original),
        abs(len(result.failing) - len(result.passing)),
        view={"deltas": result.deltas, "causes": len(result.causes), "more": result.more},
        contents=dict(sides),
        claims=lambda: tuple((each, FAIL if name.startswith("failing") else PASS) for name, each in sides),
    )


def _explained(result: Explained) -> ResultSummary:
    expected = PASS if result.preventing else FAIL
    causes = [
        {
            "names": list(each.names),
            "fixed": list(each.fixed),
            "words": list(each.setting.words(".")),
            "typed": each.setting.typed() if not each.setting.files else "",
        }
        for each in result.causes
    ]
    return ResultSummary(
        result.deltas,
        len(result.causes[0].names) if result.causes else result.deltas,
        "circumstances",
        {"causes": causes, "preventing": result.preventing, "more": result.more},
        claims=lambda: tuple((each.setting, expected) for each in result.causes),
    )


# The command of a run once more, to go on with it or to prove it: what is asked has to be what was asked.


FILES = frozenset({"reduce", "isolate", "events"})
"""What these are about is a file, or a folder, that has a name."""


@dataclass(slots=True)
class RepeatedRun:
    """A run whose command is repeated. It may make several runs; the one in question is known by its place."""

    run: Run
    command: str
    """What the user would type to begin another one."""
    _opened: int = field(default=0)

    def mine(self) -> bool:
        """Whether the next session is the one in question."""
        self._opened += 1
        return self._opened - 1 == int(self.run.facts.get("part", 0))

    def same(self, inputs: Sequence[Content]) -> list[bool]:
        """Of each input, whether it is as it was."""
        known = [each["digest"] for each in self.run.facts.get("inputs", [])]
        now = [digest(each).hex() for each in inputs]
        return [one == other for one, other in zip_longest(known, now)]


@dataclass(slots=True)
class ContinuedRun(RepeatedRun):
    """A run that is to go on."""

    def check(self, inputs: Sequence[Content], name: str) -> None:
        """See that the next session is no other run, if it is the one in question."""
        if not self.mine() or name == self.run.id:
            return
        raise UsageError(
            f"run {self.run.short} cannot go on: {self._changed(inputs)} has changed since",
            f"put it back as it was; or begin another run: {self.command}",
        )

    def _changed(self, inputs: Sequence[Content]) -> str:
        """What is not as it was."""
        same = self.same(inputs)
        if all(same):
            return "the test, the program that it runs, or wynot itself"
        if not same[0] and self.run.kind in FILES:
            return str(self.run.facts.get("shown", "its input"))
        return "what it is about"
