"""`--server`: fork a prepared Python interpreter for each test instead of starting one."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path, PurePath
from typing import NamedTuple

from wynot.core.artifact import Artifact, Content, digest
from wynot.core.call import Call
from wynot.core.outcome import FAIL, UNRESOLVED
from wynot.core.run_events import Listener, Note
from wynot.engine.executors.executor import ProgramExecutor, TestSettings
from wynot.engine.executors.local import LocalExecutor
from wynot.engine.executors.orphans import mark_process
from wynot.errors import PlaceError
from wynot.oracles.command import Command
from wynot.oracles.failure_rate import RepeatedOracle
from wynot.oracles.protocol import HOLE, Examination, Examiner, Oracle, ProcessExit, Report

_PYTHON = re.compile(r"python(3(\.\d+)?)?")
_FIRST_LINE = re.compile(r"#!\s*(/\S*/python(?:3(?:\.\d+)?)?)((?: -[bBdEIOPsSu]+)?)")
_FLAGS = re.compile(r"-[bBdEIOPsSu]+")


class ForkableProgram(NamedTuple):
    """A Python program: what runs it, a script or a module, and where its own words begin."""

    python: tuple[str, ...]
    """The interpreter, with its options."""
    kind: str
    name: str
    words: tuple[str, ...]
    """The command, up to where what the program itself is given begins."""

    @property
    def first(self) -> int:
        """The place of the first word that the program itself is given."""
        return len(self.words)


def python_program(argv: tuple[str, ...]) -> ForkableProgram | str:
    """The Python program that a command runs; or why there is none that could be kept ready.

    >>> python_program(("python3", "-O", "/a/prog.py", "{}", "-v"))
    ForkableProgram(python=('python3', '-O'), kind='script', name='/a/prog.py', words=('python3', '-O', '/a/prog.py'))
    >>> python_program(("python3", "-m", "json.tool", "{}")).name
    'json.tool'
    >>> python_program(("python3", "{}"))
    'the program itself is the input'
    """
    if not _PYTHON.fullmatch(PurePath(argv[0]).name):
        return _script(argv[0])
    at = 1
    while at < len(argv) and (_FLAGS.fullmatch(argv[at]) or argv[at] in {"-X", "-W"}):
        at += 2 if argv[at] in {"-X", "-W"} else 1
    if at >= len(argv):
        return "the command names no program"
    if HOLE in argv[at] or (argv[at] == "-m" and at + 1 < len(argv) and HOLE in argv[at + 1]):
        return "the program itself is the input"
    if argv[at] == "-m" and at + 1 < len(argv):
        return ForkableProgram(argv[:at], "module", argv[at + 1], argv[: at + 2])
    if argv[at].startswith("-"):
        return f"its option {argv[at]} is not known here"
    return ForkableProgram(argv[:at], "script", argv[at], argv[: at + 1])


def _script(word: str) -> ForkableProgram | str:
    """A program whose first line names a Python."""
    found = shutil.which(word)
    try:
        with open(found or word, "rb") as file:  # noqa: PTH123
            first = file.readline(1000)
    except OSError:
        first = b""
    named = _FIRST_LINE.fullmatch(os.fsdecode(first).rstrip())
    if named is None or found is None:
        return f"{word} is not python"
    return ForkableProgram((named[1], *named[2].split()), "script", found, (word,))


# The executor's end of a fork server: starts it, and has it start programs.


_ZYGOTE = str(Path(__file__).with_name("zygote.py"))
_PATIENCE = 60.0
Env = dict[bytes, bytes]


class ForkedProcess:
    """A process that is ours by adoption; as much of `subprocess.Popen` as the executor uses."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None

    def wait(self) -> int:
        """Its exit code, or minus the signal that ended it."""
        if self._code is None:
            self._code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self._code


