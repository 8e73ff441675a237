"""`wynot completion`: shell completion of commands, options, names of algorithms and of runs."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem, ShellComplete, get_completion_class


def algorithms(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """The algorithms that a command has."""
    from wynot.engine.pass_search import HIERARCHICAL, ISOLATORS, MINIMISERS  # noqa: PLC0415 - for shells only

    names: dict[str, Iterable[str]] = {
        "reduce": (*MINIMISERS, *HIERARCHICAL),
        "isolate": ISOLATORS,
        "changes": (*MINIMISERS, *ISOLATORS),
        "bisect": (),
    }
    return sorted(name for name in names.get(context.info_name or "", MINIMISERS) if name.startswith(incomplete))


def runs(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The runs that there are, the latest first, with what they were about."""
    from wynot.engine.record.read import all_runs  # noqa: PLC0415
    from wynot.report.escape import visible  # noqa: PLC0415
    from wynot.report.run_table import sizes, when  # noqa: PLC0415 - for shells only

    found = all_runs()
    items = [CompletionItem("last", help="the latest one")] if found else []
    for run in found:
        about = f"{run.kind} {visible(str(run.facts.get('shown', '-')))}, {sizes(run)}, {run.status}, {when(run.begun)}"
        items.append(CompletionItem(run.short, help=about))
    return [item for item in items if str(item.value).startswith(incomplete)]


_EPILOG = """\b
Examples:
  D=~/.local/share/bash-completion/completions
  wynot completion bash > $D/wynot
  wynot completion zsh > ~/.zfunc/_wynot  # in $fpath, before compinit
  wynot completion fish > ~/.config/fish/completions/wynot.fish
  eval "$(wynot completion bash)"         # for this shell
"""
VARIABLE = "_WYNOT_COMPLETE"


@click.command("completion", short_help="Print a completion script for a shell", epilog=_EPILOG)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print the script that lets SHELL complete wynot's commands and options."""
    kind = get_completion_class(shell)
    if kind is None:  # click knows these three
        raise click.BadParameter(f"{shell} is not known")
    script = kind(context.find_root().command, {}, "wynot", VARIABLE)
    click.echo(ShellComplete.source(script))  # bash's own would run bash, to see its version
