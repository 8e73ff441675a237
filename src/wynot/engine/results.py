"""What a run has found, as a value that reports and callers read."""

from __future__ import annotations

from dataclasses import dataclass, field

from wynot.core.artifact import Laid
from wynot.core.call import Call
from wynot.core.folder import Folder
from wynot.engine.budget import TestCounts


@dataclass(frozen=True, slots=True)
class Cost:
    """What it took."""

    counts: TestCounts
    wall: float
    engine: float
    """Seconds that were not spent on tests."""
    runs: int = 0
    """Programs run, of which a test may need several."""
    rate: float = 1.0
    """How often the original shows the failure."""
    from_run: str | None = None
    """The earlier run that has found all this; None where this one has run tests."""


EDITS = "edits"
"""Each token and each node of the syntax tree was removed, and each node of several tokens replaced by the smallest
text that fits."""
VALID_EDITS = "valid edits"
"""The same, as far as the text stays valid."""
DELTAS = "deltas"
"""Each delta of the syntax tree was removed: a node for which a cut or a replacement is known."""
ORIGINAL_DELTAS = "original deltas"
"""Each delta of the original's syntax tree was removed, of those that are left."""
WHOLE = "whole"
"""Only the file as a whole was."""
PROTECTED = "protected"
"""A text has protected parts: these were not removed."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """A simplified input: the found causes, the first one first."""

    original: Laid
    found: tuple[Laid, ...]
    minimality: str | None
    """What tests have proved: 1-minimal (no single atom of the finest level can be left out), 1-tree-minimal (no token
    or syntax-tree node can be removed, and no node of several tokens replaced by a minimal one; `tried` says
    how far); None: nothing."""
    atoms: str
    cost: Cost
    looked_for: str
    run: str | None = None
    status: str = "done"
    more: bool | None = None
    """Whether the failure still shows when all found causes are taken away; None: not asked."""
    outputs: tuple[str, ...] = field(default=())
    weak: bool = False
    """Whether the failure shows without any input, as often: then the test says nothing about the input. Nothing is
    written, unless there is protected text."""
    tried: frozenset[str] = frozenset()
    """What was tried without success before it was called minimal, in each file or cause: a kind of edits, or the atoms
    of which each was left out."""
    failures: tuple[str, str] | None = None
    """What the program says of its failure on the original, and on the result; None where it says nothing."""

    @property
    def minimal(self) -> bool:
        """Whether it is minimal in any sense."""
        return self.minimality is not None

    @property
    def causes(self) -> tuple[bytes, ...]:
        """The causes found in a file."""
        return tuple(each for each in self.found if isinstance(each, bytes))

    @property
    def data(self) -> bytes:
        """The simplified input, where it is a file."""
        content = self.found[0]
        if isinstance(content, Folder):
            raise TypeError("the result is a folder: see .files")
        return content

    @property
    def folder(self) -> Folder:
        """The simplified input, where it is a folder."""
        content = self.found[0]
        if isinstance(content, bytes):
            raise TypeError("the result is a file: see .data")
        return content

    @property
    def files(self) -> dict[str, bytes]:
        """The files of the simplified folder, by their paths in it."""
        return self.folder.files


class ProvedResult:
    """A result that is minimal, or not known to be."""

    __slots__ = ()
    minimal: bool

    @property
    def minimality(self) -> str | None:
        """What tests have proved."""
        return "1-minimal" if self.minimal else None


@dataclass(frozen=True, slots=True)
class Difference:
    """Two inputs, one passing and one failing, and how many deltas are between them."""

    passing: bytes
    failing: bytes
    deltas: int


@dataclass(frozen=True, slots=True)
class Isolated(ProvedResult):
    """Two inputs, one passing and one failing, and little between them."""

    original: bytes
    passing: bytes
    failing: bytes
    deltas: int
    minimal: bool
    atoms: str
    cost: Cost
    looked_for: str
    run: str | None = None
    status: str = "done"
    outputs: tuple[str, ...] = field(default=())
    causes: tuple[Difference, ...] = ()
    """Differences that decide, with nothing in common; the first one is `passing` and `failing`."""
    more: bool | None = None
    """Whether the failing input still fails without all of them; None: nobody has looked."""
    failures: tuple[str, str] | None = None
    """What the program says of its failure on the original, and on the result; None where it says nothing."""


@dataclass(frozen=True, slots=True)
class CauseNames:
    """Circumstances that matter, by their names."""

    names: tuple[str, ...]
    """Those that decide: without one of them the failure does not show (or, preventing it, does)."""
    fixed: tuple[str, ...]
    """Those without which it is another failure, or none of both: they belong to the call."""
    setting: Call
    """The call with just these."""


@dataclass(frozen=True, slots=True)
class Explained(ProvedResult):
    """Which circumstances of a call cause its failure, or prevent it."""

    original: Call
    causes: tuple[CauseNames, ...]
    """The first one found first."""
    preventing: bool
    deltas: int
    """How many circumstances were looked at."""
    minimal: bool
    cost: Cost
    looked_for: str
    run: str | None = None
    status: str = "done"
    more: bool | None = None
    """Whether the rest does it still (fails, or prevents the failure) without the causes; None: not asked."""
    harmless: tuple[str, ...] = ()
    """Options that keep the program from writing: they were not left out."""
    atoms: str = "circumstances"
    outputs: tuple[str, ...] = field(default=())
    failures: tuple[str, str] | None = None
    """What the program says of the original call and of the first one that was found."""


@dataclass(frozen=True, slots=True)
class ReducedRecording(ProvedResult):
    """A recording with the actions that the failure needs."""

    data: bytes
    """The recording, in its own format."""
    names: tuple[str, ...]
    """The actions that are left, for people."""
    before: int
    """How many actions there were."""
    induced: int
    """And how many entries that were not the user's doing."""
    minimal: bool
    cost: Cost
    looked_for: str
    run: str | None = None
    status: str = "done"
    atoms: str = "actions"
    outputs: tuple[str, ...] = field(default=())
    causes: tuple[bytes, ...] = ()
    """Recordings with one cause each, that have no action in common; the first one is `data`."""
    more: bool | None = None
    """Whether the actions that are in none of them still fail; None: nobody has looked."""
    failures: tuple[str, str] | None = None
    """What the program says of its failure on the original, and on the result; None where it says nothing."""
