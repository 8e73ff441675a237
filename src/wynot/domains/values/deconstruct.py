"""What a value consists of, and how to put it together again. The only place that knows the kinds of values.

Built-in containers can lose any of their parts; the fields of a dataclass, the attributes of a plain object and the
positional arguments of a call stay, and have parts of their own. Everything else is a whole: subclasses of built-in
types, objects that define how they are copied, objects that refer to themselves or twice to the same object.
"""

from __future__ import annotations

import copy
import enum
from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from operator import is_
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
        return f"({', '.join([*map(shown, self.args), *(f'{name}={shown(value)}' for name, value in self.kwargs)])})"


def arguments(*args: Any, **kwargs: Any) -> Arguments:
    """The arguments of a call, as they would be written there."""
    return Arguments(args, tuple(kwargs.items()))


def shown(value: Any) -> str:
    """How a value is shown to people, though its own `__repr__` may raise.

    Plain objects whose class has no `__repr__` are shown with their attributes.
    """
    try:
        text = repr(value)
    except Exception as error:  # noqa: BLE001 - whatever the user's class raises
        return f"<{type(value).__name__}: its repr raises {type(error).__name__}>"
    if _NO_REPR not in text:
        return text
    try:
        return _with_attributes(value)
    except Exception:  # noqa: BLE001 - a value that holds itself, or the user's class
        return text


_NO_REPR = " object at 0x"
"""Part of what `object.__repr__` gives."""
_BRACKETS = {list: "[]", tuple: "()", set: "{}", dict: "{}"}


def _with_attributes(value: Any) -> str:
    text = repr(value)
    kind: Any = type(value)
    if _NO_REPR not in text:
        return text
    if kind in _BRACKETS:
        pairs = [f"{_with_attributes(k)}: {_with_attributes(v)}" for k, v in value.items()] if kind is dict else []
        brackets = _BRACKETS[kind]
        comma = "," if kind is tuple and len(value) == 1 else ""
        return f"{brackets[0]}{', '.join(pairs or map(_with_attributes, value))}{comma}{brackets[1]}"
    bare = kind.__repr__ is object.__repr__ and _is_plain(value) and _is_tree(value)
    if not bare and not _is_made_of_fields(value):
        return text
    return f"{kind.__qualname__}({', '.join(f'{name}={_with_attributes(each)}' for name, each in parts(value))})"


UNBUILT = object()
"""In the place of a value that cannot be built: the class of one of its parts refuses what it is given."""


def parts(value: Any) -> list[Part]:
    """What can be found in a value; nothing where it is a whole, or raises when it is looked at."""
    try:
        return _parts(value)
    except Exception:  # noqa: BLE001 - a property of the user's class
        return []


def _parts(value: Any) -> list[Part]:
    kind = type(value)
    if kind in {list, tuple}:
        return list(enumerate(value))
    if kind in {set, frozenset}:
        return list(enumerate(sorted(value, key=fingerprint)))
    if kind is dict:
        return list(value.items())
    if kind is Arguments:
        return [*enumerate(value.args), *value.kwargs]
    if _is_made_of_fields(value):
        return [(field.name, getattr(value, field.name)) for field in fields(value) if field.init]
    return list(vars(value).items()) if _is_plain(value) and _is_tree(value) else []


def _is_made_of_fields(value: Any) -> bool:
    """Whether an object of a dataclass can be made anew of its fields; what `__init__` is not given is lost then.

    >>> from dataclasses import field
    >>> @dataclass
    ... class Order:
    ...     items: list[int]
    ...     total: int = field(init=False, default=0)
    >>> order = Order([1, 2])
    >>> _is_made_of_fields(order)
    True
    >>> order.total = 3
    >>> _is_made_of_fields(order)
    False
    """
    if not is_dataclass(type(value)) or isinstance(value, type):
        return False
    try:
        again = replace(value, **{field.name: getattr(value, field.name) for field in fields(value) if field.init})
    except Exception:  # noqa: BLE001 - a missing argument (InitVar), or the class refuses what was changed since
        return False
    own, new = getattr(value, "__dict__", {}), getattr(again, "__dict__", {})
    pairs = [(getattr(value, field.name), getattr(again, field.name)) for field in fields(value)]
    return own.keys() == new.keys() and all(_alike(*each) for each in [*pairs, *((own[key], new[key]) for key in own)])


