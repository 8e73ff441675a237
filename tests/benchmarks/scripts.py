"""How the scripts are run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.docs.blocks import ROOT


def script(name: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """One of the benchmarks, to its end."""
    argv = [sys.executable, str(ROOT / "benchmarks" / name), *map(str, words)]
    return subprocess.run(argv, capture_output=True, text=True, check=False)
