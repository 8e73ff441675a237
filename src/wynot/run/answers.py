"""From a set of changes to an answer: the changes, the commits they come from, and a patch."""

from __future__ import annotations

from collections.abc import Sequence

from wynot.core.config import Config
from wynot.domains.changes.change import Change
from wynot.domains.changes.history import Commit
from wynot.domains.changes.patch import patch
from wynot.run.culprits import Answer
from wynot.run.sources import Sources

MARK = b"Found by wynot changes: "
"""What patches begin with; programs that apply them skip it."""
_HEADS = {
    "breaks": MARK + b"applied to the old one, the failure shows.\n\n",
    "repairs": MARK + b"applied to the new one, the failure is gone.\n\n",
}


def answer(sources: Sources, kind: str, numbers: Config, beside: Config, *, minimal: bool) -> Answer:
    """These changes as an answer to one of the questions; `beside`: others that go with them."""
    changes = tuple(sources.changes[each] for each in numbers)
    told = sources.history
    origins = {each for number in numbers for each in told.origins[number]} if told is not None else set()
    commits = tuple(told.commits[each] for each in sorted(origins)) if told is not None else ()
    text = patch_of(sources, kind, sources.changes, numbers | beside)
    return Answer(changes, numbers, commits, text, beside, minimal)


def commits_behind(sources: Sources, lines: Sequence[Change]) -> tuple[Commit, ...]:
    """The commits that single lines come from, oldest first."""
    told = sources.history
    origins = {each for line in lines for each in told.behind(line)} if told is not None else set()
    return tuple(told.commits[each] for each in sorted(origins)) if told is not None else ()


def patch_of(sources: Sources, kind: str, changes: Sequence[Change], numbers: Config) -> bytes:
    """These of the changes, to the old folder; or what takes them back from the new one."""
    if kind == "breaks":
        return _HEADS[kind] + patch(changes, numbers, sources.old)
    return _HEADS[kind] + patch([each.back for each in changes], numbers, sources.new)
