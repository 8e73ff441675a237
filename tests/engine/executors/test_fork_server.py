"""A forked program does what a started one does: exit codes, signals, what it prints, what it sees of the world."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.stage import Stage, command_line, eventually
from wynot.commands.reduce.reduction import reduce
from wynot.core.artifact import Artifact, Content
from wynot.core.outcome import FAIL
from wynot.core.run_events import Event, Note
from wynot.engine.executors.fork_server import ForkServer, _ended, python_program, serve
from wynot.engine.executors.local import LocalExecutor
from wynot.engine.executors.sandbox import Limits
from wynot.engine.run_options import Options
from wynot.oracles.command import Command
from wynot.oracles.protocol import Examination, ProcessExit, Report

Benches = Callable[..., LocalExecutor]

PROGRAMS = {
    "exit code": "import sys; sys.exit(int(open(sys.argv[1]).read()) + 3)",
    "exit by a message": "import sys; sys.exit('no ' + open(sys.argv[1]).read())",
    "exit by nothing": "raise SystemExit",
    "exit early": "import os; print('lost', end=''); os._exit(7)",
    "uncaught": "def f(x):\n    return 1 / x\n\nimport sys\nf(int(open(sys.argv[1]).read()))",
    "chained": "try:\n    {}['a']\nexcept KeyError as e:\n    raise ValueError('b') from e",
    "uncaught in a module": "import json; json.loads('{')",
    "syntax error": "x = = 1",
    "recursion": "def f(): f()\nf()",
    "a hook of its own": "import sys\nsys.excepthook = lambda *a: print('hooked', a[0].__name__)\n1 / 0",
    "signal": "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
    "abort": "import os; print('x'); os.abort()",
    "interrupt": "raise KeyboardInterrupt",
    "output": "import sys; print('out'); print('err', file=sys.stderr); sys.stdout.write('no newline')",
    "argv": "import sys; print([a.rpartition('/')[2] for a in sys.argv], sys.argv[0], len(sys.orig_argv) > 0)",
    "cwd": "import os; print(os.getcwd(), sorted(os.listdir('.')))",
    "env": "import os; print(sorted((k, v) for k, v in os.environ.items() if k not in {'WYNOT_TEST', '_'}))",
    "stdin": "import sys; print(repr(sys.stdin.read()), sys.stdin.isatty(), sys.stdin.encoding)",
    "streams": "import sys; print([(s.encoding, s.errors, s.line_buffering) for s in (sys.stdout, sys.stderr)])",
    "atexit": "import atexit; atexit.register(print, 'bye'); 1 / 0",
    "threads": "import threading, time\nthreading.Timer(.05, print, ['late']).start()\nprint('end')",
    "main": "import __main__ as m; print(__name__, __file__, __spec__, __package__, __doc__, vars(m) is globals())",
    "names": "print(sorted(globals()))",
    "path": "import sys; print(sys.path, sys.flags, sys.dont_write_bytecode)",
    "its own module": "import beside; print(beside.VALUE, beside.__file__)",
    "session": "import os; print(os.getsid(0) == os.getpid(), os.getpgid(0) == os.getpid())",
    "files": "import os; print(sorted(os.listdir('/proc/self/fd'))[:3])",
    "temp": "import tempfile, os; print(tempfile.gettempdir() == os.environ['TMPDIR'])",
    "children": "import subprocess; print(subprocess.run(['echo', 'child'], capture_output=True).stdout)",
    "pool": "import multiprocessing as m\nprint(m.get_context('fork').Pool(1).map(abs, [-1]))",
    "warnings": "import warnings; warnings.warn('old')",
    "dataclass": "import dataclasses\n@dataclasses.dataclass\nclass A:\n    x: int\nprint(A(1))",
    "pickle": "import pickle\nclass A: pass\nprint(type(pickle.loads(pickle.dumps(A()))) is A)",
    "from the future": "from __future__ import annotations\ndef f(x: undefined): pass\nprint(f.__annotations__)",
}  # fmt: skip


def both(executors: Benches, argv: tuple[str, ...], data: Content = b"0") -> tuple[ProcessExit, ProcessExit, list[str]]:
    """How a command ends when it is started, and when it is forked; and what is said of it."""
    executor, command = executors(Command(argv)), Command(argv)
    fresh = _ended(executor, command, data)
    told: list[Event] = []
    executor.examine_with(Everything(argv))
    serve(executor, data, told.append)
    return fresh, _ended(executor, command, data), [event.message for event in told if isinstance(event, Note)]


class Everything(Command):
    """A command for which all is a failure."""

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        yield self.invocation(artifact, folder)
        return Report(FAIL)


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_if_started(stage: Stage, executors: Benches, name: str) -> None:
    stage.file("beside.py", "VALUE = 5")
    stage.file("prog.py", PROGRAMS[name])
    fresh, forked, told = both(executors, (sys.executable, "-B", str(stage.work / "prog.py"), "{}", "-x"))
    assert (forked.exit, forked.signal) == (fresh.exit, fresh.signal)
    assert forked.stderr.decode() == fresh.stderr.decode()
    assert forked.stdout.decode() == fresh.stdout.decode()
    if fresh.signal is None and name != "exit early":  # killed, it cannot say what it has imported
        assert told == ["--server: the program is kept ready, and forked for each test"]


def test_a_script_that_names_its_python(stage: Stage, executors: Benches) -> None:
    tool = stage.script("tool", "import sys; print(sys.argv, sys.path[0], __file__); 1 / 0", f"{sys.executable} -B")
    fresh, forked, told = both(executors, (str(tool), "{}"))
    assert (forked.exit, forked.stdout, forked.stderr) == (fresh.exit, fresh.stdout, fresh.stderr)
    assert "is kept ready" in told[0]


@pytest.mark.parametrize("data", [b'{"a": 1}', b"{", b""])
def test_modules(executors: Benches, data: bytes) -> None:
    fresh, forked, _ = both(executors, (sys.executable, "-m", "json.tool", "{}"), data)
    assert (forked.exit, forked.stdout, forked.stderr) == (fresh.exit, fresh.stdout, fresh.stderr)


def test_the_input_on_standard_input(stage: Stage, executors: Benches) -> None:
    prog = stage.file("prog.py", "import sys; print(sys.stdin.buffer.read()[::-1]); 1 / 0")
    fresh, forked, _ = both(executors, (sys.executable, str(prog)), b"abc" * 100_000)
    assert (forked.exit, forked.stdout, forked.stderr) == (fresh.exit, fresh.stdout, fresh.stderr)


def test_each_test_has_its_own_chance(stage: Stage, executors: Benches) -> None:
    prog = stage.file("prog.py", "import random; print(random.random())")
    executor, command = (
        executors(Command((sys.executable, str(prog), "{}"))),
        Command((sys.executable, str(prog), "{}")),
    )
    executor.examine_with(Everything(command.argv))
    serve(executor, b"", lambda _: None)
    assert executor.forks is not None
    assert len({_ended(executor, command, b"").stdout for _ in range(4)}) == 4


@pytest.mark.parametrize(
    ("body", "words", "why"),
    [
        ("import noisy", ["prog.py", "{}"], "print something"),
        ("import threaded", ["prog.py", "{}"], "start threads"),
        ("import sys, beside; sys.exit(beside.first)", ["prog.py", "{}"], "forked, it ends differently"),
        ("", ["{}"], "the program itself is the input"),
        ("", ["-c", "1 / 0", "{}"], "its option -c is not known here"),
    ],
)
def test_falls_back_with_one_line(stage: Stage, executors: Benches, body: str, words: list[str], why: str) -> None:
    stage.file("noisy.py", "print('noise')")
    stage.file("threaded.py", "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()")
    stage.file("beside.py", "import sys\nfirst = 5 if len(sys.argv) > 1 and sys.argv[1].endswith('.txt') else 6")
    stage.file("prog.py", body)
    argv = (sys.executable, *(str(stage.work / word) if word == "prog.py" else word for word in words))
    fresh, after, told = both(executors, argv)
    assert len(told) == 1
    assert why in told[0]
    assert (after.exit, after.stdout) == (fresh.exit, fresh.stdout)


def test_scripts_and_other_programs_are_started(executors: Benches) -> None:
    for command in (Command(("/bin/cat", "{}")), Command(("/usr/bin/env", "python3", "{}"))):
        told: list[Event] = []
        executor = executors(command)
        serve(executor, b"", told.append)
        assert "is not python" in str(told)


def test_limits_and_losers(stage: Stage, executors: Benches) -> None:
    """A forked program is killed like any other, with its children; memory is limited."""
    body = (
        "import sys, subprocess\nif open(sys.argv[1]).read() == 'hang':\n    subprocess.run(['sleep', '1000'])\n1 / 0"
    )
    prog = stage.file("prog.py", body)
    command = Command((sys.executable, str(prog), "{}"))
    executor = executors(command)
    executor.examine_with(Everything(command.argv))
    serve(executor, b"", lambda _: None)
    assert executor.forks is not None
    executor.limit_to(Limits(seconds=1))
    assert _ended(executor, command, b"hang").timed_out
    executor.submit(b"key", b"hang")
    executor.kill(b"key")
    assert executor.wait() == []
    executor.close()
    stage.assert_clean()


def test_an_interrupted_start_leaves_no_server(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []

    def interrupt(forks: ForkServer) -> bytes:
        started.append(forks.pid)
        raise KeyboardInterrupt

    monkeypatch.setattr(ForkServer, "_line", interrupt)
    program = python_program((sys.executable, str(stage.file("prog.py", "")), "{}"))
    assert not isinstance(program, str)
    with pytest.raises(KeyboardInterrupt):
        ForkServer(program, dict(os.environb))
    assert len(started) == 1
    assert not Path(f"/proc/{started[0]}").exists(), "it has ended, and was waited for"


def test_memory(stage: Stage, executors: Benches) -> None:
    prog = stage.file("prog.py", "import sys; x = bytes(int(open(sys.argv[1]).read()))")
    command = Command((sys.executable, str(prog), "{}"))
    executor = executors(command, limits=Limits(seconds=60, memory=1 << 30))
    executor.examine_with(Everything(command.argv))
    serve(executor, b"1", lambda _: None)
    assert executor.forks is not None
    assert b"MemoryError" in _ended(executor, command, str(2 << 30).encode()).stderr
    assert _ended(executor, command, b"1000").exit == 0


def test_a_search_finds_the_same(stage: Stage) -> None:
    prog = stage.file("prog.py", "import json, sys; assert 'bad' not in json.load(open(sys.argv[1]))")
    data = b"[" + b", ".join(b"%d" % number for number in range(40)) + b', "bad", 1]'
    command, told = Command((sys.executable, str(prog), "{}")), list[Event]()
    alone = reduce(data, command, Options(), name="in.json")
    for jobs in (1, 2):
        found = reduce(data, command, Options(server=True, jobs=jobs, listener=told.append), name="in.json")
        assert found.data == alone.data
        assert found.cost.counts.needed == alone.cost.counts.needed
    assert Note("--server: the program is kept ready, and forked for each test") in told
    stage.assert_clean()


def test_nothing_is_left_when_it_is_killed(stage: Stage) -> None:
    prog = stage.file("prog.py", "import time\ntime.sleep(.05); 1 / 0")
    stage.file("in.txt", "\n".join(map(str, range(200))))
    process = stage.start("reduce", "in.txt", "--server", "--atoms", "lines", "--", sys.executable, prog, "{}")
    eventually(lambda: any("zygote" in command_line(pid) for pid in stage.living()), "it serves")
    process.kill()
    process.communicate()
    eventually(lambda: not stage.living(), "all end")


def test_nothing_is_made_ready_where_all_is_known(stage: Stage) -> None:
    """A second run answers all from the journal, with two runs of the input and two after it: no server is tried."""
    log = stage.folder / "log"
    stage.file(
        "prog.py", f"import sys\nprint(file=open({str(log)!r}, 'a'))\nassert 'bug' not in open(sys.argv[1]).read()\n"
    )
    stage.file("in.txt", "one\nbug\ntwo\n")
    words = ("reduce", "in.txt", "--server", "--json", "--", sys.executable, "prog.py", "{}")
    first = stage.wynot(*words)
    assert "--server: the program is kept ready" in first.err
    count = len(log.read_text())
    again = stage.wynot(*words)
    assert (again.json["tests"], again.json["after"], len(log.read_text())) == (0, first.json["after"], count + 4)
    assert "--server" not in again.err
