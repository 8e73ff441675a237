"""The words of a command line: which are options, and which words belong to them.

Nobody but the program knows for sure: in `prog -v input`, the second word may belong to the first or not. So there are
two readings. The likelier one comes first; the other one is tried for what is left then. An option's argument is never
left out without the option: the next word would be taken for it, and a file might be written over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

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
