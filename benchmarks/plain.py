"""What a user would type for each case of the corpus: the command of its `check`, without its judgement.

Most cases need that command alone. A wrong result is no failure of a command, so one case compares two commands;
a round trip is about inputs that can be read at all; two cases whose program is not to be had any more look for a text,
on inputs that a compiler takes.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from corpus import CORPUS
from wynot.oracles.command import Command, find_debugger
from wynot.oracles.differs_from import DiffersFrom
from wynot.oracles.extra_commands import ValidIf
from wynot.oracles.protocol import Oracle
from wynot.oracles.script import Conditions
from wynot.oracles.signature import Precision

TOOLS = Path(os.environ.get("CORPUS_TOOLS", Path.home() / ".cache" / "corpus-tools"))
_NODE = "const {0} = require(process.argv[1]); const data = require('fs').readFileSync(process.argv[2]); "
_SVGO = "svgo.optimize(String(data), {floatPrecision: 1, plugins: ['convertPathData']})"
_RESVG = "new resvg.Resvg(String(data), {fitTo: {mode: 'width', value: 64}, font: {loadSystemFonts: false}}).render()"
_CSS = "css.transform({filename: 'in.css', code: data, minify: true})"
_YAML = (
    "const Y = yaml.default || yaml, doc = Y.parseDocument(String(data)); if (doc.errors.length) throw doc.errors[0]; "
)
_AGAIN = "const again = Y.parseDocument(String(doc)); if (again.errors.length) throw again.errors[0]"
_DUCKDB = (
    "import sys, duckdb\n"
    "con = duckdb.connect(config={'threads': 1, 'enable_external_access': False})\n"
    "for s in con.extract_statements(open(sys.argv[1]).read()): con.execute(s).fetchall()"
)
_Z3 = f"{TOOLS}/z3-4.8.7/bin/z3"
_NO_COMPLAINT = '! "$0" -smt2 "$1" 2>/dev/null | grep -Eq "[(]error|unsupported"'
_WELL_FORMED = (
    "import sys; from xml.parsers import expat\n"
    'expat.ParserCreate(namespace_separator=" ").ParseFile(open(sys.argv[1], "rb"))'
)
_BARE = ("env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "HOME=.", "TERM=dumb", "setarch", "-R")
"""As the checks of the fuzz cases run their programs: nothing in the environment, fixed addresses."""

# fmt: off
COMMANDS: dict[str, tuple[str, ...]] = {
    "black-bytes-docstring": (f"{TOOLS}/black-22.1.0/bin/black", "--check", "{}"),
    "c-gcc12-nested-structs": ("gcc-12", "-fno-report-bug", "-O1", "-w", "-c", "-o", "out.o", "{}"),
    "c-gcc12-omp-taskgroup": (
        "gcc-12", "-fno-report-bug", "-O0", "-fopenmp", "-fexceptions", "-w", "-S", "-o", "out.s", "{}",
    ),
    "cpp-clang14-member-spec": ("clang++-14", "-std=c++20", "-w", "-fno-crash-diagnostics", "-fsyntax-only", "{}"),
    "cpp-gcc12-alias-lambda": ("g++-12", "-fno-report-bug", "-std=c++20", "-w", "-S", "-o", "out.s", "{}"),
    "cython-const-fused-memoryview": (
        f"{TOOLS}/cython-0.29.21/bin/python", "-I", "-m", "cython", "-3", "{}", "-o", "out.c",
    ),
    "duckdb-bind-column-reference": (f"{TOOLS}/duckdb-1.1.1/bin/python", "-I", "-c", _DUCKDB, "{}"),
    "fuzz-as86": (*_BARE, "as86", "-o", "out.o", "{}"),
    "fuzz-pcal": (*_BARE, "pcal", "-f", "{}", "-o", "out.ps"),
    "fuzz-sparse": (*_BARE, "sparse", "{}"),
    "fuzz-troff": (*_BARE, "troff"),
    "fuzz-yaps": (*_BARE, "yaps", "{}", "-o", "out.ps"),
    "go119-promoted-dictionary": ("/usr/lib/go-1.19/bin/go", "tool", "compile", "-o", "out.o", "{}"),
    "lightningcss-host-selector-panic": (
        "node", "-e", _NODE.format("css") + _CSS, f"{TOOLS}/npm-lightningcss-1.16.0/node_modules/lightningcss", "{}",
    ),
    "mypy-match-union": (
        f"{TOOLS}/sr-mypy-0.942/bin/mypy", "--show-traceback", "--no-incremental", "--cache-dir=/dev/null", "{}",
    ),
    "prettier-html-front-matter": (f"{TOOLS}/npm-prettier-2.0.5/node_modules/.bin/prettier", "--parser", "html", "{}"),
    "resvg-layer-outside-panic": (
        "node", "-e", _NODE.format("resvg") + _RESVG, f"{TOOLS}/npm-resvg-js-2.6.2/node_modules/@resvg/resvg-js", "{}",
    ),
    "rust163-opaque-region": (
        "/usr/bin/rustc", "--edition", "2018", "--cap-lints", "allow", "--crate-name", "input", "--crate-type", "lib",
        "--emit", "metadata", "-o", "out.rmeta", "{}",
    ),
    "rust163-recursive-impl": (
        "env", "RUSTC_BOOTSTRAP=1", "/usr/bin/rustc", "--edition", "2021", "--cfg", 'feature="std"', "--cap-lints",
        "allow", "--crate-name", "input", "--crate-type", "lib", "--emit", "metadata", "-o", "out.rmeta", "{}",
    ),
    "solc-enumerablemap-ice": (f"{TOOLS}/npm-solc-0.6.7/node_modules/.bin/solcjs", "--abi", "-o", "out", "{}"),
    "svgo-reflect-point": (
        "node", "-e", _NODE.format("svgo") + _SVGO, f"{TOOLS}/npm-svgo-3.2.0/node_modules/svgo", "{}",
    ),
    "sympy-piecewise": (f"{TOOLS}/sr-sympy-1.8/bin/python", "{}"),
    "typescript-setstate-crash": (
        "node", f"{TOOLS}/sr-typescript-5.8.2/node_modules/typescript/bin/tsc", "--noEmit", "{}",
    ),
    "z3-qfuf-isomorphism-segv": (_Z3, "-smt2", "{}"),
}
# fmt: on

# Wrong code: what -O2 and -O0 print differs, on programs without undefined behaviour.
_STRICT = (
    "-Werror=implicit-function-declaration -Werror=implicit-int -Werror=int-conversion "
    "-Werror=incompatible-pointer-types -Werror=return-type"
)
_BUILD = f'cc() {{ gcc-12 {_STRICT} "$@" >compiler.txt 2>&1; }}; '
_DEFINED = _BUILD + (
    'export ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1; run() { timeout 5 "./$1" >"$1.txt"; }; '
    'cc -O0 -o o0 "$0" && run o0 && test -s o0.txt && '
    'cc -O2 -fstack-reuse=none -o nr "$0" && run nr && cmp -s o0.txt nr.txt && '
    'cc -O0 -ftrivial-auto-var-init=zero -o zi "$0" && run zi && cmp -s o0.txt zi.txt && '
    'cc -O0 -ftrivial-auto-var-init=pattern -o pa "$0" && run pa && cmp -s o0.txt pa.txt && '
    'cc -O1 -Werror=uninitialized -Werror=maybe-uninitialized -S -o u.s "$0" && '
    'cc -O0 -fsanitize=address,undefined -fno-sanitize-recover=all -o sa "$0" && run sa && cmp -s o0.txt sa.txt'
)
_PATTERN = r"for\([^)]*\)\{[^}]*i=i\+j\+1;[^}]*z\[i\]=z\[i\]\*\(z\[0\]\+0\);"
_PARSE_ONLY = "-J-XX:TieredStopAtLevel=1 -XDshould-stop.ifNoError=PARSE"
_NO_COMMENTS = r"s!/\*.*?\*/|//[^\n]*!!gs"
_BY_ZERO = "/[[:space:]]*0([^0-9.xXbB_]|$)"


def _shell(text: str) -> Command:
    return Command(("sh", "-c", text, "{}"))


def _optimised(level: str) -> Command:
    return _shell(f'{_BUILD}cc {level} -o program "$0" && timeout 5 ./program')


def _found(text: str) -> Command:
    return replace(_shell(text), conditions=Conditions(exit=0))


def _lark(*hash_seed: str) -> Command:
    parse = CORPUS / "flaky-lark-quantifier" / "parse.py"
    return Command(("env", *hash_seed, f"{TOOLS}/nd-lark-1.1.9/bin/python", str(parse), "{}"))


def _yaml(code: str) -> Command:
    return Command(("node", "-e", _NODE.format("yaml") + code, f"{TOOLS}/npm-yaml-1.0.0/node_modules/yaml", "{}"))


OTHERS: dict[str, tuple[str, Oracle]] = {
    "c-gcc12-wrong-code-stack-slot": (
        "--differs-from, --valid-if", ValidIf(DiffersFrom(_optimised("-O2"), _optimised("-O0")), _shell(_DEFINED)),
    ),
    "flaky-lark-quantifier": ("--differs-from", DiffersFrom(_lark("-u", "PYTHONHASHSEED"), _lark("PYTHONHASHSEED=0"))),
    "seed-bug-c": (
        "--fail-if-exit, --valid-if",
        ValidIf(
            _found(f"tr -d ' \\t\\r\\n' < \"$0\" | grep -Eq '{_PATTERN}'"),
            Command(("gcc", "-x", "c", "-std=gnu89", "-w", "-fsyntax-only", "{}")),
        ),
    ),
    "seed-sha1-java": (
        "--fail-if-exit, --valid-if",
        ValidIf(
            _found(f"perl -0pe '{_NO_COMMENTS}' \"$0\" | grep -Eq '{_BY_ZERO}'"),
            _shell(f'cp "$0" T.java; javac {_PARSE_ONLY} -proc:none -d . T.java'),
        ),
    ),
    "yaml-flow-comment-roundtrip": ("--valid-if", ValidIf(_yaml(_YAML + _AGAIN), _yaml(_YAML))),
}  # fmt: skip


VALID = {
    "svgo-reflect-point": Command(("python3", "-I", "-S", "-c", _WELL_FORMED, "{}")),
    "z3-qfuf-isomorphism-segv": Command(("sh", "-c", _NO_COMPLAINT, _Z3, "{}")),
}


@dataclass(frozen=True, slots=True)
class Pair:
    """A hand-written check, and what a user would type instead."""

    case: str
    check: str
    how: str
    oracle: Oracle


def pairs(case: str) -> list[Pair]:
    """What is compared in a case: at two precisions where the check looks at the signal only, or there are two checks.

    Where the check first sees whether the input is valid, `--valid-if` says so; without it the failure is the same, but
    shows on inputs that are not valid.
    """
    if case in OTHERS:
        return [Pair(case, "check", *OTHERS[case])]
    finest = Command(COMMANDS[case], debugger=find_debugger())
    coarse = replace(finest, precision=Precision("exit"))
    if case.startswith("fuzz-"):
        return [Pair(case, "check", "--precision exit", coarse), Pair(case, "check-precise", "", finest)]
    alone = [Pair(case, "check", "", finest)]
    if case not in VALID:
        return alone
    valid = VALID[case]
    both = [Pair(case, "check", "--valid-if", ValidIf(finest, valid)), *alone]
    if case.startswith("z3-"):
        return [Pair(case, "check", "--precision exit, --valid-if", ValidIf(coarse, valid)), *both]
    return both


CASES = sorted({*COMMANDS, *OTHERS})
