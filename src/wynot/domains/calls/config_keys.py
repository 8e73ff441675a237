"""The keys of configuration files (JSON, YAML, TOML, INI) as deltas."""

from __future__ import annotations

import configparser
import io
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, MutableMapping, MutableSequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Protocol

# INI files by their lines: sections, and the keys in them with the lines that go on.


_SECTION = re.compile(r"\[(?P<name>.+)\]\s*(?:[#;].*)?")
_KEY = re.compile(r"(?P<name>[^\s#;=:\[][^=:]*?)\s*(?:[=:].*)?")
KeyPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class IniFile:
    """A file's lines, and which of them each key takes."""

    lines: tuple[str, ...]
    spans: dict[KeyPath, tuple[int, int]]

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
    def paths(self) -> list[KeyPath]:
        """All keys in preorder."""
        return list(self.spans)

    def without(self, gone: Iterable[KeyPath]) -> bytes:
        """The file without these keys."""
        away = {line for path in gone for line in range(*self.spans[path])}
        return "".join(line for at, line in enumerate(self.lines) if at not in away).encode()


def _spans(lines: tuple[str, ...]) -> dict[KeyPath, tuple[int, int]]:
    spans: dict[KeyPath, tuple[int, int]] = {}
    section: KeyPath = ()
    last: KeyPath | None = None
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


def _new(path: KeyPath, spans: dict[KeyPath, tuple[int, int]]) -> KeyPath:
    """A name that is taken already gets a number."""
    number, named = 1, path
    while named in spans:
        number += 1
        named = (*path[:-1], f"{path[-1]} ({number})")
    return named


# The keys of a configuration file: JSON, TOML, YAML, INI. What is left looks as before, if its library can do that.
#
# A format is a way to load and a way to write; keys are found and cut in whatever mappings and lists it gives. INI
# files are cut by lines, as no library keeps them as they are.


"""The way to a key: names of keys, and places in lists."""


class ConfigKeys(Protocol):
    """A configuration file by its keys."""

    @property
    def paths(self) -> list[KeyPath]:
        """All keys in preorder: what is in one stands right behind it."""
        ...

    def without(self, gone: Iterable[KeyPath]) -> bytes:
        """The file without these keys."""
        ...


@dataclass(frozen=True, slots=True)
class ParsedConfig:
    """A file whose library gives mappings and lists."""

    text: str
    load: Callable[[str], Any]
    dump: Callable[[Any, str], str]
    fresh: Callable[[str], Any]
    """Reads a text for its values only."""

    @property
    def paths(self) -> list[KeyPath]:
        """All keys in preorder."""
        return list(_paths(self.fresh(self.text), ()))

    def without(self, gone: Iterable[KeyPath]) -> bytes:
        """The file without these keys, each of which may be in another one of them."""
        away = sorted(gone, key=_order, reverse=True)
        if not away:
            return self.text.encode()
        wanted = _cut(self.fresh(self.text), away)
        try:
            text = self.dump(_cut(self.load(self.text), away), self.text)
            if _same(self.fresh(text), wanted, set()):
                return text.encode()
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            pass  # its library cannot cut here and keep the look
        return self.dump(wanted, self.text).encode()


def _order(path: KeyPath) -> list[tuple[int, int, str]]:
    """Places in lists by number, so that later ones go first."""
    return [(0, step, "") if isinstance(step, int) else (1, 0, step) for step in path]


def _paths(data: object, above: KeyPath, seen: set[int] | None = None) -> Iterator[KeyPath]:
    """All keys below this one. What YAML aliases share is entered once: there may be more ways to it than time."""
    seen = set() if seen is None else seen
    if id(data) in seen:
        return
    if isinstance(data, MutableMapping | MutableSequence):
        seen.add(id(data))
    if isinstance(data, MutableMapping):
        steps: Iterable[tuple[str | int, object]] = list(data.items())
    elif isinstance(data, MutableSequence):
        steps = list(enumerate(data))
    else:
        return
    for step, value in steps:
        yield (*above, step)
        yield from _paths(value, (*above, step), seen)


def _same(one: object, other: object, compared: set[tuple[int, int]]) -> bool:
    """Whether both hold the same; what aliases share is compared once."""
    if (id(one), id(other)) in compared:
        return True
    compared.add((id(one), id(other)))
    if isinstance(one, MutableMapping) and isinstance(other, MutableMapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key], compared) for key in one)
    if isinstance(one, MutableSequence) and isinstance(other, MutableSequence):
        pairs = zip(one, other, strict=True)
        return len(one) == len(other) and all(_same(mine, yours, compared) for mine, yours in pairs)
    return one == other


def _cut(data: Any, away: list[KeyPath]) -> Any:
    """Without these keys, the last and the deepest first."""
    for path in away:
        holder = data
        for step in path[:-1]:
            holder = holder[step]
        del holder[path[-1]]
    return data


def _dump_json(data: Any, like: str) -> str:
    indent = 2 if "\n" in like.strip() else None
    return json.dumps(data, indent=indent, ensure_ascii=like.isascii()) + "\n" * like.endswith("\n")


def _json(text: str) -> ConfigKeys:
    json.loads(text)
    return ParsedConfig(text, json.loads, _dump_json, json.loads)


def _toml(text: str) -> ConfigKeys:
    import tomlkit  # noqa: PLC0415 - only where it is needed

    tomllib.loads(text)
    return ParsedConfig(text, tomlkit.parse, lambda data, _like: tomlkit.dumps(data), tomllib.loads)


def _yaml(text: str) -> ConfigKeys:
    from ruamel.yaml import YAML  # noqa: PLC0415 - only where it is needed
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415

    keeping, plain = YAML(), YAML(typ="safe", pure=True)

    def dump(data: Any, _like: str) -> str:
        stream = io.StringIO()
        keeping.dump(data, stream)
        return stream.getvalue()

    try:
        plain.load(text)
    except YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from None
    return ParsedConfig(text, keeping.load, dump, plain.load)


FORMATS: dict[str, Callable[[str], ConfigKeys]] = {"JSON": _json, "TOML": _toml, "YAML": _yaml, "INI": IniFile.parse}
_SUFFIXES = {
    ".json": "JSON", ".toml": "TOML", ".yaml": "YAML", ".yml": "YAML",
    ".ini": "INI", ".cfg": "INI", ".conf": "INI", ".properties": "INI",
}  # fmt: skip


class KeysError(ValueError):
    """A configuration file that cannot be read."""


def read_keys(name: str, data: bytes) -> ConfigKeys:
    r"""A configuration file by its name and content.

    >>> read_keys("a.toml", b"x = 1  # one\n[t]\ny = 2\n").without([("t", "y")])
    b'x = 1  # one\n[t]\n'
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise KeysError("it is no text") from None
    suffix = PurePath(name).suffix.lower()
    formats = [_SUFFIXES[suffix]] if suffix in _SUFFIXES else ["JSON", "TOML", "INI"]
    complaints = []
    for each in formats:
        try:
            return FORMATS[each](text)
        except (ValueError, RecursionError) as error:
            complaints.append(f"no valid {each} ({error})")
    raise KeysError(complaints[0] if len(complaints) == 1 else "neither JSON nor TOML nor INI")
