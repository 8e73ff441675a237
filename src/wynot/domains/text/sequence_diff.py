"""Where two rows of atoms differ. Small rows by difflib, large ones by git's own diff engine."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

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
