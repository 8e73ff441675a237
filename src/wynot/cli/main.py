"""`wynot`: the commands."""

from __future__ import annotations

import click

from wynot.cli.lazily import Lazily
from wynot.version import __version__


@click.group(
    cls=Lazily,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit: 0 done; 1 the failure does not show; 2 usage or bad input; 3 a budget ended it; 130 interrupted.",
)
@click.version_option(__version__, "-V", "--version")
def main() -> None:
    """Worked yesterday, not today: find out, by experiment, why a program fails."""
