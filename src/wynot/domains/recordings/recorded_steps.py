"""Recorded steps and earlier tests as deltas, grouped by what belongs together."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any

from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.core.tree_shape import shape_of

INDUCED = frozenset(
    (
        "expose", "graphics_expose", "no_expose", "map_notify", "map_request", "unmap_notify", "create_notify",
        "destroy_notify", "reparent_notify", "configure_notify", "configure_request", "property_notify",
        "client_message", "mapping_notify", "keymap_notify", "visibility_notify", "enter_notify", "leave_notify",
        "focus_in", "focus_out", "selection_clear", "selection_request", "selection_notify", "colormap_notify",
        "gravity_notify", "resize_request", "circulate_notify", "circulate_request",
        "load", "domcontentloaded", "beforeunload", "unload", "mutation", "request", "response", "animationend",
        "transitionend", "readystatechange", "visibilitychange",
    )
)  # fmt: skip
"""Kinds of events that the server, or the page itself, has induced: no user can do them (2002, section IV-B)."""


class RecordingError(ValueError):
    """A recording that cannot be read."""


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """One entry of a recording."""

    raw: Any
    """As the format has it."""
    kind: str
    name: str
    """For people: `press Alt`, `click #save`."""
    place: str = ""
    """What it is done to: an element, a window. Steps in a row at one place belong together."""
    press: str = ""
    """The key or button that goes down..."""
    release: str = ""
    """...or up."""
    pinned: bool = False
    """Without it there is nothing to act on: the page is opened."""


@dataclass(frozen=True, slots=True)
class Recording:
    """The steps of a recording, less those that the server induced."""

    format: str
    steps: tuple[RecordedStep, ...]
    write: Callable[[Sequence[RecordedStep]], bytes]
    """The recording with these steps only, in its own format."""
    induced: int = 0
    """How many entries were not the user's doing."""

    @property
    def actions(self) -> int:
        """How many steps may be left out."""
        return sum(not step.pinned for step in self.steps)


def of_the_user(steps: Sequence[RecordedStep]) -> tuple[tuple[RecordedStep, ...], int]:
    """Leave out what the server induced, by type; and how much that was."""
    kept = tuple(step for step in steps if step.kind.lower() not in INDUCED)
    return kept, len(steps) - len(kept)


# What belongs together in a recording: a tree of stretches, units and single steps.
#
# A *unit* is a press with its release, or several motions or key strokes in a row; a *stretch* is what is done at one
# place (an element and what is in it, a window): a dialogue's steps. Whole stretches are left out first, then units,
# then single steps: a release may go without its press (2002, section IV-B: "releasing the P key before clicking on
# Print").


LONGEST = 8
"""Key strokes in one unit: about a word."""


class ActionTree:
    """Deltas of a recording. Node 0 is the recording itself; the leaves are its steps."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        above = [-1]
        self._steps: list[int | None] = [None]
        for stretch in stretches(recording.steps):
            top = self._add(above, 0, None)
            for unit in units(recording.steps, stretch):
                inner = self._add(above, top, None) if len(unit) > 1 else top
                for step in unit:
                    self._add(above, inner, step)
        self.shape = shape_of(above, [1] * len(above))

    def _add(self, above: list[int], parent: int, step: int | None) -> int:
        above.append(parent)
        self._steps.append(step)
        return len(above) - 1

    def __len__(self) -> int:
        return len(self._steps)

    def cuttable(self, node: int) -> bool:
        """Whether it may be left out, with all in it."""
        return node > 0 and not any(self._pinned(each) for each in self.shape.subtree(node))

    def _pinned(self, node: int) -> bool:
        step = self._steps[node]
        return step is not None and self.recording.steps[step].pinned

    def kept(self, config: Config) -> list[RecordedStep]:
        """The steps that are present, in order."""
        places = sorted(step for node in config if (step := self._steps[node]) is not None)
        return [self.recording.steps[place] for place in places]

    def without(self, config: Config) -> Config:
        """All but the steps of this configuration that may be left out."""
        steps = (node for node in config if self._steps[node] is not None and not self._pinned(node))
        return Config.full(len(self)) - Config.of(steps)

    def nothing(self) -> Config:
        """Without all that may be left out."""
        return Config.of(
            node
            for node in range(len(self))
            if any(self._pinned(each) for each in self.shape.subtree(node)) or not node
        )

    def render(self, config: Config) -> bytes:
        """The recording with these steps."""
        return self.recording.write(self.kept(config))

    def digest(self, candidate: bytes) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return digest(candidate)

    def size(self, candidate: bytes) -> int:
        """How large a candidate is, in bytes."""
        return len(candidate)


def stretches(steps: Sequence[RecordedStep]) -> list[list[int]]:
    """Steps in a row at one place; those without a place belong to what was before. What is pinned stands alone."""
    found: list[list[int]] = []
    place = ""
    for number, step in enumerate(steps):
        apart = step.pinned or (number > 0 and steps[number - 1].pinned)
        if not found or apart or (step.place and step.place != place):
            found.append([])
        place = step.place or place
        found[-1].append(number)
    return found


def units(steps: Sequence[RecordedStep], stretch: Sequence[int]) -> list[list[int]]:
    """Presses with their releases; then key strokes, and motions, that stand in a row."""
    pairs = _pairs(steps, stretch)
    found: list[list[int]] = []
    for kind, row in groupby(pairs, key=lambda unit: _kind(steps, unit)):
        together: list[list[int]] = list(row)
        if kind in {"motion", "key"}:
            found += [list(chain(*together[at : at + LONGEST])) for at in range(0, len(together), LONGEST)]
        else:
            found += together
    return found


def _kind(steps: Sequence[RecordedStep], unit: Sequence[int]) -> str:
    kind = steps[unit[0]].kind
    return "key" if kind.lower().startswith("key") else kind


def _pairs(steps: Sequence[RecordedStep], stretch: Sequence[int]) -> list[list[int]]:
    """Each press with the next release of the same key or button."""
    found: list[list[int]] = []
    down: dict[str, list[int]] = {}
    for number in stretch:
        step = steps[number]
        if step.release and step.release in down:
            down.pop(step.release).append(number)
            continue
        found.append([number])
        if step.press:
            down[step.press] = found[-1]
    return found


# The tests of a suite that run before another one, as deltas.


@dataclass(frozen=True, slots=True)
class EarlierTests:
    """Tests in the order in which they run, and the one that they may make fail."""

    earlier: Sequence[str]
    victim: str
    sign: str
    """What its failure looks like."""

    def __len__(self) -> int:
        return len(self.earlier)

    def names(self, config: Config) -> list[str]:
        """Those of the earlier tests that are present."""
        return [name for start, stop in config.intervals() for name in self.earlier[start:stop]]

    def render(self, config: Config) -> bytes:
        """What a fresh process is to run."""
        plan = {"tests": [*self.names(config), self.victim], "victim": self.victim, "sign": self.sign}
        return json.dumps(plan).encode()

    def digest(self, candidate: bytes) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return digest(candidate)

    def size(self, candidate: bytes) -> int:
        """How large a candidate is, in bytes."""
        return len(candidate)
