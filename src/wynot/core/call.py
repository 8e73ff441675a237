"""A setting as a value: how a program is called. Its words, variables of its environment, the files it finds."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from shlex import join, quote
from typing import NamedTuple

from wynot.core.folder import Entry, Folder

HERE = "\0"
"""Stands for the folder in which a test runs. No word of a command line and no variable can hold it otherwise."""


class Variable(NamedTuple):
    """A variable of the environment; None: it is not set."""

    name: str
    value: str | None


@dataclass(frozen=True, slots=True)
class Call:
    """An immutable call. Variables that are not named here are as they are.

    >>> call = Call(("prog", "-x", HERE + "/a.toml"), (Variable("LANG", None),), (("a.toml", b"x = 1"),))
    >>> call.words("/work")
    ('prog', '-x', '/work/a.toml')
    >>> call.typed()
    'env -u LANG prog -x ./a.toml'
    """

    argv: tuple[str, ...]
    env: tuple[Variable, ...] = ()
    files: tuple[tuple[str, bytes], ...] = ()
    """Names and contents; they lie in the folder in which the program runs."""
    copies: Folder | None = None
    """What else lies there: copies of the files that the words name."""
    instead: tuple[tuple[str, str], ...] = ()
    """Words of the command line that tests replace, so that they name the copies."""
    cwd: str = ""
    """Where it runs; none: in the folder of a test."""

    def words(self, folder: str) -> tuple[str, ...]:
        """The words of the command line, in this folder."""
        return tuple(word.replace(HERE, folder) for word in self.argv)

    def run_words(self, folder: str) -> tuple[str, ...]:
        """The words with which a test runs it, in this folder."""
        instead = dict(self.instead)
        return tuple(instead.get(word, word).replace(HERE, folder) for word in self.argv)

    @property
    def laid(self) -> tuple[tuple[str, bytes | Folder | Entry], ...]:
        """What a test finds in its folder."""
        if self.copies is None:
            return self.files
        own = {name for name, _ in self.files}
        return (*self.files, *((name, each) for name, each in self.copies.uppermost() if name not in own))

    def variables(self, folder: str) -> tuple[Variable, ...]:
        """The variables, in this folder."""
        return tuple(Variable(n, v if v is None else v.replace(HERE, folder)) for n, v in self.env)

    def typed(self) -> str:
        """What a user would type, in the folder with the files."""
        words = join(self.words("."))
        unset = [f"-u {quote(name)}" for name, value in self.env if value is None]
        new = [f"{name}={quote(value)}" for name, value in self.variables(".") if value is not None]
        return " ".join(["env", *unset, *new, words]) if unset or new else words

    def text(self) -> bytes:
        """All that is said in it, for whoever looks for words."""
        said = (*self.argv, *(f"{name} {value}" for name, value in self.env if value is not None))
        return b"\n".join([*(each.encode("utf-8", "surrogateescape") for each in said), *(d for _, d in self.files)])

    @property
    def size(self) -> int:
        """Bytes in its words, variables and files."""
        return len(self.text())

    def digest(self) -> bytes:
        """Tells settings apart."""
        said = repr((self.argv, self.env, self.files)).encode("utf-8", "surrogateescape")
        if self.copies is not None or self.cwd:
            copied = self.copies.digest() if self.copies is not None else b""
            said += copied + repr((self.instead, self.cwd)).encode("utf-8", "surrogateescape")
        return blake2b(said, digest_size=32, person=b"setting").digest()
