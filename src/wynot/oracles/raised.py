"""What a Python call raised: the type of the exception, and the place where it was raised."""

from __future__ import annotations

import traceback
from dataclasses import dataclass

_EVALUATED = frozenset({"<string>", "<unknown>"})
"""How `eval`, `exec` and `ast` call what they are given."""


@dataclass(frozen=True, slots=True)
class Raised:
    """A failure of a call: two are the same if type and place are. The message may speak of the arguments."""

    kind: str
    place: str
    """The file and line where it was raised; nothing where the stack was too deep to tell."""
    message: str = ""

    @classmethod
    def of(cls, error: BaseException, own: str = "") -> Raised:
        """How this exception looks. The lines of what is evaluated may be an argument's, unless it is our own file."""
        kind = type(error)
        name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
        frames = [
            frame
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename not in _EVALUATED or frame.filename == own
        ]
        deep = isinstance(error, RecursionError) or not frames
        return cls(name, "" if deep else f"{frames[-1].filename}:{frames[-1].lineno}", _message(error))

    def same(self, other: Raised) -> bool:
        """Whether it is the same failure."""
        return (self.kind, self.place) == (other.kind, other.place)

    def __str__(self) -> str:
        said = f": {self.message.splitlines()[0][:200]}" if self.message.strip() else ""
        return f"{self.kind}{said}{f' at {self.place}' if self.place else ''}"


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - whatever the user's class raises
        return ""
