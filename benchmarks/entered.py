"""How many of wynot's functions and files a command enters before it starts the first program.

A newcomer who follows a command from its start has to read that much. Runs `reduce` on a small C file and `changes` on
two versions of a small project. Prints a table; the figures are the same on any machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import common

COUNT = """
import json, os, sys
import subprocess
from wynot.cli.main import main
functions, files = set(), set()
def enter(frame, event, _argument):
    path, name, a_function = frame.f_code.co_filename, frame.f_code.co_name, frame.f_code.co_flags & 1
    if event == "call" and "/wynot/" in path and a_function and not name.startswith("<"):
        functions.add((path, frame.f_code.co_qualname))
        files.add(path)
class Popen(subprocess.Popen):
    def __init__(self, *given, **more):
        sys.setprofile(None)
        print(json.dumps({"functions": len(functions), "files": len(files)}), flush=True)
        os._exit(0)
subprocess.Popen = Popen
sys.setprofile(enter)
main(sys.argv[1:])
"""
"""`wynot` that ends where it would start a program.

Bodies of modules and classes are no functions; comprehensions and lambdas belong to the function that they stand in.
"""

COMMANDS = (
    ("reduce", "bug.c", "-j", "1", "--", "gcc", "-c", "{}"),
    ("changes", "old", "new", "-j", "1", "--", "python3", "test_bill.py"),
)


def entered(folder: Path, *words: str) -> dict[str, int]:
    """Functions and files of one command."""
    with common.wynot_home(None) as env:
        done = subprocess.run(
            [sys.executable, "-c", COUNT, *words], cwd=folder, env=env, capture_output=True, text=True, check=True
        )
    counts: dict[str, int] = json.loads(done.stdout.splitlines()[-1])
    return counts


def main() -> None:
    args = common.parser(__doc__).parse_args()
    with common.work_folder() as place:
        (place / "bug.c").write_text("int main(void) {\n    return undeclared;\n}\n")
        for name, price in (("old", 1), ("new", 2)):
            (place / name).mkdir()
            (place / name / "bill.py").write_text(f"PRICE = {price}\n")
            (place / name / "test_bill.py").write_text("import bill\nassert bill.PRICE == 1\n")
        rows = [{"command": words[0], **entered(place, *words)} for words in COMMANDS]
    common.tell(common.table(list(rows[0]), [list(row.values()) for row in rows]))
    common.save(args.json, rows)


if __name__ == "__main__":
    main()
