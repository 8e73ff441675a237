"""Stories: what a search tests, in order, and with which outcomes.

A story is a list of lines: the pass that begins, or the digest of a candidate with its outcome; the last line is the
digest of the result. A refactoring must not change a story. The outcomes of a story answer the tests of its replay, so
none of the failing programs is needed. README.md says how to record a story again.
"""

from __future__ import annotations

import gzip
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from wynot import Options, Outcome, reduce
from wynot.core.run_events import Event, PassStarted
from wynot.errors import Ended

STORIES = Path(__file__).with_name("stories")
CORPUS = Path(os.environ.get("WYNOT_CORPUS", Path(__file__).parents[2].parent / "shared" / "corpus"))
MAX_TESTS = 3000
PAPERS = ("seed-bug-c@hdd", "seed-bug-c@hdd_star", "seed-sha1-java@hdd")
"""Figure 4 of the 2006 paper, and SHA1.java of the 2007 thesis: a case and a published algorithm.

`ddmin` on the tokens of bug.c is left out: it takes more than MAX_TESTS tests (the paper: 680), most unresolved.
"""
LETTERS = {Outcome.FAIL: "F", Outcome.PASS: "P", Outcome.UNRESOLVED: "?"}
OUTCOMES = {letter: outcome for outcome, letter in LETTERS.items()}

Files = Mapping[str, bytes]
Answer = Callable[[bytes | Files], Outcome]


class UnknownCandidateError(AssertionError):
    """The search tests a candidate that the recorded story does not have."""


@dataclass
class Teller:
    """A test that writes down what it is asked, and a listener that writes down which pass asks."""

    answer: Answer
    lines: list[str] = field(default_factory=list)

    def __call__(self, candidate: bytes | Files) -> Outcome:
        outcome = self.answer(candidate)
        self.lines.append(f"{digest(candidate)} {LETTERS[outcome]}")
        return outcome

    def listen(self, event: Event) -> None:
        if isinstance(event, PassStarted):
            self.lines.append(f"pass {event.name}")


def digest(candidate: bytes | Files) -> str:
    """A short name for a file, or for the files of a folder."""
    if isinstance(candidate, bytes):
        return blake2b(candidate, digest_size=8).hexdigest()
    hashed = blake2b(digest_size=8)
    for path, data in sorted(candidate.items()):
        hashed.update(b"%d %d %s" % (len(path.encode()), len(data), path.encode()))
        hashed.update(data)
    return hashed.hexdigest()


def facts(case: str) -> dict[str, object]:
    """What case.toml says."""
    return tomllib.loads((CORPUS / case / "case.toml").read_text())


def told(case: str, answer: Answer, max_tests: int = MAX_TESTS) -> list[str]:
    """The story of a case: the search is run, and asks `answer`. `CASE@ALGORITHM` names a published algorithm."""
    teller = Teller(answer)
    case, _, algorithm = case.partition("@")
    options = Options(
        listener=teller.listen,
        budget_tests=max_tests,
        algorithm=algorithm or None,
    )
    source = CORPUS / case / str(facts(case)["input"])
    try:
        result, ended = reduce(source.read_bytes(), teller, options, name=source.name), ""
    except Ended as early:
        result, ended = early.best, " (budget)"  # type: ignore[assignment]
    return [*teller.lines, f"result {digest(result.data)} {result.minimality}{ended}"]


def read(path: Path) -> list[str]:
    """The lines of a stored story."""
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def write(path: Path, lines: list[str]) -> None:
    """Store a story; the same lines give the same bytes."""
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(), 9, mtime=0))


def outcomes(lines: list[str]) -> dict[str, Outcome]:
    """The outcomes of a story, by the digests of the candidates."""
    return {name: OUTCOMES[letter] for name, letter in (line.split() for line in lines if line[-2:-1] == " ")}


def recorded(lines: list[str]) -> Answer:
    """Answers by a story."""
    known = outcomes(lines)

    def answer(candidate: bytes | Files) -> Outcome:
        try:
            return known[digest(candidate)]
        except KeyError:
            raise UnknownCandidateError(f"a candidate that is not in the story: {candidate!r:.200}") from None

    return answer
