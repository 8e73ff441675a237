"""From guilty changes on to their lines, and to the commits of these lines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from wynot.core.config import Config
from wynot.core.events import Stage
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL
from wynot.domains.changes.change import Change
from wynot.domains.changes.finer import lines_of
from wynot.domains.changes.history import History
from wynot.domains.changes.patched import Patched
from wynot.domains.changes.units import Units
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


def needed_commits(lab: Lab[Folder], old: Folder, broken: Folder, guilty: Sequence[Change], history: History) -> Config:
    """The commits whose lines of the guilty changes the failure needs, by number; nothing where that does not hold.

    A hunk may hold lines of several commits; lines of one commit stay together. `broken`: old with the guilty changes.
    """
    lines = tuple(line for change in guilty for line in lines_of(change))
    by_commit: dict[tuple[int, ...], list[int]] = {}
    for number, line in enumerate(lines):
        by_commit.setdefault(history.behind(line), []).append(number)
    domain = Units(Patched(old, broken, lines), [Config.of(numbers) for numbers in by_commit.values()])
    lab.listener(Stage("commits", len(domain)))
    found = drive(partial(sweep, Config.full(len(domain))), domain, lab, lambda _config, _outcome: None)
    kept, held = proved(lab, found.failing, domain.render, FAIL)
    origins = list(by_commit)
    return Config.of(commit for each in kept for commit in origins[each]) if held else Config()
