"""`wynot check`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import click

from wynot.cli.common_options import CommonOptions, SearchCommand, make_options, with_options
from wynot.cli.oracle_options import make_oracle
from wynot.cli.run_command import exit_on_errors
from wynot.cli.summaries import hint_for_weak_test
from wynot.commands.failure_check import FailureCheck, check
from wynot.core.outcome import FAIL, PASS
from wynot.core.text import counted
from wynot.oracles.command import find_debugger
from wynot.report.escape import show, show_json

_EPILOG = """\b
Example:
  wynot check bug.c -- gcc -O2 -c {}
"""


@click.command("check", cls=SearchCommand, short_help="Show how a failure would be recognised", epilog=_EPILOG)
@click.argument("path", type=click.Path(readable=False))
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@with_options(CommonOptions)
def check_command(given: CommonOptions, path: str, command: tuple[str, ...]) -> None:
    """Show how a failure would be recognised, how steady it is and how long a test takes. Nothing is reduced."""
    with exit_on_errors():
        options = replace(make_options(given), resume=False)
        found = check(Path(path), make_oracle(given, command, path=path), options)
        if given.as_json:
            show_json(_json(found))
        else:
            show(_text(found))
        if found.empty is FAIL and not given.quiet:
            show(hint_for_weak_test(path, command, given), err=True)


def _text(found: FailureCheck) -> str:
    empty = {PASS: "passes", FAIL: "fails, too: the test is too weak, it does not depend on the input"}
    limit = f" (the time limit is {found.limit:g} s)" if found.limit is not None else ""
    steady = "steady" if found.rate == 1 else "not steady: outcomes will be decided by several runs each"
    debugger = find_debugger() or "not installed: crashes that print nothing are compared by their signal only"
    return "\n".join(
        (
            f"looking for: {found.looked_for}",
            f"shows in {found.rate:.0%} of {counted(found.runs, 'run')}: {steady}",
            f"a test takes {found.seconds:.3g} s{limit}",
            f"the empty input {empty.get(found.empty, 'is unresolved')}{found.missing}",
            f"gdb: {debugger}",
        )
    )


def _json(found: FailureCheck) -> str:
    return json.dumps(
        {
            "command": "check",
            "looked_for": found.looked_for,
            "rate": found.rate,
            "runs": found.runs,
            "seconds": found.seconds,
            "limit": found.limit,
            "empty": found.empty.value,
            "debugger": find_debugger() is not None,
        }
    )
