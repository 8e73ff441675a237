"""A Perl program rewritten: to record what it does, or to do what a trace says.

As with Python, each statement first says its number, or runs only if it is the next one of the trace. Nothing moves to
another line, so that messages name the lines of the program. Only the program's own file is rewritten; what it uses
runs whole, as a part of the statement that calls it. The brace that ends a loop is an event, as in the paper.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import tree_sitter
from tree_sitter import Node

from wynot.commands.trace.perl.perl_recording import PerlRecording
from wynot.commands.trace.perl.perl_replay import PerlReplay
from wynot.commands.trace.perl.perl_statements import PerlStatements
from wynot.errors import UsageError


@dataclass(slots=True)
class RewrittenPerl:
    """A program with its numbers."""

    text: bytes
    statements: list[tuple[int, int, int, int]]
    functions: list[tuple[str, int]]
    variables: list[str]
    """The package's own variables, as far as they are single values."""


def rewritten(source: bytes, *, playing: bool) -> RewrittenPerl:
    """Rewrite a program, for a recording or for a replay."""
    try:
        import tree_sitter_perl  # noqa: PLC0415 - an extra
    except ImportError:
        raise UsageError("the grammar of Perl is not installed", "install it: pip install 'wynot[perl]'") from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the wheel gives a number, not a capsule
        parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_perl.language()))
    tree = parser.parse(source)
    work: PerlStatements = (PerlReplay if playing else PerlRecording)(source)
    work.functions.append(("main", 1))
    work.block(tree.root_node)
    return RewrittenPerl(work.edited(), work.statements, work.functions, _variables(tree.root_node))


def _variables(root: Node) -> list[str]:
    """The scalars that a program assigns to, less those that Perl itself knows."""
    names, stack = set(), [root]
    while stack:
        node = stack.pop()
        stack += node.named_children
        left = node.child_by_field_name("left") if node.type == "assignment_expression" else None
        if left is not None and left.type == "scalar" and left.text is not None:
            names.add(left.text.decode("utf-8", "replace"))
    return sorted(name[1:] for name in names if name[1:].isidentifier() and name[1:] != "_")
