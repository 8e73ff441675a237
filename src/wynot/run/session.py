"""What every run has: an oracle at a bench, a journal, a budget, somebody who listens."""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from wynot.core.artifact import Content, digest, size
from wynot.core.controls import UNATTENDED, Controls
from wynot.core.events import Listener, silent
from wynot.core.folder import Folder
from wynot.core.outcome import Outcome
from wynot.core.pasted import pasted
from wynot.domains.protected import MarkError, free_regions
from wynot.errors import Ended, Interrupted, UsageError
from wynot.oracles.function import asking
from wynot.oracles.words import Oracle
from wynot.run.again import Again
from wynot.run.bench import Bench, InlineBench, ThreadBench
from wynot.run.cluster.address import Cluster
from wynot.run.journal import Journal
from wynot.run.lab import Budget, Lab, heed
from wynot.run.limits import Limits
from wynot.run.onward import telling_how
from wynot.run.processes import ProcessBench
from wynot.run.programs import ProgramBench
from wynot.run.proof import Proof, Proved, ProvingLab, on_the_way, without_result
from wynot.run.record.telling import Telling, telling
from wynot.run.record.write import Asked, Recorder, recording
from wynot.run.result import Cost
from wynot.version import __version__ as version

if TYPE_CHECKING:
    from wynot.run.grammars import Grammar  # all that reads grammars is loaded where one is given only

Result = TypeVar("Result")
VALIDITIES = ("strict", "prefer", "off")
Test = Callable[[Any], Outcome | bool]
"""Takes the bytes of a file; or, for a folder, the bytes of its files by their paths: dict[str, bytes]."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a run is to be done."""

    algorithm: str | None = None
    atoms: str = "auto"
    delimiters: tuple[bytes, ...] = ()
    language: str | None = None
    """What the file is written in; None: found by its name and content; "none": no matter."""
    grammar: Grammar | None = None
    """The grammar of the file, where the user brings one: load_grammar(path)."""
    validity: str = "strict"
    """Whether texts that no longer parse are tested: never (strict), if nothing else is left (prefer), always (off)."""
    cleanups: tuple[str, ...] = ()
    """What to do with the result: any of wynot.run.cleanup.CLEANUPS."""
    jobs: int = 1
    cluster: Cluster | None = None
    """Where tests are run, if not here; then it decides how many there are at once."""
    server: bool = False
    """Keep a Python program ready and fork it for each test, where that can be (run.server)."""
    limits: Limits = field(default_factory=Limits)
    budget_tests: int | None = None
    budget_time: float | None = None
    causes: int = 1
    monotone: bool = False
    resume: bool = False
    """Keep a journal, and go on from it if there is one."""
    fresh: bool = False
    """Begin a new journal even if there is one."""
    again: Again | None = None
    """The run that this has to be."""
    alone: bool = False
    """Nothing else in this process has children: whatever a test leaves behind may be killed."""
    output: Path | None = None
    typed: tuple[str, ...] = ()
    """The command line, as typed, for the record of the run..."""
    stdin: bytes = b""
    """...and what it read from standard input."""
    proof: Proof | None = None
    """Go through a run again, and prove what it has found: the search ends with Proved."""
    listener: Listener = silent
    controls: Controls = UNATTENDED
    """Asked now and then what to do."""

    def __post_init__(self) -> None:
        if self.jobs < 1:
            raise UsageError(f"{self.jobs} jobs cannot run anything", "give a number of at least 1: -j 1")
        if self.validity not in VALIDITIES:
            raise UsageError(f"no validity is called {self.validity!r}", f"choose one of: {', '.join(VALIDITIES)}")


