"""All that a program is called with, as one tree of deltas: options, variables, keys of configuration files.

Node 0 is the call itself. Options and variables stand directly below it; so do the uppermost keys of each file, and
below them the keys in them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wynot.core.artifact import digest, size
from wynot.core.call import HERE, Call, Variable
from wynot.core.config import Config
from wynot.core.folder import Folder
from wynot.core.tree_shape import TreeShape, shape_of
from wynot.domains.calls.command_words import WordGroup
from wynot.domains.calls.config_keys import ConfigKeys, Path

Keep = Callable[[str], bool]
"""Says of a delta's name whether it has to stay."""


class ConfigFile(NamedTuple):
    """A configuration file: its name, and what is in it."""

    name: str
    keys: ConfigKeys


class Delta(NamedTuple):
    """One circumstance that can be there or not."""

    kind: str
    """option, variable or key."""
    name: str
    of: int
    """Which piece, variable or file it is of."""
    path: Path = ()
    """Of a key: where it is in its file."""


@dataclass(frozen=True, slots=True)
class CallTree:
    """Deltas of a call."""

    pieces: Sequence[WordGroup]
    env: Sequence[Variable] = ()
    """Variables that may be unset."""
    files: Sequence[ConfigFile] = ()
    keep: Keep = field(default=lambda _name: False)
    harmless: tuple[str, ...] = ()
    """Options that keep the program from writing: they stay."""
    copies: Folder | None = None
    """Copies of the files that the words name, for tests to work on..."""
    instead: tuple[tuple[str, str], ...] = ()
    """...and the words that name them."""
    typed: tuple[str, ...] = ()
    """The words as typed..."""
    cwd: str = ""
    """...and where; nothing where that is not known."""
    deltas: tuple[Delta | None, ...] = field(init=False)
    shape: TreeShape = field(init=False)

    def __post_init__(self) -> None:
        deltas: list[Delta | None] = [None]
        above = [-1]
        for at, piece in enumerate(self.pieces):
            if piece.free:
                deltas.append(Delta("option", piece.name.replace(HERE, "."), at))
        deltas += [Delta("variable", variable.name, at) for at, variable in enumerate(self.env)]
        above += [0] * (len(deltas) - 1)
        for at, (name, keys) in enumerate(self.files):
            numbers: dict[Path, int] = {(): 0}
            for path in keys.paths:
                numbers[path] = len(deltas)
                deltas.append(Delta("key", f"{name}: {dotted(path)}", at, path))
                above.append(numbers[path[:-1]])
        object.__setattr__(self, "deltas", tuple(deltas))
        object.__setattr__(self, "shape", shape_of(above, [1] * len(deltas)))

    def __len__(self) -> int:
        return len(self.deltas)

    def cuttable(self, node: int) -> bool:
        """Whether a delta may be left out."""
        delta = self.deltas[node]
        return delta is not None and not any(self._kept(each) for each in self.shape.subtree(node))

    def _kept(self, node: int) -> bool:
        delta = self.deltas[node]
        return delta is not None and self.keep(delta.name)

    @property
    def count(self) -> int:
        """How many deltas may be left out."""
        return sum(map(self.cuttable, range(len(self))))

    def nothing(self) -> Config:
        """Without all that may be left out."""
        return Config.of(node for node in range(len(self)) if not self.cuttable(node))

    def given(self, config: Config) -> list[Delta]:
        """The deltas that are there and need not be, the uppermost of each kind of thing only."""
        return [
            delta
            for node, delta in enumerate(self.deltas)
            if delta is not None and node in config and self.cuttable(node) and not self._inner(node, config)
        ]

    def _inner(self, node: int, config: Config) -> bool:
        """Whether something below it is there, which says more."""
        return any(child in config for child in self.shape.children(node))

    def render(self, config: Config) -> Call:
        """The call with these circumstances."""
        gone = [d for node, d in enumerate(self.deltas) if d is not None and node not in config]
        options = {delta.of for delta in gone if delta.kind == "option"}
        unset = {delta.of for delta in gone if delta.kind == "variable"}
        words = [p.rest if at in options else p.words for at, p in enumerate(self.pieces)]
        env = tuple(Variable(v.name, None) if at in unset else v for at, v in enumerate(self.env))
        files = tuple(
            (name, keys.without([d.path for d in gone if d.kind == "key" and d.of == at]))
            for at, (name, keys) in enumerate(self.files)
        )
        return Call(tuple(word for each in words for word in each), env, files, self.copies, self.instead)

    def digest(self, candidate: Call) -> bytes:
        """The key under which a candidate's outcome is kept."""
        return digest(candidate)

    def size(self, candidate: Call) -> int:
        """How large a candidate is, in bytes."""
        return size(candidate)


def dotted(path: Path) -> str:
    """A key as users write it.

    >>> dotted(("tool", "black", "targets", 0))
    'tool.black.targets[0]'
    """
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
