"""A Perl program that records what it does: every statement says its number first."""

from __future__ import annotations

from tree_sitter import Node

from wynot.commands.trace.perl.perl_statements import PerlStatements
from wynot.domains.traces.event_log import ADVANCE, HEADER, START, WHILE


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
