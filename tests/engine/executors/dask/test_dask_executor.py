"""Tests on a cluster of real processes: the same results as here, whatever happens to the workers."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.support.dask_cluster import Dask, certificates, cluster
from tests.support.stage import Stage, eventually, open_stage
from wynot.cli.main import main
from wynot.commands.reduce.reduction import reduce
from wynot.core.outcome import UNRESOLVED
from wynot.core.run_events import Caution, Event, Note, Request, Unattended
from wynot.engine.executors.dask.dask_client import Cluster
from wynot.engine.run_options import Options
from wynot.errors import BudgetEnded, Stopped
from wynot.oracles.script import Script

pytest.importorskip("distributed")

LINES = [f"line {number}" for number in range(60)]
INPUT = "\n".join(line + (" bad" if number in {7, 30, 31} else "") for number, line in enumerate(LINES)) + "\n"
THREE = 'test $(grep -c bad "$1") -ge 3'


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Stage, Dask]]:
    """A stage with a cluster, for all tests of this file; one that does harm has to make it good."""
    with (
        open_stage(tmp_path_factory.mktemp("cluster")) as stage,
        pytest.MonkeyPatch.context() as patch,
        cluster(stage) as dask,
    ):
        for name, value in stage.changed.items():
            patch.setenv(name, value)
        patch.chdir(stage.work)
        stage.file("input.txt", INPUT)
        yield stage, dask


def wynot(*words: object) -> Any:
    """Run a command in this process: what it says of itself."""
    done = CliRunner().invoke(main, [*map(str, words), "--fresh", "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def reduced(test: Path, *more: str) -> tuple[bytes, Any]:
    found = wynot("reduce", "input.txt", "--test", test, "-o", "out.txt", "--atoms", "lines", *more)
    return Path("out.txt").read_bytes(), found


def test_the_same_result_for_the_same_tests_with_losers_killed(running: tuple[Stage, Dask]) -> None:
    stage, dask = running
    test = stage.script("three", f"sleep 0.05; {THREE}")
    alone, cost = reduced(test, "-j", "2")
    found, there = reduced(test, "--cluster", dask.address)
    assert found == alone
    assert (there["needed"], there["outcomes"]) == (cost["needed"], cost["outcomes"])
    assert there["killed"] > 0
    assert dask.tests() == []


def test_a_worker_dies_and_another_joins(running: tuple[Stage, Dask]) -> None:
    stage, dask = running
    test = stage.script("three", f"sleep 0.05; {THREE}")
    answers: list[Event] = []

    def harm(event: Event) -> None:
        answers.append(event)
        if len(answers) == 15:
            dask.kill()
            dask.add()

    data = INPUT.encode()
    alone = reduce(data, Script(str(test)), Options(atoms="lines"))
    found = reduce(data, Script(str(test)), Options(atoms="lines", cluster=Cluster(dask.address), listener=harm))
    assert found.data == alone.data
    assert found.cost.counts.needed == alone.cost.counts.tests > 15


def test_a_test_that_takes_its_hand_down_is_unresolved(running: tuple[Stage, Dask]) -> None:
    """And only that one: those that went down with it are run again."""
    stage, dask = running
    hand = "grep -q dask.worker_process /proc/$PPID/cmdline"  # killed by another one, it is not our parent any more
    test = stage.script("deadly", f'test $(wc -l < "$1") = 30 && {{ {hand} && kill -9 $PPID; sleep 9; }}; {THREE}')
    calm = stage.script("calm", f'test $(wc -l < "$1") = 30 && exit 125; {THREE}')
    told: list[Event] = []
    alone = reduce(INPUT.encode(), Script(str(calm)), Options("ddmin", "lines"))
    where = Options("ddmin", "lines", cluster=Cluster(dask.address), listener=told.append)
    found = reduce(INPUT.encode(), Script(str(test)), where)
    assert found.data == alone.data
    assert found.cost.counts.outcomes == alone.cost.counts.outcomes
    warned = [event for event in told if isinstance(event, Caution)]
    assert alone.cost.counts.outcomes[UNRESOLVED] > 0
    assert warned
    assert all("kills every worker" in event.message for event in warned)
    eventually(lambda: not list(stage.tmp.iterdir()), "the guardian has cleaned up")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_test_outlives_the_client(running: tuple[Stage, Dask], how: signal.Signals) -> None:
    stage, dask = running
    test = stage.script("hang", f"grep -q 'line 59' \"$1\" || exec sleep 1000; {THREE}")
    process = stage.start("reduce", "input.txt", "--test", test, "-o", "out.txt", "--fresh", "--cluster", dask.address)
    eventually(lambda: any(_sleeps(pid) for pid in dask.tests()), "a test hangs there")
    process.send_signal(how)
    done = stage.ended(process)
    eventually(lambda: not any(_sleeps(pid) for pid in dask.tests()), "it is killed")
    if how is signal.SIGINT:
        assert done.code == 130, done.err
        eventually(lambda: not dask.tests(), "its hand ends")


def _sleeps(pid: int) -> bool:
    try:
        return b"sleep\x001000" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def test_limits_hold_there(running: tuple[Stage, Dask]) -> None:
    stage, dask = running
    test = stage.script("slow", f'test $(wc -l < "$1") = 30 && exec sleep 1000; {THREE}')
    words = ("--timeout", "2s", "--algorithm", "ddmin")
    alone, cost = reduced(test, *words)
    found, there = reduced(test, *words, "--cluster", dask.address)
    assert found == alone
    assert (there["needed"], there["outcomes"]) == (cost["needed"], cost["outcomes"])
    assert cost["outcomes"]["unresolved"] > 0


def test_a_program_that_only_the_client_has(running: tuple[Stage, Dask], monkeypatch: pytest.MonkeyPatch) -> None:
    stage, dask = running
    tool = stage.script("only_here", "exit 1")
    monkeypatch.setenv("PATH", f"{stage.work}:/usr/bin:/bin")
    done = CliRunner().invoke(main, ["reduce", "input.txt", "--cluster", dask.address, "--", tool.name, "{}"])
    assert done.exit_code == 2
    assert "wynot: cannot run only_here: no such program" in done.stderr
    assert "(on " in done.stderr


def test_isolate_options_and_changes(running: tuple[Stage, Dask]) -> None:
    stage, dask = running
    where = ("--cluster", dask.address)
    test = stage.script("three", THREE)
    here, there = (wynot("isolate", "input.txt", "--atoms", "lines", "--test", test, *w) for w in ((), where))
    assert (there["needed"], there["difference"]) == (here["tests"], here["difference"])
    words = stage.script("words", 'case "$*" in *-x*-y*) exit 0;; esac; exit 1')
    call = ("--json", "--fresh", "--test", words, "--", "true", "-a", "-x", "-b", "-y", "-c")
    here, there = (
        json.loads(CliRunner().invoke(main, ["options", *map(str, (*w, *call))]).stdout) for w in ((), where)
    )
    assert there["causes"] == here["causes"]
    for name, text in (("old", ""), ("new", "bad\n")):
        (stage.work / name).mkdir(exist_ok=True)
        stage.file(f"{name}/a.txt", f"one\n{text}two\n")
        stage.file(f"{name}/b.txt", f"one\n{text.upper()}two\n")
    test = stage.script("fails", 'grep -rq bad "$1"')
    here, there = (wynot("changes", "old", "new", "--test", test, "-o", "found.patch", *w) for w in ((), where))
    assert there["breaks"] == here["breaks"]
    assert there["breaks"][0]["path"] == "a.txt"


def test_tls(tmp_path: Path) -> None:
    """Who has the certificate may have tests run; who has not is told so in one line."""
    pytest.importorskip("cryptography")
    files = certificates(tmp_path)
    words = ("--tls-ca-file", files["ca"], "--tls-cert", files["cert"], "--tls-key", files["key"])
    with open_stage(tmp_path) as stage, cluster(stage, "tls", *words, workers=1) as dask:
        stage.file("input.txt", INPUT)
        test = stage.script("three", THREE)
        named = [word for name in files for word in (f"--cluster-tls-{name}", files[name])]
        done = stage.wynot(
            "reduce", "input.txt", "--test", test, "--atoms", "lines", "--json", "--cluster", dask.address, *named
        )
        assert done.code == 0, done.err
        assert done.json["runs"] >= done.json["tests"] > 0
        done = stage.wynot("reduce", "input.txt", "--test", test, "--cluster", dask.address)
        assert done.code == 2
        connecting, told, _ = done.err.splitlines()
        assert connecting == f"connecting to the cluster at {dask.address} ..."
        assert told.startswith(f"wynot: no cluster answers at {dask.address}: ")


def test_local_workers_leave_nothing(tmp_path: Path) -> None:
    with open_stage(tmp_path) as stage:
        stage.file("input.txt", INPUT)
        test = stage.script("three", f"sleep 0.02; {THREE}")
        words = ("reduce", "input.txt", "--test", test, "--atoms", "lines", "--fresh")
        done = stage.wynot(*words, "--cluster", "local:2")
        assert done.code == 0, done.err
        assert "on the cluster at local:2: 2 tests at once by 2 workers" in done.err
        assert (stage.work / "input.reduced.txt").read_text() == "line 7 bad\nline 30 bad\nline 31 bad\n"
        assert "Traceback" not in done.err
        stage.assert_clean()
        process = stage.start(*words, "--cluster", "local:1", start_new_session=True)
        eventually(lambda: list(stage.tmp.iterdir()), "tests run")
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to the workers, too
        done = stage.ended(process)
        assert done.code == 130
        assert "Traceback" not in done.err
        assert done.err.splitlines()[-2] == "wynot: interrupted"
        stage.assert_clean()
        process = stage.start(*words, "--cluster", "local:1", stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        eventually(lambda: list(stage.tmp.iterdir()), "tests run")
        time.sleep(0.2)
        process.kill()
        process.wait()
        eventually(lambda: not stage.living(), "all end with their client")
        stage.assert_clean()


class Impatient(Unattended):
    """Whoever presses `s` after a while."""

    asked = 0

    def wish(self, wait: float = 0.0) -> Request:
        self.asked += 1
        return Request.STOP if self.asked == 3 else Request.GO_ON


def test_waiting_for_the_first_worker_ends_with_the_budget_or_a_key(stage: Stage) -> None:
    told: list[Event] = []
    script = Script(str(stage.script("check", 'grep -q bad "$1"')))
    with cluster(stage, workers=0) as dask:
        there = Cluster(dask.address)
        with pytest.raises(BudgetEnded, match=r"the time budget of 0.5 s is used up"):
            reduce(b"bad\n", script, Options(cluster=there, budget_time=0.5))
        with pytest.raises(Stopped, match="stopped before anything was tested"):
            reduce(b"bad\n", script, Options(cluster=there, controls=Impatient(), listener=told.append))
    said = [event.message for event in told if isinstance(event, Note)]
    assert said[0] == f"connecting to the cluster at {there.address} ..."
    assert said[1].startswith("waiting for a worker to join")


def test_local_workers_listen_for_tls_only(stage: Stage) -> None:
    """A port that is open without TLS sends an answer to HTTP; one with TLS does not."""
    stage.file("input.txt", INPUT)
    words = ("reduce", "input.txt", "--test", stage.script("slow", f"sleep 0.5; {THREE}"), "--cluster", "local:2")
    process = stage.start(*words, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        eventually(lambda: list(stage.tmp.iterdir()), "tests run")
        ports = listening(stage.living())
        assert len(ports) >= 3, "a scheduler, and two workers"
        assert [port for port in ports if _answers_plainly(port)] == []
    finally:
        process.send_signal(signal.SIGINT)
        stage.ended(process)


def listening(pids: list[int]) -> list[int]:
    """The TCP ports on which processes listen."""
    own = set()
    for pid in pids:
        with contextlib.suppress(OSError):
            own |= {str(each.readlink()) for each in Path(f"/proc/{pid}/fd").iterdir()}
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return [int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in own]


def _answers_plainly(port: int) -> bool:
    answer = b""
    with socket.create_connection(("127.0.0.1", port), 5) as asking, contextlib.suppress(OSError):
        asking.sendall(b"GET / HTTP/1.0\r\n\r\n")
        answer = asking.recv(5)
    return answer.startswith(b"HTTP")
