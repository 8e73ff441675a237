"""Before the search: whether the failure shows, what it looks like, and how long a test may take."""

from __future__ import annotations

from dataclasses import replace

from wynot.core.artifact import Artifact, digest
from wynot.core.outcome import FAIL, NOTHING, ONLY_FAIL
from wynot.errors import NoFailureError
from wynot.oracles.command import Command
from wynot.oracles.words import Ended, Examination, Report
from wynot.run.bench import Bench
from wynot.run.lab import Lab
from wynot.run.processes import ProcessBench


class _Observer:
    """Runs a command once and remembers what its failure looks like."""

    def __init__(self, command: Command) -> None:
        self.command = command

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Run the command; if it fails in any way, that is the failure to look for."""
        ended: Ended = yield self.command.invocation(artifact, folder)
        self.command = self.command.like(ended) or self.command
        return self.command.judge(ended)

    def identity(self) -> str:
        """As the command says."""
        return self.command.identity()

    def looked_for(self) -> str:
        """As the command says."""
        return self.command.looked_for()

    def by_hand(self, path: str) -> str:
        """As the command says."""
        return self.command.by_hand(path)


def baseline(lab: Lab[bytes], data: bytes, name: str) -> Report:
    """Test the input itself; from now on tests look for its failure, and have their time limit."""
    bench = lab.bench
    if isinstance(bench, ProcessBench) and isinstance(bench.oracle, Command):
        report = _calibrated(lab, bench, bench.oracle, data)
    else:
        report = lab.probe(digest(data), data, len(data), ONLY_FAIL)
    if report.outcome is not FAIL:
        raise NoFailureError(*_not_shown(bench, name, report))
    if isinstance(bench, ProcessBench):
        bench.limits = bench.limits.settled(report.seconds, bench.jobs)
    return report


def _calibrated(lab: Lab[bytes], bench: ProcessBench, command: Command, data: bytes) -> Report:
    """The baseline of a command defines the failure; the journal remembers it."""
    journal = lab.journal
    known = journal.fact("failure") if journal is not None else None
    if isinstance(known, dict):
        bench.oracle = replace(command, exit=known["exit"], signal=known["signal"])
        return lab.probe(digest(data), data, len(data), ONLY_FAIL)
    observer = _Observer(command)
    bench.oracle = observer
    try:
        report = lab.probe(digest(data), data, len(data), NOTHING)  # how it fails must be seen
    finally:
        bench.oracle = observer.command
    if journal is not None and report.outcome is FAIL:
        journal.state("failure", {"exit": observer.command.exit, "signal": observer.command.signal})
    return report


def _not_shown(bench: Bench[bytes], name: str, report: Report) -> tuple[str, str]:
    """What to say, and what to type, when there is nothing to explain."""
    ending = f" ({report.why})" if report.why else ""
    message = f"the failure does not show on {name}: the test says {report.outcome.value}{ending}"
    oracle = bench.oracle if isinstance(bench, ProcessBench) else None
    if oracle is None:
        return message, ""
    words = oracle.by_hand(name)
    return message, f"try it by hand: {words}; echo $?"


def looked_for(bench: Bench[bytes]) -> str:
    """The failure in plain words."""
    oracle = bench.oracle if isinstance(bench, ProcessBench) else None
    return oracle.looked_for() if oracle is not None else "the test function says FAIL"
