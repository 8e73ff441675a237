"""Options that most commands share: jobs, limits, budgets, cluster, output."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Sequence
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


class SearchOption(click.Option):
    """An option with the section of the help that it belongs to; `brief`: its line in `--help`, if it is common."""

    def __init__(self, *given: Any, section: str = "", brief: str = "", **more: Any) -> None:
        super().__init__(*given, **more)
        self.section, self.brief = section, brief


class SearchCommand(click.Command):
    """A command whose `--help` has the common options, and `--help-all` all of them, in sections."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options."""
        shown = [each for each in self.get_params(ctx) if isinstance(each, click.Option) and not each.hidden]
        if ctx.meta.get(HELP_ALL):
            titles = dict.fromkeys(getattr(each, "section", "") for each in shown)
            for title in (*filter(None, titles), ""):
                found = [each for each in shown if getattr(each, "section", "") == title]
                _write_options(formatter, title or "Help", [each.get_help_record(ctx) for each in found])
            return
        brief = [each for each in shown if not isinstance(each, SearchOption) or each.brief]
        records = [(each.get_help_record(ctx), getattr(each, "brief", "")) for each in brief]
        _write_options(formatter, "Common options", [each and (each[0], line or each[1]) for each, line in records])


def _write_options(
    formatter: click.HelpFormatter, title: str, records: Sequence[tuple[str, str] | None]
) -> None:  # fmt: skip
    if found := [each for each in records if each is not None]:
        with formatter.section(title):
            formatter.write_dl(found)


HELP_ALL = "wynot.help_all"
"""Where a context keeps that all options are to be shown."""


def _show_all(context: click.Context, _option: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        context.meta[HELP_ALL] = True
        click.echo(context.get_help(), color=context.color)
        context.exit()


def option(*names: str, section: str = "", **attributes: Any) -> Any:
    """Declare a field of a class of options, and the option that fills it, with the attributes of `SearchOption`.

    Unless a long name is given, it is that of the field: `--budget-time` fills `budget_time`.
    """
    default = attributes.get("default", () if attributes.get("multiple") else None)
    if isinstance(default, str) and isfunction(attributes.get("type")):  # written as it is typed: 16M
        default = attributes["type"](default)

    def declare(name: str, title: str) -> Callable[[Any], Any]:
        long = () if any(each.startswith("--") for each in names) else (f"--{name.replace('_', '-')}",)
        return click.option(*names, *long, name, cls=SearchOption, section=section or title, **attributes)

    return field(default=default, metadata={"declare": declare, "brief": attributes.get("brief", "")})


def flag(*names: str, **attributes: Any) -> Any:
    """Declare a field that is true where the option is given."""
    return option(*names, is_flag=True, default=False, **attributes)


def with_options(kind: type[T]) -> Callable[[Callable[Concatenate[T, P], None]], Callable[..., None]]:
    """Add the options of a class, then those of its bases, and give the function an instance as its first argument."""
    bases = [each for each in kind.__mro__ if is_dataclass(each)]
    declared = {each.name: each.metadata for base in reversed(bases) for each in fields(base)}
    names = {name: base for base in reversed(bases) for name in base.__annotations__ if declared[name]}
    names = {name: names[name] for base in bases for name in base.__annotations__ if name in names}

    def add(function: Callable[..., None]) -> Callable[..., None]:
        @wraps(function)
        def call(**given: Any) -> None:
            function(kind(**{name: given.pop(name) for name in names}), **given)

        if any(declared[name]["brief"] for name in names):
            call = click.option(
                "--help-all", is_flag=True, is_eager=True, expose_value=False, callback=_show_all,
                help="Show all options and exit.",
            )(call)  # fmt: skip
        for name, base in reversed(names.items()):
            declared[name]["declare"](name, SECTIONS.get(base.__name__, "Search"))(call)
        return call

    return add


SECTIONS = {
    "OracleOptions": "What counts as the failure",
    "LimitOptions": "Limits",
    "OutputOptions": "Output",
    "CleanupOptions": "Clean-up of the result",
    "LanguageOptions": "Language",
    "GrammarOptions": "Language",
}
"""The section of the help for each class of options; "Search" for the others."""


_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)
_TIME = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|min|h)?", re.IGNORECASE)
_ESCAPE = re.compile(rb"\\x([0-9a-fA-F]{2})|\\[nrt0\\]")
_ESCAPED = {rb"\n": b"\n", rb"\r": b"\r", rb"\t": b"\t", rb"\0": b"\0", rb"\\": b"\\"}
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "": 1.0}


def size(text: str) -> int:
    """A number of bytes: 512M, 2G."""
    match = _SIZE.fullmatch(text)
    if match is None:
        raise click.BadParameter(f"invalid size {text!r}; write 512M or 2G")
    return int(float(match[1]) * 1024 ** " kmgt".index(match[2].lower() or " "))


LEAST_MEMORY = 2**20
"""In less than this no program starts; a unit was forgotten, most likely."""


def memory_size(text: str) -> int:
    """A number of bytes in which a program can run."""
    found = size(text)
    if found < LEAST_MEMORY:
        raise click.BadParameter(f"no program can run in {text} bytes; write {text}M or {text}G")
    return found


