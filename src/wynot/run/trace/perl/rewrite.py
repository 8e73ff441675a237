"""A Perl program rewritten: to record what it does, or to do what a trace says.

As with Python, each statement first says its number, or runs only if it is the next one of the trace. Nothing moves to
another line, so that messages name the lines of the program. Only the program's own file is rewritten; what it uses
runs whole, as a part of the statement that calls it. The brace that ends a loop is an event, as in the paper.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field

import tree_sitter
import tree_sitter_perl
from tree_sitter import Node

from wynot.domains.trace.recording import ADVANCE, HEADER, LINE, NONE, START, WHILE

_INNER = frozenset({"eval_expression", "do_expression"})
_READS = frozenset({"readline_expression", "fileglob_expression"})


@dataclass(slots=True)
class Rewritten:
    """A program with its numbers."""

    text: bytes
    statements: list[tuple[int, int, int, int]]
    functions: list[tuple[str, int]]
    variables: list[str]
    """The package's own variables, as far as they are single values."""


def rewritten(source: bytes, *, playing: bool) -> Rewritten:
    """Rewrite a program, for a recording or for a replay."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the wheel gives a number, not a capsule
        parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_perl.language()))
    tree = parser.parse(source)
    work = (_Playing if playing else _Recording)(source)
    work.functions.append(("main", 1))
    work.block(tree.root_node)
    return Rewritten(work.edited(), work.statements, work.functions, _variables(tree.root_node))


@dataclass(slots=True)
class _Rewriting:
    source: bytes
    statements: list[tuple[int, int, int, int]] = field(default_factory=list)
    functions: list[tuple[str, int]] = field(default_factory=list)
    edits: list[tuple[int, int, int, bytes]] = field(default_factory=list)
    function: int = 0
    loops: list[int] = field(default_factory=list)

    def new(self, line: int, kind: int) -> int:
        self.statements.append((line, kind, self.function, self.loops[-1] if self.loops else NONE))
        return len(self.statements) - 1

    def at(self, place: int, text: str) -> None:
        """Insert here."""
        self.edits.append((place, place, len(self.edits), text.encode()))

    def over(self, start: int, end: int, text: str) -> None:
        """Put this in the place of that."""
        self.edits.append((start, end, len(self.edits), text.encode()))

    def text(self, node: Node | None) -> str:
        return "" if node is None else self.source[node.start_byte : node.end_byte].decode("utf-8", "surrogateescape")

    def edited(self) -> bytes:
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

    def left(self, node: Node, low: int) -> None:
        """A statement with others in it, from this number on, is over."""

    def statement(self, node: Node) -> None:
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
        name = self.text(node.child_by_field_name("name"))
        self.body(node.child_by_field_name("body"), name, node.start_point.row + 1)

    def do_statement_label(self, node: Node) -> None:
        inner = node.child_by_field_name("statement")
        if inner is not None:
            self.statement(inner)

    def do_block_statement(self, node: Node) -> None:
        self.block(node)

    def do_package_statement(self, node: Node) -> None:
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

    def mark(self, number: int) -> str:
        raise NotImplementedError

    def simple(self, number: int, node: Node) -> None:
        raise NotImplementedError

    def also(self, number: int, node: Node) -> None:
        raise NotImplementedError


class _Recording(_Rewriting):
    def mark(self, number: int) -> str:
        return f"push(@Wynot::E,{number})"

    def simple(self, number: int, node: Node) -> None:
        self.at(node.start_byte, f"{self.mark(number)};")

    def also(self, number: int, node: Node) -> None:
        """It is on the line of another one."""

    def do_conditional_statement(self, node: Node) -> None:
        self._headed(node, HEADER)
        block = node.child_by_field_name("block")
        if block is not None:
            self.block(block)
        for child in node.named_children:
            if child.type == "elsif":
                self.do_conditional_statement(child)
            elif child.type == "else":
                inner = child.child_by_field_name("block")
                if inner is not None:
                    self.block(inner)

    def _headed(self, node: Node, kind: int) -> int:
        number = self.new(node.start_point.row + 1, kind)
        condition, text = self.condition(node)
        if condition is not None:
            self.over(condition.start_byte, condition.end_byte, f"Wynot::s({number}) || ({text})")
        return number

    def do_loop_statement(self, node: Node) -> None:
        self.round(node, self._headed(node, WHILE))

    def do_cstyle_for_statement(self, node: Node) -> None:
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
        number = self.new(node.start_point.row + 1, START)
        self.new(node.start_point.row + 1, ADVANCE)
        whole = node.parent if node.parent is not None and node.parent.type == "statement_label" else node
        self.at(whole.start_byte, f"{self.mark(number)};")
        self.round(node, number)
        self.at(node.end_byte, f" continue {{ {self.mark(number + 1)}; }}")


class _Playing(_Rewriting):
    def mark(self, number: int) -> str:
        return f"$__w->go({number})"

    def simple(self, number: int, node: Node) -> None:
        after = node.next_named_sibling
        alone = after is None or after.type != "expression_statement" or after.start_point.row != node.start_point.row
        self._guarded(node, self.mark(number), alone=alone)

    def left(self, node: Node, low: int) -> None:
        """What an exception has kept from running must not hold up the rest; the value of a function stays last."""
        if low < len(self.statements) and not self.loops and node.next_named_sibling is not None:
            self.at(node.end_byte, f"; $__w->skip({low},{len(self.statements)})")

    def also(self, number: int, node: Node) -> None:
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
        number = self.new(node.start_point.row + 1, HEADER)
        condition, text = self.condition(node)
        low = len(self.statements)
        block = node.child_by_field_name("block")
        if block is not None:
            self.block(block)
        negated = "!" if node.children[0].type == "unless" else ""
        if condition is not None:
            self._header(condition, number, text, f"{negated}$__w->in({low},{len(self.statements)})")
        for child in node.named_children:
            if child.type == "elsif":
                self.do_conditional_statement(child)
            elif child.type == "else":
                inner = child.child_by_field_name("block")
                if inner is not None:
                    self.block(inner)

    def _header(self, condition: Node, number: int, text: str, goes_on: str) -> None:
        new = f"({self.mark(number)} and Wynot::seen(scalar({text}))), {goes_on}"
        self.over(condition.start_byte, condition.end_byte, new)

    def do_loop_statement(self, node: Node) -> None:
        number = self.new(node.start_point.row + 1, WHILE)
        condition, text = self.condition(node)
        self.round(node, number)
        negated = "!" if node.children[0].type == "until" else ""
        if condition is not None:
            self._header(condition, number, text, f"{negated}$__w->in({number},{len(self.statements)})")

    def do_cstyle_for_statement(self, node: Node) -> None:
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


_FOR = ("initialiser", "condition", "iterator")


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
