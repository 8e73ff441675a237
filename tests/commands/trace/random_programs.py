"""Small random Python programs that end, and print or raise something."""

from __future__ import annotations

from random import Random

NAMES = ("a", "b", "c", "d")


class Author:
    """Writes a program."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.depth = 0
        self.loops = 0
        self.fresh = 0
        self.generators = 0

    def program(self) -> str:
        head = ["a = b = c = d = 1", "def tell(*words):", "    print(*words)"]
        for number in range(self.chance.randint(1, 3)):
            head += self.function(number)
        body = self.block(0, self.chance.randint(4, 8), functions=3, inside=False)
        tail = ["tell(a, b)", "print(c, d)"]
        if self.chance.random() < 0.3:
            tail.append(self.chance.choice(("raise ValueError(a)", "print([][a])", "assert a < b < a")))
        return "\n".join([*head, *body, *tail]) + "\n"

    def function(self, number: int) -> list[str]:
        kind = self.chance.random()
        body = ["    a = x; b = 2", "    c = d = x", *self.block(4, self.chance.randint(1, 4), number, inside=True)]
        if kind < 0.3:
            return [
                f"def f{number}(x):",
                *body,
                "    for i in (a, b, c):",
                "        yield i",
                "        d += i",
                "    yield d",
            ]
        if kind < 0.4:
            lines = [f"async def g{number}(x):", *body, "    return a + b", f"def f{number}(x):", "    import asyncio"]
            return [*lines, f"    return [asyncio.run(g{number}(x))]"]
        return [f"def f{number}(x):", *body, "    return [a, b + c]"]

    def expression(self) -> str:
        c = self.chance
        return c.choice(
            (
                f"{c.choice(NAMES)} + {c.randint(0, 5)}",
                f"{c.choice(NAMES)} * {c.choice(NAMES)} % 7",
                f"{c.randint(0, 9)}",
                f"len(str({c.choice(NAMES)}))",
                f"sum(v for v in ({c.choice(NAMES)}, 2))",
            )
        )

    def condition(self) -> str:
        return f"{self.chance.choice(NAMES)} {self.chance.choice(('<', '>', '==', '!='))} {self.expression()}"

    def block(self, indent: int, count: int, functions: int = 0, *, inside: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(count):
            lines += self.statement(indent, functions, inside=inside)
        return lines

    def statement(self, indent: int, functions: int, *, inside: bool) -> list[str]:
        pad, c = " " * indent, self.chance
        assign = [f"{pad}{c.choice(NAMES)} = {self.expression()}"]
        if self.depth >= 3:
            return assign
        self.depth += 1
        lines = self.compound(c.randrange(13), pad, functions, inside=inside) or assign
        self.depth -= 1
        return lines

    def compound(  # noqa: PLR0911 - one for each kind
        self, kind: int, pad: str, functions: int, *, inside: bool
    ) -> list[str]:
        c, indent = self.chance, len(pad)
        match kind:
            case 0:
                other = [f"{pad}else:", *self.inner(indent, functions, inside)] if c.random() < 0.5 else []
                return [f"{pad}if {self.condition()}:", *self.inner(indent, functions, inside), *other]
            case 1:
                return self.loop(f"{pad}for {c.choice(NAMES)} in range({c.randint(0, 3)}):", indent, functions, inside)
            case 2:
                self.fresh += 1
                name = f"n{self.fresh}"
                loop = self.loop(f"{pad}while {name} < {c.randint(0, 3)}:", indent, functions, inside)
                return [f"{pad}{name} = 0", loop[0], f"{pad}    {name} += 1", *loop[1:]]
            case 3 if functions and not inside:
                call = f"F[{c.randrange(3)} % len(F)]({c.choice(NAMES)})"
                return [f"{pad}{c.choice(NAMES)} = len(list({call}))"]
            case 4:
                return self.trying(indent, functions, inside)
            case 5:
                return [f"{pad}with Context() as {c.choice(NAMES)}:", *self.inner(indent, functions, inside)]
            case 8:
                return self.matching(indent, functions, inside)
            case _:
                return self.short(kind, pad)

    def short(self, kind: int, pad: str) -> list[str]:
        c = self.chance
        match kind:
            case 6:
                return [f"{pad}tell({self.expression()})"]
            case 7:
                return [f"{pad}{c.choice(NAMES)} = 1; {c.choice(NAMES)} = {self.expression()}"]
            case 9:
                return [f"{pad}class K:", f"{pad}    v = {c.choice(NAMES)}", f"{pad}{c.choice(NAMES)} = K.v"]
            case _:
                return []

    def matching(self, indent: int, functions: int, inside: bool) -> list[str]:
        pad, c = " " * indent, self.chance
        first = [f"{pad}match {c.choice(NAMES)}:", f"{pad}    case 1:", *self.inner(indent + 4, functions, inside)]
        second = f"{pad}    case {c.choice(NAMES)} if {self.condition()}:"
        return [*first, second, *self.inner(indent + 4, functions, inside)]

    def inner(self, indent: int, functions: int, inside: bool) -> list[str]:
        return self.block(indent + 4, self.chance.randint(1, 2), functions, inside=inside)

    def loop(self, header: str, indent: int, functions: int, inside: bool) -> list[str]:
        pad = " " * (indent + 4)
        body = self.inner(indent, functions, inside)
        way = self.chance.choice(("break", "continue", ""))
        if way:
            body += [f"{pad}if {self.condition()}:", f"{pad}    {way}", *self.block(indent + 4, 1, inside=inside)]
        if self.chance.random() < 0.3:
            body = [f"{pad}try:", *(f"    {line}" for line in body), f"{pad}finally:", f"{pad}    tell('f')"]
        if self.chance.random() < 0.3:
            body += [" " * indent + "else:", *self.inner(indent, functions, inside)]
        return [header, *body]

    def trying(self, indent: int, functions: int, inside: bool) -> list[str]:
        pad, c = " " * indent, self.chance
        bad = c.choice(("a // (b - b)", "[][c]", "{}[d]", "int('7')"))
        lines = [f"{pad}try:", *self.inner(indent, functions, inside), f"{pad}    {c.choice(NAMES)} = {bad}"]
        lines += [f"{pad}except {c.choice(('ZeroDivisionError', 'LookupError', 'Exception'))}:"]
        lines += self.inner(indent, functions, inside)
        if c.random() < 0.4:
            lines += [f"{pad}else:", *self.inner(indent, functions, inside)]
        if c.random() < 0.4:
            lines += [f"{pad}finally:", *self.inner(indent, functions, inside)]
        return lines


CONTEXT = """class Context:
    def __enter__(self):
        tell('in')
        return 3
    def __exit__(self, kind, error, trace):
        tell('out')
        return kind is LookupError
"""


def program(seed: int) -> str:
    """The program with this number."""
    text = Author(seed).program()
    first = text.index("\n", text.index("print(*words)")) + 1
    names = [line[4 : line.index("(")] for line in text.splitlines() if line.startswith("def f")]
    place = text.rindex(f"def {names[-1]}(")
    rest = text[place:].splitlines(keepends=True)
    end = next(i for i, line in enumerate(rest[1:], 1) if not line.startswith(" "))
    table = f"F = [{', '.join(names)}]\n"
    return text[:first] + CONTEXT + text[first:place] + "".join(rest[:end]) + table + "".join(rest[end:])
