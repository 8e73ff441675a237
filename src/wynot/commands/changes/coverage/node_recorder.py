"""What Node.js records of itself, in any process that a test starts."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote, urlparse

from wynot.commands.changes.coverage.line_recorder import Env
from wynot.core.folder import Folder
from wynot.domains.coverage.executed_lines import ExecutedLines
from wynot.domains.coverage.line_counts import UnreadableError
from wynot.domains.coverage.v8 import SUFFIX, lines_of, read_v8


class NodeCoverage:
    """Asks Node.js to record itself."""

    suffixes: ClassVar[tuple[str, ...]] = SUFFIX

    def __init__(self, folder: Path, path: str) -> None:
        self._data, self._path = folder, path

    def env(self) -> Env:
        """What asks for it."""
        return [("NODE_V8_COVERAGE", str(self._data))]

    def files(self, tree: Folder) -> dict[str, bytes]:  # noqa: ARG002
        """None."""
        return {}

    def found(self, tree: Folder, wanted: frozenset[str]) -> dict[str, ExecutedLines]:
        """What the processes tell that came to their end."""
        found: dict[str, ExecutedLines] = {}
        for file in sorted(self._data.glob("coverage-*.json")):
            with suppress(UnreadableError, OSError):
                for url, ranges in read_v8(file.read_text()):
                    inside = unquote(urlparse(url).path).removeprefix(f"{self._path}/")
                    if inside in wanted and inside.endswith(SUFFIX):
                        live, idle = lines_of(tree.entries[inside].data, ranges)
                        before = found.get(inside, ExecutedLines(frozenset(), idle))
                        found[inside] = ExecutedLines(before.lines | live, before.idle & idle)
        return found
