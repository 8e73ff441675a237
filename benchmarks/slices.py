"""A backward dynamic slice of a failing Python program: the lines on which the line that raises depends.

python benchmarks/slices.py FOLDER[:FOLDER...] SCRIPT      prints the number of executed and of sliced lines as JSON

Made for comparison only. Executed lines are watched by `sys.settrace`; what each of them defines and uses is read from
its syntax tree. Dependences: local and global names, attributes of objects, objects that are changed in place (lists,
dicts, sets, ...), values returned, exceptions caught, the call that a line runs in, and control: the headers around
it, and those before it that may leave the block. Names are exact, objects are taken whole, C code is not looked into.
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import Any

CHANGEABLE = (list, dict, set, bytearray)
LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await)
RESUMABLE = 0x20 | 0x80 | 0x200
"""Flags of generators and coroutines."""


class Line:
    """What a statement defines and uses, and what decides whether it runs."""

    def __init__(self, line: int, headers: tuple[int, ...]) -> None:
        self.line, self.headers = line, headers
        self.defines: set[str] = set()
        self.uses: set[tuple[str, ...]] = set()
        self.changes: set[tuple[str, ...]] = set()
        """Names, and names with attributes, whose objects are changed."""
        self.sets: set[tuple[str, ...]] = set()
        self.catches = False

    def read(self, *nodes: ast.AST | None) -> Line:
        """Take in the expressions of a statement."""
        for node in nodes:
            for each in ast.walk(node) if node is not None else ():
                self._one(each)
        return self

    def _one(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name):
            self.defines.add(node.id) if isinstance(node.ctx, ast.Store) else self.uses.add((node.id,))
        elif isinstance(node, ast.Attribute):
            chain = _chain(node)
            if chain:
                self.uses.add(chain[:-1] if isinstance(node.ctx, ast.Store) else chain)
                self.sets |= {chain} if isinstance(node.ctx, ast.Store) else set()
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            self.changes |= {_chain(node.value)} - {()}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            self.changes |= {_chain(node.func.value)} - {()}
        elif isinstance(node, ast.alias):
            self.defines.add((node.asname or node.name).partition(".")[0])


def _chain(node: ast.AST) -> tuple[str, ...]:
    if isinstance(node, ast.Name):
        return (node.id,)
    inner = _chain(node.value) if isinstance(node, ast.Attribute) else ()
    return (*inner, node.attr) if inner and isinstance(node, ast.Attribute) else ()


class Source:
    """The statements of a file, by their lines."""

    def __init__(self, path: str) -> None:
        self.lines: dict[int, Line] = {}
        self._block(ast.parse(Path(path).read_bytes()).body, ())

    def _block(self, body: list[ast.stmt], headers: tuple[int, ...]) -> None:
        for node in body:
            self._statement(node, headers)
            if any(isinstance(each, LEAVING) for each in ast.walk(node)) and hasattr(node, "body"):
                headers = (*headers, node.lineno)

    def _statement(self, node: ast.stmt, headers: tuple[int, ...]) -> None:
        inner = [getattr(node, name) for name in ("body", "orelse", "finalbody") if getattr(node, name, None)]
        line = Line(node.lineno, headers)
        first = min((block[0].lineno for block in inner), default=(node.end_lineno or node.lineno) + 1)
        for number in range(node.lineno, max(first, node.lineno + 1)):
            self.lines.setdefault(number, line)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            line.defines.add(node.name)
            line.read(*node.decorator_list)
            for each in node.decorator_list:
                self.lines[each.lineno] = line
            self._block(node.body, ())
            return
        if not inner:
            line.read(node)
            if isinstance(node, ast.AugAssign):
                chain = _chain(node.target)
                line.uses |= {chain} - {()}
        else:
            parts = [getattr(node, name, None) for name in ("test", "iter", "target", "subject")]
            items = [part for item in getattr(node, "items", []) for part in (item.context_expr, item.optional_vars)]
            line.read(*parts, *items)
        around = (*headers, node.lineno)
        for block in inner:
            self._block(block, around)
        for handler in getattr(node, "handlers", []):
            caught = Line(handler.lineno, headers).read(handler.type)
            caught.catches = True
            caught.defines |= {handler.name} if handler.name else set()
            self.lines[handler.lineno] = caught
            self._block(handler.body, (*headers, handler.lineno))
        for case in getattr(node, "cases", []):
            self._block(case.body, around)


class Frame:
    """A call under way."""

    def __init__(self, code: Any) -> None:
        self.code = code
        self.parent = self.now = self.raised = -1
        self.names: dict[str, int] = {}
        self.last: dict[int, int] = {}
        """The last event of each line."""


class Slicer:
    """Watches a program; `events` are the lines executed, `needs` what each of them depends on."""

    def __init__(self, folders: list[str]) -> None:
        self.folders = tuple(folders)
        self.sources: dict[str, Source] = {}
        self.events: list[tuple[str, int]] = []
        self.needs: list[set[int]] = []
        self.frames: dict[int, Frame] = {}
        self.things: dict[Any, int] = {}
        """The last event that set a global name or an attribute, or changed an object."""
        self.functions: dict[tuple[str, int], int] = {}
        self.now = -1

    def watch(self, frame: Any, _event: str, _arg: Any) -> Any:
        """For `sys.settrace`: a call begins."""
        path = frame.f_code.co_filename
        if not path.startswith(self.folders):
            return None
        if path not in self.sources:
            self.sources[path] = Source(path)
        known = self.frames.get(id(frame))
        if known is None or known.code is not frame.f_code or not frame.f_code.co_flags & RESUMABLE:
            known = self.frames[id(frame)] = Frame(frame.f_code)
        known.parent = self.now
        lines, before = self.sources[path].lines, self.now

        def local(frame: Any, event: str, arg: Any) -> Any:
            if event == "line":
                line = lines.get(frame.f_lineno)
                if line is not None:
                    self._line(frame, known, line, path)
            elif event == "exception":
                known.raised = known.now
            elif event == "return":
                if before >= 0 and (arg is not None or known.raised == known.now):
                    self.needs[before].add(known.now)
                self.now = before
            return local

        if path and (path, frame.f_code.co_firstlineno) in self.functions:
            known.names[" "] = self.functions[path, frame.f_code.co_firstlineno]
        return local

    def _line(self, frame: Any, known: Frame, line: Line, path: str) -> None:
        event = self.now = len(self.events)
        self.events.append((path, line.line))
        needs = {known.parent, known.names.get(" ", -1), *(known.last.get(header, -1) for header in line.headers)}
        if line.catches:
            needs.add(known.raised)
        for chain in line.uses | line.changes:
            needs |= self._used(frame, known, chain)
        self.needs.append(needs - {-1, event})
        known.now = known.last[line.line] = event
        scope = id(frame.f_globals)
        for name in line.defines:
            known.names[name] = event
            if (
                frame.f_locals is frame.f_globals
                or name in frame.f_code.co_cellvars
                or name not in frame.f_code.co_varnames
            ):
                self.things[scope, name] = event
        for chain in line.sets:
            owner = _value(frame, chain[:-1])
            self.things[id(getattr(owner, "__dict__", owner)), chain[-1]] = event
        for chain in line.changes:
            value = _value(frame, chain)
            if isinstance(value, CHANGEABLE) or type(value).__module__ in {"collections", "_io", "io"}:
                self.things[id(value)] = event
        self.functions[path, line.line] = event

    def _used(self, frame: Any, known: Frame, chain: tuple[str, ...]) -> set[int]:
        scope, found = id(frame.f_globals), set()
        for length in range(1, len(chain) + 1):
            value = _value(frame, chain[:length])
            if length == 1:
                found.add(known.names.get(chain[0], self.things.get((scope, chain[0]), -1)))
            else:
                owner = _value(frame, chain[: length - 1])
                found.add(self.things.get((id(getattr(owner, "__dict__", owner)), chain[length - 1]), -1))
            if isinstance(value, CHANGEABLE) or type(value).__module__ in {"collections", "_io", "io"}:
                found.add(self.things.get(id(value), -1))
        return found

    def origin(self, error: BaseException) -> int:
        """The event that raised what ended the program: of the innermost call that was watched."""
        start, trace = len(self.events) - 1, error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename.startswith(self.folders):
                start = self.frames[id(trace.tb_frame)].now
            trace = trace.tb_next
        return start

    def sliced(self, start: int) -> set[tuple[str, int]]:
        """The lines of all events that this one depends on."""
        seen, todo = {start}, [start]
        while todo:
            for need in self.needs[todo.pop()] - seen:
                seen.add(need)
                todo.append(need)
        return {self.events[event] for event in seen}


def _value(frame: Any, chain: tuple[str, ...]) -> Any:
    """The value of a name with attributes, without running any code of the program's."""
    names: Any = frame.f_locals if chain[0] in frame.f_locals else frame.f_globals
    value = names.get(chain[0])
    for name in chain[1:]:
        inner = getattr(value, "__dict__", None)
        value = inner.get(name) if isinstance(inner, dict) else None
    return value


def main(folders: str, script: str) -> None:
    """Run the script, and slice."""
    slicer = Slicer([*folders.split(":"), script])
    sys.path[0] = str(Path(script).parent)
    code = compile(Path(script).read_bytes(), script, "exec")
    sys.setrecursionlimit(5000)
    try:
        sys.settrace(slicer.watch)
        exec(code, {"__name__": "__main__", "__file__": script})
    except BaseException as error:  # noqa: BLE001 - that is what it is about
        sys.settrace(None)
        lines = slicer.sliced(slicer.origin(error))
        print(json.dumps({"executed": len(set(slicer.events)), "slice": len(lines)}), file=sys.__stdout__)


if __name__ == "__main__":
    main(*sys.argv[1:])
