"""What a value consists of, and how to put it together again. The only place that knows the kinds of values.

Built-in containers can lose any of their parts; the fields of a dataclass and the positional arguments of a call stay.
Whatever else there is (objects, subclasses) is a whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from wynot.core.artifact import digest

Part = tuple[Any, Any]
"""A step (a place in a list, a key, a field) and the value there."""


@dataclass(frozen=True)
class Arguments:
    """The arguments of a call.

    >>> Arguments.of((1, 2)), Arguments.of({"x": 1})
    ((1, 2), (x=1))
    """

    args: tuple[Any, ...] = ()
    kwargs: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, given: object) -> Arguments:
        """From a tuple of positional arguments, a dict of keyword arguments, or these themselves."""
        if isinstance(given, Arguments):
            return given
        if isinstance(given, tuple):
            return cls(given)
        if isinstance(given, dict):
            return cls((), tuple(given.items()))
        raise TypeError(
            f"arguments are a tuple, a dict or wynot.arguments(...), not {type(given).__name__}: write (value,)"
        )

    def __repr__(self) -> str:
        return f"({', '.join([*map(repr, self.args), *(f'{name}={value!r}' for name, value in self.kwargs)])})"


def arguments(*args: Any, **kwargs: Any) -> Arguments:
    """The arguments of a call, as they would be written there."""
    return Arguments(args, tuple(kwargs.items()))


def parts(value: Any) -> list[Part]:
    """What can be found in a value; nothing where it is a whole."""
    kind = type(value)
    if kind in {list, tuple}:
        return list(enumerate(value))
    if kind in {set, frozenset}:
        return list(enumerate(sorted(value, key=fingerprint)))
    if kind is dict:
        return list(value.items())
    if kind is Arguments:
        return [*enumerate(value.args), *value.kwargs]
    if is_dataclass(value) and not isinstance(value, type):
        return [(field.name, getattr(value, field.name)) for field in fields(value) if field.init]
    return []


def may_go(value: Any, step: Any) -> bool:
    """Whether a part may be left out."""
    if type(value) is Arguments:
        return isinstance(step, str)
    return type(value) in {list, tuple, set, frozenset, dict}


def rebuilt(value: Any, found: Iterable[Part]) -> Any:
    """A value of the same kind, of these parts.

    >>> rebuilt({"a": 1, "b": 2}, [("b", 3)]), rebuilt((1, 2), [(1, 5)])
    ({'b': 3}, (5,))
    """
    kind = type(value)
    if kind is dict:
        return dict(found)
    if kind is Arguments:
        pairs = list(found)
        return Arguments(
            tuple(v for step, v in pairs if isinstance(step, int)),
            tuple((step, v) for step, v in pairs if isinstance(step, str)),
        )
    if kind in {list, tuple, set, frozenset}:
        return kind(part for _, part in found)
    return replace(value, **dict(found))


def fingerprint(value: Any) -> bytes:
    """The same for values that look the same. What is a whole and no plain value is told by its identity."""
    return digest(_look(value, frozenset()).encode("utf-8", "surrogatepass"))


_PLAIN = frozenset((str, bytes, int, float, bool, complex, type(None)))


def _look(value: Any, above: frozenset[int]) -> str:
    if type(value) in _PLAIN:
        return repr(value)
    found = parts(value) if id(value) not in above else []
    if not found and type(value) not in {list, tuple, set, frozenset, dict, Arguments}:
        return f"<{type(value).__qualname__} {id(value)}>"
    inner = above | {id(value)}
    return f"{type(value).__qualname__}({', '.join(f'{_look(s, inner)}: {_look(v, inner)}' for s, v in found)})"
