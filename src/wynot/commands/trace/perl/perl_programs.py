"""Perl programs, rewritten to record a trace or to replay a part of one."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import tree_sitter
from tree_sitter import Node

from wynot.commands.trace.perl.perl_statements import PerlStatements
from wynot.domains.traces.trace_tree import ADVANCE, HEADER, START, WHILE
from wynot.errors import UsageError


class PerlRecording(PerlStatements):
    """Rewrites a program for a recording."""

    def mark(self, number: int) -> str:
        """What stands for the event in the text."""
        return f"push(@Wynot::E,{number})"

    def simple(self, number: int, node: Node) -> None:
        """The first statement on a line."""
        self.at(node.start_byte, f"{self.mark(number)};")

    def also(self, number: int, node: Node) -> None:
        """It is on the line of another one."""

    def do_conditional_statement(self, node: Node) -> None:
        """`if`, `unless` and `elsif`: the condition is an event."""
        self._headed(node, HEADER)
        self.own_block(node)
        self.otherwise(node)

    def _headed(self, node: Node, kind: int) -> int:
        number = self.new(node.start_point.row + 1, kind)
        condition, text = self.condition(node)
        if condition is not None:
            self.over(condition.start_byte, condition.end_byte, f"Wynot::s({number}) || ({text})")
        return number

    def do_loop_statement(self, node: Node) -> None:
        """`while` and `until`: the condition is an event, each time."""
        self.round(node, self._headed(node, WHILE))

    def do_cstyle_for_statement(self, node: Node) -> None:
        """`for (;;)`: its start is an event, and each step."""
        number = self.new(node.start_point.row + 1, START)
        self.new(node.start_point.row + 1, ADVANCE)
        start = next((c for c in node.children_by_field_name("initialiser") if c.is_named), None)
        step = node.child_by_field_name("iterator")
        opening = next(child for child in node.children if child.type == "(")
        closing = next(child for child in node.children if child.type == ")")
        self.at(start.start_byte if start else opening.end_byte, f"Wynot::s({number}){', ' if start else ''}")
        self.at(step.start_byte if step else closing.start_byte, f"Wynot::s({number + 1}){', ' if step else ''}")
        self.round(node, number)

    def do_for_statement(self, node: Node) -> None:
        """`foreach`: its start is an event, and each later round."""
        number = self.new(node.start_point.row + 1, START)
        self.new(node.start_point.row + 1, ADVANCE)
        whole = node.parent if node.parent is not None and node.parent.type == "statement_label" else node
        self.at(whole.start_byte, f"{self.mark(number)};")
        self.round(node, number)
        self.at(node.end_byte, f" continue {{ {self.mark(number + 1)}; }}")


# A Perl program that does what a trace says: every statement runs if it is the next one.


_FOR = ("initialiser", "condition", "iterator")


class PerlReplay(PerlStatements):
    """Rewrites a program for replays."""

    def mark(self, number: int) -> str:
        """What stands for the event in the text."""
        return f"$__w->go({number})"

    def simple(self, number: int, node: Node) -> None:
        """The first statement on a line."""
        after = node.next_named_sibling
        alone = after is None or after.type != "expression_statement" or after.start_point.row != node.start_point.row
        self._guarded(node, self.mark(number), alone=alone)

    def left(self, node: Node, low: int) -> None:
        """What an exception has kept from running must not hold up the rest; the value of a function stays last."""
        if low < len(self.statements) and not self.loops and node.next_named_sibling is not None:
            self.at(node.end_byte, f"; $__w->skip({low},{len(self.statements)})")

    def also(self, number: int, node: Node) -> None:
        """Another statement on the same line."""
        self._guarded(node, f"$__w->on({number})", alone=False)

    def _guarded(self, node: Node, guard: str, *, alone: bool = True) -> None:
        """Let a statement run only if this is so; a `next` or `last` alone on its line is the trace's business."""
        inner = node.named_children[0] if node.named_children else None
        if inner is None:
            return
        left = inner.named_children[0] if inner.named_children else None
        if inner.type == "loopex_expression" and alone:
            self.over(inner.start_byte, inner.end_byte, guard)
        elif alone and inner.type == "postfix_conditional_expression" and left and left.type == "loopex_expression":
            condition = self.text(inner.child_by_field_name("condition") or inner.named_children[-1])
            self.over(inner.start_byte, inner.end_byte, f"{guard} and Wynot::seen(scalar({condition}))")
        elif inner.type.startswith("postfix_"):
            self.at(node.start_byte, f"{guard} and do {{ ")
            self.at(node.end_byte, " }")
        else:
            self.at(node.start_byte, f"{guard} and (")
            self.at(node.end_byte, ")")

    def do_conditional_statement(self, node: Node) -> None:
        """`if`, `unless` and `elsif`: the condition is an event."""
        number = self.new(node.start_point.row + 1, HEADER)
        condition, text = self.condition(node)
        low = len(self.statements)
        self.own_block(node)
        negated = "!" if node.children[0].type == "unless" else ""
        if condition is not None:
            self._header(condition, number, text, f"{negated}$__w->in({low},{len(self.statements)})")
        self.otherwise(node)

    def _header(self, condition: Node, number: int, text: str, goes_on: str) -> None:
        new = f"({self.mark(number)} and Wynot::seen(scalar({text}))), {goes_on}"
        self.over(condition.start_byte, condition.end_byte, new)

    def do_loop_statement(self, node: Node) -> None:
        """`while` and `until`: the condition is an event, each time."""
        number = self.new(node.start_point.row + 1, WHILE)
        condition, text = self.condition(node)
        self.round(node, number)
        negated = "!" if node.children[0].type == "until" else ""
        if condition is not None:
            self._header(condition, number, text, f"{negated}$__w->in({number},{len(self.statements)})")

    def do_cstyle_for_statement(self, node: Node) -> None:
        """`for (;;)`: its start is an event, and each step."""
        number = self.new(node.start_point.row + 1, START)
        self.new(node.start_point.row + 1, ADVANCE)
        parts = [next((c for c in node.children_by_field_name(f) if c.is_named), None) for f in _FOR]
        start, goal, step = (f"scalar({self.text(part)})" if part is not None else "0" for part in parts)
        opening = next(child for child in node.children if child.type == "(")
        closing = next(child for child in node.children if child.type == ")")
        self.round(node, number)
        goes_on = f"($__w->fresh({number}) and Wynot::seen({goal})), $__w->in({number + 1},{len(self.statements)})"
        steps = f"({self.mark(number + 1)} and Wynot::seen({step}))"
        new = f"({self.mark(number)} and Wynot::seen({start})); {goes_on}; {steps}"
        self.over(opening.end_byte, closing.start_byte, new)

    def do_for_statement(self, node: Node) -> None:
        """`foreach`: its start is an event, and each later round."""
        number = self.new(node.start_point.row + 1, START)
        self.new(node.start_point.row + 1, ADVANCE)
        block = node.child_by_field_name("block")
        if block is None:
            return
        items, variable = self.text(node.child_by_field_name("list")), self.text(node.child_by_field_name("variable"))
        label = ""
        if node.parent is not None and node.parent.type == "statement_label":
            label = self.text(node.parent.child_by_field_name("label")) + ": "
        own = next((child.type for child in node.children if child.type in {"my", "our", "state"}), "")
        self.round(node, number)
        head = (
            f"if ({self.mark(number)}) {{ $__w->list({number}, \\({items})); }} "
            f"while ($__w->in({number + 1},{len(self.statements)})) {{ {self.mark(number + 1)} and "
            f"$__w->advance({number}); {label}for {own} {variable} (${{$__w->item({number})}}) "
        )
        self.over(node.start_byte, block.start_byte, head)
        self.at(node.end_byte, " }")


# A Perl program rewritten: to record what it does, or to do what a trace says.
#
# As with Python, each statement first says its number, or runs only if it is the next one of the trace. Nothing moves
# to another line, so that messages name the lines of the program. Only the program's own file is rewritten; what it
# uses runs whole, as a part of the statement that calls it. The brace that ends a loop is an event, as in the paper.


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
