"""Paths without links."""

from __future__ import annotations

import os
from pathlib import Path


def real_path(path: Path) -> Path:
    """Follow all links of a path; one that leads back to itself stays as it is, where `Path.resolve` raises."""
    return Path(os.path.realpath(path))
