"""An oracle that remembers how the programs it ran have ended, and one test on a executor."""

from __future__ import annotations

from wynot.core.artifact import Artifact, digest
from wynot.engine.executors.local import LocalExecutor
from wynot.oracles.protocol import Examination, Oracle, ProcessExit, Report


class Watched:
    """Another oracle, looked at."""

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle
        self.ended: list[ProcessExit] = []

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
    def last(self) -> ProcessExit:
        return self.ended[-1]

    @property
    def lines(self) -> list[str]:
        """What the last program printed."""
        return self.last.stdout.decode().splitlines()


def judged(executor: LocalExecutor, data: bytes = b"x\n") -> Report:
    """Run one test to its end."""
    key = digest(data)
    executor.submit(key, data)
    reports = executor.wait()
    assert [k for k, _ in reports] == [key]
    return reports[0][1]
