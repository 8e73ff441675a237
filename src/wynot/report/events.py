"""Which actions matter: in words and as JSON."""

from __future__ import annotations

import json

from wynot.report.machine import common_json
from wynot.report.text import cost_text, guarantee
from wynot.run.result import Acted

MOST = 20
"""Actions that are shown."""


def acted_text(result: Acted) -> str:
    """A few lines about the actions that are left."""
    promise = guarantee(result)
    if result.minimal:
        promise += ": no single action can be left out"
    shown = [f"  {name}" for name in result.names[:MOST]]
    if len(result.names) > MOST:
        shown.append(f"  ... and {len(result.names) - MOST} more")
    head = f"{result.before} -> {len(result.names)} actions ({promise})"
    return "\n".join([head, *shown, cost_text(result.cost), *(f"written to {path}" for path in result.outputs)])


def acted_json(result: Acted) -> str:
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
        }
    )
