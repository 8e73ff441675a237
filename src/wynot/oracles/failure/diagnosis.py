"""What a program says of its own failure, as a reader of its output understands it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A failure in the program's own words. Everything is kept as printed; comparing normalises (oracles.normal)."""

    reader: str
    """Who understood it: python, gcc, ..."""
    kind: str
    """The sort of failure: an exception's type, `internal compiler error`, `panic`, `heap-buffer-overflow`."""
    message: str = ""
    """What it says about it, one line."""
    frames: tuple[str, ...] = ()
    """The functions on the stack, the innermost first; names only, without arguments and addresses."""
    place: str = ""
    """Where in the program's own source it says it failed: `cfgexpand.cc:4006`, `src/selector.rs:478`."""
    details: str = ""
    """What it says on further lines, where values are compared: expected and actual values, a statement."""

    @property
    def said(self) -> str:
        """The message; one that ends with a colon goes on with the values on the next lines.

        >>> Diagnosis("node", "Error", "Expected equal values:", details="1 !== 2").said
        'Expected equal values: 1 !== 2'
        """
        if not self.message.endswith(":"):
            return self.message
        values = takewhile(lambda line: not line.startswith("generatedMessage:"), self.details.splitlines())
        return " ".join((self.message, *values))

    def __str__(self) -> str:
        said = ": ".join(part for part in (self.kind, self.said[:400]) if part)
        where = f" at {self.place}" if self.place else ""
        stack = " in " + " <- ".join(f"`{frame}`" for frame in self.frames[:3]) if self.frames else ""
        return f"{said}{where}{stack}"


class FailureReader(Protocol):
    """Understands the output of one kind of program."""

    @property
    def name(self) -> str:
        """What it reads."""
        ...

    def read(self, text: str) -> Diagnosis | None:
        """The failure told in this output; None where it tells of none that this reader knows."""
        ...
