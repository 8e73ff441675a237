"""An oracle that remembers how the programs it ran have ended, and one test on a bench."""

from __future__ import annotations

from wynot.core.artifact import Artifact, digest
from wynot.oracles.words import Ended, Examination, Oracle, Report
from wynot.run.processes import ProcessBench


class Watched:
    """Another oracle, looked at."""

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle
        self.ended: list[Ended] = []

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        examination = self.oracle.examine(artifact, folder)
        invocation = next(examination)
        while True:
            ended = yield invocation
            self.ended.append(ended)
            try:
                invocation = examination.send(ended)
            except StopIteration as done:
                report: Report = done.value
                return report

    def identity(self) -> str:
        return self.oracle.identity()

    def looked_for(self) -> str:
        return self.oracle.looked_for()

    def by_hand(self, path: str) -> str:
        return self.oracle.by_hand(path)

    @property
    def last(self) -> Ended:
        return self.ended[-1]

    @property
    def lines(self) -> list[str]:
        """What the last program printed."""
        return self.last.stdout.decode().splitlines()


def judged(bench: ProcessBench, data: bytes = b"x\n") -> Report:
    """Run one test to its end."""
    key = digest(data)
    bench.submit(key, data)
    reports = bench.wait()
    assert [k for k, _ in reports] == [key]
    return reports[0][1]
