"""The beginning of a traced Python program: `python python_start.py OPTIONS [PLAN]`.

Runs in the interpreter of the program, in the place of it: every file of the user's own code is rewritten in memory
as it is loaded (nothing is written to disk), and the program is run as Python would run it.
"""

from __future__ import annotations

import ast
import atexit
import builtins
import importlib._bootstrap_external as external
import importlib.util
import json
import os
import sys
import sysconfig
from fnmatch import fnmatch
from types import ModuleType
from typing import Any

HOME = os.path.dirname(os.path.abspath(__file__))
SERVING = "serve:"
"""In the place of a plan: wait for plans at this address."""
SPACING = 0.02, 500
"""What a checkpoint has to save: seconds of processor time; and events, where it is made for later."""


def _package() -> None:
    """Let the files beside this one be modules, under a name that nobody else has."""
    name = "_wynot_trace"
    spec = importlib.util.spec_from_loader(name, loader=None, is_package=True)
    package = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    package.__path__ = [HOME]
    sys.modules[name] = package


class Wanted:
    """Which files are the user's own."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.include, self.exclude = options["include"], options["exclude"]
        self.own: list[str] = []
        paths = sysconfig.get_paths()
        self.foreign = [os.path.realpath(paths[key]) + os.sep for key in ("stdlib", "platstdlib")]

    def __call__(self, path: str) -> bool:
        """Whether this file is traced."""
        if any(fnmatch(path, pattern) for pattern in self.exclude) or path.startswith(HOME + os.sep):
            return False
        if self.include:
            return any(fnmatch(path, pattern) for pattern in self.include)
        real = os.path.realpath(path)
        if any(real.startswith(own) for own in self.own):
            return True
        installed = f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}"
        return not any(real.startswith(each) for each in self.foreign) and not any(each in real for each in installed)


def _hook(work: Any, wanted: Wanted) -> Any:
    """Let every wanted file be rewritten as it is loaded; gives the compiler."""

    def rewritten(source: bytes, path: str) -> Any:
        code = work.known(path, source)
        if code is None:
            numbering = work.rewriter(*work.places(path))
            tree = numbering.rewritten(ast.parse(source, path))
            code = compile(tree, path, "exec", dont_inherit=True)
            work.add(path, source, numbering, code)
        work.own(code)
        return code

    plain = external.SourceLoader.get_code

    def get_code(self: Any, fullname: str) -> Any:
        path = self.get_filename(fullname)
        return rewritten(self.get_data(path), path) if wanted(path) else plain(self, fullname)

    external.SourceLoader.get_code = get_code  # type: ignore[method-assign]
    return rewritten


def _main(words: list[str], wanted: Wanted, rewritten: Any) -> tuple[Any, dict[str, Any]]:
    """The code of the program and its names, as Python would have them."""
    names: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins, "__doc__": None, "__loader__": None}
    if words[0] == "-c":
        sys.argv[:] = ["-c", *words[2:]]
        sys.path.insert(0, "")
        return rewritten(words[1].encode(), "<string>"), {**names, "__package__": None, "__spec__": None}
    if words[0] == "-m":
        return _module(words, wanted, names)
    script = words[0]
    sys.argv[:] = words
    sys.path.insert(0, os.path.dirname(os.path.realpath(script)))
    source = _content(script)
    path = os.path.abspath(script)
    code = rewritten(source, path) if wanted(path) else compile(source, path, "exec", dont_inherit=True)
    return code, {**names, "__file__": script, "__package__": None, "__spec__": None, "__cached__": None}


def _module(words: list[str], wanted: Wanted, names: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    import runpy

    sys.argv[:] = ["-m", *words[2:]]
    sys.path.insert(0, os.getcwd())
    top = words[1].partition(".")[0]
    if top not in ("pytest", "unittest"):
        found = importlib.util.find_spec(top)
        for place in (found.submodule_search_locations or [found.origin or ""]) if found else []:
            wanted.own.append(os.path.realpath(place))
    _name, spec, code = runpy._get_module_details(words[1])  # type: ignore[attr-defined]
    sys.argv[0] = spec.origin
    return code, {
        **names, "__file__": spec.origin, "__package__": spec.parent, "__spec__": spec, "__loader__": spec.loader,
        "__cached__": spec.cached,
    }  # fmt: skip


def _own(trace: Any) -> Any:
    """A traceback without our own frames."""
    steps = []
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(HOME):
            steps.append(trace)
        trace = trace.tb_next
    for step, after in zip(steps, [*steps[1:], None]):  # noqa: B905 - not before 3.10
        step.tb_next = after
    return steps[0] if steps else None


def _run(code: Any, names: dict[str, Any]) -> None:
    """Run the program; what it raises is told as if nobody else had been there."""
    module = ModuleType("__main__")
    module.__dict__.update(names)
    sys.modules["__main__"] = module
    try:
        exec(code, module.__dict__)  # noqa: S102 - this is the program
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001
        trace = _own(error.__traceback__)
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        code = 130 if isinstance(error, KeyboardInterrupt) else 1
        raise SystemExit(code) from None


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def start(path: str, plan: str | None) -> None:
    """Record, or replay by a plan."""
    options = json.loads(_content(path))
    sys.path.pop(0)
    prefix = getattr(sys, "pycache_prefix", None)
    if hasattr(sys, "pycache_prefix"):  # our own modules are kept compiled beside the options, which are private
        sys.dont_write_bytecode, sys.pycache_prefix = False, os.path.join(os.path.dirname(path), "bytecode")
    _package()
    wanted = Wanted(options)
    words = options["words"]
    from _wynot_trace.determinism import settle

    if "state" in options:
        from _wynot_trace.program_state import Watching

        _as_usual(prefix)
        _plainly(options, plan, wanted, settle, Watching)
        return
    posts: Any = None
    if plan is None:
        from _wynot_trace.recording_session import NAMES, PythonRecording

        work: Any = PythonRecording(options["recording"], options["limit"])
        builtins.__dict__.update(NAMES)
        work.watch()
        atexit.register(work.write)
    elif plan.startswith(SERVING):
        from _wynot_trace.state_dependencies import Watched

        work = Watched(_content(options["trace"]), options["codes"])
        posts = work.posts(plan[len(SERVING) :], *options.get("spacing", SPACING))
    else:
        from _wynot_trace.replay_runtime import PythonReplay

        work = PythonReplay(_content(options["trace"]), _content(plan), options["codes"])
    if plan is not None:
        builtins.__dict__.update(work.names)
        work.deepen()
    _as_usual(prefix)
    os.chdir(options["folder"])
    rewritten = _hook(work, wanted)
    folder = "" if words[0].startswith("-") else os.path.dirname(words[0])
    settle(options["seed"], options["clock"], folder or ".")
    if posts is not None:
        posts.open()  # this very process waits here; what returns is a replay
    try:
        code, names = _main(words, wanted, rewritten)
    except SyntaxError as error:
        if plan is None:
            work.trouble = f"{error.filename}, line {error.lineno}: {error.msg}: there is nothing to run; mend it first"
        raise SystemExit(1) from None
    _run(code, names)


def _as_usual(prefix: str | None) -> None:
    """From here on modules are loaded as without us; no bytecode of the program is written."""
    sys.dont_write_bytecode = True
    if hasattr(sys, "pycache_prefix"):
        sys.pycache_prefix = prefix


def _plainly(options: dict[str, Any], plan: str | None, wanted: Wanted, settle: Any, watch: Any) -> None:
    """Run the program as it is; its state is looked at, or changed, at one line."""
    words = options["words"]
    wanted.exclude = ["*"]
    watching = watch(options["state"], plan)
    os.chdir(options["folder"])
    settle(options["seed"], options["clock"], os.path.dirname(words[0]) or ".")
    code, names = _main(words, wanted, lambda source, path: compile(source, path, "exec", dont_inherit=True))
    watching.install()
    _run(code, names)


if __name__ == "__main__":
    start(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
