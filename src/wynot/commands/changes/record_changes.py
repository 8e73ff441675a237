"""What the record keeps of guilty changes: the patches, where they come from, the groups that were searched."""

from __future__ import annotations

from typing import Any

from wynot.commands.changes.changes_result import ChangesResult, GuiltySet, commits_of
from wynot.core.artifact import Content
from wynot.core.config import Config
from wynot.domains.changes.grouping.group_tree import GroupTree
from wynot.engine.record.record_summary import Claims, ResultSummary

MANY = 2000
"""A tree of groups with more nodes than these is not kept whole: only what lies around the guilty ones."""


def changes_summary(
    result: ChangesResult, groups: GroupTree | None, numbers: list[int], claims: Claims
) -> ResultSummary:
    """The answers."""
    answers = {"breaks": result.breaks, "repairs": result.repairs}
    view: dict[str, Any] = {name: _answer(result, each) for name, each in answers.items() if each is not None}
    contents: dict[str, Content] = {name: each.patch for name, each in answers.items() if each is not None}
    view["other_causes"] = [_answer(result, each) for each in result.causes]
    contents |= {f"breaks {number}": each.patch for number, each in enumerate(result.causes, 2)}
    view["aside"] = {"changes": result.aside, "how": result.how}
    view["questions"] = result.tests
    first = result.breaks or result.repairs
    guilty = Config() if first is None else first.numbers
    if groups is not None:
        view["groups"] = _tree(groups, numbers, guilty)
        if result.aside and view["groups"]:
            view["groups"][0][2] = f"all changes but {result.aside} set aside"
    count = len(result.sources.changes)
    return ResultSummary(count, len(guilty) if first is not None else count, "changes", view, contents, claims)


def _answer(result: ChangesResult, answer: GuiltySet) -> dict[str, Any]:
    return {
        "minimal": answer.minimal,
        "changes": [
            {
                "path": change.path,
                "header": change.header,
                "commits": [each.sha for each in commits_of(result, change)],
            }
            for change in answer.changes
        ],
        "commits": [each.as_json() for each in answer.commits],
        "beside": len(answer.beside),
    }


def _tree(groups: GroupTree, numbers: list[int], guilty: Config) -> list[list[Any]]:
    """Depth, kind, label, number of changes, how many of them are guilty: in the order of a walk."""
    depths = groups.shape.depths
    rows: list[list[Any]] = []
    for node, label in enumerate(groups.labels):
        bad = sum(numbers[each] in guilty for each in groups.below(node))
        if len(groups.labels) <= MANY or bad:
            rows.append([depths[node], groups.kinds[node], label, groups.shape.weights[node], bad])
    return rows[:MANY]
