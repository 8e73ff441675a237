"""The lines of a native program: where each begins, and which function it belongs to. Runs inside gdb."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from typing import Any

import gdb


class Function:
    """A function of the program's own code."""

    def __init__(self, number: int, name: str, file: int, low: int, high: int) -> None:
        self.number, self.name, self.file, self.low, self.high = number, name, file, low, high
        self.entries: dict[int, int] = {}
        """The line that begins at an address."""
        self.exits: set[int] = set()
        """Where its closing brace begins: what runs there is its return."""
        self.line = 0
        self.watched = False


class NativeLines:
    """The line table of the program, as far as it is the user's own."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.trouble = ""
        self.files: list[str] = []
        self.functions: list[Function] = []
        self.by_entry: dict[int, Function] = {}
        self.by_address: dict[int, Function] = {}
        names = self._names()
        if not names:
            self.trouble = f"{options['words'][0]} has no debugging information: compile it with -g -O0"
            return
        gdb.execute("list main", to_string=True)
        producer = re.search(r"Producer is (.*)\.", gdb.execute("info source", to_string=True))
        if producer and re.search(r" -O(?!0\b)\S*", producer[1]):
            self.trouble = "the program was compiled with optimisation, lines are mixed up: compile it with -g -O0"
        self._names_of = names

    def _names(self) -> list[tuple[str, str, int]]:
        """File, name and line of each function with debugging information."""
        found, file = [], ""
        for line in gdb.execute("info functions -n", to_string=True).splitlines():
            if line.startswith("File "):
                file = line[5:].rstrip(":")
            match = re.match(r"(\d+):\s.*?([A-Za-z_~][\w:~]*)\(", line)
            if match and self._wanted(file):
                found.append((file, match[2], int(match[1])))
        return found

    def _wanted(self, file: str) -> bool:
        if any(fnmatch(file, pattern) for pattern in self.options["exclude"]):
            return False
        if self.options["include"]:
            return any(fnmatch(file, pattern) for pattern in self.options["include"])
        return not file.startswith(("/usr/", "/build/"))

    def place(self) -> None:
        """Read the tables of the program as it is loaded, and put the breakpoints."""
        tables: dict[str, Any] = {}
        for file, name, line in self._names_of:
            try:
                found = gdb.decode_line(f"'{file}':{line}")[1] or ()
                symbol = gdb.lookup_global_symbol(name) or gdb.lookup_static_symbol(name)
                block = gdb.block_for_pc(int(symbol.value().address)) if symbol else None
            except gdb.error:
                continue
            while block is not None and block.function is None:
                block = block.superblock
            if not found or block is None:
                continue
            path = found[0].symtab.fullname()
            tables.setdefault(path, found[0].symtab)
            self._function(name, path, line, block, tables[path])
        if self.files and not self.functions:
            self.trouble = "each function has one line, and lines are traced: put each statement on a line of its own"
        for address in self.by_entry:
            _stop_at(address)

    def watch(self, function: Function) -> None:
        """Stop at the lines of a function, from its first call on: gdb looks through all breakpoints at each stop."""
        if not function.watched:
            function.watched = True
            for address in function.entries:
                _stop_at(address)

    def _function(self, name: str, path: str, line: int, block: Any, table: Any) -> None:
        if path not in self.files:
            self.files.append(path)
        function = Function(len(self.functions), name, self.files.index(path), block.start, block.end)
        function.line = line
        rows = sorted((row.pc, row.line) for row in table.linetable() if block.start <= row.pc < block.end and row.line)
        if len({each for _, each in rows}) < 2:
            return  # all on one line: a part of the statement that calls it
        last = max(each for _, each in rows)
        for address, each in rows:
            if address == block.start:
                continue
            function.entries[address] = each
            if each == last:
                function.exits.add(address)
        if not function.exits:
            return
        self.functions.append(function)
        self.by_entry[block.start] = function
        for address in function.entries:
            self.by_address[address] = function


def _stop_at(address: int) -> None:
    gdb.Breakpoint(f"*{address:#x}", internal=True).silent = True
