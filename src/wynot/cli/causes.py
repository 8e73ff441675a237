"""How many causes to look for: `changes`, `bisect`, `events` and `isolate` ask; `trace` words it in its own way."""

from __future__ import annotations

import click

causes_option = click.option(
    "--causes",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Find up to N causes that have nothing in common: take a found one away, search the rest.  [1]",
)
