"""From guilty changes on to their lines."""

from __future__ import annotations

from functools import partial

from wynot.core.config import Config
from wynot.core.events import Stage
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL
from wynot.domains.changes.change import Change
from wynot.domains.changes.patched import Patched
from wynot.run.anew import proved
from wynot.run.drive import drive
from wynot.run.lab import Lab
from wynot.search.sweep import sweep


def needed_lines(lab: Lab[Folder], lines: Patched) -> tuple[Change, ...]:
    """Those of the lines that the failure needs; nothing where they do not hold when looked at again."""
    lab.listener(Stage("lines", len(lines)))
    found = drive(partial(sweep, Config.full(len(lines))), lines, lab, lambda _config, _outcome: None)
    kept, held = proved(lab, found.failing, lines.render, FAIL)
    return tuple(lines.changes[each] for each in kept) if held else ()
