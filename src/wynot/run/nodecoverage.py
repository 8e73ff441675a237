"""What Node.js records of itself, in any process that a test starts."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlparse

from wynot.core.folder import Folder, Kind
from wynot.domains.coverage.counts import UnreadableError
from wynot.domains.coverage.executed import Found
from wynot.domains.coverage.v8 import SUFFIX, lines_of, read_v8


class NodeCoverage:
    """Records in a private folder."""

    def __init__(self, folder: Path) -> None:
        self._data = folder

    def env(self) -> tuple[tuple[str, str], ...]:
        """What makes it record."""
        return (("NODE_V8_COVERAGE", str(self._data)),)

    def found(self, path: str, tree: Folder) -> dict[str, Found]:
        """The lines executed so far of the tree that is at this path; nothing where no process was reached."""
        found: dict[str, Found] = {}
        for file in sorted(self._data.glob("coverage-*.json")):
            with suppress(UnreadableError, OSError):  # of a process that was killed
                for url, ranges in read_v8(file.read_text()):
                    inside = unquote(urlparse(url).path).removeprefix(f"{path}/")
                    entry = tree.entries.get(inside)
                    if entry is None or entry.kind is not Kind.FILE or not inside.endswith(SUFFIX):
                        continue
                    live, idle = lines_of(entry.data, ranges)
                    before = found.get(inside, Found(frozenset(), idle))
                    found[inside] = Found(before.lines | live, before.idle & idle)
        return found
