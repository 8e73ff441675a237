"""Recording: every statement first says its number, at the price of one append to a list.

A file's statements are compiled with `__wynot__.append(NUMBER)` before each of them: far cheaper than any tracer, as
nothing of the interpreter's own is called. Functions say when they begin and end, generators and coroutines also when
they are left and entered again, so the flat list of numbers tells which statement ran in which call.
"""

from __future__ import annotations

import ast
from typing import Any

from .python_statements import ADVANCE, HEADER, START, WHILE, Numbering, Statements, call, do, method, name, number

LIST, OPEN = "__wynot__", "__wynot_open__"
OWN = "__wynot_own__"
EXIT, OUT, REOPEN = -1, -2, -4
ENTER = 16
"""A call of function f is -(16 + 2f); if it may be left and entered again -(17 + 2f) and a number of its own..."""
BACK = -(1 << 30)
"""...from here down, which also says that it is entered again."""


def said(value: int) -> ast.Call:
    """Append a number; false, as all that is None."""
    return method(LIST, "append", number(value))


def first(value: int, expression: Any) -> ast.BoolOp:
    """Append a number, then evaluate."""
    return ast.BoolOp(ast.Or(), [said(value), expression])


class RecordingInstrumenter(Numbering):
    """Rewrites a file so that it records what it does."""

    def framed(self, body: Statements, function: int) -> Statements:
        """Say that it begins, and, however it ends, that it ends."""
        resumable = _resumable(self.owner)
        if resumable:
            entry: Any = ast.Assign([ast.Name(OWN, ast.Store())], call(name(OPEN), number(-(ENTER + 1 + 2 * function))))
            body = [_Suspensions(self.owner).visit(statement) for statement in body]
        else:
            entry = do(said(-(ENTER + 2 * function)))
        return [entry, ast.Try(body or [ast.Pass()], [], [], [do(said(EXIT))])]

    def line(self, nodes: Statements) -> Statements:
        """Say the number of the line."""
        number_ = self.new(nodes[0])
        again = [do(said(self.loops[-1] + 1))] if isinstance(nodes[-1], ast.Continue) and self._for() else []
        return [do(said(number_)), *map(_left, nodes[:-1]), *again, _left(nodes[-1])]

    def _for(self) -> bool:
        """Whether the innermost loop is a `for` that does not say itself when it goes on."""
        if not self.loops or self.loops[-1] in self._wrapped:
            return False
        return self.statements[self.loops[-1] - self.base][1] == START

    _wrapped: frozenset[int] = frozenset()

    def defined(self, number_: int, node: Any) -> Statements:
        """A definition is a line."""
        return [do(said(number_)), node]

    def do_If(self, node: Any) -> Statements:
        """The condition is an event."""
        node.test = first(self.new(node, HEADER), node.test)
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        return [node]

    def do_While(self, node: Any) -> Statements:
        """The condition is an event, each time."""
        number_ = self.next()
        node.test = first(self.new(node, WHILE), node.test)
        node.body = self.round(node.body, number_)
        node.orelse = self.block(node.orelse)
        return [node]

    def do_For(self, node: Any) -> Statements:
        """Its start is an event, and so is each way back to its header."""
        number_ = self.next()
        self.new(node, START)
        self.new(node, ADVANCE)
        if _tangled(node.body):
            self._wrapped |= {number_}
            kind = "__wynot_arounds__" if isinstance(node, ast.AsyncFor) else "__wynot_rounds__"
            node.iter = call(name(kind), number(number_ + 1), node.iter)
            node.body = self.round(node.body, number_)
        else:
            if isinstance(node, ast.AsyncFor):
                node.iter = call(name("__wynot_aiter__"), name(OWN), node.iter)
            node.body = [*self.round(node.body, number_), do(said(number_ + 1))]
        node.orelse = self.block(node.orelse)
        return [do(said(number_)), node]

    def do_With(self, node: Any) -> Statements:
        """Each entry is an event; what its end does belongs to it, too."""
        kind, wrap = type(node), isinstance(node, ast.AsyncWith)
        numbers = [self.new(node, HEADER) for _ in node.items]
        body = self.block(node.body)
        for number_, item in zip(reversed(numbers), reversed(node.items)):  # noqa: B905 - not before 3.10
            expression = call(name("__wynot_actx__"), name(OWN), item.context_expr) if wrap else item.context_expr
            new = ast.withitem(first(number_, expression), item.optional_vars)
            body = [kind([new], [ast.Try(body or [ast.Pass()], [], [], [do(said(REOPEN)), do(said(number_))])])]
        return body

    def do_Try(self, node: Any) -> Statements:
        """What is in it; `try` itself does nothing."""
        node.body = self.block(node.body)
        for handler in node.handlers:
            handler.body = self.block(handler.body)
        node.orelse, node.finalbody = self.block(node.orelse), self.block(node.finalbody)
        return [node]

    def do_Match(self, node: Any) -> Statements:
        """The subject with its patterns is an event."""
        node.subject = first(self.new(node, HEADER), node.subject)
        for case in node.cases:
            case.body = self.block(case.body)
        return [node]


