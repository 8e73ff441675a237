"""What all formats of recordings have in common: steps, and a way to write some of them down again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

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
