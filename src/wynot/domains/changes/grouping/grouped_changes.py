"""Groups of changes as deltas."""

from __future__ import annotations

from collections.abc import Sequence

from wynot.core.config import Config
from wynot.core.folder import Folder
from wynot.domains.changes.patched_folder import PatchedFolder


class GroupedChanges:
    """Deltas: groups of changes, on top of others that are always applied."""

    def __init__(self, domain: PatchedFolder, units: Sequence[Config], beside: Config = Config()) -> None:  # noqa: B008 - frozen
        self.domain, self.units, self.beside = domain, units, beside

    def __len__(self) -> int:
        return len(self.units)

    def changes(self, config: Config) -> Config:
        """The changes of these groups."""
        return Config.of(change for each in config for change in self.units[each])

    def render(self, config: Config) -> Folder:
        """The old folder with these groups."""
        return self.domain.render(self.changes(config) | self.beside)

    def digest(self, candidate: Folder) -> bytes:
        """The key of its outcome."""
        return self.domain.digest(candidate)

    def size(self, candidate: Folder) -> int:
        """How large it is."""
        return self.domain.size(candidate)


def by_age(numbers: Config, ages: Sequence[int]) -> list[Config]:
    """Changes that were made at the same time, the oldest first.

    >>> by_age(Config.of([0, 1, 3]), (7, 2, 9, 7))
    [Config(1), Config(0, 3)]
    """
    found: dict[int, list[int]] = {}
    for number in numbers:
        found.setdefault(ages[number], []).append(number)
    return [Config.of(found[age]) for age in sorted(found)]
