"""Why OLD does not pass, and what to type next.

Both ends are run once more, to see what they print and which files they use. The most specific cause is reported:
the command uses an installed copy, a dependency is missing, no file that differs is read, OLD does not build. Only
where none of these is the case the failure is older than OLD.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from functools import cached_property
from itertools import chain, islice
from pathlib import Path, PurePath
from shlex import join, quote

from wynot.commands.changes.check_ends import OldAndNew, command_of
from wynot.commands.changes.old_and_new import update
from wynot.commands.changes.python_imports import ForeignPackage
from wynot.commands.changes.trial_run import TrialRun, trial_run
from wynot.core.folder import Folder
from wynot.core.outcome import FAIL
from wynot.domains.changes.diff_folders import differing
from wynot.engine.executors.executor import ProgramExecutor
from wynot.engine.tester import Tester
from wynot.errors import NoFailureError
from wynot.oracles.command import Command
from wynot.oracles.extra_commands import BuildFirst
from wynot.oracles.protocol import CONSTRUCTION, HOLE, ProcessExit, Report
from wynot.oracles.signature import Dependency, missing_dependency

_BUILD_FILES = frozenset(
    [
        "Makefile",
        "makefile",
        "GNUmakefile",
        "CMakeLists.txt",
        "meson.build",
        "configure.ac",
        "Makefile.am",
        "Cargo.toml",
        "go.mod",
        "package.json",
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
        "build.gradle",
        "pom.xml",
        "BUILD",
        "BUILD.bazel",
    ]
)
"""Files that say which programs are built."""
_PROJECT_FILES = frozenset(["pyproject.toml", "setup.py", "setup.cfg"])
"""Files because of which pip can install a folder."""
LAST, LONGEST = 4, 200
"""Lines that are quoted of each stream, and characters of each line."""
_LONGEST_PATTERN = 80
MAX_PATTERNS = 1000
"""Patterns that are tried: each is searched in all that both trees print."""
_START = re.compile(r"^(?:\.\*|[^\w\\])+")
"""What says little at the start of a pattern."""
_VOLATILE = re.compile(r"0x[0-9a-fA-F]+|(?:/[\w.+@~-]+)+|(?<![\w.])\d+(?:[.,:]\d+)*")
"""What differs from run to run: addresses, paths, times, line numbers."""
_CODE = re.compile(r"(?<!\w)[A-Z]{1,6}-?\d{2,6}(?!\w)")
_ERROR = re.compile(r"(?<!\w)\w*(?:Error|Exception|Warning|Failure)(?!\w)")
_PYTHON = re.compile(r"python[\d.]*")
_SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")


def why_old_fails(tester: Tester[Folder], ends: OldAndNew, report: Report) -> NoFailureError:
    """The error for an old tree whose test has ended with this report."""
    executor = tester.executor
    if not isinstance(executor, ProgramExecutor):
        says = "fails, too" if report.outcome is FAIL else f"is unresolved ({report.why})"
        message = f"{ends.shown[0]} does not pass the test: it {says}"
        return NoFailureError(message, "name an older one that works", reason="old fails")
    return _Inquiry(tester, executor, ends).error(report)


def not_used(tester: Tester[Folder], ends: OldAndNew, error: NoFailureError) -> NoFailureError:
    """The error for a new tree that does not fail: another one, if its files are not used at all."""
    if error.reason != "not shown" or not isinstance(tester.executor, ProgramExecutor):
        return error
    inquiry = _Inquiry(tester, tester.executor, ends)
    if inquiry.elsewhere:
        cause, hint = _imported(inquiry.elsewhere[0]), inquiry.path_hint(inquiry.elsewhere[0])
    elif inquiry.program and inquiry.none_read():
        cause, hint = inquiry.unused, inquiry.unused_hint()
    else:
        return error
    return NoFailureError(f"{error}: {cause}", hint, error.evidence, "not used")


class _Inquiry:
    """Runs both ends once more, each when it is first asked for."""

    def __init__(self, tester: Tester[Folder], executor: ProgramExecutor, ends: OldAndNew) -> None:
        self.tester, self.executor, self.ends = tester, executor, ends
        self.changed = frozenset(differing(ends.old, ends.new))

    def _run(self, tree: Folder, path: str = "") -> TrialRun:
        found = trial_run(
            self.executor.oracle,
            self.ends.name,
            tree,
            self.executor.limits,
            self.tester.budget,
            self.changed,
            path=path,
        )
        self.tester.counts.add_baseline()
        return found

    @cached_property
    def old(self) -> TrialRun:
        """The run of the old tree."""
        return self._run(self.ends.old)

    @cached_property
    def new(self) -> TrialRun:
        """The run of the new tree."""
        return self._run(self.ends.new)

    @property
    def elsewhere(self) -> tuple[ForeignPackage, ...]:
        """The packages of the trees that are imported from somewhere else."""
        return self.old.elsewhere or self.new.elsewhere

    def error(self, report: Report) -> NoFailureError:
        """What is said, quoted and advised."""
        ended = self.old.ended
        cause, hint = self._advice(report, _text(ended))
        how = f"{self._how(report)}: {cause}" if cause else self._how(report)
        return NoFailureError(
            f"{self.ends.shown[0]} does not pass the test: {how}", hint, tuple(_quoted(ended)), "old fails"
        )

    def _how(self, report: Report) -> str:
        """How it ends, beside the new one."""
        if report.phase == CONSTRUCTION:
            return report.why.replace("does not build", "it does not build")
        if report.cut:
            return f"it does not end within {report.seconds:.0f} s"
        why = f" ({report.why})" if report.why else ""
        if report.outcome is FAIL:
            return f"it also fails{why}"
        return f"it {'fails in another way' if self._command is not None else 'is unresolved'}{why}"

    def _advice(self, report: Report, text: str) -> tuple[str, str]:
        """The cause, where it is known, and what to type: what is wrong outside of the trees comes first."""
        elsewhere, missing = self.elsewhere, missing_dependency(text)
        if elsewhere:
            return _imported(elsewhere[0]), self.path_hint(elsewhere[0])
        if missing is not None:
            return f"the {missing} is not there", _full_path_hint(missing) or self._missing_hint(missing)
        if report.outcome is FAIL and self.none_read():
            return self.unused, self.unused_hint()
        return "", self._hint(report)

    def _hint(self, report: Report) -> str:
        """What to type where the cause is in the old tree itself."""
        old, new = self.ends.shown
        if report.phase == CONSTRUCTION:
            return f"give a --build that works in {old}, too; try it by hand: git worktree add --detach ../try {old}"
        if report.cut:
            return "if it only takes its time, give it more: --timeout 1h"
        pattern = self._pattern()
        if pattern:
            shown = f"--fail-if-output {quote(pattern)}"
            return f"if only {new} prints the failure: {self.ends.typed} {shown} -- {self._typed()}"
        if report.outcome is FAIL:
            return f"the failure is older, or does not come from these files: name one older than {old} that works"
        return f"name one that works, between {old} and {new}, or older"

    @property
    def _command(self) -> Command | None:
        return command_of(self.executor.oracle)

    def _typed(self) -> str:
        """The command as it would be typed after `--`."""
        return join(self._command.argv) if self._command is not None else "COMMAND"

    def path_hint(self, found: ForeignPackage) -> str:
        """How to let Python import from the tree; tried before it is advised."""
        setting = f"PYTHONPATH={quote(found.folder)}"
        tried = self._run(self.ends.old, path=found.folder)
        if self._command is None:
            first = f"let the test script set the path: export {setting}"
        else:
            first = f"{self.ends.typed} -- env {setting} {self._typed()}"
        if found.name not in {each.name for each in tried.elsewhere}:
            return f"let it import from the tree: {first}"
        return f"{setting} does not change that; {self._named_beside(found, setting) or self._installing()}"

    def _named_beside(self, found: ForeignPackage, setting: str) -> str:
        """What to type where the command names a file beside what is imported: Python looks in its folder first."""
        root = found.place.removesuffix(".py").removesuffix(f"/{found.name}").removesuffix(f"/{found.folder}")
        argv = self._command.argv if self._command is not None else ()
        for place, word in enumerate(argv):
            path = os.path.realpath(word)
            if not word.startswith("/") or not path.startswith(f"{root}/") or not Path(path).is_file():
                continue
            name = path.removeprefix(f"{root}/")
            if name in self.ends.old.entries:
                how, there = f"name {name} of the tree", name
            else:
                how, there = f"copy it out of {root}: cp {quote(word)} /tmp", f"/tmp/{PurePath(name).name}"  # noqa: S108
            return f"{how}; {self.ends.typed} -- env {setting} {join((*argv[:place], there, *argv[place + 1 :]))}"
        return ""

    def _installing(self) -> str:
        """What to type where a package has to be installed to be imported from the tree, if the tree is one."""
        if not _PROJECT_FILES & self.ends.old.entries.keys():
            return "let the command use the files of the tree, which is its working folder"
        installed = "--build 'python -m pip install --no-deps --target .installed .' -- env PYTHONPATH=.installed"
        return f"install each tree: {self.ends.typed} {installed} {self._typed()}"

    def _missing_hint(self, missing: Dependency) -> str:
        """How to provide what is not there."""
        old, new = self.ends.shown
        if missing.kind == "Python module":
            folder = _folder_of(missing.name, self.ends.old)
            if folder is not None:
                return f"the tree has it: {self.ends.typed} -- env PYTHONPATH={quote(folder)} {self._typed()}"
            if _folder_of(missing.name, self.ends.new) is not None:
                return f"{new} has it, {old} does not: the test is newer than {old}; name a test that {old} can run"
        if self.ends.absent:
            return f"it may be in a submodule that is not here: {update(self.ends.absent)}; then the same command again"
        if missing.kind == "Node module":
            return self._node_hint(missing)
        command = missing.install
        if missing.kind == "Python module" and self._command is not None:
            pythons = (word for word in self._command.argv if _PYTHON.fullmatch(PurePath(word).name))
            command = command.replace("python", quote(next(pythons, "python")), 1)
        install = f"install it: {command}" if command else "install it with your system's packages"
        return f"{install}; or let --build provide it in each tree; then the same command again"

    def _node_hint(self, missing: Dependency) -> str:
        """How to provide a Node module."""
        if missing.name.startswith((".", "/")):
            return f"is it newer than {self.ends.shown[0]}? name a test that {self.ends.shown[0]} can run"
        if Path("node_modules").is_dir():
            link = f"ln -sfn {quote(str(Path('node_modules').resolve()))} node_modules"
            return f"lay the installed ones into each tree: {self.ends.typed} --build {quote(link)} -- {self._typed()}"
        return f"install them in each tree: {self.ends.typed} --build 'npm ci' -- {self._typed()}"

    def none_read(self) -> bool:
        """Whether neither end reads any file that differs."""
        runs = (self.old.read, self.new.read)
        return all(read is not None and not read & self.changed for read in runs)

    @property
    def unused(self) -> str:
        """The cause, where no file that differs is read."""
        old, new = self.ends.shown
        return f"it reads no file in which {old} and {new} differ"

    @property
    def program(self) -> str:
        """The installed program that is run, if the tree seems to build one of that name; else nothing."""
        command = self._command
        path = shutil.which(command.argv[0]) if command is not None else None
        if path is None or HOLE in path or not Path(path).is_absolute():
            return ""
        word = re.compile(rb"(?<![\w-])%s(?![\w-])" % re.escape(os.fsencode(Path(path).name)))
        files = self.ends.new.files.items()
        return path if any(word.search(data) for name, data in files if PurePath(name).name in _BUILD_FILES) else ""

    def unused_hint(self) -> str:
        """How to let the command use the tree."""
        if not self.program:
            how = "let it use the files of the tree, which is its working folder"
            return (
                f"{how}; or name an older revision than {self.ends.shown[0]}, if it looks only whether files are there"
            )
        build = "" if isinstance(self.executor.oracle, BuildFirst) else "--build make "
        run = f"./{Path(self.program).name}"
        return f"it runs {self.program}; run the one that the tree builds, say: {self.ends.typed} {build}-- {run} ..."

    def _pattern(self) -> str:
        """A pattern that is found only in what the new tree prints; nothing where there is none."""
        command, old, new = self._command, self.old.ended, self.new.ended
        if command is None or command.conditions or old is None or new is None or old.exit in {None, 0}:
            return ""
        return only_in(_text(new), _text(old))


def only_in(new: str, old: str) -> str:
    r"""A pattern for what only the first text says: a code, an error's name, or else a line; empty if there is none.

    >>> only_in("a.py:1:80: E501 line too long\na.py:2:1: E302 expected 2 lines\n", "a.py:1:80: E501 line too long\n")
    'E302'
    >>> only_in("m.py:7: do not " + "compare types, use " * 5 + "isinstance", "m.py:7: do not compare types")
    'm\\.py:.*: do not compare types, use compare types, use compare types, use'
    >>> only_in("1 failed in 0.12s", "1 failed in 0.34s")
    ''
    """
    known = {_VOLATILE.sub("#", line).strip() for line in old.splitlines()}
    fresh = [line for line in new.splitlines() if _VOLATILE.sub("#", line).strip() not in known]
    offers = (match[0] for kind in (_CODE, _ERROR) for line in fresh for match in kind.finditer(line))
    lines = (pattern for line in fresh if re.search(r"[^\W\d_]{3}", line) for pattern in _line_patterns(line))
    for pattern in islice(chain(offers, lines), MAX_PATTERNS):
        if pattern and re.search(pattern, new) and not re.search(pattern, old):
            return pattern
    return ""


def _line_patterns(line: str) -> Iterator[str]:
    """Patterns for a line, with anything where it may differ from run to run: from its start, or from a later word.

    A long one ends at a word; what is only in the new line may be further on.
    """
    words = re.findall(r"\s*\S+", line.strip())
    for start in range(len(words)):
        found = ""
        for word in words[start:]:
            longer = found + ".*".join(_SPECIAL.sub(r"\\\g<0>", piece) for piece in _VOLATILE.split(word))
            if len(longer) > _LONGEST_PATTERN:
                break
            found = longer
        yield _START.sub("", found).removesuffix(".*").strip()


def _imported(found: ForeignPackage) -> str:
    return f"Python imports {found.name} from {found.place}, not from the tree"


def _full_path_hint(missing: Dependency) -> str:
    """What to type where a relative path names a program here, and nothing inside of a tree."""
    if missing.kind != "program" or "/" not in missing.name or not Path(missing.name).is_file():
        return ""
    path = os.path.abspath(missing.name)  # noqa: PTH100 - links stay: they may lead out of a virtual environment
    return f"the command runs inside of each tree: name it by its full path, {path}"


def _folder_of(module: str, tree: Folder) -> str | None:
    """The folder of the tree that has to be searched for a module; None if the tree does not have it."""
    path = module.replace(".", "/")
    found = [
        entry.removesuffix(end).removesuffix(path).rstrip("/") or "."
        for entry in tree.entries
        for end in (".py", "/__init__.py")
        if entry.endswith(end) and f"/{entry}".endswith(f"/{path}{end}")
    ]
    return min(found, key=len, default=None)


def _text(ended: ProcessExit | None) -> str:
    if ended is None:
        return ""
    return "\n".join(each.decode("utf-8", "replace") for each in (ended.stderr, ended.stdout))


def _quoted(ended: ProcessExit | None) -> Iterator[str]:
    """The last lines of what was printed, of each stream."""
    for stream in (ended.stdout, ended.stderr) if ended is not None else ():
        lines = [line.rstrip() for line in stream.decode("utf-8", "replace").splitlines() if line.strip()]
        yield from (line[:LONGEST] for line in lines[-LAST:])
