"""Which actions matter: in words and as JSON."""

from __future__ import annotations

import json

from wynot.core.plural import counted
from wynot.engine.results import ReducedRecording
from wynot.report.result_json import common_json, failures_json
from wynot.report.result_text import cost_text, guarantee, other_failure

MOST = 20
"""Actions that are shown."""


def events_text(result: ReducedRecording) -> str:
    """A few lines about the actions that are left."""
    promise = guarantee(result, "no single action can be left out")
    shown = [f"  {name}" for name in result.names[:MOST]]
    if len(result.names) > MOST:
        shown.append(f"  ... and {len(result.names) - MOST} more")
    if result.more is not None:
        rest = "the other actions still fail: there are more" if result.more else "without them, it does not fail"
        shown.append(f"{counted(len(result.causes), 'cause')} with no action in common; {rest}")
    head = f"{result.before} -> {len(result.names)} actions ({promise})"
    written = (f"written to {path}" for path in result.outputs)
    return "\n".join([head, *shown, cost_text(result.cost), *other_failure(result), *written])


def events_json(result: ReducedRecording) -> str:
    """The same for machines."""
    return json.dumps(
        {
            "command": "events",
            **common_json(result),
            "atoms": result.atoms,
            "size_before": result.before,
            "size_after": len(result.names),
            "actions": result.names,
            "induced": result.induced,
            "failures": failures_json(result),
            "causes": len(result.causes),
            "more": result.more,
        }
    )