def run_id(kind: str, inputs: Sequence[Content], name: str, oracle: Oracle, options: Options) -> str:
    """The name of a run: the same for the same question. Jobs, budgets and outputs do not change the question."""
    question = {
        "version": version, "kind": kind, "name": name, "inputs": [digest(data).hex() for data in inputs],
        "oracle": oracle.identity(), "algorithm": options.algorithm, "atoms": options.atoms,
        "delimiters": [d.hex() for d in options.delimiters], "causes": options.causes, "monotone": options.monotone,
        "language": options.language, "grammar": options.grammar and options.grammar.identity(),
        "validity": options.validity, "cleanups": sorted(options.cleanups),
        "limits": [options.limits.seconds, options.limits.memory, options.limits.output],
    }  # fmt: skip
    return digest(json.dumps(question, sort_keys=True).encode()).hex()[:16]


class Session:
    """One run at work."""

    def __init__(self, lab: Lab[Content], options: Options, shown: str) -> None:
        self.lab, self.options = lab, options
        self.shown = shown
        """The input as the user knows it."""
        self.begun = lab.budget.begun
        self.rate = 1.0
        self.recorder: Recorder | None = None
        self.teller: Callable[[Any], Telling | None] = telling
        """Says what is to be kept of a result."""

    def cost(self) -> Cost:
        """What it has taken so far."""
        wall = time.perf_counter() - self.begun
        bench = self.lab.bench
        runs = bench.runs if isinstance(bench, ProgramBench) else 0
        return Cost(self.lab.counts, wall, max(0.0, wall - bench.away - self.lab.paused), runs, self.rate)

    def renew(self) -> None:
        """Take another bench: nobody knows in what state an interruption has left this one."""
        bench = self.lab.bench
        if isinstance(bench, ProgramBench):
            bench.close()
            self.lab.bench = bench.renewed()
            self.lab.running.clear()

    def found(self, result: Result) -> Result:
        """This is the result: it goes to the record, or is proved again."""
        if isinstance(self.lab, ProvingLab) and self.options.proof is not None:
            told = self.teller(result)
            raise Proved(self.options.proof.conduct(self.lab, told.claims() if told is not None else ()))
        self.end("done", result)
        return result

    def end(self, status: str, result: object = None, why: str = "") -> None:
        """It has ended, and how; the first to say so is right."""
        recorder, self.recorder = self.recorder, None
        if recorder is None:
            return
        counts = self.cost().counts
        more = {
            "why": why,
            "looked_for": getattr(result, "looked_for", ""),
            "minimality": getattr(result, "minimality", None),
            "atoms": getattr(result, "atoms", None),
            "tests": counts.tests,
            "baseline": counts.baseline,
            "cached": counts.cached,
            "predicted": counts.predicted,
            "wall": round(self.cost().wall, 3),
            "rate": self.rate,
        }
        recorder.ended(status, None if result is None else self.teller(result), **more)

    @property
    def run(self) -> str | None:
        """The run's name, where there is a journal."""
        return self.lab.journal.run if self.lab.journal is not None else None


def program_bench(
    oracle: Oracle, name: str, options: Options, budget: Budget, largest: int, *, lasting: bool
) -> ProgramBench:  # fmt: skip
    """A bench for programs, here or on a cluster."""
    if options.cluster is None:
        return ProcessBench(
            oracle, name, options.jobs, options.limits, alone=options.alone, size=largest, lasting=lasting
        )
    from wynot.run.cluster.bench import ClusterBench, Waiting, Work  # noqa: PLC0415 - for those who ask for it

    waiting = Waiting(options.listener, partial(heed, budget, options.controls))
    return ClusterBench(oracle, Work(name, largest, lasting), options.limits, options.cluster, waiting)


