"""The files that the scripts of a command name: the text in `sh -c TEXT`, and the shell scripts that it runs.

Tests run on copies of the files that words name. But a full path in a text leads to the user's own file, and so does a
relative one after `cd DIR`, or one that is a word of the command. Of what a text computes, only variables that it sets
to plain text are seen.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator
from glob import iglob
from itertools import islice
from pathlib import Path
from string import Template

from wynot.engine.files.file_guard import MAX_PATH, looked_at, paths_in
from wynot.engine.files.working_copies import SYSTEM

MAX_FOLDERS = 8
"""Folders in scripts that words may start in."""
MAX_SCRIPTS, MAX_TEXT = 16, 1 << 16
"""Scripts that are read, and bytes of each."""
MAX_MATCHES = 1000
"""Files that a pattern stands for."""
SHELLS = frozenset(("sh", "bash", "dash", "zsh", "ksh", "mksh", "ash"))
_SUFFIXES = tuple(f".{name}" for name in SHELLS)
_ENTERING = frozenset(("cd", "pushd", "chdir", "-C", "--directory"))
"""After these words a folder is one to start in, not one to work on."""
_PARTS = re.compile(r"""[\s;&|()<>'"`]+""")
"""What is between the words of a script for a shell."""
_OWN_FOLDER = re.compile(r"\bdirname\b|%/\*")
"""What computes the folder of the script itself."""
_MAGIC = re.compile(r"[*?[]")
_CASES = re.compile(r"\bcase\b.*?\besac\b", re.DOTALL)
_CASE_PATTERN = re.compile(r"(\bin\b|;;&?|;&)\s*\(?[^()\n]*\)")
"""What a `case` compares with, such as `/*)`: no file."""


def files_in_scripts(words: Iterable[str]) -> tuple[list[str], list[str]]:
    """The files that scripts name, or words after a script has entered a folder; and folders with too many files."""
    words = list(words)
    scripts = _Scripts(words)
    named = [path for word in words if word not in scripts.texts for path in paths_in(word)]
    scripts.find(named)
    return looked_at(scripts.paths)


class _Scripts:
    """Reads scripts, and those that they name in turn."""

    def __init__(self, words: list[str]) -> None:
        self.texts: dict[str, None] = {}
        """Texts to read, each once..."""
        self.paths: dict[str, None] = {}
        """...and the files and folders that they name."""
        self._cwd = os.getcwd()  # noqa: PTH109
        self._folders: dict[str, None] = {}
        """The user's folders in which scripts may run."""
        for at, word in enumerate(words):
            if _PARTS.search(word) and not os.path.lexists(word):
                self.texts[word] = None
            elif at > 0 or "/" in word:  # what is found by its name alone is an installed program
                self._script(word, told=at > 0 and _is_shell(words[at - 1]))
        for text in self._all():
            self._enter(text)
        for text in self.texts:
            self.find(_filled(_words(text)), inner=True)

    def _all(self) -> Iterator[str]:
        """The texts; those found meanwhile, too."""
        done = 0
        while done < min(len(self.texts), MAX_SCRIPTS):
            yield list(self.texts)[done]
            done += 1

    def _script(self, path: str, *, told: bool = False) -> None:
        """Read a file if it is a script for a shell, or given to one. It may enter the folder that it is in."""
        text = _shell_text(path, told=told)
        if text is None or text in self.texts:
            return
        self.texts[text] = None
        if _OWN_FOLDER.search(text):
            self._add_folder(os.path.dirname(os.path.realpath(path)))  # noqa: PTH120

    def _enter(self, text: str) -> None:
        """The folders that a text may enter, and the scripts that it may run."""
        for part in dict.fromkeys(_filled(_words(text))):
            for folder in (self._cwd, *self._folders):
                path = os.path.realpath(_join(folder, part))
                if path != self._cwd or os.path.isabs(part):  # noqa: PTH117
                    self._add_folder(path)
                self._script(path)

    def _add_folder(self, path: str) -> None:
        if len(self._folders) < MAX_FOLDERS and len(path) < MAX_PATH and os.path.isdir(path):  # noqa: PTH112
            self._folders[path] = None

    def find(self, parts: Iterable[str], *, inner: bool = False) -> None:
        """Take what these parts name in folders that scripts enter; with their full paths, if they are of a script."""
        parts = list(parts)
        for before, part, after in zip(("", *parts), parts, (*parts[1:], ""), strict=False):
            if before in _ENTERING or (part == "." and self._is_file(after)):  # that is to source a file
                continue
            for path in paths_in(part):
                if os.path.isabs(path):  # noqa: PTH117
                    places = [path] if inner else []
                else:
                    places = [_join(folder, path) for folder in self._folders]
                self.paths.update(dict.fromkeys(each for each in _there(places) if not _too_much(each)))

    def _is_file(self, name: str) -> bool:
        return any(os.path.isfile(_join(folder, name)) for folder in (self._cwd, *self._folders))  # noqa: PTH113


def _join(folder: str, path: str) -> str:
    return os.path.join(folder, os.path.expanduser(path))  # noqa: PTH118, PTH111


def _filled(words: list[str]) -> list[str]:
    """With the values of variables, as far as a script sets them to plain text, or the environment has them.

    >>> _filled(["D=/d", "cat", "$D/a", "${D}/b", "$1"])
    ['D=/d', 'cat', '/d/a', '/d/b', '$1']
    """
    known = dict(os.environ)
    for word in words:
        name, sign, value = word.partition("=")
        if sign and name.isidentifier():
            known[name] = Template(value).safe_substitute(known)
    return [Template(word).safe_substitute(known) if "$" in word else word for word in words]


def _too_much(path: str) -> bool:
    """Whether it is the user's home, or a folder that holds it or the system."""
    home = os.path.realpath(os.path.expanduser("~"))  # noqa: PTH111
    return any(f"{each}/".startswith(f"{os.path.realpath(path)}/".replace("//", "/")) for each in (home, "/usr"))


def _there(paths: Iterable[str]) -> Iterator[str]:
    """What is there of these paths, and of what patterns match; nothing of the system's, nor pipes and devices."""
    for path in paths:
        folder, name = os.path.split(path)
        found = [path]
        if _MAGIC.search(name) and not _MAGIC.search(folder):
            found = [] if _too_much(folder) else list(islice(iglob(path), MAX_MATCHES))  # noqa: PTH207 - as text
        yield from filter(_is_users, found)


def _is_users(path: str) -> bool:
    if len(path) >= MAX_PATH or "\0" in path:
        return False
    real = os.path.realpath(path)
    if f"{real}/".startswith(SYSTEM):
        return False
    return os.path.isfile(real) or os.path.isdir(real)  # noqa: PTH113, PTH112


def _words(text: str, depth: int = 3) -> list[str]:
    """The words of a script, and of scripts that are words in it.

    >>> _words("cd '/my folder' && exec sh -c 'black /a.py'")[:5]
    ['cd', '/my folder', '&&', 'exec', 'sh']
    >>> {"/my folder", "black", "/a.py"} < set(_words("cd '/my folder' && exec sh -c 'black /a.py'"))
    True
    >>> "/*" in _words('case "$0" in /*) ;; (/tmp/*) a;; esac; cat /b')
    False
    """
    found = []
    text = _CASES.sub(lambda case: _CASE_PATTERN.sub(r"\1 ", case[0]), text)
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    try:
        for word in lexer:
            found.append(word)  # noqa: PERF402 - as far as it goes
    except ValueError:  # a quote that does not end: an apostrophe in a comment or in a here-document
        pass
    inner = [word for word in found if _PARTS.search(word)] if depth else []
    found += [part for word in inner for part in _words(word, depth - 1)]
    return [*found, *filter(None, _PARTS.split(text))]


def _is_shell(word: str) -> bool:
    return word.rpartition("/")[2] in SHELLS


def _shell_text(path: str, *, told: bool) -> str | None:
    """The text of a script for a shell; None for other files."""
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > MAX_TEXT:  # noqa: PTH113, PTH202
            return None
        data = Path(path).read_bytes()
    except (OSError, ValueError):
        return None
    first = data.partition(b"\n")[0].decode("utf-8", "replace")
    shebang = first.startswith("#!") and any(map(_is_shell, first[2:].split()))
    text = data.decode("utf-8", "surrogateescape")
    return text if (shebang or told or path.endswith(_SUFFIXES)) and "\0" not in text else None
