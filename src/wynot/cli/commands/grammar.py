"""`wynot grammar`: look at a grammar before reducing by it; and the options that name one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wynot.cli.common_options import option, same_file, with_options
from wynot.cli.run_command import exit_on_errors
from wynot.core.text import pasted
from wynot.engine.input_source import read_input
from wynot.engine.run_options import VALIDITIES
from wynot.errors import UsageError
from wynot.report.escape import show

if TYPE_CHECKING:
    from wynot.engine.user_grammar import Grammar


@dataclass(frozen=True)
class LanguageOptions:
    """What a file is written in, and which texts are tested."""

    language: str | None = option(
        metavar="NAME",
        help="The language of the file [by its name and content]; outline: brackets and indentation; none: lines.",
        brief="The language [by name and content]",
    )
    grammar: str | None = option(
        metavar="FILE",
        help="A grammar for the file: .lark, .y (YACC, Bison) or .g4 (ANTLR). Only valid texts are tested.",
    )
    start: str | None = option(metavar="RULE", help="The start rule of the grammar [the declared one, or the first].")
    tokens: str | None = option(
        metavar="FILE",
        help="The tokens of a .y grammar, one per line: NAME : [|regex|] [|minimal string|]; [the .l file].",
    )
    validity: str = option(
        type=click.Choice(VALIDITIES),
        default="strict",
        show_default=True,
        help="Test texts with new syntax errors: never (strict), last (prefer), or always (off: for bugs in parsers).",
    )


@dataclass(frozen=True)
class GrammarOptions(LanguageOptions):
    """The options of a command whose argument is the grammar."""

    language: None = None
    grammar: None = None
    validity: str = "strict"


def given_grammar(given: LanguageOptions, *, folder: bool) -> Grammar | None:
    """The grammar that was named, if one was."""
    if given.grammar is None:
        lost = "--start" if given.start is not None else "--tokens" if given.tokens is not None else None
        if lost is not None:
            raise UsageError(f"{lost} says something of a grammar, but there is none", "name it: --grammar FILE")
        return None
    if folder:
        raise UsageError("a grammar describes a file, not a folder", "name a file of it")
    if given.language is not None:
        raise UsageError("a language or a grammar, not both", "leave out --language or --grammar")
    from wynot.engine.user_grammar import load_grammar  # noqa: PLC0415 - only where one is given

    return load_grammar(given.grammar, start=given.start, tokens=given.tokens)


_EPILOG = """\b
Examples:
  wynot grammar check calc.y          # minimal strings, ambiguities
  wynot grammar check calc.y sum.x    # and the tree of an input
  wynot grammar convert calc.y -o calc.lark
  wynot reduce sum.x --grammar calc.y -- ./calc {}
"""


@click.group("grammar", short_help="Check or convert the grammar of a language", epilog=_EPILOG)
def grammar_group() -> None:
    """Look at the grammar of a language of your own: Lark's (.lark), YACC's (.y) or ANTLR's (.g4).

    What it needs besides is found in the same folder: the .l file of a .y file, the .g4 files that a .g4 file names.
    """


@grammar_group.command("check", epilog=_EPILOG)
@click.argument("grammar", type=click.Path(readable=False))
@click.argument("path", metavar="[INPUT]", required=False, type=click.Path(readable=False))
@with_options(GrammarOptions)
def check_command(given: GrammarOptions, grammar: str, path: str | None) -> None:
    """Read a grammar, and INPUT by it.

    Shows the minimal string of every rule and token, where the grammar leaves the parser a choice, rules that derive
    nothing and rules that are never reached; of INPUT the tree, and what may become of each of its nodes.
    """
    from wynot.engine.user_grammar import load_grammar, see_that_it_parses  # noqa: PLC0415
    from wynot.report.grammar_report import grammar_text, tree_text  # noqa: PLC0415

    with exit_on_errors():
        loaded = load_grammar(grammar, start=given.start, tokens=given.tokens)
        show(grammar_text(loaded))
        if path is not None:
            source = read_input(path)
            see_that_it_parses(loaded, source.data, source.shown)
            show(tree_text(loaded, source.data))


@grammar_group.command("convert", epilog=_EPILOG)
@click.argument("grammar", type=click.Path(readable=False))
@click.option("-o", "--output", metavar="OUT", help="Where to write it [standard output].")
@with_options(GrammarOptions)
def convert_command(given: GrammarOptions, grammar: str, output: str | None) -> None:
    """Write a grammar as one for Lark."""
    from wynot.engine.user_grammar import load_grammar  # noqa: PLC0415

    with exit_on_errors():
        converted = load_grammar(grammar, start=given.start, tokens=given.tokens).converted
        for warning in converted.warnings:
            show(f"wynot: {warning}", err=True)
        if output is None or output == "-":
            show(converted.lark, end="")
            return
        if same_file(Path(output), Path(grammar)):
            raise UsageError(
                "the original is never overwritten", f"name another file: -o {pasted(f'{Path(grammar).stem}.new.lark')}"
            )
        Path(output).write_text(converted.lark, encoding="utf-8")
