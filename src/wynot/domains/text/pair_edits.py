"""The edits between two texts: from a sequence diff, or from the user."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.core.trial import Found
from wynot.domains.text.atom_domain import AtomDomain, Atoms

# Where two rows of atoms differ. Small rows by difflib, large ones by git's own diff engine.


SMALL = 2_000_000
"""difflib takes time in proportion to the product of the lengths."""
PLAIN = ("--no-index", "--no-color", "--no-ext-diff", "--no-textconv", "--text", "--unified=0")
"""Has git compare two files or folders that are in no repository, and nothing else have a say in it."""
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Hunk:
    """old[old_start:old_stop] has become new[new_start:new_stop]."""

    old_start: int
    old_stop: int
    new_start: int
    new_stop: int


def differences(old: Sequence[bytes], new: Sequence[bytes]) -> list[Hunk]:
    """The hunks in which two rows differ, in order.

    >>> differences([b"a", b"b", b"c"], [b"a", b"x", b"c"])
    [Hunk(old_start=1, old_stop=2, new_start=1, new_stop=2)]
    """
    shortest = min(len(old), len(new))
    head = 0
    while head < shortest and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shortest - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    left, right = old[head : len(old) - tail], new[head : len(new) - tail]
    return [
        Hunk(h.old_start + head, h.old_stop + head, h.new_start + head, h.new_stop + head)
        for h in _between(left, right)
    ]


def _between(left: Sequence[bytes], right: Sequence[bytes]) -> list[Hunk]:
    if not left and not right:
        return []
    if not left or not right:
        return [Hunk(0, len(left), 0, len(right))]
    if len(left) * len(right) > SMALL:
        found = _by_git(left, right)
        return found if found is not None else [Hunk(0, len(left), 0, len(right))]
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    return [Hunk(a, b, c, d) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]


def _by_git(left: Sequence[bytes], right: Sequence[bytes]) -> list[Hunk] | None:
    """One atom a line, in hexadecimal, so that atoms may hold anything; None where there is no git."""
    with tempfile.TemporaryDirectory(prefix="wynot-diff-") as folder:
        for name, atoms in (("old", left), ("new", right)):
            Path(folder, name).write_text("".join(f"{atom.hex()}\n" for atom in atoms))
        command = ["git", "diff", *PLAIN, "--diff-algorithm=histogram", "old", "new"]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            return None
    if done.returncode not in {0, 1}:
        return None
    return [_hunk(match) for match in _HUNK.finditer(done.stdout)]


def _hunk(match: re.Match[str]) -> Hunk:
    """A hunk header; where a side is empty, git names the line before it."""
    old, old_count, new, new_count = (int(group) if group is not None else 1 for group in match.groups())
    old_start = old - 1 if old_count else old
    new_start = new - 1 if new_count else new
    return Hunk(old_start, old_start + old_count, new_start, new_start + new_count)


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


# What remains of a failing input when a difference that was found in it is taken back.


Replaced = tuple[int, int, bytes]
"""Positions start..stop of a text, and what stands there instead."""
Step = tuple[AtomDomain | PairEdits, Found]
"""Deltas of a failing input, and what was found among them: the next step begins with its failing side."""


def taken_back(steps: Sequence[Step]) -> list[Replaced]:
    r"""Where the first failing input differs from one without the difference of the last step.

    >>> from wynot.domains.text.pair_edits import edits
    >>> from wynot.domains.text.atoms import byte_ends, line_ends
    >>> lines = edits(b"a=1\nb=1\nc=1\n", b"a=2\nb=2\nc=1\nd\n", line_ends)
    >>> chars = edits(b"a=1\nb=1\nc=1\n", b"a=1\nb=2\nc=1\n", byte_ends)
    >>> none, one, every = Config(), Config.of([1]), Config.full(1)
    >>> back = taken_back([(lines, Found(one, none, minimal=True)), (chars, Found(every, none, minimal=True))])
    >>> back, replaced(b"a=2\nb=2\nc=1\nd\n", back)
    ([(6, 7, b'1')], b'a=2\nb=1\nc=1\nd\n')
    """
    *before, (domain, found) = steps
    places = list(_replacements(domain, found.difference))
    for domain, found in reversed(before):
        gone = list(_replacements(domain, Config.full(len(domain)) - found.failing))
        places = _placed(places, gone)
    return places


def replaced(text: bytes, places: Sequence[Replaced]) -> bytes:
    """A text with these places replaced."""
    stops = [0, *(stop for _, stop, _ in places)]
    starts = [*(start for start, _, _ in places), len(text)]
    new = [*(each for _, _, each in places), b""]
    return b"".join(text[at:start] + put for at, start, put in zip(stops, starts, new, strict=True))


def _replacements(domain: AtomDomain | PairEdits, config: Config) -> Iterator[Replaced]:
    """How the text with all deltas becomes the one without these."""
    everything = Config.full(len(domain))
    if isinstance(domain, AtomDomain):
        for start, stop in (domain.kept(everything) - domain.kept(everything - config)).intervals():
            yield start, stop, b""
        return
    at = 0
    for number, (common, (old, new)) in enumerate(zip(domain.common, domain.changes, strict=False)):
        at += len(common)
        if number in config:
            yield at, at + len(new), old
        at += len(new)


def _placed(places: list[Replaced], gone: list[Replaced]) -> list[Replaced]:
    """Places of a text as places of the text before `gone` was replaced in that; in order, none overlaps another."""
    found: list[Replaced] = []
    last = shift = number = 0

    def before(at: int, *, ends: bool) -> int:
        nonlocal shift, number
        while number < len(gone):
            start, stop, text = gone[number]
            first = start + shift
            if at < first or (ends and at == first):
                break
            if at < first + len(text):
                return stop if ends else start
            shift += len(text) - (stop - start)
            number += 1
        return at - shift

    for start, stop, text in places:
        first = max(last, before(start, ends=False))
        last = max(first, before(stop, ends=True)) if start < stop else first
        found.append((first, last, text))
    return found


def rest_of(config: Config, places: Sequence[Replaced]) -> Config:
    """Positions of a text that are not among those replaced."""
    return config - Config.of(at for start, stop, _ in places for at in range(start, stop))
