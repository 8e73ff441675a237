"""Results of compare.py as they come, written down after each; and those of an earlier run."""

from __future__ import annotations

import argparse
import dataclasses
import datetime as dt
import hashlib
import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import common
import corpus
import counted
import curves
import syntax
import versus
import wynot
from common import progress
from tools import Tool
from versus import Result
from wynot.domains.text import tokens


def key(tool: Tool, case: corpus.Case, args: argparse.Namespace) -> str:
    """What two runs must share to be compared."""
    data = case.input.read_bytes() + (case.folder / "check").read_bytes()
    return " ".join([f"-j {args.jobs}, {args.cap:g} s, {hashlib.sha256(data).hexdigest()[:16]}", *tool.options])


def now() -> str:
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


class Book:
    """Results as they come, written down after each."""

    def __init__(self, args: argparse.Namespace, tools: Sequence[Tool]) -> None:
        self.args = args
        self.results: list[Result] = []
        self.sizes: dict[str, int] = {}
        self.cases: list[dict[str, object]] = []
        self.earlier: dict[tuple[str, str], Result] = {}
        self.overhead = counted.overhead()
        self.versions = versions(tools)
        if args.keep:
            figures = json.loads(args.keep.read_text())["figures"]
            for found in (*figures["earlier"], *figures["results"]):
                result = versus.read(found)
                self.earlier[result.case, result.tool] = result

    def kept(self, tool: Tool, case: corpus.Case) -> Result | None:
        """What an earlier run found with the same input, check, jobs, cap, options; of wynot only if it is to go on."""
        found = self.earlier.get((case.name, tool.name))
        if found is None or found.torn or found.key != key(tool, case, self.args):
            return None
        return dataclasses.replace(found, kept=True) if tool.peer or self.args.resume else None

    def begin(self, case: corpus.Case, seconds: float) -> None:
        data = case.input.read_bytes()
        self.sizes[case.name] = tokens.count(data)
        self.cases.append({
            "case": case.name, "language": case.language, "tokens": self.sizes[case.name], "bytes": len(data),
            "errors": syntax.errors(data, case.language), "test_ms": round(1000 * seconds, 1),
        })  # fmt: skip

    def add(self, result: Result) -> None:
        self.results.append(result)
        self.earlier.pop((result.case, result.tool), None)
        progress("  ".join(common.cell(value) for value in result.row()))
        self.write()

    def write(self) -> None:
        figures = self.figures()
        common.save(self.args.json, figures)
        if self.args.markdown:
            self.args.markdown.write_text(text(figures, common.machine()))

    def figures(self) -> dict[str, Any]:
        kept = {"kept_from": self.args.keep.name} if self.args.keep else {}
        return {
            "date": now(), "jobs": self.args.jobs, "cap": self.args.cap, "overhead_ms": round(self.overhead, 3),
            "versions": self.versions, **kept, "cases": self.cases, **totals(self.results, self.sizes),
            "results": list(map(dataclasses.asdict, self.results)),
            "earlier": list(map(dataclasses.asdict, self.earlier.values())),
        }  # fmt: skip


def totals(results: Sequence[Result], sizes: Mapping[str, int]) -> dict[str, Any]:
    """What is worked out from the results."""
    return {"summary": versus.summary(results, sizes), "curves": curves.summary(results, sizes)}


def text(figures: Mapping[str, Any], machine: Mapping[str, Any]) -> str:
    """All of it, to be read: from the figures alone, so that old ones can be shown again."""
    results = list(map(versus.read, figures["results"]))
    facts = [
        f"{figures['date'][:10]}; {machine['processors']} processors; -j {figures['jobs']}; cap {figures['cap']:g} s.",
        f"The counting wrapper adds {figures['overhead_ms']:.2f} ms to each test, the same for every tool.",
        f"Versions: {', '.join(sorted({f'{r.tool} {r.version}' for r in results}))}.",
    ]
    if kept := sum(result.kept for result in results):
        of = f": {figures['kept_from']}" if "kept_from" in figures else ""
        facts.append(f"{kept} results, marked (kept), are those of an earlier run{of}.")
    rows = [tuple(case.values()) for case in figures["cases"]]
    facts.append(common.table(("case", "language", "tokens", "bytes", "syntax errors", "test ms"), rows, left=2))
    parts = [*facts, *versus.tables(results, figures["summary"]), *curves.tables(figures["curves"]),
             *curves.torn(results)]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def versions(tools: Sequence[Tool]) -> dict[str, str]:
    git = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"]
    state = subprocess.run(git, capture_output=True, text=True, check=False).stdout.strip()
    found = {}
    for tool in tools:
        if not tool.peer:
            found[tool.name] = f"{wynot.__version__} ({state})"
        elif program := tool.peer.path():
            found[tool.name] = tool.peer.version(program)
    return found
