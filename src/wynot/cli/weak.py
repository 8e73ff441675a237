"""What to type where a test is too weak: it says the same of nothing at all."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from wynot.oracles.words import HOLE


def tightening(path: str, command: Sequence[str], given: dict[str, Any]) -> str:
    """How the test could say more, and the command that shows whether it does."""
    words = ["wynot", "check", path]
    if given["test"] is not None:
        advice = f"let {given['test']} exit 0 only if the failure shows"
        words += ["--test", given["test"]]
    elif given["differs_from"] is not None:
        advice = "say what a valid input is"
        words += ["--differs-from", given["differs_from"], "--valid-if", "COMMAND {}"]
    else:
        advice = "say what the failure prints"
        words += ["--fail-if-output", "TEXT"]
    typed = shlex.join([*words, *(("--", *command) if command else ())])
    if command and not any(HOLE in word for word in command):
        advice += f", or, if it wants a path and not its standard input, add {HOLE} to it"
    return f"tighten the test: {advice}; then look: {typed}"
