"""What shells are told of words that only we know: names of algorithms and of runs."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem


def algorithms(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """The algorithms that a command has."""
    from wynot.run.algorithms import HIERARCHICAL, ISOLATORS, MINIMISERS  # noqa: PLC0415 - for shells only

    names: dict[str, Iterable[str]] = {
        "reduce": (*MINIMISERS, *HIERARCHICAL),
        "isolate": ISOLATORS,
        "changes": (*MINIMISERS, *ISOLATORS),
        "bisect": (),
    }
    return sorted(name for name in names.get(context.info_name or "", MINIMISERS) if name.startswith(incomplete))


def runs(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The runs that there are, the latest first, with what they were about."""
    from wynot.report.listed import sizes, when  # noqa: PLC0415 - for shells only
    from wynot.report.visible import visible  # noqa: PLC0415
    from wynot.run.record.runs import all_runs  # noqa: PLC0415

    found = all_runs()
    items = [CompletionItem("last", help="the latest one")] if found else []
    for run in found:
        about = f"{run.kind} {visible(str(run.facts.get('shown', '-')))}, {sizes(run)}, {run.status}, {when(run.begun)}"
        items.append(CompletionItem(run.short, help=about))
    return [item for item in items if str(item.value).startswith(incomplete)]
