"""The results of `wynot options` and `wynot events` in words."""

from __future__ import annotations

import json
from shlex import join, quote

from wynot.core.call import HERE, Call
from wynot.core.text import counted
from wynot.engine.results import CauseNames, Explained, ReducedRecording
from wynot.report.result_json import common_json, failures_json
from wynot.report.result_text import cost_text, guarantee, other_failure

# Which actions matter: in words and as JSON.


MAX_ACTIONS_SHOWN = 20
"""Actions that are shown."""


def events_text(result: ReducedRecording) -> str:
    """A few lines about the actions that are left."""
    promise = guarantee(result, "no single action can be removed")
    shown = [f"  {name}" for name in result.names[:MAX_ACTIONS_SHOWN]]
    if len(result.names) > MAX_ACTIONS_SHOWN:
        shown.append(f"  ... and {len(result.names) - MAX_ACTIONS_SHOWN} more")
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


MAX_PARTS_SHOWN = 4
"""Variables that are shown as unset; more are only counted."""


def call_text(setting: Call, here: str = ".") -> str:
    """The call as a user would type it; `here` is the folder with the configuration files.

    >>> from wynot.core.call import Variable
    >>> call_text(Call(("prog", "-x", HERE + "/a b"), (Variable("LANG", None), Variable("TZ", "UTC"))))
    "env -u LANG TZ=UTC prog -x './a b'"
    """
    unset = [name for name, value in setting.env if value is None]
    new = [f"{quote(name)}={quote(value)}" for name, value in setting.variables(here) if value is not None]
    gone = [f"-u {quote(name)}" for name in unset] if len(unset) <= MAX_PARTS_SHOWN else []
    more = f"\n  (with {len(unset)} variables unset: -o DIR writes it out)" if len(unset) > MAX_PARTS_SHOWN else ""
    return " ".join([*(["env"] if new or gone else []), *gone, *new, join(setting.words(here))]) + more


def call_script(setting: Call) -> bytes:
    """A script that does the call, with its configuration files beside it."""
    gone = [f"-u {quote(name)}" for name, value in setting.env if value is None]
    new = [f"{quote(name)}={_quoted(value)}" for name, value in setting.env if value is not None]
    words = " \\\n  ".join(["exec env", *gone, *new, " ".join(map(_quoted, setting.argv))])
    lines = ["#!/bin/sh", 'here=$(cd "$(dirname "$0")" && pwd)', 'cd "$here" || exit 125', words, ""]
    return "\n".join(lines).encode("utf-8", "surrogateescape")


def _quoted(word: str) -> str:
    """A word of the script; what stands for the folder is the script's own."""
    if HERE not in word:
        return quote(word)
    return '"$here"'.join(quote(part) if part else "" for part in word.split(HERE))


def options_text(result: Explained) -> str:
    """A few lines about the circumstances that matter."""
    lines = [line for cause in result.causes for line in _cause(cause, result)]
    if result.harmless:
        names, make = ", ".join(result.harmless), "makes" if len(result.harmless) == 1 else "make"
        lines.append(f"kept: {names} ({make} the run harmless; to try without: --try-without {result.harmless[0]})")
    if result.more is not None:
        rest = result.deltas - sum(len(cause.names) + len(cause.fixed) for cause in result.causes)
        if result.preventing:
            what = "they prevent it, too" if result.more else "the failure stays"
        else:
            what = "the failure stays" if result.more else "it no longer fails"
        lines.append(f"with the other {rest} only: {what}")
    promise = guarantee(result, "none of them can be removed")
    lines += [
        *other_failure(result),
        f"of {counted(result.deltas, 'circumstance')} ({promise})",
        cost_text(result.cost),
    ]
    return "\n".join([*lines, *(f"written to {path}" for path in result.outputs)])


def _cause(cause: CauseNames, result: Explained) -> list[str]:
    what = "prevents the failure" if result.preventing else "needed for the failure"
    lines = [f"{what}: {', '.join(cause.names) or 'nothing'}"]
    if cause.fixed:
        lines.append(f"kept, because the call fails in another way without it: {', '.join(cause.fixed)}")
    return [*lines, f"  {call_text(cause.setting)}"]


def options_json(result: Explained) -> str:
    """The same for machines."""
    causes = [
        {
            "needed": cause.names,
            "fixed": cause.fixed,
            "argv": list(cause.setting.words(".")),
            "unset": [name for name, value in cause.setting.env if value is None],
            "set": {name: value for name, value in cause.setting.variables(".") if value is not None},
            "files": {name: data.decode("utf-8", "replace") for name, data in cause.setting.files},
        }
        for cause in result.causes
    ]
    return json.dumps(
        {
            "command": "options",
            **common_json(result),
            "atoms": result.atoms,
            "preventing": result.preventing,
            "size_before": result.deltas,
            "size_after": len(result.causes[0].names) + len(result.causes[0].fixed) if result.causes else result.deltas,
            "causes": causes,
            "kept": list(result.harmless),
            "more": result.more,
            "failures": failures_json(result),
        }
    )
