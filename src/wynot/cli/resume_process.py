"""`python -m wynot.cli.resume_process JOURNAL COMMAND WORDS...`: what `wynot runs resume` starts where the run was.

The words are run as ever; but if what they ask is not what the run of this journal was asked, they are refused, and
COMMAND is what to type.
"""

import sys
from pathlib import Path

from wynot.__main__ import main
from wynot.engine.record.read import ContinuedRun, read_run
from wynot.engine.run_options import Resumed

if __name__ == "__main__":
    journal, command, *words = sys.argv[1:]
    sys.argv[:] = ["wynot", *words]
    main(Resumed(ContinuedRun(read_run(Path(journal)), command)))
