"""The thesis' Java study (section 5.4, table 5.1) on the corpus' SHA1.java: ddmin by characters, and HDD by a grammar.

    python benchmarks/grammar_java.py [--corpus FOLDER] [--only NAME,NAME] [--json FILE]

The test is the thesis': javac finds no syntax error, and a division by zero is still there. To make ten thousand tests
bearable, javac's parser is started once and asked again and again; `--script` runs the corpus' script for each test.
Every row runs in a process of its own, whose peak memory is measured, without javac's.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from lark import Lark, Token
from lark.lexer import Lexer

import wynot
from common import parser, program, progress, run, save, table, tell, words, work_folder
from wynot.core.outcome import FAIL, PASS, UNRESOLVED, Outcome

ROOT = Path(__file__).parent.parent
GRAMMAR = ROOT / "examples" / "grammars" / "Java.g4"
CASE = "seed-sha1-java"
ROWS = {
    "hdd": ("HDD, by Java.g4", "hdd", True),
    "hdd_plus": ("HDD+, by Java.g4", "hdd_plus", True),
    "hdd_star": ("HDD*, by Java.g4", "hdd_star", True),
    "auto": ("default, by Java.g4", None, True),
    "ddmin": ("ddmin, by characters", "ddmin", False),
}
_THESIS = [
    ["ddmin, by characters (thesis, its own file)", 14817, 13371, 13269, 652, 10330.0, 5373759 / 1024],
    ["HDD with minimal strings (thesis)", 88, 0, 13269, 41, 49.0, 60715 / 1024],
]


PARSES = """
import com.sun.source.util.JavacTask;
import java.io.*;
import java.net.URI;
import java.util.List;
import javax.tools.*;

public class Parses {
    public static void main(String[] unused) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        while (true) {
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            String text = new String(bytes, "UTF-8");
            JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///T.java"), JavaFileObject.Kind.SOURCE) {
                @Override public CharSequence getCharContent(boolean ignored) { return text; }
            };
            DiagnosticCollector<JavaFileObject> told = new DiagnosticCollector<>();
            boolean valid;
            try {
                ((JavacTask) javac.getTask(null, null, told, List.of("-proc:none"), null, List.of(file))).parse();
                valid = told.getDiagnostics().stream().noneMatch(d -> d.getKind() == Diagnostic.Kind.ERROR);
            } catch (Throwable deep) {
                valid = false;
            }
            System.out.write(valid ? '1' : '0');
            System.out.flush();
        }
    }
}
"""
_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)
_BY_ZERO = re.compile(rb"/[ \t\r\f\v]*0([^0-9.xXbB_\n]|$)", re.MULTILINE)


class Javac:
    """The thesis' test; counts its runs and the texts that are no Java."""

    def __init__(self, folder: Path) -> None:
        self.runs = self.errors = 0
        source = folder / "Parses.java"
        source.write_text(PARSES)
        self._process = subprocess.Popen(
            [program("java"), "-XX:TieredStopAtLevel=1", source], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __call__(self, data: bytes) -> Outcome:
        """Whether a text is Java and divides by zero."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.runs += 1
        self._process.stdin.write(len(data).to_bytes(4) + data)
        self._process.stdin.flush()
        if self._process.stdout.read(1) != b"1":
            self.errors += 1
            return UNRESOLVED
        return FAIL if _BY_ZERO.search(_COMMENT.sub(b"", data)) else PASS

    def close(self) -> None:
        """Stop it."""
        self._process.kill()
        self._process.communicate()


def one(name: str, case: Path, *, script: bool) -> None:
    """Run one row, and print its figures."""
    _, algorithm, by_grammar = ROWS[name]
    source = case / "SHA1.java"
    begun = time.perf_counter()
    options = wynot.Options(
        algorithm=algorithm, atoms="auto" if by_grammar else "chars",
        grammar=wynot.load_grammar(GRAMMAR) if by_grammar else None,
    )  # fmt: skip
    with work_folder() as folder:
        javac = Javac(folder)
        try:
            found = wynot.reduce(source, wynot.Script(str(case / "check")) if script else javac, options)
        finally:
            javac.close()
    counts = found.cost.counts
    print(
        json.dumps(
            {
                "tests": counts.tests,
                "unresolved": counts.outcomes[UNRESOLVED] if script else javac.errors,
                "before": _seen(source.read_bytes()),
                "after": _seen(found.data),
                "wall": time.perf_counter() - begun,
                "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                "text": found.data.decode(),
            }
        )
    )


def parsers(text: str) -> None:
    """Read the file once by each parser, from the same tokens; processor time."""
    grammar = wynot.load_grammar(GRAMMAR)
    converted, reader = grammar.converted, grammar.language.reader
    begun = time.process_time()
    reading = reader.read(text)
    rows = [["wynot", reading.root is not None, time.process_time() - begun]]
    spans = zip(reading.terminals, reading.starts, reading.ends, strict=True)
    tokens = [Token(name, text[start:end]) for name, start, end in spans]

    class Given(Lexer):
        def __init__(self, _conf: object) -> None:
            pass

        def lex(self, _text: object, _parser: object = None) -> Iterator[Token]:
            return iter(tokens)

    earley = Lark(converted.lark, start=converted.start, parser="earley", lexer=Given)
    begun = time.process_time()
    rows.append(["Lark, Earley", bool(earley.parse(text)), time.process_time() - begun])
    tell(table(["parser", "is read", "seconds"], rows))


def _seen(data: bytes) -> int:
    """Characters that are not blank."""
    return len(b"".join(data.split()))


def main() -> None:
    """Run all rows."""
    arguments = parser(__doc__)
    arguments.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus", help="the corpus' folder")
    arguments.add_argument("--only", type=words, default=list(ROWS), help=f"some of: {','.join(ROWS)}")
    arguments.add_argument("--script", action="store_true", help="run the corpus' script for each test")
    arguments.add_argument("--parsers", action="store_true", help="how long the parsers take for the file, instead")
    arguments.add_argument("--one", help="(used by itself)")
    given = arguments.parse_args()
    if given.one:
        one(given.one, given.corpus / CASE, script=given.script)
        return
    if given.parsers:
        parsers((given.corpus / CASE / "SHA1.java").read_text())
        return
    program("javac")
    rows, figures = [], {}
    for name in given.only:
        progress(f"{ROWS[name][0]} ...")
        script = ["--script"] if given.script else []
        found = run([sys.executable, __file__, "--one", name, "--corpus", given.corpus, *script]).json()
        figures[name] = found
        rows.append(
            [ROWS[name][0], found["tests"], found["unresolved"], found["before"], found["after"], found["wall"],
             found["peak"]]
        )  # fmt: skip
    heads = ["algorithm", "tests", "syntax errors", "size before", "after", "seconds", "memory, MB"]
    tell(table(heads, [*rows, *_THESIS]))
    for name, found in figures.items():
        if name != "ddmin":
            tell(f"\n{ROWS[name][0]}: `{' '.join(found['text'].split())}`")
    save(given.json, figures)


if __name__ == "__main__":
    main()
