"""What a result has to tell for the record: sizes, contents, and what is special about its kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from wynot.core.artifact import Content, size
from wynot.core.outcome import FAIL, PASS, Outcome
from wynot.engine.results import Explained, Isolated, Reduced, ReducedRecording

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
