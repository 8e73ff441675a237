"""Every benchmark, one after the other, into one folder: JSON, Markdown and plots.

A part that fails does not keep the others from running; it is named at the end, and the exit code is 1. After a stop
the same command goes on: parts that are done are not run again, and a comparison goes on with the case and tool at
which it was stopped. --again runs parts that are done; of comparisons just wynot, with the peers' results from before.
Seeds are fixed, Python's hashes, too.

    all.py --out DIR                everything: many hours
    all.py --out DIR --quick        a look at everything: some minutes
    all.py --list                   what would be run
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import common
import corpus
import tools
from common import progress, table, tell
from parts import HERE, PARTS, Part

DONE = "parts.json"


class Ledger:
    """What has been run in a folder, and how it ended."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = folder / DONE
        self.parts: dict[str, dict[str, Any]] = json.loads(self._file.read_text()) if self._file.exists() else {}

    def done(self, part: Part, argv: Sequence[str]) -> bool:
        """Whether it ended well, with the same options."""
        known = self.parts.get(part.name, {})
        return known.get("exit") == 0 and known.get("argv") == list(argv)

    def begin(self, part: Part) -> None:
        """It is no longer done."""
        if self.parts.pop(part.name, None):
            self._write()

    def add(self, part: Part, argv: Sequence[str], code: int, seconds: float) -> None:
        self.parts[part.name] = {
            "argv": list(argv), "exit": code, "seconds": round(seconds, 1), "machine": common.machine(),
        }  # fmt: skip
        self._write()

    def _write(self) -> None:
        new = self._file.with_suffix(".new")
        new.write_text(json.dumps(self.parts, indent=1) + "\n")
        new.replace(self._file)


def run(part: Part, words: Sequence[str], folder: Path, limit: float) -> int:
    """One part to its end: its tables go to a file, what it says of its progress to a log and on."""
    with (folder / f"{part.name}.md.new").open("w") as out, (folder / f"{part.name}.log").open("a") as log:
        child = subprocess.Popen(
            [sys.executable, *words], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, text=True,
            errors="replace", env={**os.environ, "PYTHONHASHSEED": "0"}, cwd=folder,
        )  # fmt: skip
        timer = threading.Timer(limit, child.terminate)
        timer.start()
        try:
            assert child.stderr
            for line in child.stderr:
                log.write(line)
                log.flush()
                progress(f"    {line.rstrip()}")
            code = child.wait()
        except BaseException:
            child.terminate()
            child.wait()
            raise
        finally:
            timer.cancel()
    if code == 0:
        (folder / f"{part.name}.md.new").replace(folder / f"{part.name}.md")
    return code


def report(ledger: Ledger, chosen: Sequence[Part]) -> None:
    """All figures as one file, and all tables as one page."""
    folder, found, page = ledger.folder, {}, ["# Benchmarks", ""]
    page += [table(("part", "shows", "ended", "s", "load"), [_row(ledger, part) for part in chosen], left=3), ""]
    for part in chosen:
        text, figures = folder / f"{part.name}.md", folder / f"{part.name}.json"
        known = ledger.parts.get(part.name, {})
        found[part.name] = {**known, "figures": json.loads(figures.read_text()) if figures.exists() else None}
        page += [f"## {part.name}: {part.shows}", "", f"`{_shown(known.get('argv', [part.script]))}`", ""]
        page += [text.read_text() if text.exists() and known.get("exit") == 0 else "No figures.", ""]
        page += [f"![{plot.stem}]({plot.relative_to(folder)})" for plot in sorted(_plots(folder, part))]
    (folder / "all.json").write_text(json.dumps({"machine": common.machine(), "parts": found}, indent=1) + "\n")
    (folder / "README.md").write_text("\n".join(page) + "\n")


def _plots(folder: Path, part: Part) -> list[Path]:
    return list((folder / "plots" / part.name).glob("*.svg"))


