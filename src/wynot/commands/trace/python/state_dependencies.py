"""A replay that knows on which bits of its plan its state depends, so that another one may go on from there.

What a replay does depends on its plan by one thing only: which event of a call comes next. A call that has looked at
its next event has asked for the bits of all its events up to that one. A replay whose plan has the same bits at all
places that were asked for so far is in the very same state.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import compress
from typing import Any

from .replay_runtime import NONE, PythonReplay, ReplayedCall

END = 1 << 60
NEVER = 1 << 61
DEEP = 60
"""Frames that a checkpoint may need for itself."""


class WatchedCall(ReplayedCall):
    """A call that stops before it looks at what makes its plan another one."""

    __slots__ = ("limit", "parts", "playing")

    def __init__(self, playing: Watched, which: int, depth: int) -> None:
        trace = playing.trace
        super().__init__(which, trace.kept(which, trace.mask), trace.statements, depth)
        self.playing = playing
        self.bound()

    def bound(self) -> None:
        """Find the first event by which the plan and the best one differ in this call."""
        playing = self.playing
        best = playing.trace.kept(self.which, playing.best)
        self.parts = END if best == self.rest else _parting(best, self.rest)
        self.limit = min(self.parts, playing.mark)

    def next(self) -> int:
        """The next event."""
        return self.rest[self.place] if self.place < len(self.rest) else END

    def look(self) -> None:
        """See what comes next; where that is new, others may go on from here."""
        at = self.next()
        while at >= self.limit and self.playing.pause(self, at):
            at = self.next()
        self.at = self.statements[at] if at != END else NONE

    def __del__(self) -> None:
        self.playing.over.append((self.which, self.next()))


def _parting(one: list[int], other: list[int]) -> int:
    """The first event that only one of them has."""
    for a, b in zip(one, other):  # noqa: B905 - not before 3.10
        if a != b:
            return min(a, b)
    return (one if len(one) > len(other) else other)[min(len(one), len(other))]


class Watched(PythonReplay):
    """A replay under way that leaves checkpoints."""

    def __init__(self, trace: bytes, codes: str | None = None) -> None:
        super().__init__(trace, b"", codes)
        self.best = self.trace.mask
        self.mark = NEVER
        self.marks: list[int] = []
        """Where checkpoints would be useful, the last one first."""
        self.parted = False
        self.over: list[tuple[int, int]] = []
        """The calls that have ended, and up to where each of them has looked."""
        self._seen = bytearray(len(self.trace.mask))

    def posts(self, address: str, least: float, step: int) -> Any:
        """What makes the checkpoints."""
        from .checkpoint_processes import Posts

        self._step = step
        self._posts = Posts(self, address, least)
        return self._posts

    def begun(self, which: int, depth: int) -> ReplayedCall:
        """A call; one that needs not be watched any more, where the plans have parted."""
        return super().begun(which, depth) if self.parted else WatchedCall(self, which, depth)

    def _watched(self) -> list[WatchedCall]:
        calls = [found() for found in self.calls.values()]
        return [call for call in calls if isinstance(call, WatchedCall)]

    def renew(self, plan: bytes, best: bytes) -> None:
        """Go on by another plan, from this very state."""
        self.trace.mask, self.best = self.trace.masked(plan), self.trace.masked(best)
        self.parted = False
        mask, best_, seen = (int.from_bytes(each, "little") for each in (self.trace.mask, self.best, self.seen(None)))
        parting = mask ^ best_
        first = ((parting & -parting).bit_length() - 1) // 8 if parting else len(self.best)
        new = (best_ ^ (best_ & seen)).to_bytes(len(self.best), "little")  # a byte for each event
        ahead = list(compress(range(first), new))
        self.marks = []
        low = 0
        while len(ahead) - low > 2 * self._step:
            low += (len(ahead) - low) // 2
            self.marks.append(ahead[low])
        self.marks.reverse()
        self._turn()

    def _turn(self) -> None:
        """On to the next mark."""
        self.mark = self.marks.pop() if self.marks else NEVER
        for call in self._watched():
            call.rest = self.trace.kept(call.which, self.trace.mask)
            call.bound()

    def pause(self, call: WatchedCall, at: int) -> bool:
        """What comes next is new, or far ahead: leave a checkpoint. Whether to look again."""
        if call.depth < self.limit - DEEP and self._posts.leave(call):
            return True  # a new replay
        if at < call.parts:
            self._turn()
            return True
        self.parted = self._posts.outside = True
        for each in self._watched():
            each.limit = NEVER
        return False

    def seen(self, pausing: ReplayedCall | None) -> bytearray:
        """Of each event: whether the state depends on its being in the plan."""
        for which, upto in self.over:
            self._see(self._seen, which, upto)
        self.over.clear()
        seen = bytearray(self._seen)
        for call in self._watched():
            upto = call.next() if call is not pausing else call.rest[call.place - 1] if call.place else NONE
            self._see(seen, call.which, upto)
        return seen

    def _see(self, seen: bytearray, which: int, upto: int) -> None:
        events = self.trace.events(which)
        for event in events[: bisect_right(events, upto)]:
            seen[event] = 1