class ForkServer:
    """A fork server for one program. Whoever starts it must adopt orphans (engine.executors.orphans)."""

    def __init__(self, program: ForkableProgram, env: Env, preload: tuple[str, ...] = ()) -> None:
        self.program = program
        self.record: int | None = None
        """Where the next program is to say which modules it has imported."""
        ours, theirs = socket.socketpair()
        self._channel = ours
        ours.settimeout(_PATIENCE)
        given = json.dumps([program.kind, program.name, preload])
        with theirs:
            self._process = subprocess.Popen(
                (*program.python, _ZYGOTE, str(theirs.fileno()), given),
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        try:
            line = self._line()
        except OSError:
            line = b""
        except BaseException:  # a signal may come at any moment
            self.close()
            raise
        self.trouble: str = json.loads(line) if line else "it could not be started"
        """What speaks against it; nothing if it is ready."""

    @property
    def pid(self) -> int:
        """The server's own process."""
        return self._process.pid

    def _line(self) -> bytes:
        data = bytearray()
        while not data.endswith(b"\n"):
            piece = self._channel.recv(4096)
            if not piece:
                return b""
            data += piece
        return bytes(data)

    def serves(self, argv: tuple[str, ...]) -> bool:
        """Whether this command is to be started here."""
        return argv[: self.program.first] == self.program.words

    def start(
        self, words: tuple[str, ...], folder: str, env: Env, memory: int | None, files: tuple[int, ...]
    ) -> ForkedProcess:
        """Start the program with these words in this folder: input, output and errors go to these files."""
        mark_process(self.pid, env)
        name = self.program.name
        call = {
            "argv": [name if self.program.kind == "script" else "-m", *words[self.program.first :]],
            "folder": folder,
            "env": [(key.hex(), value.hex()) for key, value in env.items()],
            "memory": memory,
        }
        body = json.dumps(call).encode()
        try:
            more = () if self.record is None else (self.record,)
            socket.send_fds(self._channel, [len(body).to_bytes(8, "big")], [*files, *more])
            self._channel.sendall(body)
            line = self._line()
        except OSError:
            line = b""
        if not line.strip():
            raise PlaceError(f"the fork server of {name} has died", "leave out --server")
        return ForkedProcess(int(line))

    def close(self) -> None:
        """End the server."""
        self._channel.close()
        with contextlib.suppress(OSError):
            self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()


# `--server`: keep a Python program ready, if it then does with the input what it does when it is started.
#
# Runs of the input decide: started as always; forked with nothing imported before, to see what it imports; forked after
# all of that was imported; and judged by the oracle. If it does not end as it did, programs are started as always.


def serve(executor: ProgramExecutor, data: Content, listener: Listener) -> None:
    """Have the program forked from now on; or say in one line why not."""
    reason = _ready(executor, data)
    if reason:
        listener(Note(f"--server: programs are started anew for each test: {reason}"))
    else:
        listener(Note("--server: the program is kept ready, and forked for each test"))


def _ready(executor: ProgramExecutor, data: Content) -> str:
    """Make it ready; gives what speaks against it, or nothing."""
    if not isinstance(executor, LocalExecutor):
        return "tests run on a cluster"
    if not executor.adopts:
        return "this system has no processes that adopt others"
    oracle: Oracle = executor.oracle
    command = oracle.inner if isinstance(oracle, RepeatedOracle) else oracle
    if not isinstance(command, Command) or command.inside or isinstance(data, Call):
        return "that takes a plain command: python PROGRAM {}"
    program = python_program(command.argv)
    if isinstance(program, str):
        return program
    return _tried(executor, command, program, data)


def _tried(executor: LocalExecutor, command: Command, program: ForkableProgram, data: Content) -> str:
    fresh = _ended(executor, command, data)
    modules = _imports(executor, command, program, data)
    if modules is None:
        return "what it imports could not be found out"
    forks = ForkServer(program, executor.env, modules)
    executor.fork_from(forks)
    reason = forks.trouble
    if not reason:
        forked = _ended(executor, command, data)
        same = (forked.exit, forked.signal) == (fresh.exit, fresh.signal)
        if not same or (
            not isinstance(executor.oracle, RepeatedOracle)
            and _asked(executor, executor.oracle, data).outcome is not FAIL
        ):
            reason = f"forked, it ends differently ({forked}, not {fresh})"
    if reason:
        forks.close()
        executor.fork_from(None)
    return reason


def _imports(
    executor: LocalExecutor, command: Command, program: ForkableProgram, data: Content
) -> tuple[str, ...] | None:
    """The modules that the program imports on this input, but for those among what is tested; None if nobody knows."""
    forks = ForkServer(program, executor.env)
    executor.fork_from(forks)
    try:
        if forks.trouble:
            return None
        with tempfile.TemporaryFile() as record:
            forks.record = record.fileno()
            _ended(executor, command, data)
            record.seek(0)
            said = record.read()
    finally:
        executor.fork_from(None)
        forks.close()
    own = {"__main__", "__mp_main__", program.name, f"{program.name}.__main__"}
    found = json.loads(said) if said else []
    return tuple(n for n, file in found if n not in own and not _below(file, executor.root)) if said else None


def _below(file: object, root: str) -> bool:
    return isinstance(file, str) and os.path.realpath(file).startswith(f"{os.path.realpath(root)}/")


class _Watcher:
    """Runs a command and keeps how it ended."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self.ended = ProcessExit(None)

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Run it."""
        self.ended = yield self._command.invocation(artifact, folder)
        return Report(UNRESOLVED)


def _ended(executor: LocalExecutor, command: Command, data: Content) -> ProcessExit:
    watcher = _Watcher(command)
    _asked(executor, watcher, data)
    return watcher.ended


def _asked(executor: LocalExecutor, examiner: Examiner, data: Content) -> Report:
    """One examination, of which nobody else hears."""
    executor.submit(digest(data), data, TestSettings(examiner))
    while not (reports := executor.wait()):
        pass
    return reports[0][1]
