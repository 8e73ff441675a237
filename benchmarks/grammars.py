"""Grammars as users find them, in packages of Debian, PyPI and npm: each is fetched by its package's name and read.

For each one: how large it is, what was left out, what is not defined, whether Lark takes it, and whether a text of that
language is read. Nothing is installed, and the system's own list of sources stays as it is.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import platformdirs
from lark import Lark

import common
from common import progress, table, tell
from wynot.domains.grammar.productions import compiled
from wynot.domains.grammar.readers.read_grammar import ConvertedGrammar, read_grammar
from wynot.domains.grammar.tokenizer import TokenReader

CACHE = Path(platformdirs.user_cache_dir("wynot-grammars"))
APT = Path("/etc/apt")
SUFFIXES = {".y", ".yy", ".l", ".ll", ".g4"}
"""What is kept of a package."""


LARGE = ("bc", "thrift")
"""Languages in which the sample can be repeated."""


class NotFetchedError(Exception):
    """A package, or the grammar in it, is not to be had."""


@dataclass(frozen=True, slots=True)
class Wild:
    """A grammar in a package: its file, those beside it, and a text of the language (none: it has no lexer)."""

    name: str
    index: str
    package: str
    file: str
    beside: tuple[str, ...] = ()
    text: str = ""
    start: str | None = None


WILD = (
    Wild("bc", "debian", "bc", "bc/bc.y", ("bc/scan.l",), "define f(x) { auto y; y = x^2\n return (y) }\nf(3) + 2\n"),
    Wild("jq", "debian", "jq", "src/parser.y", ("src/lexer.l",), "def f(x): x | x; [.[] | f(.a + 1)] # done"),
    Wild("cdecl", "debian", "cdecl", "cdgram.y", ("cdlex.l",), "declare x as pointer to int\n"),
    Wild("calc", "debian", "bison", "examples/c/lexcalc/parse.y", ("examples/c/lexcalc/scan.l",), "1 + 2 * (3 - 4)\n"),
    Wild(
        "dot", "debian", "graphviz", "lib/cgraph/grammar.y", ("lib/cgraph/scan.l",), "digraph { a -> b [x=1]; /* c */ }"
    ),
    Wild("thrift", "debian", "thrift", "thrifty.yy", ("thriftl.ll",), "struct S { 1: i32 a; }\nenum E { X = 1 }\n"),
    Wild("awk", "debian", "gawk", "awkgram.y"),
    Wild("mawk", "debian", "mawk", "parse.y"),
    Wild("bash", "debian", "bash", "parse.y"),
    Wild("units", "debian", "units", "parse.y"),
    Wild("flex", "debian", "flex", "src/parse.y"),
    Wild("latex", "pypi", "sympy", "sympy/parsing/latex/LaTeX.g4", (), "\\frac{a + 1}{b^2} - \\sqrt{x}"),
    Wild("autolev", "pypi", "sympy", "sympy/parsing/autolev/Autolev.g4", (), "A = 2*B + 1\n"),
    Wild("omegaconf", "pypi", "omegaconf", "OmegaConfGrammarParser.g4", ("*.g4",), "a ${b.c[0]} ${f:1,{x:y}}"),
    Wild("hydra", "pypi", "hydra-core", "OverrideParser.g4", ("*.g4",), "db.user=[a,{b:1}]"),
    Wild("fhirpath", "npm", "fhirpath", "FHIRPath.g4", (), "Patient.name.where(use = 'official').given.first()"),
    Wild(
        "solidity",
        "npm",
        "solidity-antlr4",
        "SolidityParser.g4",
        ("*.g4",),
        "contract C { uint a; function f() public {} }",
    ),
    Wild("feel", "npm", "@kie-tools/dmn-feel-antlr4-parser", "FEEL_1_1.g4", (), 'if a > 1 then "x" else [1, 2]'),
    Wild("vtl", "npm", "vtl-2-0-antlr-tools-ts", "Vtl.g4", ("*.g4",), "DS_r := DS_1 + 2;"),
    Wild(
        "cypher", "npm", "@neo4j-cypher/language-support", "Cypher25Parser.g4", ("*.g4",), "MATCH (a)-->(b) RETURN a;"
    ),
)
"""Where the indexes keep them today."""
HEADS = ("grammar", "package", "rules", "tokens", "undefined", "warnings", "read, ms", "tables, s", "a text is read")
BY_NAME = {wild.name: wild for wild in WILD}


def load(name: str) -> ConvertedGrammar:
    """A grammar by its name in WILD, fetched where it is not there yet."""
    wild = BY_NAME[name]
    root = fetched(wild)
    main = found(root, wild.file)
    beside = [path for pattern in wild.beside for path in others(root, main, pattern)]
    texts = {path.name: decoded(path) for path in beside if path != main}
    return read_grammar(main.name, decoded(main), start=wild.start, beside=texts)


def decoded(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def others(root: Path, main: Path, pattern: str) -> list[Path]:
    return sorted(main.parent.glob(pattern)) if "*" in pattern else [found(root, pattern)]


def found(root: Path, file: str) -> Path:
    paths = sorted(root.rglob(f"**/{file}"), key=lambda path: len(path.parts))
    if not paths:
        raise NotFetchedError(f"{root.name}: no {file} in this package")
    return paths[0]


def fetched(wild: Wild) -> Path:
    """The folder of a package's files."""
    folder = CACHE / wild.index / wild.package.replace("/", "_")
    if not folder.exists():
        partial = folder.with_name(folder.name + ".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        progress(f"fetching {wild.package} from {wild.index}")
        FETCH[wild.index](wild.package, partial)
        for archive in sorted(partial.glob("*.t*z*")):
            if archive.suffix != ".asc":
                with tarfile.open(archive) as tar:
                    kept = [member for member in tar if Path(member.name).suffix in SUFFIXES]
                    tar.extractall(partial, kept, filter="data")
            archive.unlink()
        partial.rename(folder)
    return folder


def from_debian(package: str, folder: Path) -> None:
    """The package's source; apt reads a list of sources of our own, in folders of our own."""
    apt = ["apt-get", "-q", *own_lists()]
    run([*apt, "source", "--download-only", "--tar-only", package], folder)


def own_lists() -> list[str]:
    """The options of apt-get for lists of the system's mirrors that have sources, too."""
    place = CACHE / "apt"
    options = {
        "Dir::Etc::SourceList": "/dev/null",
        "Dir::Etc::SourceParts": place / "parts",
        "Dir::State::Lists": place / "lists",
        "Dir::Cache": place / "cache",
    }
    argv = [word for key, value in options.items() for word in ("-o", f"{key}={value}")]
    if not (place / "lists").exists():
        for folder in ("parts", "lists/partial", "cache/archives/partial"):
            (place / folder).mkdir(parents=True, exist_ok=True)
        for path, text in with_sources():
            (place / "parts" / path.name).write_text(text)
        run(["apt-get", "-q", *argv, "update"], place)
    return argv


def with_sources() -> Iterator[tuple[Path, str]]:
    """The system's lists of Debian's (or Ubuntu's) packages, with their sources instead; the main archive will do."""
    for name in ("debian", "ubuntu"):
        path = APT / "sources.list.d" / f"{name}.sources"
        if path.exists():
            parts = [part for part in path.read_text().split("\n\n") if "security" not in part]
            yield path, "\n\n".join(re.sub("^Types:.*", "Types: deb-src", part, flags=re.MULTILINE) for part in parts)
    if (APT / "sources.list").exists():
        lines = (APT / "sources.list").read_text().splitlines()
        kept = [
            line.replace("deb ", "deb-src ", 1) for line in lines if line.startswith("deb ") and "security" not in line
        ]
        yield APT / "main.list", "\n".join(kept) + "\n"


def from_pypi(package: str, folder: Path) -> None:
    run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", package], folder)


def from_npm(package: str, folder: Path) -> None:
    run(["npm", "pack", f"{package}@latest"], folder)


FETCH: dict[str, Callable[[str, Path], None]] = {"debian": from_debian, "pypi": from_pypi, "npm": from_npm}


def run(argv: list[str], folder: Path) -> None:
    try:
        done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    except FileNotFoundError:
        raise NotFetchedError(f"{argv[0]}: no such program") from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines() or ["nothing"]
        raise NotFetchedError(f"{' '.join(argv[-3:])}: exit {done.returncode}: {said[-1]}")


def measured(wild: Wild) -> tuple[object, ...]:
    progress(wild.name)
    load(wild.name)
    begun = time.perf_counter()
    converted = load(wild.name)
    seconds = time.perf_counter() - begun
    Lark(
        converted.lark, start=converted.start, parser="earley", lexer="dynamic"
    )  # an error where it is not well formed
    begun = time.perf_counter()
    reader = TokenReader(compiled(converted))
    tables = time.perf_counter() - begun
    read = reader.read(wild.text).root is not None if wild.text else None
    rules = sum(name.islower() for name in converted.names)
    return (
        wild.name, f"{wild.package} ({wild.index})", rules, len(converted.names) - rules, len(converted.undefined),
        len(converted.warnings), round(seconds * 1000), tables, read,
    )  # fmt: skip


def large(name: str, size: int = 100_000) -> tuple[object, ...]:
    """A text of this size, the sample again and again: processor seconds to read it."""
    wild = BY_NAME[name]
    reader = TokenReader(compiled(load(name)))
    text = wild.text * (size // len(wild.text) + 1)
    begun = time.process_time()
    reading = reader.read(text)
    return name, len(text), len(reading), time.process_time() - begun, reading.root is not None


def main() -> None:
    arguments = common.parser(__doc__)
    arguments.add_argument("--large", action="store_true", help="also read texts of 100 KB in " + ", ".join(LARGE))
    arguments.add_argument("--only", type=common.words, default=list(BY_NAME), help=f"some of {','.join(BY_NAME)}")
    chosen = arguments.parse_args()
    unknown = set(chosen.only) - set(BY_NAME)
    if unknown:
        raise SystemExit(f"no such grammar: {', '.join(sorted(unknown))}; there are {', '.join(BY_NAME)}")
    rows, missing = [], []
    for name in chosen.only:
        try:
            rows.append(measured(BY_NAME[name]))
        except NotFetchedError as error:
            missing.append(str(error))
    tell(table(HEADS, rows, left=2))
    common.save(chosen.json, [dict(zip(HEADS, row, strict=True)) for row in rows])
    if chosen.large:
        tell(table(("grammar", "bytes", "tokens", "processor s", "read"), [large(name) for name in LARGE]))
    for text in missing:
        progress(f"not fetched: {text}")
    if missing or any(row[-1] is False for row in rows):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
