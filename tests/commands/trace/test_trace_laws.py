"""Laws of traces, on random programs: recording changes nothing, replaying all changes nothing, results are minimal."""

from __future__ import annotations

import pytest

from tests.commands.trace.inside import Stage, plain
from tests.commands.trace.random_programs import program
from tests.laws.effort import effort
from wynot.commands.trace.trace_reduction import TraceReduction
from wynot.core.config import Config
from wynot.core.outcome import FAIL
from wynot.domains.traces.trace_tree import kept_in
from wynot.engine.executors.executor import InlineExecutor
from wynot.engine.run_options import Options
from wynot.engine.session import Session
from wynot.engine.tester import Tester

PROGRAMS = effort(40, 200)
SHARES = 8


def reduced(stage: Stage) -> Config:
    """The reduced trace of a program."""
    tester: Tester[bytes] = Tester(InlineExecutor(lambda candidate: stage.outcome(kept_in(candidate))))
    session = Session(tester, Options(), "the whole trace", 0.0)  # type: ignore[arg-type]
    return TraceReduction(session, stage.trace, "output").run().kept


@pytest.mark.parametrize("share", range(SHARES))
def test_recording_and_replaying_all_change_nothing(share: int) -> None:
    for seed in range(share, PROGRAMS, SHARES):
        source = program(seed)
        stage = Stage(source)
        seen = plain(source)
        assert stage.wanted == seen, f"recorded: program {seed}"
        assert stage.replay(Config.full(len(stage.trace))) == seen, f"replayed: program {seed}"


@pytest.mark.parametrize("share", range(SHARES))
def test_reduced_traces_fail_and_are_1_minimal(share: int) -> None:
    for seed in range(share, PROGRAMS, SHARES):
        stage = Stage(program(seed))
        kept = reduced(stage)
        assert stage.outcome(kept) is FAIL, f"program {seed}"
        for event in kept:
            less = kept - Config.of([event])
            assert stage.outcome(less) is not FAIL, f"program {seed} does not need event {event}"
        assert len(kept) < len(stage.trace)


def test_the_number_of_runs_is_small() -> None:
    """Far fewer than the square of the events, which plain ddmin may take."""
    for seed in range(20):
        stage = Stage(program(seed))
        kept = reduced(stage)
        bound = 3 * len(kept) * (1 + len(stage.trace).bit_length()) + 20
        assert stage.runs <= bound, f"program {seed}: {stage.runs} runs for {len(stage.trace)} -> {len(kept)}"


ITERATOR = """
class Words:
    def __init__(self, text):
        self.words = text.split()
    def __iter__(self):
        print("begin")
        return self
    def __next__(self):
        if not self.words:
            raise StopIteration
        return self.words.pop()
for word in Words("a b"):
    print(word)
"""


def test_an_iterator_is_asked_for_once() -> None:
    """A replayed `for` takes its items one by one, but begins only once."""
    stage = Stage(ITERATOR)
    assert stage.replay(Config.full(len(stage.trace))) == plain(ITERATOR)
