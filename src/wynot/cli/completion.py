"""`wynot completion`: what makes a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import ShellComplete, get_completion_class

_EPILOG = """\b
Examples:
  bash:  wynot completion bash > ~/.local/share/bash-completion/completions/wynot
  zsh:   wynot completion zsh > ~/.zfunc/_wynot        (~/.zfunc in $fpath, before compinit)
  fish:  wynot completion fish > ~/.config/fish/completions/wynot.fish
  now:   eval "$(wynot completion bash)"
"""
VARIABLE = "_WYNOT_COMPLETE"


@click.command("completion", epilog=_EPILOG)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print the script that lets SHELL complete wynot's commands and options."""
    kind = get_completion_class(shell)
    if kind is None:  # click knows these three
        raise click.BadParameter(f"{shell} is not known")
    script = kind(context.find_root().command, {}, "wynot", VARIABLE)
    click.echo(ShellComplete.source(script))  # bash's own would run bash, to see its version
