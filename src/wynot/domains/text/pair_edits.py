"""The differences between two files as deltas: absent, the old text; present, the new one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.domains.text.atom_domain import Atoms
from wynot.domains.text.sequence_diff import Hunk, differences


@dataclass(frozen=True, slots=True)
class PairEdits:
    """Text that both files share, and between each two stretches of it one difference (old, new)."""

    common: Sequence[bytes]
    changes: Sequence[tuple[bytes, bytes]]

    def __len__(self) -> int:
        return len(self.changes)

    def render(self, config: Config) -> bytes:
        """The old file with these changes made."""
        chosen = bytearray(len(self.changes))
        for first, last in config.intervals():
            chosen[first:last] = b"\1" * (last - first)
        pieces = [self.common[0]]
        for change, present, after in zip(self.changes, chosen, self.common[1:], strict=True):
            pieces += (change[present], after)
        return b"".join(pieces)

    def digest(self, candidate: bytes) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return digest(candidate)

    def size(self, candidate: bytes) -> int:
        """How large a candidate is, in bytes."""
        return len(candidate)


def edits(old: bytes, new: bytes, atoms: Atoms) -> PairEdits:
    r"""The differences of two files, atom by atom.

    An atom that was changed is one delta, so is one that was added and one that was taken away.

    >>> from wynot.domains.text.atoms import line_ends
    >>> e = edits(b"a\nb\nc\n", b"a\nx\nc\nd\n", line_ends)
    >>> e.changes
    [(b'b\n', b'x\n'), (b'', b'd\n')]
    >>> e.render(Config.of([1]))
    b'a\nb\nc\nd\n'
    """
    olds, news = _cut(old, atoms), _cut(new, atoms)
    common: list[bytes] = []
    changes: list[tuple[bytes, bytes]] = []
    at = 0
    for hunk in differences(olds, news):
        before = b"".join(olds[at : hunk.old_start])
        for change in _pairs(olds, news, hunk):
            common.append(before)
            changes.append(change)
            before = b""
        at = hunk.old_stop
    common.append(b"".join(olds[at:]))
    return PairEdits(common, changes)


def _cut(data: bytes, atoms: Atoms) -> list[bytes]:
    ends = atoms(data, 0, len(data))
    return [data[a:b] for a, b in zip((0, *ends), ends, strict=False)]


def _pairs(olds: Sequence[bytes], news: Sequence[bytes], hunk: Hunk) -> list[tuple[bytes, bytes]]:
    """Atoms of a hunk side by side, the longer side's rest alone."""
    left, right = olds[hunk.old_start : hunk.old_stop], news[hunk.new_start : hunk.new_stop]
    longest = max(len(left), len(right))
    return [(left[i] if i < len(left) else b"", right[i] if i < len(right) else b"") for i in range(longest)]
