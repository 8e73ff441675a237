"""Options that most commands share: jobs, limits, budgets, cluster, output."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import wraps
from inspect import isfunction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import click
from click.core import ParameterSource

from wynot.cli.commands.completion import algorithms
from wynot.cli.main import TYPED
from wynot.core.run_events import UNATTENDED, silent
from wynot.core.text import pasted
from wynot.engine.executors.sandbox import Limits
from wynot.engine.files.output_file import check_writable
from wynot.engine.run_options import ATOMS, Live, Mode, Options, Verifying
from wynot.errors import UsageError

if TYPE_CHECKING:  # loaded by those who have one
    from wynot.engine.executors.dask.dask_client import Cluster
    from wynot.report.live.progress import Progress


def given_cluster(given: SearchOptions) -> Cluster | None:
    """The cluster that was asked for; None: tests run here."""
    names = {"ca": given.cluster_tls_ca, "cert": given.cluster_tls_cert, "key": given.cluster_tls_key}
    if given.cluster is None:
        if any(names.values()):
            raise UsageError("--cluster-tls-... says how to talk to a cluster; which one?", "add --cluster ADDRESS")
        return None
    context = click.get_current_context(silent=True)
    if context is not None and context.get_parameter_source("jobs") is ParameterSource.COMMANDLINE:
        raise UsageError(
            "a cluster decides itself how many tests run at once", "leave out -j (or --cluster; local:N is N at once)"
        )
    from wynot.engine.executors.dask.dask_client import Cluster  # noqa: PLC0415 - for those who ask for it

    return Cluster(given.cluster, **names)


def only_here(given: SearchOptions, why: str) -> None:
    """Say so where a command cannot use a cluster."""
    if given.cluster is not None:
        raise UsageError(f"--cluster cannot be used here: {why}", "leave it out; -j N runs several tests at once here")


# The file that a result goes to: whether it can be written is seen before anything is run.


def check_target(path: Path, other: str, inside: Path) -> None:
    """See that it can be: it is no folder and no device, and its folder is there.

    `other`: what to type where it cannot; `inside`: a file to name where it is a folder.
    """
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        mode = None
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}", other) from None
    if path.is_dir():
        raise UsageError(f"{path} is a folder", f"name a file in it: -o {pasted(inside)}")
    if mode is not None and not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
        raise UsageError(f"{path} is not a plain file", "for standard output: -o -")
    if not path.parent.is_dir():
        raise UsageError(f"{path.parent}: no such folder", f"make it: mkdir -p {pasted(path.parent)}")


# Classes of options: each field is declared with the option that fills it.


T = TypeVar("T")
P = ParamSpec("P")


def option(*names: str, **attributes: Any) -> Any:
    """Declare a field of a class of options, and the option that fills it, with the attributes of `click.option`.

    Unless a long name is given, it is that of the field: `--budget-time` fills `budget_time`.
    """
    default = attributes.get("default", () if attributes.get("multiple") else None)
    if isinstance(default, str) and isfunction(attributes.get("type")):  # written as it is typed: 16M
        default = attributes["type"](default)

    def declare(name: str) -> Callable[[Any], Any]:
        long = () if any(each.startswith("--") for each in names) else (f"--{name.replace('_', '-')}",)
        return click.option(*names, *long, name, **attributes)

    return field(default=default, metadata={"declare": declare})


def flag(*names: str, **attributes: Any) -> Any:
    """Declare a field that is true where the option is given."""
    return option(*names, is_flag=True, default=False, **attributes)


def with_options(kind: type[T]) -> Callable[[Callable[Concatenate[T, P], None]], Callable[..., None]]:
    """Add the options of a class, then those of its bases, and give the function an instance as its first argument."""
    bases = [each for each in kind.__mro__ if is_dataclass(each)]
    declared = {each.name: each.metadata for base in reversed(bases) for each in fields(base)}
    names = dict.fromkeys(name for base in bases for name in base.__annotations__ if declared[name])

    def add(function: Callable[..., None]) -> Callable[..., None]:
        @wraps(function)
        def call(**given: Any) -> None:
            function(kind(**{name: given.pop(name) for name in names}), **given)

        for name in reversed(names):
            declared[name]["declare"](name)(call)
        return call

    return add


_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)
_TIME = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|min|h)?", re.IGNORECASE)
_ESCAPE = re.compile(rb"\\x([0-9a-fA-F]{2})|\\[nrt0\\]")
_ESCAPED = {rb"\n": b"\n", rb"\r": b"\r", rb"\t": b"\t", rb"\0": b"\0", rb"\\": b"\\"}
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "": 1.0}


def size(text: str) -> int:
    """A number of bytes: 512M, 2G."""
    match = _SIZE.fullmatch(text)
    if match is None:
        raise click.BadParameter(f"{text!r} is no size; write 512M or 2G")
    return int(float(match[1]) * 1024 ** " kmgt".index(match[2].lower() or " "))


def duration(text: str) -> float:
    """A time in seconds: 500ms, 10s, 5m, 1h."""
    match = _TIME.fullmatch(text)
    if match is None or float(match[1]) <= 0:
        raise click.BadParameter(f"{text!r} is no time; write 500ms, 10s or 5m")
    return float(match[1]) * _SECONDS[(match[2] or "").lower()]


@dataclass(frozen=True)
class OracleOptions:
    """What counts as the failure."""

    test: str | None = option(
        type=click.Path(readable=False),  # for shells: files are completed
        metavar="SCRIPT",
        help="A test script; it gets the path of what is tested. "
        "Exit 0: the failure shows; 125: unresolved; else: it does not.",
    )
    precision: str | None = option(
        metavar="LEVEL",
        help="What makes it the same failure: exit, message, frames or frames:N, the last two also with +values, which "
        "compares the values in messages as changes and bisect do [the finest that is steady].",
    )
    fail_if_output: str | None = option(metavar="REGEX", help="The failure shows iff the command prints this.")
    fail_if_exit: int | None = option(type=int, metavar="CODE", help="... iff it ends with this exit code.")
    fail_if_signal: str | None = option(metavar="NAME", help="... iff this signal ends it.")
    fail_if_hang: float | None = option(
        type=duration, metavar="TIME", help="... iff it is still running after this time."
    )
    fail_if_slower_than: float | None = option(type=duration, metavar="TIME", help="... iff it takes longer than this.")
    differs_from: str | None = option(
        metavar="'OTHER COMMAND {}'",
        help="The failure is that this command and COMMAND disagree: other exit, or other standard output.",
    )
    valid_if: str | None = option(metavar="'COMMAND {}'", help="Candidates on which this fails are unresolved.")


@dataclass(frozen=True)
class SearchOptions:
    """How to search, where tests run, and what a file is cut into."""

    jobs: int = option(
        "-j",
        type=click.IntRange(min=0),
        default=1,
        show_default=True,
        help="Tests run at once; 0: one for each processor. The result is the same for any number.",
    )
    algorithm: str | None = option(metavar="NAME", shell_complete=algorithms, help="The search to use (see below).")
    cluster: str | None = option(
        metavar="ADDRESS",
        help="Run the tests on a Dask cluster: tcp://HOST:8786, tls://HOST:8786, or local:N. The result is the same.",
    )
    cluster_tls_ca: str | None = option(metavar="FILE", help="The certificate that signs those of a tls:// cluster...")
    cluster_tls_cert: str | None = option(metavar="FILE", help="... our own certificate ...")
    cluster_tls_key: str | None = option(metavar="FILE", help="... and its key [Dask's own configuration].")
    server: bool = flag(help="For python PROGRAM {}: import its modules once, then fork it for each test.")
    atoms: str = option(
        type=click.Choice(ATOMS),
        default="auto",
        show_default=True,
        help="What can be left out; auto: nodes of the syntax tree or of an outline, else lines, tokens, characters.",
    )
    delimiters: tuple[str, ...] = option(
        "--delimiter",
        multiple=True,
        metavar="TEXT",
        help=r"Cut after this text instead of after lines; \n, \t, \xNN are understood. May be given several times.",
    )


@dataclass(frozen=True)
class LimitOptions:
    """How much a test and the run may take, and whether earlier runs count."""

    timeout: float | None = option(
        type=duration,
        metavar="TIME",
        help="Time for one test [10 times the first one's, at least 5 s; more where the failure takes longer].",
    )
    memory: int | None = option(type=size, metavar="SIZE", help="Memory for each process of a test [no limit].")
    output_limit: int = option(
        type=size, metavar="SIZE", default="16M", show_default=True, help="What one test may print."
    )
    budget_tests: int | None = option(
        type=click.IntRange(min=1), help="Stop after so many tests, with the best so far."
    )
    budget_time: float | None = option(
        type=duration, metavar="TIME", help="Stop after this time, with the best so far."
    )
    seed: int = option(
        type=int, default=0, show_default=True, help="For searches that use chance: none does, so it changes nothing."
    )
    fresh: bool = flag(help="Do not use what earlier runs of the same command found out.")


@dataclass(frozen=True)
class OutputOptions:
    """What to print."""

    as_json: bool = flag("--json", help="Print one JSON object instead of words.")
    quiet: bool = flag("-q", help="Print nothing but errors.")


@dataclass(frozen=True)
class CommonOptions(OracleOptions, SearchOptions, LimitOptions, OutputOptions):
    """The options of every search in a file."""


@dataclass(frozen=True)
class TreeOptions(CommonOptions):
    """The options of a search in whole trees of files: the common ones but for those about what a file is cut into."""

    atoms: str = "auto"
    delimiters: tuple[str, ...] = ()


@dataclass(frozen=True)
class ProgramOptions(TreeOptions):
    """The options of a search in what a program is started with, or does: there is no second command for it."""

    differs_from: None = None
    valid_if: None = None


def apart_option() -> Any:
    """Declare `--apart`."""
    return option(
        type=click.IntRange(min=0),
        default=2,
        show_default=True,
        help="Changes with fewer unchanged lines between them are one.",
    )


def causes_option() -> Any:
    """Declare `--causes`."""
    return option(
        type=click.IntRange(min=1),
        default=1,
        metavar="N",
        help="Find up to N causes that have nothing in common: take a found one away, search the rest.  [1]",
    )


def delimiter(text: str) -> bytes:
    r"""The bytes that a text stands for; \n, \r, \t, \0, \\ and \xNN are understood, all else is itself."""
    if not text:
        raise UsageError("a delimiter cannot be empty", "for example: --delimiter ';'")
    return _ESCAPE.sub(lambda m: bytes([int(m[1], 16)]) if m[1] else _ESCAPED[m[0]], os.fsencode(text))


def same_file(one: Path, other: Path) -> bool:
    """Whether both names are names of one file that exists."""
    try:
        return one.samefile(other)
    except OSError:
        return False


def available() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def make_options(given: CommonOptions, progress: Progress | None = None, **more: Any) -> Options:
    """Frozen options from what was given; `progress` listens to the run, and is asked what the user wishes."""
    guarded, within = _guarded()
    options = Options(
        algorithm=given.algorithm,
        atoms=given.atoms,
        delimiters=tuple(map(delimiter, given.delimiters)),
        jobs=given.jobs or available(),
        cluster=given_cluster(given),
        server=given.server,
        limits=Limits(given.fail_if_hang or given.timeout, given.memory, given.output_limit),
        budget_tests=given.budget_tests,
        budget_time=given.budget_time,
        begun=_of_context(BEGUN),
        resume=True,
        typed=typed(),
        alone=given.cluster is None,
        fresh=given.fresh,
        mode=run_mode(),
        guarded=tuple(guarded),
        guarded_within=tuple(within),
        listener=progress or silent,
        controls=progress or UNATTENDED,
        **more,
    )
    if isinstance(options.mode, Verifying):
        return replace(options, jobs=1, server=False, fresh=False, output=None, budget_tests=None, budget_time=None)
    if options.output is not None:
        check_writable(options.output)
    return options


def _guarded() -> tuple[list[str], list[str]]:
    """The files that the command line names, its command's words and the input, and those in folders that it names.

    In trees of changes, a relative path leads to a file of the tree, not to the user's.
    """
    context = click.get_current_context(silent=True)
    if context is None:
        return [], []
    from wynot.engine.files.file_guard import files_and_within, named_files, paths_in, refuse_large  # noqa: PLC0415 - where something is run

    given, path = context.params, context.params.get("path") or context.params.get("recording")
    program, ends = given.get("program"), given.get("ends", ())
    if program:  # of a trace: each replay leaves out something else, and works on the user's files
        return named_files(program[1:]), []
    outside = (word for word in ends[3:] if any(map(os.path.isabs, paths_in(word))))
    words = [*(given.get("command") or ())[1:], *outside]
    inputs = [path] if isinstance(path, str) and os.path.isfile(path) else []  # noqa: PTH113
    refuse_large(files_and_within(words)[0])  # tests have copies of the input
    return files_and_within((*words, *inputs))


BEGUN = "wynot.begun"
"""Where a context keeps when the command began: its time budget counts from then on."""


def run_mode() -> Mode:
    """The mode of the command that is under way: `verify` and `runs resume` give it to `main`; else it is live."""
    context = click.get_current_context(silent=True)
    mode: Mode | None = context.obj if context is not None else None
    return mode or Live()


def typed() -> tuple[str, ...]:
    """The command line, as typed; nothing where there is none."""
    return tuple(_of_context(TYPED) or ())


def _of_context(name: str) -> Any:
    context = click.get_current_context(silent=True)
    return context.meta.get(name) if context is not None else None
