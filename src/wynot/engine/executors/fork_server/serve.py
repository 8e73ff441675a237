"""`--server`: keep a Python program ready, if it then does with the input what it does when it is started.

Runs of the input decide: started as always; forked with nothing imported before, to see what it imports; forked after
all of that was imported; and judged by the oracle. If it does not end as it did, programs are started as always.
"""

from __future__ import annotations

import json
import os
import tempfile

from wynot.core.artifact import Artifact, Content, digest
from wynot.core.call import Call
from wynot.core.outcome import FAIL, UNRESOLVED
from wynot.core.run_events import Listener, Note
from wynot.engine.executors.fork_server.fork_client import ForkServer
from wynot.engine.executors.fork_server.forkable_program import ForkableProgram, python_program
from wynot.engine.executors.local import LocalExecutor
from wynot.engine.executors.program_executor import ProgramExecutor
from wynot.oracles.command import Command
from wynot.oracles.failure_rate import RepeatedOracle
from wynot.oracles.protocol import Examination, Examiner, Oracle, ProcessExit, Report


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
    executor.forks = ForkServer(program, executor.env, modules)
    reason = executor.forks.trouble
    if not reason:
        forked = _ended(executor, command, data)
        same = (forked.exit, forked.signal) == (fresh.exit, fresh.signal)
        if not same or (
            not isinstance(executor.oracle, RepeatedOracle)
            and _asked(executor, executor.oracle, data).outcome is not FAIL
        ):
            reason = f"forked, it ends otherwise ({forked}, not {fresh})"
    if reason:
        executor.forks.close()
        executor.forks = None
    return reason


def _imports(
    executor: LocalExecutor, command: Command, program: ForkableProgram, data: Content
) -> tuple[str, ...] | None:
    """The modules that the program imports on this input, but for those among what is tested; None if nobody knows."""
    executor.forks = forks = ForkServer(program, executor.env)
    try:
        if forks.trouble:
            return None
        with tempfile.TemporaryFile() as record:
            forks.record = record.fileno()
            _ended(executor, command, data)
            record.seek(0)
            said = record.read()
    finally:
        executor.forks = None
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
    executor.examiner = examiner
    try:
        executor.submit(digest(data), data)
        while not (reports := executor.wait()):
            pass
    finally:
        executor.examiner = None
    return reports[0][1]
