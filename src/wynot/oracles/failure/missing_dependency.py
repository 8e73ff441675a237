"""What a program says when something that it needs is not installed: a module, a header, a library, a program."""

from __future__ import annotations

import re
from typing import NamedTuple

_NAME = r"([\w.+@/:-]{1,200})"
_SAID = (
    (rf"ModuleNotFoundError: No module named ['\"]?{_NAME}", "Python module", "python -m pip install {}"),
    (rf"ImportError: No module named ['\"]?{_NAME}", "Python module", "python -m pip install {}"),
    (rf"No module named ['\"]{_NAME}['\"]", "Python module", "python -m pip install {}"),
    (rf": No module named {_NAME}", "Python module", "python -m pip install {}"),
    (rf"Cannot find (?:module|package) ['\"]{_NAME}['\"]", "Node module", "npm install {}"),
    (rf"fatal error: ['\"]?{_NAME}['\"]?(?:: No such file or directory| file not found)", "header", ""),
    (rf"cannot find -l{_NAME}", "library", ""),
    (rf"loading shared librar(?:y|ies): {_NAME}: cannot open", "library", ""),
    (rf"cannot load such file -- {_NAME}", "Ruby library", "gem install {}"),
    (rf"Can't locate {_NAME}\.pm in @INC", "Perl module", "cpan {}"),
    (rf"no required module provides package {_NAME}", "Go package", "go get {}"),
    (rf"can't find crate for `{_NAME}`", "Rust crate", "cargo add {}"),
    (rf"error: package {_NAME} does not exist", "Java package", ""),
    (rf"(?:^|: ){_NAME}: (?:command )?not found$", "program", ""),
    (rf"^env: [^\w\s]?{_NAME}[^\w\s]?: No such file or directory$", "program", ""),
)
_PATTERNS = tuple((re.compile(pattern, re.MULTILINE), kind, command) for pattern, kind, command in _SAID)


class Dependency(NamedTuple):
    """Something that is needed and not there."""

    kind: str
    name: str
    install: str
    """What usually installs it; empty where that differs from system to system."""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


def missing_dependency(text: str) -> Dependency | None:
    """The dependency that output says is missing, the first if there are several.

    >>> print(missing_dependency("E   ModuleNotFoundError: No module named 'six'"))
    Python module six
    >>> print(missing_dependency("a.c:1:10: fatal error: zlib.h: No such file or directory"))
    header zlib.h
    >>> print(missing_dependency("sh: 1: tsc: not found"))
    program tsc
    """
    found = [
        (match.start(), Dependency(kind, match[1], command.format(_installed(kind, match[1]))))
        for pattern, kind, command in _PATTERNS
        if (match := pattern.search(text))
    ]
    return min(found)[1] if found else None


def _installed(kind: str, name: str) -> str:
    """What has to be installed for a module that is in a package."""
    if kind == "Python module":
        return name.partition(".")[0]
    if kind == "Node module" and not name.startswith("."):
        return "/".join(name.split("/")[: 2 if name.startswith("@") else 1])
    if kind == "Perl module":
        return name.replace("/", "::")
    return name