@contextmanager
def session(
    kind: str, inputs: Sequence[Content], name: str, shown: str, oracle: Oracle | Test, options: Options, *,
    lasting: bool = False,
) -> Iterator[Session]:  # fmt: skip
    """Open a bench and a journal, and close them whatever happens.

    `lasting`: work folders stay between tests, and it is kept what unresolved tests print.
    """
    budget = Budget(options.budget_tests, options.budget_time)
    journal: Journal | None = None
    proof: Proof | None = None
    bench: Bench[Content]
    if callable(oracle):
        if options.cluster is not None:
            raise UsageError("a Python function is tested in this process, not on a cluster", "leave out `cluster`")
        test = _asking(oracle)
        bench = InlineBench(test) if options.jobs == 1 else ThreadBench(test, options.jobs)
    else:
        run = run_id(kind, inputs, name, oracle, options)
        proof = options.proof if options.proof is not None and options.proof.mine() else None
        journal = _journal(run, inputs, options, proof)
        try:
            largest = max(map(size, inputs))
            bench = program_bench(oracle, name, options, budget, largest, lasting=lasting)
            bench.server = options.server
        except BaseException:
            if journal is not None:
                journal.close()
            raise
    lab: Lab[bytes] | None = None
    with telling_how(journal, () if options.proof is not None else options.typed):
        try:
            kept = options.proof is None
            recorder = _recorder(kind, inputs, name, shown, oracle, options, journal) if kept else None
            made = Lab if proof is None else ProvingLab
            lab = made(bench, journal, budget, recorder or options.listener, options.controls, heeding=lasting)
            opened = Session(lab, options, shown)
            opened.recorder = recorder
            with recording(opened.end) if kept else without_result():
                yield opened
        finally:
            try:
                (bench if lab is None else lab.bench).close()
            finally:
                if journal is not None:
                    journal.close()


def _journal(run: str, inputs: Sequence[Content], options: Options, proof: Proof | None) -> Journal | None:
    """The journal of a run; the run that is to be proved has its own, and the others of its command are only read."""
    if proof is not None:
        return proof.journal(inputs, run)
    if options.proof is not None:
        return on_the_way(run)
    if options.again is not None:
        options.again.check(inputs, run)
    return Journal(run, fresh=options.fresh) if options.resume else None


def _recorder(
    kind: str, inputs: Sequence[Content], name: str, shown: str, oracle: Oracle | Test, options: Options,
    journal: Journal | None,
) -> Recorder | None:  # fmt: skip
    """Whoever keeps the record, where there is a journal."""
    if journal is None or callable(oracle):
        return None
    asked = Asked(kind, inputs, name, shown, oracle, options.typed, options.stdin, options.output, options.language)
    return Recorder(journal, options.listener, asked)


def _asking(test: Test) -> Callable[[Content], Outcome]:
    """A callable as a bench calls it."""
    ask = asking(test)
    return lambda content: ask(content.files if isinstance(content, Folder) else content)


@contextmanager
def carrying(best: Callable[[str], object]) -> Iterator[None]:
    """A search that a budget or the user ends early carries the best so far; `best` is told which of them it was."""
    try:
        yield
    except Ended as ended:
        ended.best = best(ended.status)
        raise
    except KeyboardInterrupt:
        raise Interrupted("interrupted", best=best("interrupted")) from None


class Input(NamedTuple):
    """An input: its content, its name, and what to call it when speaking of it."""

    data: bytes
    name: str
    shown: str


Source = Path | str | bytes | Input


def read_input(source: Source, name: str | None = None) -> Input:
    """Read an input, once."""
    if isinstance(source, Input):
        return source
    if isinstance(source, bytes):
        return Input(source, name or "input", name or "the input")
    path = Path(source)
    try:
        if _endless(path):
            raise UsageError(
                f"{path} is a device: it may have no end", f"give a file: head -c 1M {pasted(path)} > FILE"
            )
        data = path.read_bytes()
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file", f"check the path: ls -l {pasted(path.parent)}") from None
    except IsADirectoryError:
        raise UsageError(f"{path} is a folder; give a file", f"see what is in it: ls {pasted(path)}") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", f"see who may: ls -l {pasted(path)}") from None
    return Input(data, name or path.name, str(path))


def _endless(path: Path) -> bool:
    """Whether it may give data for ever, until there is no memory left: /dev/zero, a terminal; not /dev/null."""
    mode = path.stat().st_mode
    return stat.S_ISBLK(mode) or (stat.S_ISCHR(mode) and not path.samefile(os.devnull))


def check_marks(data: bytes) -> None:
    """See that protected regions are marked well."""
    try:
        free_regions(data)
    except MarkError as error:
        raise UsageError(f"protected regions: {error}", "mend the DDBEGIN and DDEND lines") from None
