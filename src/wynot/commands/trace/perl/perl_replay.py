"""A Perl program that does what a trace says: every statement runs if it is the next one."""

from __future__ import annotations

from tree_sitter import Node

from wynot.commands.trace.perl.perl_statements import PerlStatements
from wynot.domains.traces.event_log import ADVANCE, HEADER, START, WHILE

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
