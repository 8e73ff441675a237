"""A grammar as it was read, before it is written for Lark."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from wynot.domains.grammar.model import GrammarError
from wynot.domains.grammar.parts import Part, Rule, Way


@dataclass(slots=True)
class Draft:
    """What a reader has found so far; names are the user's."""

    file: str
    rules: dict[str, Rule] = field(default_factory=dict)
    ways: dict[str, list[Way]] = field(default_factory=dict)
    """The rules of the lexer in their order, by mode; the mode to begin with is "". """
    bodies: dict[str, Part] = field(default_factory=dict)
    """What the names in the lexer's rules stand for: fragments and tokens."""
    tokens: dict[str, int] = field(default_factory=dict)
    """Tokens that are declared, with their lines; `ways` may define them."""
    prefix: str = ""
    """What stands before the names of tokens in code (Bison's api.token.prefix)."""
    minimal: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    start: str | None = None
    ordered: bool = False
    """Whether the earlier rule wins where two fit, as in YACC."""

    def warn(self, line: int, text: str, file: str = "") -> None:
        """Note what was ignored; in the file that is read now, or in another one."""
        self.warnings.append(f"{file or self.file}:{line}: {text}")

    def fault(self, line: int, text: str, file: str = "") -> GrammarError:
        """The error to raise."""
        return GrammarError(f"{file or self.file}:{line}: " + text.replace("\n", "\\n"))

    def way(self, way: Way, mode: str = "") -> None:
        """Add a rule of the lexer."""
        self.ways.setdefault(mode, []).append(replace(way, file=self.file))


def quoted(text: str) -> str:
    """The name of a literal's token."""
    return f"'{text}'"
