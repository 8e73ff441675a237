"""Replay: every statement runs if, and only if, it is the next one of the trace.

`__wynot__` is what is left of the trace of this call; `__wynot__.at` is the number of its next statement. A statement
is compiled as `if __wynot__.at == NUMBER: ...`, a loop as `while` the next statement is in it. So the trace decides
what runs next, and headers of all kinds can be left out: an `if` without its condition, a `for` without its `next`, a
`with` without its entry. A handler is entered by an exception only.
"""

from __future__ import annotations

import ast
from typing import Any

from .python_statements import ADVANCE, HEADER, START, WHILE, Numbering, Statements, call, do, method, name, number

HERE, ENTER, NOTHING = "__wynot__", "__wynot_enter__", "__wynot_nothing__"


def at() -> ast.Attribute:
    """The number of the next statement."""
    return ast.Attribute(name(HERE), "at", ast.Load())


def is_next(number_: int) -> ast.Compare:
    """Whether it is the next one."""
    return ast.Compare(at(), [ast.Eq()], [number(number_)])


def inside(low: int, high: int) -> ast.Compare:
    """Whether the next one is one of these."""
    return ast.Compare(number(low), [ast.LtE(), ast.Lt()], [at(), number(high)])


def go() -> ast.Expr:
    """It runs now: on to the one after it."""
    return do(method(HERE, "go"))


def skip(low: int, high: int) -> ast.Expr:
    """What is next cannot be reached any more."""
    return do(method(HERE, "skip", number(low), number(high)))


class ReplayInstrumenter(Numbering):
    """Rewrites a file so that a trace decides what it does."""

    def framed(self, body: Statements, function: int) -> Statements:
        """Find the trace of this call first."""
        entry = ast.Assign([ast.Name(HERE, ast.Store())], call(name(ENTER), number(function)))
        end: Statements = [ast.Delete([ast.Name(HERE, ast.Del())])] if isinstance(self.owner, ast.ClassDef) else []
        return [entry, *body, *end]

    def line(self, nodes: Statements) -> Statements:
        """If it is the next one."""
        number_ = self.new(nodes[0])
        return [self.if_next(number_, [node for node in nodes if not isinstance(node, (ast.Break, ast.Continue))])]

    def if_next(self, number_: int, body: Statements) -> ast.If:
        """Run these if it is the next one."""
        return ast.If(is_next(number_), [go(), *body], [])

    def defined(self, number_: int, node: Any) -> Statements:
        """A definition is a line."""
        return [self.if_next(number_, [node])]

    def part(self, body: Statements) -> Statements:
        """A block that is gone through only if the next statement is in it."""
        low = self.next()
        new = self.block(body)
        return [ast.If(inside(low, self.next()), new, [])] if new else []

    def do_If(self, node: Any) -> Statements:
        """The condition is evaluated, if it is there; what it says does not matter."""
        header = self.if_next(self.new(node, HEADER), [do(node.test)])
        return [header, *self.part(node.body), *self.part(node.orelse)]

    def do_While(self, node: Any) -> Statements:
        """As long as the next statement is in it."""
        number_ = self.next()
        header = self.if_next(self.new(node, WHILE), [do(node.test)])
        body = self.round(node.body, number_)
        loop = ast.While(inside(number_, self.next()), [header, *body], [])
        return [loop, *self.part(node.orelse)]

    def do_For(self, node: Any) -> Statements:
        """Its start makes an iterator; each later round takes one item, if there is one."""
        number_ = self.next()
        self.new(node, START)
        self.new(node, ADVANCE)
        asynchronous = isinstance(node, ast.AsyncFor)
        kept = ast.Subscript(ast.Attribute(name(HERE), "rounds", ast.Load()), number(number_), ast.Load())
        store = ast.Subscript(kept.value, number(number_), ast.Store())
        made = (
            call(name("__wynot_aiter__"), node.iter)
            if asynchronous
            else call(name("__wynot_iter__"), node.iter, ast.Constant(None))
        )

        def one() -> Any:
            return type(node)(node.target, kept, [ast.Break()], [])

        start = self.if_next(number_, [ast.Assign([store], made), one()])
        body = self.round(node.body, number_)
        loop = ast.While(inside(number_ + 1, self.next()), [self.if_next(number_ + 1, [one()]), *body], [])
        end = ast.Assign([store], ast.Constant(None))
        return [start, loop, end, *self.part(node.orelse)]

    def do_With(self, node: Any) -> Statements:
        """Without its entry, its body runs all the same."""
        kind = type(node)
        numbers = [self.new(node, HEADER) for _ in node.items]
        body = self.block(node.body) or [ast.Pass()]
        for number_, item in zip(reversed(numbers), reversed(node.items)):  # noqa: B905 - not before 3.10
            taken = ast.BoolOp(ast.And(), [is_next(number_), method(HERE, "go")])
            value = ast.IfExp(taken, item.context_expr, name(NOTHING))
            inner: Statements = [ast.Try(body, [], [], [do(method(HERE, "reopen", number(number_)))])]
            target = None
            if item.optional_vars is not None:
                target = ast.Attribute(name(HERE), "value", ast.Store())
                held = ast.Compare(ast.Attribute(name(HERE), "value", ast.Load()), [ast.IsNot()], [name(NOTHING)])
                inner.insert(0, ast.If(held, [ast.Assign([item.optional_vars], method(HERE, "taken"))], []))
            body = [kind([ast.withitem(value, target)], inner)]
        return body

    def do_Try(self, node: Any) -> Statements:
        """Its handlers are entered by exceptions. What cannot be reached any more must not hold up the rest."""
        low = self.next()
        body = self.block(node.body)
        middle = self.next()
        free = not self.loops
        for handler in node.handlers:
            handler.body = [*([skip(low, middle)] if free else []), *self.block(handler.body)] or [ast.Pass()]
        upper = self.next()
        node.body = [*body, skip(middle, upper)] if node.handlers else body or [ast.Pass()]
        node.orelse = self.block(node.orelse)
        high = self.next()
        final = self.block(node.finalbody)
        node.finalbody = [*([skip(low, high)] if free else []), *final] if node.finalbody else []
        return [node, *([skip(low, self.next())] if free else [])]

    def do_Match(self, node: Any) -> Statements:
        """The patterns bind their names, if the header is there; the trace chooses the case."""
        number_ = self.new(node, HEADER)
        cases = [type(case)(case.pattern, case.guard, [ast.Pass()]) for case in node.cases]
        header = self.if_next(number_, [type(node)(node.subject, cases)])
        return [header, *(part for case in node.cases for part in self.part(case.body))]
