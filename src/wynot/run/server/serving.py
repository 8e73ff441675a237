"""`--server`: keep a Python program ready, if it then does with the input what it does when it is started.

Runs of the input decide: started as always; forked with nothing imported before, to see what it imports; forked after
all of that was imported; and judged by the oracle. If it does not end as it did, programs are started as always.
"""

from __future__ import annotations

import json
import os
import tempfile

from wynot.core.artifact import Artifact, Content, digest
from wynot.core.events import Listener, Said
from wynot.core.outcome import FAIL, UNRESOLVED
from wynot.core.setting import Setting
from wynot.oracles.command import Command
from wynot.oracles.steady import Steady
from wynot.oracles.words import Ended, Examination, Examiner, Oracle, Report
from wynot.run.processes import ProcessBench
from wynot.run.programs import ProgramBench
from wynot.run.server.forks import Forks
from wynot.run.server.program import Program, python_program


def serve(bench: ProgramBench, data: Content, listener: Listener) -> None:
    """Have the program forked from now on; or say in one line why not."""
    reason = _ready(bench, data)
    if reason:
        listener(Said(f"--server: programs are started anew for each test: {reason}"))
    else:
        listener(Said("--server: the program is kept ready, and forked for each test"))


def _ready(bench: ProgramBench, data: Content) -> str:
    """Make it ready; gives what speaks against it, or nothing."""
    if not isinstance(bench, ProcessBench):
        return "tests run on a cluster"
    if not bench.adopts:
        return "this system has no processes that adopt others"
    oracle: Oracle = bench.oracle
    command = oracle.inner if isinstance(oracle, Steady) else oracle
    if not isinstance(command, Command) or command.inside or isinstance(data, Setting):
        return "that takes a plain command: python PROGRAM {}"
    program = python_program(command.argv)
    if isinstance(program, str):
        return program
    return _tried(bench, command, program, data)


def _tried(bench: ProcessBench, command: Command, program: Program, data: Content) -> str:
    fresh = _ended(bench, command, data)
    modules = _imports(bench, command, program, data)
    if modules is None:
        return "what it imports could not be found out"
    bench.forks = Forks(program, bench.env, modules)
    reason = bench.forks.trouble
    if not reason:
        forked = _ended(bench, command, data)
        same = (forked.exit, forked.signal) == (fresh.exit, fresh.signal)
        if not same or (not isinstance(bench.oracle, Steady) and _asked(bench, bench.oracle, data).outcome is not FAIL):
            reason = f"forked, it ends otherwise ({forked}, not {fresh})"
    if reason:
        bench.forks.close()
        bench.forks = None
    return reason


def _imports(bench: ProcessBench, command: Command, program: Program, data: Content) -> tuple[str, ...] | None:
    """The modules that the program imports on this input, but for those among what is tested; None if nobody knows."""
    bench.forks = forks = Forks(program, bench.env)
    try:
        if forks.trouble:
            return None
        with tempfile.TemporaryFile() as record:
            forks.record = record.fileno()
            _ended(bench, command, data)
            record.seek(0)
            said = record.read()
    finally:
        bench.forks = None
        forks.close()
    own = {"__main__", "__mp_main__", program.name, f"{program.name}.__main__"}
    found = json.loads(said) if said else []
    return tuple(n for n, file in found if n not in own and not _below(file, bench.root)) if said else None


def _below(file: object, root: str) -> bool:
    return isinstance(file, str) and os.path.realpath(file).startswith(f"{os.path.realpath(root)}/")


class _Watcher:
    """Runs a command and keeps how it ended."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self.ended = Ended(None)

    def examine(self, artifact: Artifact, folder: str) -> Examination:
        """Run it."""
        self.ended = yield self._command.invocation(artifact, folder)
        return Report(UNRESOLVED)


def _ended(bench: ProcessBench, command: Command, data: Content) -> Ended:
    watcher = _Watcher(command)
    _asked(bench, watcher, data)
    return watcher.ended


def _asked(bench: ProcessBench, examiner: Examiner, data: Content) -> Report:
    """One examination, of which nobody else hears."""
    bench.examiner = examiner
    try:
        bench.submit(digest(data), data)
        while not (reports := bench.wait()):
            pass
    finally:
        bench.examiner = None
    return reports[0][1]