def _row(ledger: Ledger, part: Part) -> tuple[object, ...]:
    known = ledger.parts.get(part.name)
    if known is None:
        return (part.name, part.shows, "not run", None, None)
    ended = "done" if known["exit"] == 0 else f"FAILED, exit {known['exit']}: see {part.name}.log"
    return (part.name, part.shows, ended, known["seconds"], known["machine"]["load"])


def _shown(argv: Sequence[str]) -> str:
    return shlex.join(word.removeprefix(f"{HERE}/") for word in argv)


def main() -> None:
    args = _arguments().parse_args()
    unknown = {*args.only, *args.skip, *args.again} - {part.name for part in PARTS}
    if unknown:
        raise SystemExit(f"{', '.join(sorted(unknown))}: no such part; there are {_names()}")
    chosen = [part for part in PARTS if part.name in (args.only or _names().split(",")) and part.name not in args.skip]
    if args.list:
        tell(table(("part", "shows", "command"), [(p.name, p.shows, _shown(p.argv(args))) for p in chosen], left=3))
        return
    folder = args.out.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    ledger = Ledger(folder)
    try:
        failed = [part.name for number, part in enumerate(chosen, 1) if not _step(part, number, chosen, ledger, args)]
    except KeyboardInterrupt:
        progress("stopped; the same command goes on from here")
        raise SystemExit(130) from None
    tell(table(("part", "shows", "ended", "s", "load"), [_row(ledger, part) for part in chosen], left=3))
    tell(f"\nall of it: {folder / 'README.md'}, {folder / 'all.json'}")
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}; the same command runs just these again")


def _step(part: Part, number: int, chosen: Sequence[Part], ledger: Ledger, args: argparse.Namespace) -> bool:
    """Whether a part is done in the end."""
    head = f"[{number}/{len(chosen)}] {part.name}"
    argv, again = part.argv(args), part.name in args.again
    if ledger.done(part, argv) and not again:
        progress(f"{head}: done before")
        return True
    progress(f"{head}: {_shown(argv)}")
    begun = time.monotonic()
    ledger.begin(part)
    code = run(part, [*argv, *part.outputs(ledger.folder, again=again)], ledger.folder, 3600 * args.limit)
    ledger.add(part, argv, code, time.monotonic() - begun)
    report(ledger, chosen)
    progress(f"{head}: {'done' if code == 0 else f'FAILED, exit {code}'}, {time.monotonic() - begun:.0f} s")
    return code == 0


def _names() -> str:
    return ",".join(part.name for part in PARTS)


def _arguments() -> argparse.ArgumentParser:
    parser = common.parser(__doc__, json=False)
    parser.add_argument("--out", type=Path, default=Path("bench"), metavar="DIR", help="where all goes [bench]")
    parser.add_argument("--quick", action="store_true", help="a look at everything: few and small problems")
    parser.add_argument("--list", action="store_true", help="say what would be run, and end")
    parser.add_argument("--cases", type=Path, default=corpus.CORPUS, metavar="DIR", help="cases [../shared/corpus]")
    parser.add_argument("--no-install", action="store_true", help="the failing programs are there")
    parser.add_argument("--peers", type=common.words, default=tools.all_peers().split(","), metavar="NAME,NAME",
                        help=f"for compare.py [{tools.all_peers()}]")  # fmt: skip
    parser.add_argument("--cap", type=float, default=300.0, metavar="S", help="for a tool and case [%(default)g]")
    parser.add_argument("--only", type=common.words, default=[], metavar="PART,PART", help=f"just these of {_names()}")
    parser.add_argument("--skip", type=common.words, default=[], metavar="PART,PART", help="all but these")
    parser.add_argument("--again", type=common.words, default=[], metavar="PART,PART", help="even if they are done")
    parser.add_argument("--limit", type=float, default=24.0, metavar="H", help="hours for a part [%(default)g]")
    return parser


if __name__ == "__main__":
    main()
