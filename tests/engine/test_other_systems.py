"""Facilities that only Linux has, each switched off: the same results, and nothing is left (docs/portability.md).

tests/cli/test_as_typed.py switches off strace, tests/engine/test_killed_from_outside.py the counter in /proc/vmstat.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.support.stage import Stage, eventually
from wynot.commands.recordings import x11_replay
from wynot.commands.trace import checkpointed_replay
from wynot.engine.executors import local, orphans, process, sandbox
from wynot.engine.files import opened_files, output_folder, removal
from wynot.pytest_plugin import suite_state

ABSENT = "/wynot-absent"
ELSEWHERE = SimpleNamespace(platform="darwin")
Patch = pytest.MonkeyPatch


def no_prctl(patch: Patch) -> None:
    """Neither adoption of orphans, nor limits of other processes."""
    patch.setattr(orphans, "sys", ELSEWHERE)


def no_proc(patch: Patch) -> None:
    patch.setattr(orphans, "_PROC", ABSENT)
    patch.setattr(local, "_idle", lambda: None)
    patch.setattr(sandbox, "_COUNTERS", f"{ABSENT}/vmstat")
    patch.setattr(removal, "_LIST", f"{ABSENT}/self/mountinfo")
    patch.setattr(removal, "_mounts", removal._Mounts())


def no_pidfd(patch: Patch) -> None:
    patch.delattr(os, "pidfd_open", raising=False)


def no_waitid(patch: Patch) -> None:
    """As on macOS before Python 3.13."""
    no_pidfd(patch)
    patch.delattr(os, "waitid", raising=False)


def no_memfd(patch: Patch) -> None:
    patch.delattr(os, "memfd_create", raising=False)


def no_sched(patch: Patch) -> None:
    patch.setattr(process, "give_way", lambda: None)
    patch.delattr(os, "sched_getaffinity", raising=False)


def no_memory_folder(patch: Patch) -> None:
    patch.delenv("WYNOT_TMP")
    patch.setattr(sandbox, "_MEMORY", f"{ABSENT}/shm")


def no_renameat2(patch: Patch) -> None:
    patch.setattr(output_folder, "ctypes", SimpleNamespace(CDLL=lambda _: SimpleNamespace()))


def no_inotify(patch: Patch) -> None:
    patch.setattr(opened_files, "sys", ELSEWHERE)


SWITCHES = (
    no_prctl, no_proc, no_pidfd, no_waitid, no_memfd, no_sched, no_memory_folder, no_renameat2, no_inotify,
)  # fmt: skip


def without_all(patch: Patch) -> None:
    for switch in SWITCHES:
        switch(patch)


@pytest.mark.parametrize("switch", [*SWITCHES, without_all], ids=lambda switch: switch.__name__)
def test_the_result_is_the_same(stage: Stage, monkeypatch: Patch, switch: Callable[[Patch], None]) -> None:
    """Of a file on standard input, with two jobs, and of a folder whose earlier result is replaced."""
    stage.file("in.txt", "".join(f"line {number}\n" for number in range(8)) + "bug\n")
    (stage.work / "many").mkdir()
    for number in range(4):
        stage.file(f"many/{number}", "bug\n" if number == 2 else "no\n")
    stage.script("in_file", "! grep bug")
    stage.script("in_folder", '! grep -r bug "$1"')
    file = ("reduce", "in.txt", "-j", "2", "--json", "--fresh", "--", "./in_file")
    folder = ("reduce", "many", "--json", "--fresh", "--", "./in_folder", "{}")
    compared = ("minimality", "looked_for", "status")

    def answers() -> list[object]:
        found: list[object] = []
        for words in (file, folder):
            done = stage.here(*words)
            assert done.code == 0, done.err
            found.append({name: done.json[name] for name in compared})
        found.append((stage.work / "in.reduced.txt").read_bytes())
        found.append({str(path.name): path.read_bytes() for path in (stage.work / "many.reduced").iterdir()})
        return found

    expected = answers()
    assert expected[2:] == [b"bug", {"2": b"bug"}]
    switch(monkeypatch)
    assert answers() == expected
    assert list(stage.tmp.iterdir()) == []
    assert not [path.name for path in stage.work.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("switch", [no_pidfd, no_waitid], ids=lambda switch: switch.__name__)
def test_a_hang_is_ended(stage: Stage, monkeypatch: Patch, switch: Callable[[Patch], None]) -> None:
    """A thread that waits for a process does not keep wynot from killing it."""
    stage.file("in.txt", "a\nbug\nb\n")
    stage.script("hang", 'grep -q bug "$1" && exec sleep 1000; exit 0')
    switch(monkeypatch)
    done = stage.here("reduce", "in.txt", "--fail-if-hang", "0.3s", "--", "./hang", "{}")
    assert done.code == 0, done.err
    assert (stage.work / "in.reduced.txt").read_bytes() == b"bug"
    stage.assert_clean()


KILLED = """
import sys
from types import SimpleNamespace
from wynot.engine.executors import orphans
from wynot.cli.main import main
orphans.sys, orphans._PROC = SimpleNamespace(platform="darwin"), "/wynot-absent"
main()
"""


def test_without_proc_the_guardian_removes_the_work_folder(stage: Stage) -> None:
    """It did not: that there is no list of processes ended it. The hanging test itself goes on."""
    stage.file("in.txt", "all\n" + "line\n" * 9)
    stage.script("check", f'grep -q all "$1" && exit 0\necho >> {stage.folder}/log\nsleep 1000')
    words = ("reduce", "in.txt", "--test", "./check", "--timeout", "1000s")
    started = stage.program(sys.executable, "-c", KILLED, *words)
    eventually(lambda: stage.log, "a test hangs")
    assert list(stage.tmp.iterdir())
    started.kill()
    stage.ended(started)
    eventually(lambda: not list(stage.tmp.iterdir()), "the work folder is gone")


def test_without_adoption_programs_are_started_for_each_test(stage: Stage, monkeypatch: Patch) -> None:
    monkeypatch.setattr(orphans, "sys", ELSEWHERE)
    stage.file("in.txt", "a\nbug\nb\n")
    stage.python("find.py", "import sys\nsys.exit('bug' in open(sys.argv[1]).read())")
    done = stage.here("reduce", "in.txt", "--server", "--", sys.executable, "find.py", "{}")
    assert "this system has no processes that adopt others" in done.err
    assert (stage.work / "in.reduced.txt").read_bytes() == b"bug"


def test_without_checkpoints_a_trace_is_reduced(stage: Stage, monkeypatch: Patch) -> None:
    stage.file("prog.py", "a = 1\nb = 2\nc = a + 1\nassert c == 3, c\n")
    found = []
    for _ in range(2):
        done = stage.here("trace", "--json", "--fresh", "--", sys.executable, "prog.py")
        assert done.code == 0, done.err
        found.append([done.json[name] for name in ("minimality", "looked_for", "lines")])
        monkeypatch.setattr(checkpointed_replay, "sys", ELSEWHERE)
    assert found[0] == found[1]


def test_displays_of_living_servers_are_not_stale(tmp_path: Path, monkeypatch: Patch) -> None:
    """Without /proc, too: all of them were taken for stale there."""
    monkeypatch.setattr(x11_replay, "_LOCKS", tmp_path)
    ended = subprocess.Popen(["true"])
    ended.wait()
    (tmp_path / ".X7-lock").write_text(f"{os.getpid():10}\n")
    (tmp_path / ".X8-lock").write_text(f"{ended.pid:10}\n")
    assert x11_replay.stale_displays() == {"8"}


def test_without_proc_no_listening_socket_is_known(monkeypatch: Patch) -> None:
    monkeypatch.setattr(suite_state, "Path", lambda path: Path(str(path).replace("/proc", ABSENT)))
    assert suite_state.listening() == frozenset()
