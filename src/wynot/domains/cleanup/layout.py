"""Comments, and white space that is more than needed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wynot.core.config import Config
from wynot.domains.cleanup.literals import contents
from wynot.domains.cleanup.rewrite_domain import Rewrite, covering, simpler, within
from wynot.domains.syntax.edits.cut_span import whole
from wynot.domains.syntax.syntax_tree import SyntaxTree
from wynot.domains.text.atom_domain import Region

_SPACE = re.compile(rb"[ \t\v\f\r\n]+")
_BREAK = re.compile(rb"\r\n|\n|\r")
_VERBATIM = re.compile(r"heredoc|raw_text|string_content")


def comments(tree: SyntaxTree, free: Config) -> list[Rewrite]:
    """The comments of a file; nothing, or a blank, may stand for them."""
    found: list[Rewrite] = []
    last = 0
    for node in range(len(tree)):
        start, end = tree.starts[node], tree.ends[node]
        if "comment" not in tree.kinds[node].lower() or start < last or not within((start, end), free):
            continue
        wide = whole(tree.data, start, end)
        start, end = (max(wide[0], last), wide[1]) if within(wide, free) else (start, end)
        found.append(Rewrite(((start, end),), simpler(tree.data[start:end], (b"", b" "))))
        last = end
    return found


def spaces(tree: SyntaxTree, free: Config, *, flush: bool = True) -> list[Rewrite]:
    """White space with less in its place: no blank lines, no blanks before a line's end, small indentation.

    Unless lines may be `flush`, those that are indented deeper than others stay so.
    """
    verbatim = _verbatim(tree)
    found = (match.span() for start, end in free.intervals() for match in _SPACE.finditer(tree.data, start, end))
    runs = [run for run in found if not within(run, verbatim)]
    steps = _steps(tree.data, runs)
    texts = ((run, _less(tree.data, run, steps, flush=flush)) for run in runs)
    rewrites = (Rewrite((run,), simpler(tree.data[slice(*run)], less)) for run, less in texts)
    return [rewrite for rewrite in rewrites if rewrite.texts]


def _verbatim(tree: SyntaxTree) -> Config:
    """Where white space is no layout."""
    bodies = (node for node in range(len(tree)) if _VERBATIM.search(tree.kinds[node]))
    regions = ((tree.starts[node], tree.ends[node]) for node in bodies)
    return covering([*contents(tree, Config.full(len(tree.data))), *regions])


def _begins_line(data: bytes, at: int) -> bool:
    return at == 0 or data[at - 1] in b"\r\n"


def _indent(data: bytes, run: Region) -> bytes | None:
    """The blanks at the beginning of a line; None where the run is within one line."""
    pieces = _BREAK.split(data[slice(*run)])
    return pieces[-1] if len(pieces) > 1 or _begins_line(data, run[0]) else None


def _steps(data: bytes, runs: Sequence[Region]) -> dict[int, int]:
    """For each width of indentation that there is: how many smaller ones there are."""
    indents = [_indent(data, run) for run in runs]
    widths = {0, *(len(indent.expandtabs()) for indent in indents if indent is not None)}
    return {width: step for step, width in enumerate(sorted(widths))}


def _less(data: bytes, run: Region, steps: dict[int, int], *, flush: bool) -> Iterator[bytes]:
    """What may stand for some white space; where a line ends, one still does."""
    indent = _indent(data, run)
    if indent is None:
        yield b"" if run[1] == len(data) else b" "
        return
    found = None if _begins_line(data, run[0]) else _BREAK.search(data, *run)
    line = found[0] if found else b""
    if flush:
        yield line
    yield line + indent[:1] * steps[len(indent.expandtabs())]
    yield line + indent
