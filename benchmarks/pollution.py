"""Which earlier test makes a test fail? Processes that `pytest --wynot-order` and detect-test-pollution need.

A suite of 300 tests; one polluter at several places, and a pair of polluters (which detect-test-pollution cannot find).
Every pytest process that runs tests writes a line; those that only collect are counted apart.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

COUNT = 300
VICTIM = f"test_it.py::test_{COUNT - 1}"
CONFTEST = """
import pathlib
def pytest_collection_finish(session):
    kind = "collect" if session.config.option.collectonly else "run"
    with pathlib.Path(__file__).with_name("log").open("a") as file:
        file.write(kind + "\\n")
"""


def write(folder: Path, polluters: tuple[int, ...]) -> None:
    lines = ["state = set()"]
    for number in range(COUNT - 1):
        body = f"state.add({number})" if number in polluters else "pass"
        lines.append(f"def test_{number}(): {body}")
    lines.append(f"def test_{COUNT - 1}(): assert not {{{', '.join(map(str, polluters))}}} <= state")
    (folder / "test_it.py").write_text("\n".join(lines) + "\n")
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "pytest.ini").write_text("[pytest]\n")


def measured(polluters: tuple[int, ...], command: list[str]) -> tuple[str, int, int, float]:
    with tempfile.TemporaryDirectory(prefix="wynot-bench-") as name:
        folder = Path(name)
        write(folder, polluters)
        begun = time.perf_counter()
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        seconds = time.perf_counter() - begun
        log = (folder / "log").read_text().split() if (folder / "log").exists() else []
        text = done.stdout + done.stderr
        found = all(f"test_it.py::test_{number}" in text.rpartition("-> running")[2] for number in polluters)
        crashed = "Traceback" in text or "AssertionError: unreachable" in text
        return "found" if found and not crashed else "not found", log.count("run"), log.count("collect"), seconds


def main() -> None:
    wynot = [sys.executable, "-m", "pytest", "-p", "wynot.pytest_plugin", "-q", "--wynot-order"]
    peer = [str(Path(sys.executable).with_name("detect-test-pollution")), "--tests", ".", "--failing-test", VICTIM]
    print("| polluters | tool | result | pytest processes that run tests | that collect | s |")
    print("|---|---|---|---|---|---|")
    for polluters in ((5,), (57,), (150,), (298,), (57, 193)):
        for tool, command in (("wynot", wynot), ("detect-test-pollution", peer)):
            result, runs, collects, seconds = measured(polluters, command)
            print(f"| {', '.join(map(str, polluters))} | {tool} | {result} | {runs} | {collects} | {seconds:.1f} |")


if __name__ == "__main__":
    main()
