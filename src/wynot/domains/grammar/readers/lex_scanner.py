"""The rules of Lex's files: conditions, pattern, action; and the definitions before them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from wynot.domains.grammar.grammar_model import GrammarDraft
from wynot.domains.grammar.readers.scanner import LineNumbers, braces_end

ALL = "*"
_CONDITIONS = re.compile(r"<([\w\s,*]+)>")
_END = re.compile(r"<<EOF>>")


@dataclass(frozen=True, slots=True)
class LexRule:
    """One rule: where it holds, its pattern and its action as they stand there."""

    line: int
    conditions: tuple[str, ...]
    pattern: str
    action: str


@dataclass(slots=True)
class LexFile:
    """A file of Lex's."""

    definitions: dict[str, str] = field(default_factory=dict)
    exclusive: set[str] = field(default_factory=set)
    inclusive: set[str] = field(default_factory=set)
    any_case: bool = False
    rules: list[LexRule] = field(default_factory=list)
    code: str = ""
    """What stands behind the rules."""


def scanned(draft: GrammarDraft, text: str) -> LexFile:
    """Gives the parts of the file."""
    marks = [found.start() for found in re.finditer(r"^%%", _hidden(text), re.MULTILINE)]
    if not marks:
        raise draft.fault(1, "there is no %% before the lexer's rules")
    end = marks[1] if len(marks) > 1 else len(text)
    file = LexFile(code=text[end:])
    _define(file, _hidden(text)[: marks[0]])
    begin = text.find("\n", marks[0])
    if begin >= 0:
        file.rules += _Rules(draft, text[:end], begin + 1).read()
    return file


def _hidden(text: str) -> str:
    """The text with blanks for %{ code %}, so that positions stay."""
    blank = re.compile(r"^[ \t]*%\{.*?^[ \t]*%\}|^%top[ \t]*\{.*?^\}", re.DOTALL | re.MULTILINE)
    return blank.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def _define(file: LexFile, text: str) -> None:
    text = re.sub(r"^/\*.*?\*/", "", text, flags=re.DOTALL | re.MULTILINE)
    for line in text.split("\n"):
        words = line.split()
        if not words or line[0].isspace():
            continue
        if words[0][:2].lower() == "%x":
            file.exclusive.update(words[1:])
        elif words[0][:2].lower() == "%s":
            file.inclusive.update(words[1:])
        elif words[0] == "%option":
            file.any_case |= bool({"case-insensitive", "caseless", "-i"} & set(words))
        elif re.fullmatch(r"[A-Za-z_][\w-]*", words[0]) and len(words) > 1:
            value = line[len(words[0]) :].strip()
            file.definitions[words[0]] = re.sub(r"\s+/\*.*?\*/\s*$", "", value)


class _Rules:
    """Reads rule after rule; `<A>{ ... }` puts a condition around several."""

    def __init__(self, draft: GrammarDraft, text: str, at: int) -> None:
        self.draft, self.text, self.at, self.lines = draft, text, at, LineNumbers(text)
        self.around: list[tuple[str, ...]] = []

    def read(self) -> list[LexRule]:
        return self._shared(list(self._rules()))

    def _shared(self, rules: list[LexRule]) -> list[LexRule]:
        """An action | is the next rule's."""
        found: list[LexRule] = []
        for rule in reversed(rules):
            action = found[-1].action if rule.action == "|" and found else rule.action
            found.append(LexRule(rule.line, rule.conditions, rule.pattern, action))
        return found[::-1]

    def _rules(self) -> Iterator[LexRule]:
        while self.at < len(self.text):
            if self._blank():
                continue
            line = self.lines.at(self.at)
            if self.text[self.at] == "}" and self.around:
                self.around.pop()
                self.at += 1
                continue
            conditions = self._conditions()
            if self.text.startswith("{", self.at) and conditions and self.text[self.at + 1 : self.at + 2].isspace():
                self.around.append(conditions)
                self.at += 1
                continue
            pattern = self._pattern()
            rule = LexRule(line, conditions or (self.around[-1] if self.around else ()), pattern, self._action(line))
            if not _END.match(pattern):
                yield rule

    def _blank(self) -> bool:
        """Pass over white space, comments and code between rules."""
        if self.text[self.at].isspace():
            at_begin = self.at == 0 or self.text[self.at - 1] == "\n"
            line = self.text.find("\n", self.at)
            line = len(self.text) if line < 0 else line
            if at_begin and not self.around and self.text[self.at : line].strip() and not self._comment_ahead(line):
                self.at = line + 1  # an indented line is code
            else:
                self.at += 1
            return True
        for begin, end in (("%{", "%}"), ("/*", "*/"), ("//", "\n")):
            if self.text.startswith(begin, self.at):
                found = self.text.find(end, self.at + 2)
                self.at = len(self.text) if found < 0 else found + len(end)
                return True
        return False

    def _comment_ahead(self, line: int) -> bool:
        return self.text[self.at : line].lstrip().startswith(("/*", "<", "%{"))

    def _conditions(self) -> tuple[str, ...]:
        found = _CONDITIONS.match(self.text, self.at)
        if found is None:
            return ()
        self.at = found.end()
        return tuple(name.strip() for name in found[1].split(","))

    def _pattern(self) -> str:
        begin = self.at
        while self.at < len(self.text) and not self.text[self.at].isspace():
            sign = self.text[self.at]
            if sign == "\\":
                self.at += 2
            elif sign == '"':
                self._over('"')
            elif sign == "[":
                self._over_class()
            else:
                self.at += 1
        return self.text[begin : self.at]

    def _over(self, close: str) -> None:
        self.at += 1
        while self.at < len(self.text) and self.text[self.at] not in {close, "\n"}:
            self.at += 2 if self.text[self.at] == "\\" else 1
        self.at += 1

    def _over_class(self) -> None:
        found = re.compile(r"\[\^?(?:\[:\^?\w+:\]|\\.|[^\]\\\n])*\]").match(self.text, self.at)
        self.at = found.end() if found else self.at + 1

    def _action(self, line: int) -> str:
        begin = self.at
        end = self._line_end(begin)
        code = self.text[begin:end].strip()
        if code.startswith("%{"):
            found = self.text.find("%}", begin)
            end = len(self.text) if found < 0 else found + 2
        elif "{" in code and not code.startswith(("/*", "//")):
            close = braces_end(self.text, self.text.index("{", begin))
            if close is None:
                raise self.draft.fault(line, f"this action has no end: {code[:30]!r}")
            end = max(end, self._line_end(close))
        self.at = end
        return self.text[begin:end].strip()

    def _line_end(self, at: int) -> int:
        found = self.text.find("\n", at)
        return len(self.text) if found < 0 else found
