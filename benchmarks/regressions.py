"""Regressions between releases of real packages, found by a rule.

For each package of two fixed lists (PyPI and npm, alphabetical; packages that need no other ones), the newest RELEASES
releases without a suffix are compared, each with the one before it. All public functions are called with the same
ARGUMENTS in the older and in the newer release. The first call, in the order of names and arguments, that returned a
value before and now gives another value or raises an error is a regression, if it gives the same alone, REPEATS times
in processes of its own, and does not name the folder of the package. At most PER_PACKAGE are taken of a package.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

from common import progress

RELEASES = 9
PER_PACKAGE = 2
REPEATS = 5
"""Runs of each call that have to give the same."""
SECONDS = 600
"""For all calls of one release."""
PYPI = [
    "attrs", "boltons", "cachetools", "chardet", "click", "cssselect", "docutils", "humanize", "idna", "inflection",
    "isodate", "itsdangerous", "jmespath", "jsonpointer", "lark", "markdown", "mistune", "more-itertools",
    "natsort", "packaging", "parse", "pathspec", "pycparser", "pygments", "pyparsing", "semver", "shortuuid",
    "sqlparse", "tabulate", "toml", "tomlkit", "toolz", "unidecode", "uritemplate", "voluptuous", "webcolors",
    "xmltodict",
]  # fmt: skip
NPM = [
    "bignumber.js", "bytes", "camelcase", "cookie", "csv-parse", "currency.js", "dayjs", "decimal.js", "dedent",
    "deepmerge", "dot-prop", "ejs", "entities", "fast-xml-parser", "he", "ini", "lodash", "marked", "mime",
    "minimist", "ms", "mustache", "numeral", "papaparse", "picomatch", "pluralize", "qs", "ramda", "semver",
    "shell-quote", "slugify", "smol-toml", "toml", "underscore", "validator", "yaml", "yargs-parser",
]  # fmt: skip
_PLAIN = re.compile(r"\d+(\.\d+)*")
_HERE = Path(__file__).resolve().parent
PROBES = {"pypi": ("python3", str(_HERE / "probe.py")), "npm": ("node", str(_HERE / "probe.js"))}


@dataclass(frozen=True, slots=True)
class Regression:
    """A call that gives something else in the newer release."""

    registry: str
    package: str
    old: str
    new: str
    call: str
    """The function and the number of the argument, as the probe names it."""
    was: str
    now: str
    trees: tuple[Path, Path]

    @property
    def name(self) -> str:
        return f"{self.package} {self.old} -> {self.new}: {self.call}"

    @property
    def command(self) -> tuple[str, ...]:
        """Fails where the call gives something else than in the older release; runs in the tree of a release."""
        return (*PROBES[self.registry], self.package, self.call, b64encode(self.was.encode()).decode())


def find(registry: str, packages: list[str], store: Path) -> Iterator[Regression]:
    """The regressions of some packages; what was fetched and observed stays in the store."""
    for package in packages:
        try:
            yield from islice(_of(registry, package, store), PER_PACKAGE)
        except (subprocess.SubprocessError, OSError, ValueError, KeyError) as error:
            progress(f"{package}: left out: {str(error).splitlines()[0][:200]}")


def _of(registry: str, package: str, store: Path) -> Iterator[Regression]:
    releases = _releases(registry, package)
    for old, new in pairwise(releases):
        try:
            trees = tuple(_fetched(registry, package, each, store) for each in (old, new))
            before, after = (_observed(registry, package, each) for each in trees)
        except (subprocess.SubprocessError, OSError, ValueError) as error:
            progress(f"{package} {old} -> {new}: left out: {str(error).splitlines()[0][:200]}")
            continue
        for call in sorted(before, key=lambda name: (name.rpartition("#")[0], int(name.rpartition("#")[2]))):
            was, now = before[call], after.get(call)
            if now is None or was == now or not was.startswith("= "):
                continue
            if str(trees[0]) in was or str(trees[1]) in now:  # a stack: it differs wherever the package is
                continue
            found = Regression(registry, package, old, new, call, was, now, (trees[0], trees[1]))
            if _always(found, trees[0], was) and _always(found, trees[1], now):
                yield found
                break


def _always(case: Regression, tree: Path, value: str) -> bool:
    """Whether the call gives this value each time: some calls are random."""
    return all(observe(case, tree) == value for _ in range(REPEATS))


def _releases(registry: str, package: str) -> list[str]:
    """The newest releases, in order."""
    if registry == "pypi":
        said = _run([sys.executable, "-m", "pip", "index", "versions", package]).stdout
        names = re.findall(r"[^\s,]+", said.partition("Available versions:")[2].partition("\n")[0])
    else:
        found = json.loads(_run(["npm", "view", package, "versions", "--json"]).stdout)
        names = [found] if isinstance(found, str) else found
    plain = {name for name in names if _PLAIN.fullmatch(name)}
    return sorted(plain, key=lambda name: [int(part) for part in name.split(".")])[-RELEASES:]


def _fetched(registry: str, package: str, release: str, store: Path) -> Path:
    """The files of a release, in a folder."""
    tree = store / registry / f"{package}-{release}"
    if tree.exists():
        return tree
    packed = store / "packed"
    shutil.rmtree(packed, ignore_errors=True)
    packed.mkdir(parents=True)
    part = tree.with_name(tree.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    if registry == "pypi":
        words = ["download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", str(packed)]
        _run([sys.executable, "-m", "pip", *words, f"{package}=={release}"])
        with zipfile.ZipFile(next(packed.iterdir())) as wheel:
            wheel.extractall(part)
        for about in part.glob("*.dist-info"):  # files that wheels are installed by; all have them
            shutil.rmtree(about)
    else:
        _run(["npm", "pack", "--silent", f"{package}@{release}"], packed)
        with tarfile.open(next(packed.iterdir())) as archive:
            archive.extractall(part, filter="data")
        (only,) = part.iterdir()
        only.rename(part / "node_modules.package")
        (part / "node_modules").mkdir()
        (part / "node_modules.package").rename(part / "node_modules" / package)
    part.rename(tree)
    return tree


def _observed(registry: str, package: str, tree: Path) -> dict[str, str]:
    """What each call gives."""
    kept = tree.with_name(tree.name + ".json")
    if not kept.exists():
        kept.write_text(_run([*PROBES[registry], package], tree).stdout)
    found: dict[str, str] = json.loads(kept.read_text())
    return found


def observe(case: Regression, tree: Path) -> str:
    """What the call of a regression gives in a tree; how the probe ends where it gives nothing."""
    done = subprocess.run(
        [*PROBES[case.registry], case.package, case.call], cwd=tree, capture_output=True, text=True, check=False,
        timeout=SECONDS, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.stdout if done.returncode == 0 else f"exit {done.returncode}: {done.stderr.strip().splitlines()[-1:]}"


def _run(words: list[str], cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=cwd, capture_output=True, text=True, check=True, timeout=SECONDS, stdin=subprocess.DEVNULL
    )
