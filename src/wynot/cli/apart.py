"""How far apart changes must be: `changes` and `bisect` both ask."""

from __future__ import annotations

import click

apart_option = click.option(
    "--apart",
    type=click.IntRange(min=0),
    default=2,
    show_default=True,
    help="Changes with fewer unchanged lines between them are one.",
)
