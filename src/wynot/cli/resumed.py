"""`python -m wynot.cli.resumed JOURNAL COMMAND WORDS...`: what `wynot runs resume` starts where the run was.

The words are run as ever; but if what they ask is not what the run of this journal was asked, they are refused, and
COMMAND is what to type.
"""

import sys
from pathlib import Path

from wynot.__main__ import main
from wynot.cli.again import AGAIN
from wynot.run.again import Again
from wynot.run.record.read import read_run

if __name__ == "__main__":
    journal, command, *words = sys.argv[1:]
    AGAIN.set(Again(read_run(Path(journal)), command))
    sys.argv[:] = ["wynot", *words]
    main()
