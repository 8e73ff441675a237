"""wynot and its peers on real failures: the same test, the same number of jobs, one run each.

A case is a folder with case.toml, check, install and the input; without names all input cases of the corpus are run.
Each tool gets a copy of the input and the case's check, which counts its runs and keeps the smallest candidate that
fails (counted.py). At the cap a tool is stopped, and that candidate is its result. Peers that are not installed are
left out, with a word; --install puts those that pip has into ~/.cache/wynot-peers.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import again
import capped
import common
import corpus
import counted
import minimal
import peers
import syntax
import tools
from book import Book, key, now
from common import progress
from tools import Tool
from versus import Result
from wynot.domains.text import tokens


def run(tool: Tool, version: str, case: corpus.Case, args: argparse.Namespace) -> Result:
    """One tool on one case, in a folder of its own; temporary files, too, are there and go with it."""
    check, original = case.folder / "check", case.input.read_bytes()
    with common.work_folder() as place, tempfile.TemporaryDirectory(prefix="bench-home-") as home:
        for name in ("in", "out", "tmp"):
            (place / name).mkdir()
        wrapped = counted.wrap(check, case.input.name, place)
        name = case.input.name
        job = peers.Job(place / "in" / name, place / "out" / name, wrapped.test, args.jobs, case.language)
        shutil.copy(case.input, job.input)
        argv = tool.argv(job)
        env = {"TMPDIR": str(place / "tmp"), "WYNOT_TMP": str(place / "tmp"), "WYNOT_HOME": home}
        done = capped.run(argv, env, job.input.parent, place, args.cap)
        log = wrapped.read(done.start)
        places = [wrapped.best] if done.exit is None else [tool.result(job), wrapped.best]
        data = next((path.read_bytes() for path in places if path.exists()), original)
        command = shlex.join(argv).replace(str(place), "PLACE")
    if args.results:
        (args.results / f"{case.name}.{tool.name.replace(' ', '-')}.{name}").write_bytes(data)
    fine = done.exit in {None, 0} or (tool.name == "lithium" and done.exit == 1)
    return Result(
        case.name, tool.name, tool.peer is not None, log.tests, log.begun, tokens.count(data), len(data),
        round(done.wall, 2), log.curve[-1][0] if log.curve else 0.0, done.exit is not None, done.exit,
        minimal.Check(check, name).fails(data), syntax.valid(data, original, case.language), round(log.seconds, 2),
        log.curve, "" if fine else _last_line(done.stderr or done.stdout), _object(done.stdout), command, now(),
        key(tool, case, args), version,
    )  # fmt: skip


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no word"])[-1][:300]


def _object(text: str) -> dict[str, Any]:
    """What wynot says of itself."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def compare(case: corpus.Case, chosen: Sequence[Tool], notes: Book) -> None:
    """All tools on one case."""
    if not notes.args.no_install and not corpus.install(case):
        return
    try:
        with common.work_folder() as place:
            seconds = counted.verify(case.folder / "check", case.input, place)
    except ValueError as error:
        progress(f"{case.name}: left out: {error}")
        return
    notes.begin(case, seconds)
    for tool in chosen:
        if tool.peer and not tool.peer.suits(case.language):
            continue
        if earlier := notes.kept(tool, case):
            notes.add(earlier)
        elif not tool.peer or tool.peer.path():
            notes.add(run(tool, notes.versions[tool.name], case, notes.args))


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("names", nargs="*", metavar="CASE", help="run just these")
    parser.add_argument(
        "--cases", type=Path, default=corpus.CORPUS, metavar="DIR", help="where cases are [../shared/corpus]"
    )
    parser.add_argument("--no-install", action="store_true", help="the failing programs are there")
    parser.add_argument("--peers", type=common.words, default=tools.all_peers().split(","), metavar="NAME,NAME",
                        help=f"just these, or none [{tools.all_peers()}]")  # fmt: skip
    parser.add_argument("-j", "--jobs", type=int, default=2, help="tests at once [%(default)s]")
    parser.add_argument("--cap", type=float, default=300.0, metavar="S", help="stop a tool after so long [%(default)g]")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the tables here")
    parser.add_argument("--results", type=Path, metavar="DIR", help="keep the reduced files here")
    parser.add_argument("--wynot-options", default="", metavar="'...'", help="more options for wynot")
    parser.add_argument("--keep", type=Path, metavar="JSON", help="peers' results of an earlier run, where they fit")
    parser.add_argument("--resume", action="store_true", help="with --keep: wynot's results, too; go on after a stop")
    parser.add_argument("--install", action="store_true", help="install the peers that are missing, and end")
    parser.add_argument("--from", dest="old", type=Path, metavar="JSON", help="show these results, and run nothing")
    parser.add_argument("--plots", type=Path, metavar="DIR", help="draw size over time, a picture a case")
    args = parser.parse_args()
    if args.old:
        again.show(args.old, args)
        return
    chosen = [*tools.wynots(args.wynot_options), *tools.found_peers(args.peers)]
    for peer in (tool.peer for tool in chosen if tool.peer):
        if peer.path() is None and args.install:
            peer.install()
        elif peer.path() is None:
            progress(f"{peer.name}: left out, not installed: {peer.missing}")
    if args.install:
        return
    if args.results:
        args.results.mkdir(parents=True, exist_ok=True)
    notes = Book(args, chosen)
    for case in corpus.named(args.cases, args.names):
        compare(case, chosen, notes)
    notes.write()
    again.tell_all(notes.figures(), common.machine(), args)


if __name__ == "__main__":
    main()