def duration(text: str) -> float:
    """A time in seconds: 500ms, 10s, 5m, 1h."""
    match = _TIME.fullmatch(text)
    if match is None or float(match[1]) <= 0:
        raise click.BadParameter(f"invalid time {text!r}; write 500ms, 10s or 5m")
    return float(match[1]) * _SECONDS[(match[2] or "").lower()]


@dataclass(frozen=True)
class OracleOptions:
    """What counts as the failure."""

    test: str | None = option(
        type=click.Path(readable=False),  # for shells: files are completed
        metavar="SCRIPT",
        help="A test script; it gets the path of the candidate. Exit 0: it fails; 125: unresolved; else: it passes.",
        brief="Use a test script; exit 0: it fails",
    )
    precision: str | None = option(
        metavar="LEVEL",
        help="What has to be the same: exit, message, frames or frames:N; message+values and frames+values also "
        "compare values in messages, as changes and bisect do [the finest level that is steady].",
    )
    fail_if_output: str | None = option(
        metavar="REGEX", help="It fails if the command prints this.", brief="It fails if the command prints this"
    )
    fail_if_exit: int | None = option(
        type=int, metavar="CODE", help="It fails if the command ends with this exit code."
    )
    fail_if_signal: str | None = option(metavar="NAME", help="It fails if this signal ends the command.")
    fail_if_hang: float | None = option(
        type=duration, metavar="TIME", help="It fails if the command is still running after this time."
    )
    fail_if_slower_than: float | None = option(
        type=duration, metavar="TIME", help="It fails if the command takes longer than this."
    )
    differs_from: str | None = option(
        metavar="'OTHER COMMAND {}'",
        help="It fails if this command and COMMAND differ in exit code or standard output.",
    )
    valid_if: str | None = option(
        metavar="'COMMAND {}'", help="Candidates for which this command fails are unresolved."
    )


@dataclass(frozen=True)
class SearchOptions:
    """How to search, where tests run, and what a file is cut into."""

    jobs: int = option(
        "-j",
        type=click.IntRange(min=0),
        default=1,
        show_default=True,
        help="Run N tests in parallel; 0: one for each processor. The result is the same for any N.",
        metavar="N",
        brief="Run N tests in parallel; 0: one per processor",
    )
    algorithm: str | None = option(metavar="NAME", shell_complete=algorithms, help="The search algorithm (see below).")
    cluster: str | None = option(
        section="Cluster and server",
        metavar="ADDRESS",
        help="Run the tests on a Dask cluster: tcp://HOST:8786, tls://HOST:8786, or local:N. The result is the same.",
    )
    cluster_tls_ca: str | None = option(
        section="Cluster and server", metavar="FILE", help="The CA certificate of a tls:// cluster."
    )
    cluster_tls_cert: str | None = option(
        section="Cluster and server", metavar="FILE", help="The certificate of this client."
    )
    cluster_tls_key: str | None = option(
        section="Cluster and server", metavar="FILE", help="The key of this client [as in Dask's configuration]."
    )
    server: bool = flag(
        section="Cluster and server",
        help="For python PROGRAM {}: import its modules once, then fork it for each test.",
    )
    atoms: str = option(
        type=click.Choice(ATOMS),
        default="auto",
        show_default=True,
        help="The parts to remove; auto: nodes of the syntax tree or of an outline, else lines, tokens, characters.",
    )
    delimiters: tuple[str, ...] = option(
        "--delimiter",
        multiple=True,
        metavar="TEXT",
        help=r"Divide the input after this text instead of after lines; \n, \t, \xNN are understood. Repeatable.",
    )


@dataclass(frozen=True)
class LimitOptions:
    """How much a test and the run may take, and whether earlier runs count."""

    timeout: float | None = option(
        type=duration,
        metavar="TIME",
        help="The time limit of a test [10 times the first one's, at least 5 s; more if the failure takes longer].",
        brief="The time limit of a test",
    )
    memory: int | None = option(
        type=memory_size, metavar="SIZE", help="The memory limit of each process of a test [none]."
    )
    output_limit: int = option(
        type=size, metavar="SIZE", default="16M", show_default=True, help="The most that a test may print."
    )
    budget_tests: int | None = option(
        type=click.IntRange(min=1), metavar="N", help="Stop after N tests, with the best result so far."
    )
    budget_time: float | None = option(
        type=duration,
        metavar="TIME",
        help="Stop after this time, with the best result so far.",
        brief="Stop after this time with the best result",
    )
    seed: int = option(
        type=int, default=0, show_default=True, help="Accepted for compatibility; no search is randomised."
    )
    fresh: bool = flag(
        help="Do not use outcomes of earlier runs of the same command.", brief="Ignore outcomes of earlier runs"
    )


@dataclass(frozen=True)
class OutputOptions:
    """What to print."""

    as_json: bool = flag("--json", help="Print one JSON object instead of text.", brief="Print one JSON object")
    quiet: bool = flag("-q", help="Print errors only.")


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
        help="Merge hunks separated by fewer than N unchanged lines.",
        metavar="N",
    )


def causes_option() -> Any:
    """Declare `--causes`."""
    return option(
        type=click.IntRange(min=1),
        default=1,
        metavar="N",
        help="Find up to N independent causes: remove each one found, then search the rest.  [1]",
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
