"""INI files by their lines: sections, and the keys in them with the lines that go on."""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterable
from dataclasses import dataclass

_SECTION = re.compile(r"\[(?P<name>.+)\]\s*(?:[#;].*)?")
_KEY = re.compile(r"(?P<name>[^\s#;=:\[][^=:]*?)\s*(?:[=:].*)?")
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class IniFile:
    """A file's lines, and which of them each key takes."""

    lines: tuple[str, ...]
    spans: dict[Path, tuple[int, int]]

    @classmethod
    def parse(cls, text: str) -> IniFile:
        r"""Find sections and keys.

        >>> ini = IniFile.parse("[a]\nx = 1\n  2\ny = 3\n[b]\n")
        >>> ini.paths, ini.without([("a", "x")])
        ([('a',), ('a', 'x'), ('a', 'y'), ('b',)], b'[a]\ny = 3\n[b]\n')
        """
        try:
            configparser.RawConfigParser(allow_no_value=True, strict=False).read_string(text)
        except configparser.MissingSectionHeaderError:
            pass  # many programs read keys without any section
        except configparser.Error as error:
            raise ValueError(" ".join(str(error).split())) from None
        lines = tuple(text.splitlines(keepends=True))
        return cls(lines, _spans(lines))

    @property
    def paths(self) -> list[Path]:
        """All keys in preorder."""
        return list(self.spans)

    def without(self, gone: Iterable[Path]) -> bytes:
        """The file without these keys."""
        away = {line for path in gone for line in range(*self.spans[path])}
        return "".join(line for at, line in enumerate(self.lines) if at not in away).encode()


def _spans(lines: tuple[str, ...]) -> dict[Path, tuple[int, int]]:
    spans: dict[Path, tuple[int, int]] = {}
    section: Path = ()
    last: Path | None = None
    for at, line in enumerate(lines):
        bare = line.strip()
        if section and section in spans:
            spans[section] = (spans[section][0], at + 1)
        if not bare or bare[0] in "#;":
            continue
        if line[0].isspace() and last is not None:
            spans[last] = (spans[last][0], at + 1)
            continue
        header, key = _SECTION.fullmatch(bare), _KEY.fullmatch(bare)
        if header is not None:
            if section in spans:
                spans[section] = (spans[section][0], at)
            section = last = _new((header["name"],), spans)
        elif key is not None:
            last = _new((*section, key["name"]), spans)
        else:
            raise ValueError(f"line {at + 1} is neither a section nor a key: {bare[:60]}")
        spans[last] = (at, at + 1)
    return spans


def _new(path: Path, spans: dict[Path, tuple[int, int]]) -> Path:
    """A name that is taken already gets a number."""
    number, named = 1, path
    while named in spans:
        number += 1
        named = (*path[:-1], f"{path[-1]} ({number})")
    return named
