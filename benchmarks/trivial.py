"""A trivial test that needs all lines of its file, as a shell script (built-ins only) or a compiled program."""

from __future__ import annotations

import shutil
from pathlib import Path

import common

SHELL = """#!/bin/sh
echo >>{count}
{sleep}x=
. "$1"
[ ${{#x}} -eq {size} ]
"""

C = """
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv) {{
    struct stat file;
    struct timespec pause = {{0, {sleep}000000L}};
    int log = open("{count}", O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (write(log, "\\n", 1) != 1) return 3;
    close(log);
    if (pause.tv_nsec) nanosleep(&pause, 0);
    return argc == 2 && !stat(argv[1], &file) && file.st_size == {size} ? 0 : 1;
}}
"""


class Problem:
    """A file of so many lines, and the test that needs all of them."""

    def __init__(self, folder: Path, lines: int, kind: str, sleep: int = 0) -> None:
        self.lines = lines
        self.folder = folder / f"{kind}{lines}"
        self.folder.mkdir()
        self.input = self.folder / "input.txt"
        self._count = self.folder / "count"
        middle = "".join(f"#{number:06}\n" for number in range(lines - 2))
        text = f"x='\n{middle}'\n"  # read by the shell: a string whose length it knows without a loop
        self.input.write_text(text)
        self.without_one = self.folder / "without_one.txt"
        self.without_one.write_text(text.replace("#000000\n", ""))
        if kind == "c":
            pause, size = str(sleep), len(text)
            self.test = common.compiled(self.folder / "check", C.format(count=self._count, size=size, sleep=pause))
        else:
            pause, size = f"sleep {sleep / 1000}\n" if sleep else "", len(text) - len("x=''\n")
            self.test = common.write_script(
                self.folder / "check", SHELL.format(count=self._count, size=size, sleep=pause)
            )

    def place(self) -> Path:
        """A new empty folder for a run; the count begins again."""
        self._count.unlink(missing_ok=True)
        place = self.folder / "run"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        return place

    def tests(self) -> int:
        """How many tests were run since."""
        return self._count.stat().st_size