def _resumable(owner: Any) -> bool:
    """Whether a function is a generator or a coroutine."""
    return isinstance(owner, ast.AsyncFunctionDef) or (
        isinstance(owner, ast.FunctionDef) and any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in own_nodes(owner))
    )


def own_nodes(owner: Any) -> list[Any]:
    """All nodes below that run in the same frame."""
    found, stack = [], list(owner.body)
    while stack:
        node = stack.pop()
        found.append(node)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack.extend(ast.iter_child_nodes(node))
    return found


def _tangled(body: Statements) -> bool:
    """Whether a `continue` of this loop has to leave a `with` or a `try` that ends with something to do."""
    stack = [(node, False) for node in body]
    while stack:
        node, within = stack.pop()
        if isinstance(node, ast.Continue) and within:
            return True
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            stack += [(each, within) for each in getattr(node, "orelse", [])]
            continue
        holds = isinstance(node, (ast.With, ast.AsyncWith)) or bool(getattr(node, "finalbody", []))
        stack += [(each, within or holds) for each in ast.iter_child_nodes(node)]
    return False


def _left(node: Any) -> Any:
    """A statement that is nothing but a `yield`: here it is cheap to say when it is left and when it goes on."""
    if not isinstance(node, (ast.Expr, ast.Assign)) or not isinstance(node.value, ast.Yield):
        return node
    given = node.value.value or ast.Constant(None)
    node.value = _Left(ast.Subscript(ast.Tuple([given, said(OUT)], ast.Load()), number(0), ast.Load()))
    return ast.copy_location(ast.Try([node], [], [], [do(method(LIST, "append", name(OWN)))]), node)


class _Left(ast.Yield):
    """A `yield` that is marked already."""


class _Suspensions(ast.NodeTransformer):
    """Marks where a frame is left and entered again."""

    def __init__(self, owner: Any) -> None:
        self.coroutine = isinstance(owner, ast.AsyncFunctionDef)

    def _leave(self, node: Any) -> Any:
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = _leave
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _leave

    def visit__Left(self, node: Any) -> Any:
        """A value is given away, and that is marked already."""
        self.generic_visit(node)
        return ast.copy_location(ast.Yield(node.value), node)

    def visit_Yield(self, node: Any) -> Any:
        """A value is given away."""
        self.generic_visit(node)
        value = node.value or ast.Constant(None)
        if self.coroutine:
            node.value = call(name("__wynot_out__"), value)
            return call(name("__wynot_back__"), name(OWN), node)
        return ast.YieldFrom(call(name("__wynot_yield__"), name(OWN), value))

    def visit_YieldFrom(self, node: Any) -> Any:
        """Another generator is let through."""
        self.generic_visit(node)
        return ast.YieldFrom(call(name("__wynot_through__"), name(OWN), node.value))

    def visit_Await(self, node: Any) -> Any:
        """Something is waited for."""
        self.generic_visit(node)
        return ast.Await(call(name("__wynot_await__"), name(OWN), node.value))
