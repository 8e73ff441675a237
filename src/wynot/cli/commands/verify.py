"""`wynot verify`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from wynot.cli.commands import completion
from wynot.cli.rerun import shown_command, words_again
from wynot.cli.run_command import exit_on_errors
from wynot.engine.record.read import Run, find_run
from wynot.engine.record.repeat_proof import Proof, ProofVerdict
from wynot.engine.run_options import Verifying
from wynot.errors import NoFailureError, UsageError
from wynot.report.escape import show, show_json
from wynot.report.result_text import verify_json, verify_text

_EPILOG = """\b
Examples:
  wynot verify last          # does the result fail, and nothing smaller?
  wynot verify 3f2a --json

\b
wynot repeats the search from its journal, without running tests. Then it
runs the tests that prove the result again, with the real program.
Exit: 0 the result holds; 1 it does not; 2 it cannot be verified.
"""
EARLY = {
    "budget": "a budget ended it",
    "stopped": "it was stopped",
    "changed": "the test changed while it ran",
    "interrupted": "it was interrupted",
}
PROVABLE = frozenset({"reduce", "isolate", "changes", "bisect", "options", "events", "trace"})


@click.command("verify", short_help="Check that a result is minimal", epilog=_EPILOG)
@click.argument("run", shell_complete=completion.runs)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of words.")
def verify_command(run: str, *, as_json: bool) -> None:
    """Repeat the tests that prove that the result of RUN is minimal.

    RUN is the name of a run (see `wynot runs`), the beginning of it, `last`, or the path of its journal.
    """
    with exit_on_errors():
        found = find_run(run)
        _check(found)
        verdict = _verdict(found)
        if as_json:
            show_json(verify_json(verdict))
        else:
            show(verify_text(verdict))
    raise SystemExit(0 if verdict.holds else 1)


def _check(run: Run) -> None:
    """See that there is something to prove."""
    name = run.short
    if run.status == "running":
        raise UsageError(
            f"run {name} is in progress: there is nothing to prove yet", f"wait for its end, then: wynot verify {name}"
        )
    if run.status in EARLY:
        raise UsageError(
            f"run {name} does not claim to be minimal: {EARLY[run.status]}", f"let it go on: wynot runs resume {name}"
        )
    if run.status == "no failure":
        raise NoFailureError(f"run {name} has found nothing: {run.facts.get('why', '')}")
    if run.kind not in PROVABLE or run.status != "done":
        raise UsageError(f"there is nothing to prove in run {name} ({run.kind}, {run.status})", "see: wynot runs")
    if run.kind != "bisect" and run.facts.get("minimality") is None and not run.facts.get("weak"):
        raise UsageError(
            f"run {name} does not claim to be minimal: its algorithm proves nothing, or a pass was skipped",
            f"let it go on: wynot runs resume {name}; or search with another: --algorithm",
        )
    if not run.argv:
        raise UsageError(f"it is not known how run {name} was started: it was no command", "repeat it from Python")
    if not Path(run.facts["cwd"]).is_dir():
        raise UsageError(f"the folder of run {name} is gone: {run.facts['cwd']}", f"it was: {shown_command(run)}")


def _verdict(run: Run) -> ProofVerdict:
    """Go through the command again, up to its result, and prove that."""
    from wynot.cli.main import main  # noqa: PLC0415 - which has this command, too

    verdicts: list[ProofVerdict] = []

    def conclude(verdict: ProofVerdict) -> None:
        verdicts.append(verdict)
        raise SystemExit

    mode, here = Verifying(Proof(run, shown_command(run)), conclude), Path.cwd()
    try:
        os.chdir(run.facts["cwd"])
        main.main(words_again(run), obj=mode)
    except SystemExit as end:
        if end.code:  # it ended in another way
            raise
    finally:
        os.chdir(here)
    if not verdicts:
        raise UsageError(
            f"run {run.short} cannot be verified: its command ended without its result",
            f"search again: {shown_command(run)}",
        )
    return verdicts[0]
