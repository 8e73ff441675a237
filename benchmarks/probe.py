"""Call the public functions of a package that lies in the working folder.

probe.py PACKAGE              prints what every call gives, as JSON
probe.py PACKAGE CALL         prints what one call gives
probe.py PACKAGE CALL VALUE   raises AssertionError unless it gives this (in base64)
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import json
import os
import pkgutil
import re
import signal
import sys
import tempfile
import warnings
from base64 import b64decode
from itertools import islice
from pathlib import Path
from types import GeneratorType, ModuleType

ARGUMENTS: tuple[object, ...] = (
    "", "a", "a b", "Hello World", "1.2.3", "1.0rc1", "2020-01-02T03:04:05", "<b>x</b>", '{"a": [1, 2]}', "a=1;b=2",
    "* x\n* y\n", "http://u@h:80/p?q#f", "straße", 0, 1, -1, 1000, 3.14, None, [], [1, 2], ["b", "a"], {}, {"a": 1},
    b"x",
)  # fmt: skip
UNSAFE = re.compile(
    r"remove|delete|unlink|rm|write|edit|launch|prompt|confirm|pause|pager|clear|profile|exec|system|open|download|fetch|serve|run|main|input|random|time|now"
)
NAMES = {"attrs": "attr", "markdown": "markdown", "more-itertools": "more_itertools"}


def modules(name: str) -> list[ModuleType]:
    """The package and its public modules, as far as they can be imported."""
    root = importlib.import_module(name)
    found = [root]
    for each in pkgutil.iter_modules(getattr(root, "__path__", ())):
        if not each.name.startswith("_") and not UNSAFE.search(each.name):
            with contextlib.suppress(BaseException):
                found.append(importlib.import_module(f"{name}.{each.name}"))
    return found


def functions(name: str) -> dict[str, object]:
    """The public functions of a package, by name."""
    found: dict[str, object] = {}
    for module in modules(name):
        for word in dir(module):
            value = getattr(module, word, None)
            own = inspect.isfunction(value) and (value.__module__ or "").split(".")[0] == name
            if own and not word.startswith("_") and not UNSAFE.search(word):
                found[f"{module.__name__}.{word}"] = value
    return found


class TooLong(BaseException):
    pass


def given(function: object, number: int) -> str:
    """What a call gives: `= value`, or `! error`; addresses are left out."""

    def end(_number: int, _frame: object) -> None:
        raise TooLong

    signal.signal(signal.SIGALRM, end)
    signal.alarm(2)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            value = function(ARGUMENTS[number])  # type: ignore[operator]
            if isinstance(value, GeneratorType):
                value = list(islice(value, 100))
            text = f"= {value!r}"
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a call raises is what it gives
        text = f"! {type(error).__name__}: {error}"
    except TooLong:
        text = "! too long"
    finally:
        signal.alarm(0)
    return re.sub(r"0x[0-9a-f]{6,}", "0x", text)


def main() -> None:
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})
    warnings.simplefilter("ignore")
    sys.path.insert(0, str(Path.cwd()))
    sys.dont_write_bytecode = True
    package, *rest = sys.argv[1:]
    known = functions(NAMES.get(package, package))
    os.chdir(tempfile.mkdtemp())
    if not rest:
        calls = ((f"{name}#{number}", given(each, number)) for name, each in sorted(known.items())
                 for number in range(len(ARGUMENTS)))  # fmt: skip
        sys.stdout.write(json.dumps(dict(calls)))
        return
    name, _, number = rest[0].rpartition("#")
    found = given(known[name], int(number))
    if len(rest) > 1:
        assert found == b64decode(rest[1]).decode(), found
    else:
        sys.stdout.write(found)


main()
