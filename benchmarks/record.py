"""What the record of a run costs: processor time for each test, with the journal alone and with the record."""

from __future__ import annotations

import os
import tempfile
import time

import common
from common import median, table, tell
from wynot.core.artifact import digest
from wynot.core.config import Config
from wynot.core.outcome import PASS
from wynot.core.run_events import PassStarted, TrialAnswered, silent
from wynot.engine.journal import Journal
from wynot.engine.record.write import RunFacts, RunRecorder
from wynot.oracles.protocol import Report
from wynot.oracles.script import Script


def microseconds(tests: int, *, record: bool) -> float:
    journal = Journal(f"{time.time_ns():x}")
    asked = RunFacts("reduce", [b"x" * 1000], "x", "x", Script(__file__), (), b"", None, None)
    listener = RunRecorder(journal, silent, asked) if record else silent
    listener(PassStarted("lines", 200))
    config = Config.of(range(0, 200, 2))
    begun = time.process_time()
    for number in range(tests):
        journal.put(digest(b"%d" % number), Report(PASS, "exit 1", 0.01), 100)
        listener(TrialAnswered(PASS, 100, cached=False, config=config))
    journal.close()
    return (time.process_time() - begun) / tests * 1e6


def main() -> None:
    parser = common.parser(__doc__)
    parser.add_argument("--tests", type=int, default=20_000, help="[%(default)s]")
    parser.add_argument("--repeat", type=int, default=5, help="turns [%(default)s]")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["WYNOT_HOME"] = home
        rows = {
            name: [microseconds(args.tests, record=record) for _ in range(args.repeat)]
            for name, record in (("journal alone", False), ("with the record", True))
        }
    tell(table(("", "microseconds a test", "least", "most"), [(n, median(r), min(r), max(r)) for n, r in rows.items()]))
    common.save(args.json, rows)


if __name__ == "__main__":
    main()
