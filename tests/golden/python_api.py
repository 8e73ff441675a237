"""The public Python API as text: names, signatures, fields, exit codes.

To write the file again:

    python -m tests.golden.python_api
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import wynot
from wynot.api.lists import Ways

API = Path(__file__).with_name("python_api.txt")
_OBJECT = re.compile(r"<(?:function )?(?:[\w.]+\.)?(\w+)(?: object)?(?: at 0x[0-9a-f]+)?>")
"""A default without a form of its own: its name is enough, and its module may change."""


def described() -> str:
    """All of it, name by name; and the keywords that the searches among lists share."""
    names = [
        *(name for name in wynot.__all__ if name != "errors"),
        *(f"errors.{each}" for each in wynot.errors.__all__),
    ]
    keywords = ["**ways of causes, dd, ddmin ...", *(f"    {key}: {kind}" for key, kind in kinds_of(Ways).items())]
    lines = [line for name in names for line in described_name(name)] + keywords
    return "".join(f"{line}\n" for line in lines)


def described_name(name: str) -> Iterator[str]:
    """One name and what belongs to it."""
    value: Any = wynot
    for part in name.split("."):
        value = getattr(value, part)
    if isinstance(value, str):
        yield f"{name}: str"
    elif not inspect.isclass(value):
        yield f"{name}({', '.join(parameters(value))}){returned(value)}"
    else:
        yield f"class {name}({', '.join(base.__name__ for base in value.__bases__ if base is not object)})"
        yield from (f"    {line}" for line in members(value))


def members(kind: type[Any]) -> Iterator[str]:
    """How a class is made, and its public members."""
    if issubclass(kind, enum.Enum):
        yield from (f"{member.name} = {member.value!r}" for member in kind)
    elif dataclasses.is_dataclass(kind):
        yield from list(parameters(kind.__init__))[1:]
    elif not getattr(kind, "_is_protocol", False):
        yield f"__init__({', '.join(parameters(kind.__init__))})"
    if issubclass(kind, wynot.errors.WynotError):
        yield f"exit_code = {kind.exit_code}"
    owned = {name: member for base in reversed(kind.__mro__) if ours(base) for name, member in vars(base).items()}
    for name, member in sorted(owned.items()):
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield f"{name}{returned(member.fget)} (property)"
        elif isinstance(member, (classmethod, staticmethod)):
            yield f"{name}({', '.join(parameters(member.__func__))}){returned(member.__func__)}"
        elif inspect.isfunction(member):
            yield f"{name}({', '.join(parameters(member))}){returned(member)}"


def ours(kind: type[Any]) -> bool:
    """Whether a class is one of wynot's."""
    return kind.__module__.partition(".")[0] == "wynot"


def kinds_of(kind: Any) -> dict[str, str]:
    """The annotations of a class, as they are written."""
    return {name: getattr(each, "__forward_arg__", str(each)) for name, each in kind.__annotations__.items()}


def parameters(function: Callable[..., Any]) -> Iterator[str]:
    """The parameters with their types and defaults; `str(signature)` differs between versions of Python."""
    last: Any = None
    for each in inspect.signature(function).parameters.values():
        if last is each.POSITIONAL_ONLY and each.kind is not each.POSITIONAL_ONLY:
            yield "/"
        if each.kind is each.KEYWORD_ONLY and last not in {each.KEYWORD_ONLY, each.VAR_POSITIONAL}:
            yield "*"
        stars = "*" if each.kind is each.VAR_POSITIONAL else "**" if each.kind is each.VAR_KEYWORD else ""
        kind = "" if each.annotation is each.empty else f": {each.annotation}"
        default = "" if each.default is each.empty else " = " + _OBJECT.sub(r"<\1>", repr(each.default))
        yield f"{stars}{each.name}{kind}{default}"
        last = each.kind
    if last is inspect.Parameter.POSITIONAL_ONLY:
        yield "/"


def returned(function: Callable[..., Any] | None) -> str:
    """What a function gives back."""
    assert function is not None
    found = inspect.signature(function).return_annotation
    return "" if found is inspect.Signature.empty else f" -> {found}"


if __name__ == "__main__":
    API.write_text(described())
