"""The benchmarks are scripts beside each other; here they are imported as such."""

from __future__ import annotations

import sys

from tests.docs.blocks import ROOT

sys.path.append(str(ROOT / "benchmarks"))