def _alike(one: Any, other: Any) -> bool:
    """Whether two values are the same, or are plain and equal, or hold the same."""
    kind = type(one)
    if one is other or (kind is type(other) and kind in _PLAIN and one == other):
        return True
    if kind is not type(other) or kind not in {list, tuple, dict} or len(one) != len(other):
        return False
    pairs = zip(one.items(), other.items(), strict=True) if kind is dict else zip(one, other, strict=True)
    return all(left is right or (kind is dict and all(map(is_, left, right))) for left, right in pairs)


_HEAP_TYPE = 1 << 9
"""Py_TPFLAGS_HEAPTYPE: a class statement made the class, not the interpreter."""
_HOOKS = (
    "__new__", "__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__",
    "__getnewargs__", "__getnewargs_ex__", "__getattribute__", "__getattr__", "__setattr__", "__del__",
)  # fmt: skip
"""Methods that decide how an object is copied: a class that has its own is not taken apart."""
_DEEPEST = 50
"""Levels of objects below one that is taken apart; a longer chain, such as a linked list, is a whole."""


def _is_plain(value: Any) -> bool:
    """Whether an object is no more than its attributes: its classes are written in Python, without slots or hooks.

    >>> class Point:
    ...     def __init__(self, x, y):
    ...         self.x, self.y = x, y
    >>> parts(Point(1, 2)), parts(ValueError("x"))
    ([('x', 1), ('y', 2)], [])
    """
    kind = type(value)
    if isinstance(value, type | enum.Enum) or not hasattr(value, "__dict__"):
        return False
    if not all(each.__flags__ & _HEAP_TYPE and not each.__dict__.get("__slots__") for each in kind.__mro__[:-1]):
        return False
    return all(getattr(kind, name, None) is getattr(object, name, None) for name in _HOOKS)


def _is_tree(value: Any) -> bool:
    """Whether an object refers to each other one once, and not to itself: copies would split what is shared.

    Also False where the objects go too deep to be sure.
    """
    seen = {id(value)}
    level = _inside(value)
    for _ in range(_DEEPEST):
        below = []
        for each in level:
            inside = [] if type(each) in _PLAIN else _inside(each)
            if type(each) in {tuple, frozenset} and all(type(part) in _PLAIN for part in inside):
                continue  # a constant
            if inside and id(each) in seen:
                return False
            seen.add(id(each))
            below += inside
        if not below:
            return True
        level = below
    return False


def _inside(value: Any) -> list[Any]:
    """The values just below one, as `parts` has them, for objects that refer to themselves, too."""
    try:
        return _below(value)
    except Exception:  # noqa: BLE001 - as in `parts`
        return []


def _below(value: Any) -> list[Any]:
    kind = type(value)
    if kind in {list, tuple, set, frozenset}:
        return list(value)
    if kind is dict:
        return list(value.values())
    if _is_made_of_fields(value):
        return [getattr(value, field.name) for field in fields(value) if field.init]
    return list(vars(value).values()) if _is_plain(value) else []


def may_go(value: Any, step: Any) -> bool:
    """Whether a part may be left out."""
    if type(value) is Arguments:
        return isinstance(step, str)
    return type(value) in {list, tuple, set, frozenset, dict}


def rebuilt(value: Any, found: Iterable[Part]) -> Any:
    """A value of the same kind, of these parts; UNBUILT where its class, or that of a part, refuses them.

    >>> rebuilt({"a": 1, "b": 2}, [("b", 3)]), rebuilt((1, 2), [(1, 5)])
    ({'b': 3}, (5,))
    """
    pairs = list(found)
    if any(part is UNBUILT for _, part in pairs):
        return UNBUILT
    try:
        return _rebuilt(value, pairs)
    except Exception:  # noqa: BLE001 - a dataclass may check what it is made of
        return UNBUILT


def _rebuilt(value: Any, found: list[Part]) -> Any:
    kind = type(value)
    if kind is dict:
        return dict(found)
    if kind is Arguments:
        return Arguments(
            tuple(v for step, v in found if isinstance(step, int)),
            tuple((step, v) for step, v in found if isinstance(step, str)),
        )
    if kind in {list, tuple, set, frozenset}:
        return kind(part for _, part in found)
    if _is_made_of_fields(value):
        return replace(value, **dict(found))
    new = copy.copy(value)
    vars(new).clear()
    vars(new).update(found)
    return new


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
