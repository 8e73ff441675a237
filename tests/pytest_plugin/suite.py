"""Small suites in folders of their own, run by a pytest of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Ran:
    """How a suite ended."""

    code: int
    text: str

    @property
    def found(self) -> str:
        """What stands under the wynot titles."""
        return "\n".join(re.findall(r"^-+ wynot.*?-+\n(.*?)(?=^[-=_]{5})", self.text, re.MULTILINE | re.DOTALL))


@dataclass
class Suite:
    folder: Path

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.folder / f"{name}.py").write_text(text)

    def run(self, *words: str, plugins: tuple[str, ...] = ()) -> Ran:
        """Without other plugins, which only take time."""
        given = [word for each in ("wynot.pytest_plugin", *plugins) for word in ("-p", each)]
        (self.folder / "pytest.ini").write_text("[pytest]\npythonpath = .\naddopts = --strict-markers\n")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *given, *words],
            cwd=self.folder,
            env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "100"},
            capture_output=True,
            text=True,
            check=False,
        )
        return Ran(done.returncode, done.stdout + done.stderr)
