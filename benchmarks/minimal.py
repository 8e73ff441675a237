"""Is FILE 1-minimal? CHECK must exit 0 on it, and on none of the files that lack a single atom.

Independent of wynot: nothing of it is used. Each candidate is laid under FILE's own name into a private folder, which
is CHECK's working folder; CHECK gets its path. Prints what can be left out; exit 0 if nothing can, else 1.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path


def split(data: bytes, atoms: str) -> list[bytes]:
    """The atoms of a file: lines with their ends, characters (of UTF-8, else bytes), or bytes."""
    if atoms == "lines":
        *lines, last = data.split(b"\n")
        return [line + b"\n" for line in lines] + [last] * bool(last)
    if atoms == "chars":
        with contextlib.suppress(UnicodeDecodeError):
            return [char.encode() for char in data.decode()]
    return [data[i : i + 1] for i in range(len(data))]


@dataclass(frozen=True, slots=True)
class Check:
    """A test script, and the name of the file it judges."""

    script: Path
    name: str
    timeout: float = 60.0

    def fails(self, data: bytes) -> bool:
        """Whether the failure shows: exit 0. A script that takes too long says nothing."""
        with tempfile.TemporaryDirectory(prefix="minimal-") as folder:
            path = Path(folder, self.name)
            path.write_bytes(data)
            child = subprocess.Popen(
                [str(self.script), str(path)], cwd=folder, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            try:
                return child.wait(self.timeout) == 0
            except subprocess.TimeoutExpired:
                return False
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)
                child.wait()


def superfluous(parts: Sequence[bytes], check: Check, jobs: int) -> list[int]:
    """The atoms of which each, by itself, can be left out."""

    def without(place: int) -> bool:
        return check.fails(b"".join(parts[:place]) + b"".join(parts[place + 1 :]))

    with ThreadPoolExecutor(jobs) as pool:
        return [place for place, fails in enumerate(pool.map(without, range(len(parts)))) if fails]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("check", type=Path, metavar="CHECK")
    parser.add_argument("--atoms", choices=("chars", "bytes", "lines"), default="chars", help="[%(default)s]")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="checks at once [%(default)s]")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S", help="for one check [%(default)s]")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write what was found as JSON")
    args = parser.parse_args()
    data = args.file.read_bytes()
    check = Check(args.check.resolve(), args.file.name, args.timeout)
    if not check.fails(data):
        sys.exit(f"{args.check} does not exit 0 on {args.file}")
    parts = split(data, args.atoms)
    found = superfluous(parts, check, args.jobs)
    for place in found:
        print(f"atom {place + 1} of {len(parts)} can be left out: {parts[place]!r}")
    print(f"{args.file}: {len(parts)} {args.atoms}, {'not ' * bool(found)}1-minimal")
    if args.json:
        args.json.write_text(json.dumps({"atoms": args.atoms, "count": len(parts), "superfluous": found}) + "\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
