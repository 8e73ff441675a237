"""The statements of a Python file, numbered: what the recorder and the player have in common.

Runs in the interpreter of the traced program: nothing but the standard library, and nothing newer than Python 3.9.

Numbers are given in the order of the text, so that all that is inside of a statement is one interval of numbers.
Simple statements that begin on one line of one block are one event, as in the paper (`print "a? "; $a = <>;`).
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from typing import Any

LINE, HEADER, START, ADVANCE, WHILE = range(5)
"""A line; the header of an if, a with or a match; of a for: its start, and its later rounds; that of a while."""

Statements = list[Any]


def name(text: str) -> ast.Name:
    """A name that is read."""
    return ast.Name(text, ast.Load())


def call(function: Any, *args: Any) -> ast.Call:
    """A call."""
    return ast.Call(function, list(args), [])


def method(owner: str, which: str, *args: Any) -> ast.Call:
    """A call of a method of a name."""
    return call(ast.Attribute(name(owner), which, ast.Load()), *args)


def do(expression: Any) -> ast.Expr:
    """An expression as a statement."""
    return ast.Expr(expression)


def number(value: int) -> Any:
    """A number, as a constant (a small negative one, too)."""
    return ast.Constant(value)


class Numbering(ABC):
    """Walks through a file and rewrites it; what it writes is the business of its heirs."""

    def __init__(self, base: int, first: int) -> None:
        self.base, self.first = base, first
        self.statements: list[tuple[int, int, int, int]] = []
        """Of each statement: its line, its kind, its function, the loop that it is in (-1: none)."""
        self.functions: list[tuple[str, int]] = []
        self.loops: list[int] = []
        """The headers of the loops that are open."""
        self.function = -1
        self.owner: Any = None

    def next(self) -> int:
        """The number that the next statement will have."""
        return self.base + len(self.statements)

    def new(self, node: Any, kind: int = LINE) -> int:
        """A number for a statement."""
        loop = self.loops[-1] if self.loops else -1
        self.statements.append((node.lineno, kind, self.first + self.function, loop))
        return self.next() - 1

    def rewritten(self, tree: ast.Module) -> ast.Module:
        """A whole file."""
        tree.body = self.scope(tree, "<module>", 1)
        return ast.fix_missing_locations(tree)

    def scope(self, node: Any, title: str, line: int) -> Statements:
        """The body of a function, a class or the file: what runs in a frame of its own."""
        before = self.function, self.loops, self.owner
        self.functions.append((title, line))
        self.function, self.loops, self.owner = len(self.functions) - 1, [], node
        head, rest = _head(node.body)
        number_ = self.first + self.function
        body = head + self.framed(self.block(rest), number_)
        self.function, self.loops, self.owner = before
        first = node.body[0] if node.body else None
        return self.placed(body, first) if first is not None else body

    def block(self, body: Statements) -> Statements:
        """The statements of a block."""
        out: Statements = []
        line: Statements = []
        for node in body:
            if line and not (_simple(node) and node.lineno == line[-1].lineno):
                out += self.placed(self.line(line), line[0])
                line = []
            if _simple(node):
                line.append(node)
            else:
                out += self.placed(self.compound(node), node)
        if line:
            out += self.placed(self.line(line), line[0])
        return out

    def placed(self, new: Statements, node: Any) -> Statements:
        """New statements at the place of an old one: tracebacks show the lines of the file."""
        for statement in new:
            if not hasattr(statement, "lineno"):
                ast.copy_location(statement, node)
        return new

    def compound(self, node: Any) -> Statements:
        """A statement with others in it."""
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            return [node]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            number_ = self.new(node)
            node.body = self.scope(node, node.name, node.lineno)
            return self.defined(number_, node)
        result: Statements = getattr(self, "do_" + type(node).__name__)(node)
        return result

    def round(self, body: Statements, loop: int) -> Statements:
        """The body of a loop."""
        self.loops = [*self.loops, loop]
        new = self.block(body)
        self.loops = self.loops[:-1]
        return new

    @abstractmethod
    def framed(self, body: Statements, function: int) -> Statements:
        """The body of a frame."""

    @abstractmethod
    def line(self, nodes: Statements) -> Statements:
        """Simple statements on one line."""

    @abstractmethod
    def defined(self, number_: int, node: Any) -> Statements:
        """A definition."""

    def do_AsyncFor(self, node: Any) -> Statements:
        """As the other one."""
        result: Statements = getattr(self, "do_For")(node)  # noqa: B009
        return result

    def do_AsyncWith(self, node: Any) -> Statements:
        """As the other one."""
        result: Statements = getattr(self, "do_With")(node)  # noqa: B009
        return result

    def do_TryStar(self, node: Any) -> Statements:
        """As the other one."""
        result: Statements = getattr(self, "do_Try")(node)  # noqa: B009
        return result


def _simple(node: Any) -> bool:
    return not hasattr(node, "body") and not isinstance(node, (ast.Global, ast.Nonlocal)) and not _is(node, "Match")


def _is(node: Any, kind: str) -> bool:
    return type(node).__name__ == kind


def _head(body: Statements) -> tuple[Statements, Statements]:
    """What must stand first: the docstring, and imports from the future."""
    place = 0
    if body and isinstance(body[0], ast.Expr) and isinstance(getattr(body[0].value, "value", None), str):
        place = 1
    while place < len(body) and isinstance(body[place], ast.ImportFrom) and body[place].module == "__future__":
        place += 1
    return list(body[:place]), list(body[place:])
