"""Fenced blocks of a page, and how to run them.

- `sh`: a script that has to end well.
- `console`: after each `$ ` a command (`> ` continues it), then what it prints. A line `...` stands for any lines,
  `...` in a line for any text. The number of tests that a run takes is a bound, its seconds are not compared.
- `python`: a script, or a session with `>>>`; names last until the end of the page.

All blocks of a page run in order in one folder that has the repository's examples; `cd` lasts. A comment before a block
says why it is not run, `<!-- not run: why -->`, or which command it waits for, `<!-- needs: wynot report -->`.
"""

from __future__ import annotations

import contextlib
import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(
    r"(?:^<!-- (?P<mark>not run|needs): (?P<why>.+?) -->\n)?^```(?P<kind>sh|console|python)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_COST = re.compile(r"(?P<head>.*?)(?P<tests>\d+) tests \(.*\) in (?:[\d.]+|\.\.\.) s$")
_CHATTER = re.compile(r" tests/s · | · before the search · |: the time limit is \S+ s now$")
_LIMIT = 300


@dataclass(frozen=True)
class Block:
    """A block, where it is, and why it is not run, or what it needs."""

    kind: str
    text: str
    line: int
    mark: str | None
    why: str | None


def blocks(page: Path) -> Iterator[Block]:
    """All blocks of a page that could be run."""
    text = page.read_text()
    for match in _FENCE.finditer(text):
        line = text.count("\n", 0, match.start("text")) + 1
        yield Block(match["kind"], match["text"], line, match["mark"], match["why"])


def commands(text: str) -> Iterator[tuple[str, str]]:
    r"""Each command of a console block, and what it is said to print.

    >>> list(commands("$ a\n> b\nx\n\n$ c\n"))
    [('a\nb', 'x\n'), ('c', '')]
    """
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        while shown.startswith("> "):
            more, _, shown = shown[2:].partition("\n")
            command += "\n" + more
        yield command, shown.strip("\n") + "\n" if shown.strip() else ""


class Reader:
    """Somebody who types what a page says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder
        self.names: dict[str, Any] = {"__name__": "__page__"}
        self.environment = dict(
            os.environ,
            PATH=os.pathsep.join((os.path.dirname(sys.executable), os.environ["PATH"])),  # noqa: PTH120 - no links followed
            PYTHONPATH=str(ROOT / "src"),
            WYNOT_HOME=str(folder.parent / "journals"),
            NO_COLOR="1",
        )

    def run(self, block: Block) -> str | None:
        """Run a block; what is wrong, if anything."""
        if block.kind == "sh":
            code, out = self.type(f"set -e\n{block.text}")
            return None if code == 0 else f"exit code {code}\n{out}"
        if block.kind == "python":
            return self.python(block)
        for command, shown in commands(block.text):
            code, out = self.type(command)
            if not shown and code != 0:
                return f"{command}: exit code {code}\n{out}"
            if shown and not alike(out, shown):
                return f"$ {command}\n--- prints\n{out}--- but the page says\n{shown}"
        return None

    def type(self, command: str) -> tuple[int, str]:
        """Run something in the shell where we are: its exit code, and what it prints."""
        where = self.home.parent / "where"
        script = f"trap 'pwd > {where}' EXIT\n{command}\n"
        ended = subprocess.run(
            ["sh", "-c", script], cwd=self.folder, env=self.environment, timeout=_LIMIT, check=False, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.folder = Path(where.read_text().strip())
        return ended.returncode, ended.stdout

    def python(self, block: Block) -> str | None:
        """Run Python in the folder where we are, or a session of it."""
        with contextlib.chdir(self.folder):
            if ">>> " in block.text:
                return self.session(block)
            exec(compile(block.text, f"line {block.line}", "exec"), self.names)
            return None

    def session(self, block: Block) -> str | None:
        """Run what is typed at Python's prompt."""
        said: list[str] = []
        session = doctest.DocTestParser().get_doctest(block.text, self.names, "page", None, block.line)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        runner.run(session, out=said.append, clear_globs=False)
        self.names.update(session.globs)
        return "".join(said) or None

    def can(self, command: str) -> bool:
        """Whether there is such a command: `wynot report`."""
        return self.type(f"{command} --help")[0] == 0


def alike(printed: str, shown: str) -> bool:
    r"""Whether a program prints what the page shows.

    >>> alike("a 17 b\nc\nd\n", "a ... b\n...\nd\n")
    True
    >>> alike("9 -> 2 bytes, 12 tests (+4 baseline) in 2.5 s\n", "9 -> 2 bytes, 13 tests (+4 baseline) in ... s\n")
    True
    >>> alike("14 tests (+4 baseline) in 2.5 s\n", "13 tests (+4 baseline) in 0.1 s\n")
    False
    """
    lines = [line for line in printed.splitlines() if not _CHATTER.search(line)]
    return _alike([line.rstrip() for line in lines], [line.rstrip() for line in shown.splitlines()])


def _alike(printed: list[str], shown: list[str]) -> bool:
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(_alike(printed[skipped:], shown[1:]) for skipped in range(len(printed) + 1))
    return bool(printed) and _same(printed[0], shown[0]) and _alike(printed[1:], shown[1:])


def _same(printed: str, shown: str) -> bool:
    costs, bound = _COST.search(printed), _COST.search(shown)
    if costs is not None and bound is not None:
        return costs["head"] == bound["head"] and int(costs["tests"]) <= int(bound["tests"])
    pattern = ".*".join(map(re.escape, shown.split("...")))
    return re.fullmatch(pattern, printed) is not None
