"""Tables and plots from the figures of compare.py: at its end, or of an old JSON file, without running anything."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import book
import common
import curves
import plots
import versus
from common import tell


def load(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Figures and machine of an old file; what is worked out from them is worked out anew."""
    try:
        found = json.loads(path.read_text())
        figures = found["figures"]
        sizes = {case["case"]: case["tokens"] for case in figures["cases"]}
        return {**figures, **book.totals(list(map(versus.read, figures["results"])), sizes)}, found["machine"]
    except OSError as error:
        raise SystemExit(f"{path}: {error.strerror}; it takes a file that compare.py --json has written") from None
    except (ValueError, TypeError, KeyError):
        raise SystemExit(f"{path}: not what compare.py --json writes") from None


def show(path: Path, args: argparse.Namespace) -> None:
    """All tables of an old file."""
    figures, machine = load(path)
    if args.markdown:
        args.markdown.write_text(book.text(figures, machine))
    if args.json:
        args.json.write_text(json.dumps({"machine": machine, "figures": figures}, indent=1) + "\n")
    tell_all(figures, machine, args)


def tell_all(figures: Mapping[str, Any], machine: Mapping[str, Any], args: argparse.Namespace) -> None:
    """The tables, and the plots if they are asked for."""
    tell(book.text(figures, machine))
    if args.plots:
        tell(f"plots: {len(plots.draw(figures, args.plots))} files in {args.plots}")


def main() -> None:
    parser = common.parser(curves.__doc__)
    parser.add_argument("results", type=Path, metavar="RESULTS.json", help="what compare.py --json has written")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the tables here")
    parser.add_argument("--plots", type=Path, metavar="DIR", help="draw size over time, a picture a case")
    args = parser.parse_args()
    show(args.results, args)
