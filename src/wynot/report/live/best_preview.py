"""The beginning of the best so far, as it looks: in colours, as bytes, as a list of files, as a difference."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text

from wynot.core.call import Call
from wynot.core.folder import Folder
from wynot.core.run_events import InputPair, Visible
from wynot.report.escape import safe, visible

LONG = 400
"""Of one line of text so much is looked at, whatever the terminal's width."""
AROUND = 2000
"""Of two inputs so many bytes are looked at, after the first one that differs."""
LANGUAGES = {"sexpr": "common-lisp", "csharp": "c#", "c_sharp": "c#"}
"""Languages that the highlighter knows by another name."""


Colours = Callable[[str], Text]
"""Gives the same text, in colours."""


class BestPreview:
    """Looks at what is best only when that has changed, and only at as much of it as can be shown."""

    def __init__(self, name: str, language: str | None) -> None:
        self._name, self._language = name, language
        self._colours: Colours | None = None
        self._known: tuple[object, int, int] | None = None
        self._rows: list[Text] = []

    def rows(self, best: Callable[[], Visible], width: int, height: int) -> list[Text]:
        """The first rows of it; none is wider than the terminal."""
        asked = (best, width, height)
        if asked != self._known:
            rows = self._look(best(), width, height)
            for row in rows:
                row.truncate(width, overflow="ellipsis")
            self._rows, self._known = rows[:height], asked
        return self._rows

    def _look(self, sight: Visible, width: int, height: int) -> list[Text]:
        if isinstance(sight, Call):
            sight = sight.argv
        if isinstance(sight, InputPair):
            return _difference(sight, height)
        if isinstance(sight, Folder):
            return _files(sight, height)
        if isinstance(sight, tuple):
            return [Text(visible(name)) for name in sight[:height]]
        text = _text(sight[: LONG * height])
        return _dump(sight, width, height) if text is None else self._coloured(text, height)

    def _coloured(self, text: str, height: int) -> list[Text]:
        shown = "\n".join(visible(line[:LONG].expandtabs(4)) for line in text.split("\n")[:height])
        if self._colours is None:
            self._colours = _colours(self._name, self._language, shown)
        lines = list(self._colours(shown).split("\n"))
        return [*lines, Text("(empty)", "dim")] if not any(line.plain.strip() for line in lines) else lines


def _text(data: bytes) -> str | None:
    """What the bytes say, if they are a text at all."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(data) - 3:  # more than a last character that was cut in two
            return None
        text = data[: error.start].decode("utf-8")
    return None if "\0" in text else text.replace("\r\n", "\n")


def _dump(data: bytes, width: int, height: int) -> list[Text]:
    """Bytes as numbers, and what is readable of them."""
    many = 16 if width >= 75 else 8 if width >= 42 else 4
    rows = []
    for start in range(0, min(len(data), many * height), many):
        part = data[start : start + many]
        signs = "".join(chr(each) if 32 <= each < 127 else "·" for each in part)
        row = Text(f"{start:06x}  ", "dim")
        row.append(f"{part.hex(' '):<{3 * many}}", "cyan")
        row.append(f" {signs}", "")
        rows.append(row)
    return rows


def _files(folder: Folder, height: int) -> list[Text]:
    """The largest files, and how many there are."""
    sizes = sorted(((len(data), path) for path, data in folder.files.items()), reverse=True)
    shown = sizes if len(sizes) <= height else sizes[: height - 1]
    digits = len(str(sizes[0][0])) if sizes else 1
    rows = [Text.assemble((f"{size:>{digits}} ", "cyan"), visible(path)) for size, path in shown]
    return rows if len(shown) == len(sizes) else [*rows, Text(f"… {len(sizes) - len(shown)} more files", "dim")]


def _difference(pair: InputPair, height: int) -> list[Text]:
    """What differs, in context."""
    from wynot.report.isolate_report import show_difference  # noqa: PLC0415 - not needed for most

    old, new = pair.passing, pair.failing
    head = _shared(min(len(old), len(new)), lambda many: old[:many] == new[:many])
    rest = min(len(old), len(new)) - head
    tail = _shared(rest, lambda many: old[len(old) - many :] == new[len(new) - many :])
    start = max(0, old.rfind(b"\n", 0, max(0, head - LONG)) + 1, head - 2 * LONG)
    parts = [side[start : min(len(side), max(head, len(side) - tail) + LONG, head + AROUND)] for side in (old, new)]
    return list(Text.from_ansi(safe(show_difference(*parts, colour=True))).split("\n"))[:height]


def _shared(most: int, same: Callable[[int], bool]) -> int:
    """How much is the same, found by halving: comparing bytes is fast."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if same(middle) else (least, middle - 1)
    return least


def _colours(name: str, language: str | None, text: str) -> Colours:
    """A highlighter for a file of this name, or in this language."""
    from rich.syntax import Syntax  # noqa: PLC0415 - it takes a while to load

    if language == "none":
        return Text
    lexer = LANGUAGES.get(language, language) if language else Syntax.guess_lexer(name or "text", text)
    syntax = Syntax("", lexer, theme="ansi_dark", background_color="default")
    return Text if syntax.lexer is None else lambda text: syntax.highlight(text)  # noqa: PLW0108 - it takes more
