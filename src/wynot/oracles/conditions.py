"""What counts as the failure when the user says it in so many words: `--fail-if-...`."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from wynot.oracles.protocol import ProcessExit, signal_name


@dataclass(frozen=True, slots=True)
class Conditions:
    """The failure shows iff all that is given here holds."""

    output: str | None = None
    """This pattern is found in what the command prints."""
    exit: int | None = None
    signal: int | None = None
    hang: float | None = None
    """It is still running after so many seconds."""
    slower: float | None = None
    """It takes longer than so many seconds."""

    def __bool__(self) -> bool:
        return any(value is not None for value in (self.output, self.exit, self.signal, self.hang, self.slower))

    def met(self, ended: ProcessExit) -> bool:
        """Whether this run shows the failure."""
        return (
            (self.output is None or self._printed(ended))
            and (self.exit is None or ended.exit == self.exit)
            and (self.signal is None or ended.signal == self.signal)
            and (self.hang is None or ended.timed_out)
            and (self.slower is None or ended.seconds > self.slower)
            and (self.hang is not None or self.slower is not None or not ended.timed_out)
            and not ended.flooded
        )

    def _printed(self, ended: ProcessExit) -> bool:
        pattern = re.compile(os.fsencode(self.output or ""), re.MULTILINE)
        return bool(pattern.search(ended.stdout) or pattern.search(ended.stderr))

    def __str__(self) -> str:
        parts = []
        if self.output is not None:
            parts.append(f"output that matches /{self.output}/")
        if self.exit is not None:
            parts.append(f"exit code {self.exit}")
        if self.signal is not None:
            parts.append(signal_name(self.signal))
        if self.hang is not None:
            parts.append(f"no end within {self.hang:g} s")
        if self.slower is not None:
            parts.append(f"more than {self.slower:g} s")
        return " and ".join(parts)
