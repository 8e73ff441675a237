"""What a passing run prints: a failing run that prints it, too, does not say by it what has failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from wynot.oracles.failure.normalise import steady
from wynot.oracles.protocol import ProcessExit

MAX_LINES = 20_000
"""Lines of a passing run that are remembered."""
Known = tuple[str, str, str]
"""Reader, kind and message of a failure that a passing run prints, and survives."""


@dataclass(frozen=True, slots=True)
class PassingOutput:
    """The lines of a passing run; and the failure that a reader would see in them."""

    lines: frozenset[str]
    failure: Known | None = None

    @classmethod
    def of(cls, ended: ProcessExit, folder: str) -> Self:
        """What this run printed."""
        from wynot.oracles.readers import loaded_readers  # noqa: PLC0415 - where there is something to read

        text = "\n".join(each.decode("utf-8", "replace") for each in (ended.stderr, ended.stdout))
        text = text.replace(f"{folder}/", "")
        lines = {steady(line.strip()) for line in text.splitlines()[:MAX_LINES]}
        found = loaded_readers.diagnose(text)
        known = None if found is None else (found.reader, found.kind, steady(found.message))
        return cls(frozenset(lines - {""}), known)

    def without(self, text: str) -> str:
        """The lines of a text that the passing run does not print."""
        return "\n".join(line for line in text.splitlines() if not self._has(line.strip()))

    def _has(self, line: str) -> bool:
        return line in self.lines or steady(line) in self.lines

    def as_json(self) -> dict[str, Any]:
        """For the journal."""
        return {"lines": sorted(self.lines), "failure": self.failure}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """From the journal."""
        failure = data["failure"]
        return cls(frozenset(data["lines"]), None if failure is None else (failure[0], failure[1], failure[2]))
