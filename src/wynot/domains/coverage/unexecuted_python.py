"""Which lines of a Python source were not executed, from those that were.

By statements, not by lines: a statement of several lines is executed if any of its lines is, and so is whatever it
stands in. All at the outermost level was executed if the file was imported. Blank lines and comments are never.
"""

from __future__ import annotations

import ast
import gc
import warnings
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from itertools import chain

PYTHON_SUFFIXES = (".py", ".pyw")
_SILENT = (ast.Global, ast.Nonlocal, ast.Pass)
"""What is not executed where it stands, or not always."""
_PLAIN = (ast.Expr, ast.Assign, ast.Return, ast.Assert, ast.AugAssign, ast.Import, ast.ImportFrom, ast.Raise)
"""What has no statements in it: most that there is."""


def idle_of(source: bytes, executed: Collection[int]) -> frozenset[int]:
    r"""The lines that were not executed; none where that cannot be told.

    >>> text = b"import x\n\ndef f(a,\n      b):\n    if a:\n        return (1 +\n  2)\n    return 3"
    >>> sorted(idle_of(text, {1, 3})), sorted(idle_of(text, {1, 3, 5, 8}))
    ([2, 5, 6, 7, 8], [2, 6, 7])
    """
    try:
        with warnings.catch_warnings(), _no_collection():
            warnings.simplefilter("ignore")
            module = ast.parse(source)
            seen = _Seen(executed)
            idle = {line for node in module.body for line in _idle(node, seen)}
            code = set[int]()
            _code(module.body, code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    for number, line in enumerate(source.split(b"\n"), 1):
        text = line.strip()
        comment = text.startswith(b"#") and number > 2  # the first two may say how the file is encoded
        if number not in code and (not text or comment):
            idle.add(number)
    return frozenset(idle)


class _Seen:
    """Executed lines, and whether there are any from here to there."""

    def __init__(self, executed: Collection[int]) -> None:
        self._sum = [0] * (max(executed, default=0) + 1)
        for line in executed:
            self._sum[line] = 1
        for line in range(1, len(self._sum)):
            self._sum[line] += self._sum[line - 1]

    def any(self, first: int, last: int) -> bool:
        """Whether any of these lines was executed."""
        most = len(self._sum) - 1
        return self._sum[min(last, most)] > self._sum[min(first - 1, most)]


def _idle(node: ast.stmt, seen: _Seen) -> Iterator[int]:
    """The lines of a statement that were not executed, given that the one around it was."""
    if not seen.any(_first(node), _last(node)):
        if not _silent(node):
            yield from range(_first(node), _last(node) + 1)
        return
    function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    for body in _bodies(node):
        if function and not seen.any(_first(body[0]), _last(body[-1])):
            yield from range(_first(body[0]), _last(body[-1]) + 1)
        else:
            yield from chain.from_iterable(_idle(inner, seen) for inner in body)


def _code(statements: list[ast.stmt], lines: set[int]) -> None:
    """Add the lines of statements, without those between the ones in them."""
    for node in statements:
        bodies = list(_bodies(node))
        first = _first(node)
        last = _first(bodies[0][0]) - 1 if bodies else _last(node)
        lines.update(range(first, max(last, first) + 1))
        for body in bodies:
            _code(body, lines)


@contextmanager
def _no_collection() -> Iterator[None]:
    """A tree has no cycles; to look for some in it, again and again while it grows, takes a third of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks of a statement."""
    if isinstance(node, _PLAIN):
        return
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        if isinstance(body, list) and body:
            yield body
    for name in ("handlers", "cases"):
        for inner in getattr(node, name, ()):
            yield from _bodies(inner)


def _silent(node: ast.stmt) -> bool:
    """Whether a statement may be executed without a trace."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, _SILENT) or (isinstance(node, ast.AnnAssign) and node.value is None)


def _first(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min((node.lineno, *(each.lineno for each in decorators))) if decorators else node.lineno


def _last(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno
