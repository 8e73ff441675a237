"""`wynot trace`: what recording costs, real failures of pure-Python packages, a real crash of a C program.

python benchmarks/traces.py cost [PYTHON ...]      recording beside the cheapest line tracer of each interpreter
python benchmarks/traces.py failures [NAME ...]    sizes, runs, time; executed lines and a dynamic slice beside them
python benchmarks/traces.py checkpoints [NAME ...] processor time with checkpoints and without
python benchmarks/traces.py native                 a crash of pcal 4.11.0, a C program, through gdb
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from wynot.commands.trace.record_run import RunSettings, studio
from wynot.commands.trace.tracers import program_of

PROGRAMS = {
    "calls": "def fib(n):\n    if n < 2:\n        return n\n    return fib(n - 1) + fib(n - 2)\nprint(fib(29))\n",
    "loops": (
        "def sieve(n):\n    flags = [True] * n\n    total = 0\n    for i in range(2, n):\n        if flags[i]:\n"
        "            total += i\n            j = i * i\n            while j < n:\n                flags[j] = False\n"
        "                j += i\n    return total\nprint(sieve(2000000))\n"
    ),
    "words": (
        "counts = {}\ntext = ('the quick brown fox jumps over the lazy dog ' * 150000).split()\nfor word in text:\n"
        "    counts[word] = counts.get(word, 0) + 1\n    if len(word) > 4:\n        counts[word] += 1\nprint(counts)\n"
    ),
    "generators": (
        "def numbers(n):\n    for i in range(n):\n        yield i\ndef even(items):\n    for i in items:\n"
        "        if i % 2 == 0:\n            yield i\nprint(sum(even(numbers(2000000))))\n"
    ),
}

TRACER = """
import sys
path = sys.argv[1]
code = compile(open(path).read(), path, "exec")
if hasattr(sys, "monitoring"):
    m = sys.monitoring
    m.use_tool_id(2, "cheapest")
    m.register_callback(2, m.events.LINE, lambda code, line: None)
    m.set_events(2, m.events.LINE)
else:
    def trace(frame, event, arg):
        return trace
    sys.settrace(trace)
exec(code, {"__name__": "__main__"})
"""


def seconds(*argv: str) -> float:
    """Processor time of a command, the least of three."""
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(argv, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return min(times)


def cost(pythons: list[str]) -> None:
    print(f"{'python':<8} {'program':<11} {'plain':>7} {'tracer':>7} {'record':>7}  record / tracer")
    with tempfile.TemporaryDirectory() as folder:
        tracer = Path(folder, "tracer.py")
        tracer.write_text(TRACER)
        for python in pythons:
            version = subprocess.run(
                (python, "-c", "import sys; print(sys.version.split()[0])"), capture_output=True, text=True, check=True
            ).stdout.strip()
            for name, source in PROGRAMS.items():
                path = Path(folder, f"{name}.py")
                path.write_text(source)
                with studio(RunSettings(program_of((python, str(path))), folder=folder)) as place:
                    took = [seconds(python, str(path)), seconds(python, str(tracer), str(path))]
                    took.append(seconds(*place.tracer.argv()))
                print(f"{version:<8} {name:<11} {took[0]:7.2f} {took[1]:7.2f} {took[2]:7.2f}  {took[2] / took[1]:.2f}")


FAILURES: dict[str, tuple[tuple[str, ...], str]] = {
    "toml-0.9.4": (
        ("toml==0.9.4",),
        """import toml
text = "".join(f"[server{i}]\\nhost = 'h{i}'\\nport = {8000 + i}\\ntags = ['a', 'b']\\n" for i in range(20))
print(toml.loads(text + "[last"))
""",
    ),
    "toml-0.9.4, large": (
        ("toml==0.9.4",),
        """import toml
text = "".join(f"[server{i}]\\nhost = 'h{i}'\\nport = {8000 + i}\\ntags = ['a', 'b']\\n" for i in range(1200))
print(toml.loads(text + "[last"))
""",
    ),
    "xmltodict-0.10.0": (
        ("xmltodict==0.10.0",),
        """import xmltodict
rows = [{"@id": str(i), "name": f"n{i}", "value": [1, 2, None]} for i in range(20)]
print(xmltodict.unparse({"table": {"row": rows, "sums": {1: 20}}}))
""",
    ),
    "python-dateutil-2.6.0": (
        ("python-dateutil==2.6.0", "six==1.16.0"),
        """from dateutil.parser import parse
for text in ("2003-09-25T10:49:41", "10:36:28 2003-09-25", "2003.09.25", "99999999999999999999"):
    print(parse(text))
""",
    ),
    "PyYAML-5.3.1": (
        ("PyYAML==5.3.1",),
        """import yaml
print(yaml.safe_load("name: first\\nratio: ._\\n"))
""",
    ),
    "tomlkit-0.4.6": (
        ("tomlkit==0.4.6",),
        """import tomlkit
text = "".join(f"[server{i}]\\nhost = 'h{i}'\\nport = {8000 + i}\\n" for i in range(10))
print(tomlkit.parse(text + "[]x]\\ncolor = 1\\n"))
""",
    ),
    "hjson-3.0.1": (
        ("hjson==3.0.1",),
        """import hjson
text = "".join(f"  key{i}: some text\\n  list{i}: [1, 2, 3]\\n" for i in range(20))
print(hjson.loads("{\\n" + text + "  b: [1,+ 2, 3]\\n  c: '''\\n  multi\\n  '''"))
""",
    ),
    "configobj-5.0.6": (
        ("configobj==5.0.6", "six==1.16.0"),
        """import configobj
lines = [line for i in range(20) for line in (f"[s{i}]", f"k{i} = a, b", "n = 3")]
print(configobj.ConfigObj(["a = x, y", *lines, "[last]", "q = %(a)s"]).dict())
""",
    ),
    "parso-0.5.0": (
        ("parso==0.5.0",),
        """import parso
print(parso.parse("x = 1").get_code())
""",
    ),
    "black-22.1.0": (
        (
            "black==22.1.0",
            "click==8.0.4",
            "mypy-extensions==0.4.3",
            "pathspec==0.9.0",
            "platformdirs==2.5.0",
            "tomli==2.0.1",
        ),
        """import black
text = "def add(a, b):\\n    return {'sum': a + b, 'of': [a, b]}\\n\\n\\ndef magic():\\n    b' x'\\n"
print(black.format_file_contents(text, fast=False, mode=black.Mode()))
""",
    ),
}


def installed(name: str, wanted: tuple[str, ...]) -> Path:
    """Where the packages of a failure are, installed once."""
    home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "wynot-bench" / name
    if not home.exists():
        pip = (sys.executable, "-m", "pip", "install", "-qq", "--no-deps", "--disable-pip-version-check", "-t")
        subprocess.run((*pip, str(home), *wanted), check=True, env={**os.environ, "PYYAML_FORCE_LIBYAML": "0"})
    return home


def spent() -> float:
    """Processor seconds of all children so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def traced(name: str, *more: str) -> tuple[dict[str, Any] | None, float, dict[str, int], str]:
    """What `wynot trace` finds, its processor seconds, the dynamic slice, and what went wrong."""
    wanted, source = FAILURES[name]
    home = installed(name.partition(",")[0], wanted)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "fails.py")
        script.write_text(f"import sys\nsys.path.insert(0, {str(home)!r})\n{source}")
        words = (sys.executable, "-m", "wynot", "trace", "--json", "-q", "--fresh", "-j", "2", *more)
        include = ("--include", f"{home}/*", "--include", f"{folder}/*", "--", sys.executable, str(script))
        before = spent()
        done = subprocess.run(
            (*words, *include), capture_output=True, text=True, stdin=subprocess.DEVNULL,
            env={**os.environ, "WYNOT_HOME": folder}, check=False,
        )  # fmt: skip
        took = spent() - before
        slicer = (sys.executable, str(Path(__file__).with_name("slices.py")), str(home), str(script))
        sliced = subprocess.run(slicer, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False).stdout
    found = json.loads(done.stdout) if done.returncode == 0 else None
    said = (found["columns"][0]["looked_for"] if found else done.stderr.strip()).replace(str(home), "...")
    counts = sliced.splitlines()[-1:]
    return found, took, json.loads(counts[0]) if counts and '"slice"' in counts[0] else {}, said


def failures(names: list[str]) -> None:
    head = f"{'failure':<22} {'events':>8} {'left':>6} {'lines':>6} {'slice':>6} {'left':>5}"
    print(f"{head} {'runs':>5} {'wall':>7} {'cpu':>7}  looked for")
    for name in names or FAILURES:
        found, took, sliced, said = traced(name)
        if found is None:
            print(f"{name:<22} {said}", flush=True)
            continue
        column = found["columns"][0]
        runs = column["tests"] + column["baseline_tests"] + 2
        print(
            f"{name:<22} {found['events']:>8} {column['size_after']:>6} {found['lines']:>6} "
            f"{sliced.get('slice', '-'):>6} {column['lines_after']:>5} "
            f"{runs:>5} {column['wall']:>6.0f}s {took:>6.0f}s  {said[:90]}",
            flush=True,
        )


def checkpoints(names: list[str]) -> None:
    """The same searches with checkpoints and without."""
    print(f"{'failure':<22} {'tests':>6} {'cpu without':>12} {'cpu with':>9} {'ratio':>6}  same result")
    for name in names or ("xmltodict-0.10.0", "python-dateutil-2.6.0", "toml-0.9.4", "tomlkit-0.4.6"):
        (plain, without, *_), (forked, took, *_) = (traced(name, *way) for way in (("--no-checkpoints",), ()))
        if plain is None or forked is None:
            print(f"{name:<22} failed")
            continue
        left = [[event["time"] for event in each["columns"][0]["events"]] for each in (plain, forked)]
        same = left[0] == left[1]
        tests = plain["columns"][0]["tests"]
        print(f"{name:<22} {tests:>6} {without:>11.1f}s {took:>8.1f}s {without / took:>6.2f}  {same}", flush=True)


PCAL = "https://deb.debian.org/debian/pool/main/p/pcal/pcal_4.11.0.orig.tar.gz"


def native() -> None:
    """A real crash of a real C program, through gdb: pcal 4.11.0 and a calendar with a NUL in it."""
    home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "wynot-bench" / "pcal-4.11.0"
    if not (home / "exec" / "pcal").exists():
        home.parent.mkdir(parents=True, exist_ok=True)
        archive = home.parent / "pcal.tar.gz"
        subprocess.run(("curl", "-sfL", "-o", archive, PCAL), check=True)
        subprocess.run(("tar", "xf", archive, "-C", home.parent), check=True)
        flags = "CFLAGS=-g -O0 -w -std=gnu89 -fcommon -Isrc -DBUILD_ENV_UNIX"
        subprocess.run(("make", "-C", home, flags), check=True, capture_output=True)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "calendar").write_bytes(b"\0")
        words = (sys.executable, "-m", "wynot", "trace", "--fresh", "-j", "2", "--folder", folder, "--")
        program = (str(home / "exec" / "pcal"), "-f", f"{folder}/calendar", "-o", "out.ps", "2", "2024")
        env = {**os.environ, "WYNOT_HOME": folder}
        subprocess.run((*words, *program), check=True, stdin=subprocess.DEVNULL, env=env)


if __name__ == "__main__":
    what, *rest = sys.argv[1:] or ["cost"]
    if what == "cost":
        cost(rest or [sys.executable])
    elif what == "checkpoints":
        checkpoints(rest)
    elif what == "native":
        native()
    elif what == "failures":
        failures(rest)
    else:
        raise SystemExit(__doc__)
