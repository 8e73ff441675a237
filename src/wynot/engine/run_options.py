"""How a run is to be done, and the name of a run: it is what was asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from wynot.core.artifact import Content, digest
from wynot.core.run_events import UNATTENDED, Controls, Listener, silent
from wynot.engine.executors.sandbox import Limits
from wynot.errors import UsageError
from wynot.oracles.protocol import Oracle
from wynot.version import __version__ as version

if TYPE_CHECKING:  # loaded where one is given only
    from wynot.engine.executors.dask.dask_client import Cluster
    from wynot.engine.record.read import ContinuedRun
    from wynot.engine.record.repeat_proof import Proof, ProofVerdict
    from wynot.engine.user_grammar import Grammar

ATOMS = ("auto", "lines", "tokens", "chars", "bytes", "tree")
"""What can be left out: whatever suits the file, a kind of domains.levels, or nodes of a tree."""
VALIDITIES = ("strict", "prefer", "off")


@dataclass(frozen=True, slots=True)
class Live:
    """A run as it was asked for."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """A run that goes on with a recorded one, and is refused if it is no longer the same."""

    earlier: ContinuedRun


@dataclass(frozen=True, slots=True)
class Verifying:
    """A recorded run is searched again from its journal, and the tests of its proof are repeated."""

    proof: Proof
    conclude: Callable[[ProofVerdict], None]
    """Takes the verdict; a command ends there."""


Mode = Live | Resumed | Verifying
"""How a run relates to recorded ones: `engine.session` says what differs."""


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
    """What to do with the result: any of wynot.commands.reduce.passes.cleanup_passes.CLEANUPS."""
    jobs: int = 1
    cluster: Cluster | None = None
    """Where tests are run, if not here; then it decides how many there are at once."""
    server: bool = False
    """Keep a Python program ready and fork it for each test, where that can be (engine.executors.fork_server)."""
    limits: Limits = field(default_factory=Limits)
    budget_tests: int | None = None
    budget_time: float | None = None
    begun: float | None = None
    """When the time budget began (time.perf_counter), with whatever came before the run; None: with the run."""
    causes: int = 1
    monotone: bool = False
    resume: bool = False
    """Keep a journal, and go on from it if there is one."""
    fresh: bool = False
    """Begin a new journal even if there is one."""
    mode: Mode = field(default_factory=Live)
    alone: bool = False
    """Nothing else in this process has children: whatever a test leaves behind may be killed."""
    guarded: tuple[str, ...] = ()
    """Files of the user that no test may change: they are looked at after each test..."""
    guarded_within: tuple[str, ...] = ()
    """...and those that are only in folders that the command names."""
    output: Path | None = None
    output_mode: int | None = None
    """The mode of what is written there; None: as any new file."""
    typed: tuple[str, ...] = ()
    """The command line, as typed, for the record of the run..."""
    stdin: bytes = b""
    """...and what it read from standard input."""
    listener: Listener = silent
    controls: Controls = UNATTENDED
    """Asked now and then what to do."""

    def __post_init__(self) -> None:
        if self.jobs < 1:
            raise UsageError(f"{self.jobs} jobs: at least 1 is needed", "use -j 1 or more")
        if self.validity not in VALIDITIES:
            raise UsageError(f"unknown validity {self.validity!r}", f"choose one of: {', '.join(VALIDITIES)}")

    @property
    def particular(self) -> bool:
        """Whether anything is asked for that may not suit the file."""
        asked = (self.algorithm, self.delimiters, self.language, self.grammar, self.cleanups)
        return self.atoms != "auto" or any(each is not None and each != () for each in asked)


def run_id(question: str, inputs: Sequence[Content], name: str, oracle: Oracle, options: Options) -> str:
    """The name of a run: the same for the same question. Jobs, budgets and outputs do not change the question."""
    identity = {
        "version": version, "kind": question, "name": name, "inputs": [digest(data).hex() for data in inputs],
        "oracle": oracle.identity(), "algorithm": options.algorithm, "atoms": options.atoms,
        "delimiters": [d.hex() for d in options.delimiters], "causes": options.causes, "monotone": options.monotone,
        "language": options.language, "grammar": options.grammar and options.grammar.identity(),
        "validity": options.validity, "cleanups": sorted(options.cleanups),
        "limits": [options.limits.seconds, options.limits.memory, options.limits.output],
    }  # fmt: skip
    return digest(json.dumps(identity, sort_keys=True).encode()).hex()[:16]
