"""A command line as a tree of deltas: options with their values, variables, configuration keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from wynot.core.artifact import digest, size
from wynot.core.call import HERE, Call, Variable
from wynot.core.config import Config
from wynot.core.folder import Folder
from wynot.core.tree_shape import TreeShape, shape_of
from wynot.domains.calls.config_keys import ConfigKeys, KeyPath

# The words of a command line: which are options, and which words belong to them.
#
# Nobody but the program knows for sure: in `prog -v input`, the second word may belong to the first or not. So there
# are two readings. The likelier one comes first; the other one is tried for what is left then. An option's argument is
# never left out without the option: the next word would be taken for it, and a file might be written over.


TAKING = frozenset(
    (
        "-o", "-I", "-L", "-D", "-U", "-x", "-T", "-B", "-m", "-isystem", "-iquote", "-idirafter", "-include",
        "-imacros", "-MF", "-MT", "-MQ", "-arch", "-target", "-framework", "--param", "--output", "--config",
        "--target",
    )
)  # fmt: skip
"""Options that commonly have their argument in the next word..."""
PASSING_ON = frozenset(("-Xlinker", "-Xclang", "-Xpreprocessor", "-Xassembler", "-mllvm"))
"""...and those for which that may well be an option itself, of another program."""
HARMLESS = frozenset(
    (
        "check", "checkonly", "diff", "dry", "dryrun", "justprint", "listdifferent", "noact", "noaction", "nochange",
        "nochanges", "noemit", "nofix", "nomodify", "noop", "nosave", "nowrite", "pretend", "preview", "printonly",
        "readonly", "recon", "simulate", "syntaxcheck", "syntaxonly", "whatif",
    )
)  # fmt: skip
"""Options that keep a program from writing, however their words are joined. Without them it does what the user did not
ask for."""
_HARMLESS_OF = {
    "n": frozenset(
        (
            "make", "gmake", "ninja", "rsync", "sh", "bash", "dash", "zsh", "ksh", "patch", "logrotate", "clang-format",
            "git", "rename", "prename", "file-rename", "stow", "detox", "fsck", "e2fsck", "scons",
        )
    ),
    "s": frozenset(("apt-get", "apt", "aptitude")),
}  # fmt: skip
"""Letters mean that to some programs only."""
_VERSION = re.compile(r"-[\d.]+$")
_NUMBER = re.compile(r"-\d+(\.\d+)?")


def harmless(program: str, option: str) -> bool:
    """Whether an option keeps a program from writing.

    >>> [harmless(*words.split()) for words in ("black --check", "kubectl --dry-run=client", "rsync -avn", "head -n")]
    [True, True, True, False]
    >>> [harmless(*words.split()) for words in ("tsc --noEmit", "terraform -check", "clang-format-14 -n", "gcc -c")]
    [True, True, True, False]
    """
    name = option.partition("=")[0].partition(" ")[0]
    if name.strip("-").replace("-", "").replace("_", "").lower() in HARMLESS:
        return True
    letters = name[1:] if name[1:].isalpha() else ""
    own = _VERSION.sub("", program.rpartition("/")[2])
    return any(own in _HARMLESS_OF.get(letter, frozenset()) for letter in letters)


@dataclass(frozen=True, slots=True)
class WordGroup:
    """Some words of a command line that stand together."""

    words: tuple[str, ...]
    free: bool
    """Whether it may be left out..."""
    tied: int = 1
    """...and how many of its words go then; the others stay."""
    sure: bool = True
    """Whether that is known; else it is the likelier reading."""

    @property
    def name(self) -> str:
        """What can be left out, as a user would write it."""
        return " ".join(self.words[: self.tied])

    @property
    def rest(self) -> tuple[str, ...]:
        """What stays without it."""
        return self.words[self.tied :] if self.free else self.words

    def otherwise(self) -> WordGroup:
        """The other reading."""
        return self if self.sure else replace(self, tied=3 - self.tied)


def pieces(
    argv: Sequence[str], takes: Mapping[str, int] | None = None, is_file: Callable[[str], bool] = lambda _word: False
) -> list[WordGroup]:
    """Take a command line apart. What does not belong to an option stays: the program, its inputs.

    `takes` says of options how many words belong to them; `is_file` whether a word names an input.

    >>> words = ["gcc", "-O2", "-o", "out", "--param", "x=1", "-c", "a.c"]
    >>> [piece.name for piece in pieces(words, is_file=lambda word: word == "a.c") if piece.free]
    ['-O2', '-o out', '--param x=1', '-c']
    """
    known, found, at = takes or {}, [WordGroup(tuple(argv[:1]), free=False)], 1
    while at < len(argv):
        word = argv[at]
        if word == "--":
            found.append(WordGroup(tuple(argv[at:]), free=False))
            break
        piece = _piece(argv, at, known, is_file) if len(word) > 1 and word[0] == "-" else WordGroup((word,), free=False)
        found.append(piece)
        at += len(piece.words)
    return found


def _piece(argv: Sequence[str], at: int, known: Mapping[str, int], is_file: Callable[[str], bool]) -> WordGroup:
    """The option that begins here."""
    word = argv[at]
    if word in known:
        words = tuple(argv[at : at + 1 + known[word]])
        return WordGroup(words, free=True, tied=len(words))
    behind = argv[at + 1] if at + 1 < len(argv) else "-"
    if word in PASSING_ON:
        return WordGroup((word, *argv[at + 1 : at + 2]), free=True, tied=2)
    if "=" in word or (behind.startswith("-") and not _NUMBER.fullmatch(behind)):
        return WordGroup((word,), free=True)
    operand = word not in TAKING and is_file(behind)
    return WordGroup((word, behind), free=True, tied=1 if operand else 2, sure=False)


# All that a program is called with, as one tree of deltas: options, variables, keys of configuration files.
#
# Node 0 is the call itself. Options and variables stand directly below it; so do the uppermost keys of each file, and
# below them the keys in them.


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
    path: KeyPath = ()
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
            numbers: dict[KeyPath, int] = {(): 0}
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


def dotted(path: KeyPath) -> str:
    """A key as users write it.

    >>> dotted(("tool", "black", "targets", 0))
    'tool.black.targets[0]'
    """
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
