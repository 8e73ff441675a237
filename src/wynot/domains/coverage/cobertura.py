"""Cobertura's XML: what coverage.py, gcovr, Maven, dotnet and others write for each other."""

from __future__ import annotations

from xml.parsers import expat

from wynot.domains.coverage.line_counts import LineCounts, Table, UnreadableError, new_table, whole_numbers


def read_cobertura(data: bytes) -> Table:
    """The counts of each file. Nothing that it refers to is fetched; a file that declares entities is refused.

    >>> xml = b'<coverage><class filename="a.py"><lines><line number="1" hits="2"/></lines></class></coverage>'
    >>> dict(read_cobertura(xml)["a.py"].lines)
    {1: 2}
    """
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.StartElementHandler = reader.begin
    parser.EndElementHandler = reader.end
    parser.EntityDeclHandler = _refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise UnreadableError(f"it is no XML: {error}") from None
    return reader.table


class _Reader:
    """Told of one element after the other."""

    def __init__(self) -> None:
        self.table = new_table()
        self._root = ""
        self._counts: LineCounts | None = None

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if not self._root:
            self._root = name
            if name != "coverage":
                raise UnreadableError(f"it is not Cobertura's XML: that begins with <coverage>, not with <{name}>")
        if name == "class":
            self._counts = self.table[attributes.get("filename", "")]
        elif name == "line" and self._counts is not None:
            number, hits = whole_numbers((attributes.get("number", ""), attributes.get("hits", "")))
            self._counts.add(number, hits)

    def end(self, name: str) -> None:
        """An element ends."""
        if name == "class":
            self._counts = None


def _refuse(*_declaration: object) -> None:
    raise UnreadableError("it declares entities, which no tool for coverage needs")
