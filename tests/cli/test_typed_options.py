"""The fields of a class of options: what the command line says, of the types that they declare."""

from __future__ import annotations

from typing import Any, get_origin, get_type_hints

import click
import pytest

from wynot.cli.commands.bisect import BisectOptions
from wynot.cli.commands.changes import ChangesOptions
from wynot.cli.commands.events import EventsOptions
from wynot.cli.commands.grammar import GrammarOptions
from wynot.cli.commands.isolate import IsolateOptions
from wynot.cli.commands.options import CallOptions
from wynot.cli.commands.reduce import ReduceOptions
from wynot.cli.commands.trace import TraceOptions
from wynot.cli.common_options import CommonOptions, with_options

KINDS = (
    BisectOptions,
    CallOptions,
    ChangesOptions,
    CommonOptions,
    EventsOptions,
    GrammarOptions,
    IsolateOptions,
    ReduceOptions,
    TraceOptions,
)


def parsed(kind: type[Any], *words: str) -> Any:
    """What a command with these options gets."""
    made: list[Any] = []
    command = click.command()(with_options(kind)(made.append))
    command.main(list(words), standalone_mode=False)
    return made[0]


@pytest.mark.parametrize("kind", KINDS)
def test_without_words_fields_have_defaults_of_their_types(kind: type[Any]) -> None:
    given, hints = parsed(kind), get_type_hints(kind)
    assert given == kind()
    wrong = {
        name: value
        for name, value in vars(given).items()
        if not isinstance(value, tuple if get_origin(hints[name]) is tuple else hints[name])
    }
    assert wrong == {}


def test_fields_have_what_the_words_say() -> None:
    given = parsed(TraceOptions, "--output-line", "a", "--output-line", "b", "--timeout", "5m", "--seed", "7", "--json")
    assert (given.patterns, given.timeout, given.seed, given.as_json) == (("a", "b"), 300, 7, True)


def test_a_field_without_an_option_cannot_be_set() -> None:
    with pytest.raises(click.NoSuchOption, match="--atoms"):
        parsed(BisectOptions, "--atoms", "lines")
