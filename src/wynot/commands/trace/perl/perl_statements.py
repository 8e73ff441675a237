"""The statements of a Perl program, numbered, and edits of its text: what recording and replay have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from tree_sitter import Node

from wynot.domains.traces.trace_tree import LINE, NONE

_INNER = frozenset({"eval_expression", "do_expression"})
_READS = frozenset({"readline_expression", "fileglob_expression"})


@dataclass(slots=True)
class PerlStatements(ABC):
    """A program being rewritten; what is written is the business of its heirs."""

    source: bytes
    statements: list[tuple[int, int, int, int]] = field(default_factory=list)
    functions: list[tuple[str, int]] = field(default_factory=list)
    edits: list[tuple[int, int, int, bytes]] = field(default_factory=list)
    function: int = 0
    loops: list[int] = field(default_factory=list)

    def new(self, line: int, kind: int) -> int:
        """A number for a statement."""
        self.statements.append((line, kind, self.function, self.loops[-1] if self.loops else NONE))
        return len(self.statements) - 1

    def at(self, place: int, text: str) -> None:
        """Insert here."""
        self.edits.append((place, place, len(self.edits), text.encode()))

    def over(self, start: int, end: int, text: str) -> None:
        """Put this in the place of that."""
        self.edits.append((start, end, len(self.edits), text.encode()))

    def text(self, node: Node | None) -> str:
        """The text of a node."""
        return "" if node is None else self.source[node.start_byte : node.end_byte].decode("utf-8", "surrogateescape")

    def edited(self) -> bytes:
        """The text with all edits."""
        out, place = [], 0
        for start, end, _order, text in sorted(self.edits, key=lambda edit: (edit[0], edit[2])):
            out += [self.source[place:start], text]
            place = max(place, end)
        return b"".join((*out, self.source[place:]))

    def block(self, node: Node) -> None:
        """The statements of a block."""
        line, first = -1, -1
        for child in node.children:
            here = child.start_point.row
            if child.type == "expression_statement":
                if here == line:
                    self.also(first, child)
                else:
                    line, first = here, self.new(here + 1, LINE)
                    self.simple(first, child)
                low = len(self.statements)
                self.inside(child)
                self.left(child, low)
            elif child.type != ";":
                line = -1
                self.statement(child)

    def own_block(self, node: Node) -> None:
        """The statements of the block that a statement has."""
        block = node.child_by_field_name("block")
        if block is not None:
            self.block(block)

    @abstractmethod
    def do_conditional_statement(self, node: Node) -> None:
        """`if`, `unless` and `elsif`: the condition is an event."""

    def otherwise(self, node: Node) -> None:
        """The branches of a condition but for the first."""
        for child in node.named_children:
            if child.type == "elsif":
                self.do_conditional_statement(child)
            elif child.type == "else":
                self.own_block(child)

    def left(self, node: Node, low: int) -> None:  # noqa: B027 - recording needs nothing here
        """A statement with others in it, from this number on, is over."""

    def statement(self, node: Node) -> None:
        """A statement with others in it."""
        way = getattr(self, f"do_{node.type}", None)
        if way is not None:
            way(node)

    def inside(self, node: Node) -> None:
        """Blocks in expressions: of eval and do, which run here, and of functions, which run when they are called."""
        for child in node.named_children:
            if child.type == "postfix_loop_expression":
                continue  # it goes round by itself
            if child.type == "anonymous_subroutine_expression":
                self.body(child.child_by_field_name("body"), "sub", child.start_point.row + 1)
            elif child.type in _INNER:
                for block in child.named_children:
                    if block.type == "block":
                        self.block(block)
                    else:
                        self.inside(block)
            elif child.type not in {"map_grep_expression", "sort_expression"}:
                self.inside(child)

    def body(self, block: Node | None, name: str, line: int) -> None:
        """The body of a function."""
        if block is None:
            return
        before = self.function, self.loops
        self.functions.append((name, line))
        self.function, self.loops = len(self.functions) - 1, []
        self.at(block.start_byte + 1, f" my $__w = Wynot::in({self.function});")
        self.block(block)
        self.function, self.loops = before

    def do_subroutine_declaration_statement(self, node: Node) -> None:
        """A function: its body runs in a call of its own."""
        name = self.text(node.child_by_field_name("name"))
        self.body(node.child_by_field_name("body"), name, node.start_point.row + 1)

    def do_statement_label(self, node: Node) -> None:
        """A label, and what it stands before."""
        inner = node.child_by_field_name("statement")
        if inner is not None:
            self.statement(inner)

    def do_block_statement(self, node: Node) -> None:
        """A bare block."""
        self.block(node)

    def do_package_statement(self, node: Node) -> None:
        """A package with a block."""
        for child in node.named_children:
            if child.type == "block":
                self.block(child)

    def round(self, node: Node, loop: int) -> None:
        """The body of a loop; the brace at its end is an event."""
        block = node.child_by_field_name("block")
        if block is None:
            return
        self.loops = [*self.loops, loop]
        self.block(block)
        end = block.children[-1]
        begun = self.source.rfind(b"\n", 0, end.start_byte) + 1
        if not self.source[begun : end.start_byte].strip():
            number = self.new(end.start_point.row + 1, LINE)
            self.at(end.start_byte, f";{self.mark(number)}; ")
        for child in node.children_by_field_name("continue"):
            self.block(child)
        self.loops = self.loops[:-1]

    def condition(self, node: Node) -> tuple[Node | None, str]:
        """A condition; one that reads a line keeps it, as Perl has it in a loop."""
        condition = node.child_by_field_name("condition")
        text = self.text(condition)
        if condition is not None and node.type == "loop_statement":
            if condition.type in _READS:
                return condition, f"defined($_ = {text})"
            right = condition.child_by_field_name("right")
            if condition.type == "assignment_expression" and right is not None and right.type in _READS:
                return condition, f"defined({text})"
        return condition, text

    @abstractmethod
    def mark(self, number: int) -> str:
        """What stands for the event in the text."""

    @abstractmethod
    def simple(self, number: int, node: Node) -> None:
        """The first statement on a line."""

    @abstractmethod
    def also(self, number: int, node: Node) -> None:
        """Another statement on the same line."""
