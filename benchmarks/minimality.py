"""Do promises hold? Small random problems in all languages and kinds of searches, checked by brute force.

A problem is a text, a test and a way to search. The test wants a few tokens in their order; it may be unresolved where
tokens are missing that others need, or by chance, and it need not be monotone. What the summary of a result says
cannot be done is then done: each token, node, atom, item or file is removed, each node replaced, and the test is asked.
Of wynot only the parsers are used for that (and, where the promise is about deltas of a tree, what these deltas are). A
removal after which the test still fails is a counterexample. Besides texts there are folders, text between marks,
several causes, pairs of texts, lists and trees of callers, command lines, and calls with nested arguments. Of hdd_plus
and hdd_star, which speak of the original's tree, only trees of callers are checked here.

Flaky tests have no fixed answer: what is found and what is said is counted.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import NamedTuple

import tree_sitter

import wynot
from wynot import Options, Outcome
from wynot.domains.syntax import language_loading
from wynot.domains.syntax.language_table import GRAMMARS
from wynot.domains.syntax.syntax_tree import Language
from wynot.engine.results import DELTAS, EDITS, ORIGINAL_DELTAS
from wynot.errors import BudgetEnded, WynotError

FAIL, PASS, UNRESOLVED = Outcome.FAIL, Outcome.PASS, Outcome.UNRESOLVED
SAMPLES = Path(__file__).resolve().parents[1] / "tests/domains/syntax/samples"
STRING = rb""""(?:[^"\\\n]|\\.){0,999}"|'(?:[^'\\\n]|\\.){0,999}'"""
TOKEN = re.compile(rb"[A-Za-z_\x80-\xff$][A-Za-z_0-9\x80-\xff$]*|\d[\w.]*|" + STRING + rb"|\S", re.DOTALL)
"""A word, a number, a string on one line, a sign."""
WORD = re.compile(rb"[\w$\x80-\xff]")
SMALLEST = (b"0", b"{}", b";", b'""', b"()", b"[]", b"x", b"int", b"pass", b"null")
"""What docs/topics/minimality.md says may replace a node, besides the shortest node of its kind."""
EXCEPTIONS = {"html", "c", "cpp", "java", "go", "rust"}
"""Languages in which other texts are valid than those that the grammar accepts, as docs/topics/languages.md says."""
MOSTLY = 0.3
"""A file of which more than this share is in syntax errors is read as plain text (docs/topics/languages.md)."""
MOST = 400
"""How long texts are (in bytes), about."""
LIST_ALGORITHMS = ("sweep", "ddmin", "cdd", "probdd", "dd1999", "ddplus")
ATOMS = {"lines": re.compile(rb"[^\n]*\n|[^\n]+"), "tokens": TOKEN, "chars": re.compile("(?s).")}


def tokens(data: bytes) -> list[bytes]:
    """The tokens of a text."""
    return TOKEN.findall(data)


@dataclass(frozen=True)
class Needs:
    """A test: some tokens in their order, and what it takes to be tested at all."""

    wanted: tuple[bytes, ...]
    rules: tuple[tuple[bytes, bytes], ...] = ()
    """With the first token the second has to be there, else the test is unresolved."""
    unresolved: int = 0
    """By chance, in percent."""
    fails: int = 100
    """In so many percent of all texts with the wanted tokens."""
    salt: bytes = b""
    whole: bytes = field(default=b"", repr=False)
    """The original fails in any case."""

    def __call__(self, data: bytes) -> Outcome:
        found = tokens(data)
        if found == tokens(self.whole):
            return FAIL
        if any(first in found and second not in found for first, second in self.rules):
            return UNRESOLVED
        if not found:
            return PASS
        lot = int.from_bytes(blake2b(b"\0".join(found), digest_size=4, salt=self.salt).digest(), "big")
        if lot % 100 < self.unresolved:
            return UNRESOLVED
        rest = iter(found)
        shows = all(each in rest for each in self.wanted)
        return FAIL if shows and lot // 100 % 100 < self.fails else PASS


def needs(chance: Random, data: bytes) -> Needs:
    """A random test on which a text fails."""
    found = tokens(data)
    places = sorted(chance.sample(range(len(found)), min(len(found), chance.randint(1, 4))))
    rules = tuple(
        (chance.choice(found), chance.choice(found)) for _ in range(chance.choice((0, 0, 1, 3)))
    )  # the original has all tokens
    return Needs(
        tuple(found[place] for place in places), rules, chance.choice((0, 0, 0, 10, 30)), chance.choice((100, 100, 60)),
        chance.randbytes(4), data,
    )  # fmt: skip


class Counterexample(NamedTuple):
    """What can be done although a promise says that it cannot."""

    problem: int
    kind: str
    promise: str
    result: bytes
    what: str
    smaller: bytes

    def __str__(self) -> str:
        return (
            f"problem {self.problem} ({self.kind}): {self.promise}\n  result  {self.result!r}\n  {self.what}\n"
            f"  smaller {self.smaller!r}"
        )


# Texts


@cache
def installed() -> tuple[str, ...]:
    """The languages whose grammars are installed."""

    def there(name: str) -> bool:
        try:
            language_loading.load(name)
        except language_loading.MissingWheelError:
            return False
        return True

    return tuple(name for name in language_loading.NAMES if there(name))


@cache
def sample(name: str) -> tuple[str, bytes]:
    """A file in a language: its name and what is in it."""
    (path,) = SAMPLES.glob(f"{name}.*")
    return path.name, path.read_bytes()


def text_in(name: str, chance: Random) -> bytes:
    """Some items of a file in a language; now and then lines, whatever they are a part of."""
    data = sample(name)[1]
    if chance.random() < 0.25:
        lines = data.splitlines(keepends=True)
        start = chance.randrange(len(lines))
        return b"".join(lines[start : start + chance.randint(1, 12)])[:MOST]
    tree = language_loading.load(name).parse(data)
    items = list(tree.shape.children(0))
    while len(items) == 1 and chance.random() < 0.7:
        items = list(tree.shape.children(items[0])) or items
        if not list(tree.shape.children(items[0])):
            break
    start = chance.randrange(len(items) or 1)
    chosen: list[bytes] = []
    for item in items[start:]:
        chosen.append(tree.text(item).rstrip(b"\n") + b"\n")
        if sum(map(len, chosen)) > chance.randint(40, MOST):
            break
    return b"".join(chosen)[: 3 * MOST] or data[:MOST]


# Brute force


@cache
def _parser(name: str) -> tree_sitter.Parser | None:
    grammar = next(each for each in GRAMMARS if each.name == name)
    if not grammar.wheel:
        return None
    with warnings.catch_warnings(action="ignore"):
        return tree_sitter.Parser(
            tree_sitter.Language(getattr(importlib.import_module(grammar.module), grammar.entry)())
        )


def nodes(language: Language, data: bytes) -> list[tuple[str, int, int]]:
    """The named nodes of a text, without the root: kind, start, end."""
    parser, tree = _parser(language.name), language.parse(data)
    if parser is None or tree.kinds[0] == "outline":  # a text that is too much for the grammar is read as an outline
        return [(tree.kinds[each], tree.starts[each], tree.ends[each]) for each in range(1, len(tree))]
    found, left = list[tuple[str, int, int]](), list(parser.parse(data).root_node.children)
    while left:
        node = left.pop()
        if node.is_named and node.start_byte < node.end_byte:
            found.append((node.type, node.start_byte, node.end_byte))
        left += node.children
    return found


def accepted(language: Language, data: bytes) -> Callable[[bytes], bool]:
    """Says which texts are as valid as this one: by the grammar itself, where it alone decides."""
    parser, valid = _parser(language.name), language.checker(data)
    if parser is None or language.name in EXCEPTIONS or language.parse(data).kinds[0] == "outline":
        return valid
    reserved = _reserved(language.name)
    most, widest = _errors(parser.parse(data).root_node, reserved)

    def by_grammar(text: bytes) -> bool:
        count, covered = _errors(parser.parse(text).root_node, reserved)
        found = count <= most and covered <= widest
        if found is not valid(text):
            raise AssertionError(f"{language.name}: {text!r} is valid: {found} by the grammar, {not found} to wynot")
        return found

    return by_grammar


@cache
def _reserved(name: str) -> frozenset[bytes]:
    """The words that a language does not take for names; in both cases where it does not tell them apart."""
    words = next(each for each in GRAMMARS if each.name == name).reserved
    plain = words.removeprefix("(?i:").removesuffix(")").encode().split()
    return frozenset(plain if words == words.removeprefix("(?i:") else (*plain, *(word.upper() for word in plain)))


def _errors(node: tree_sitter.Node, reserved: frozenset[bytes]) -> tuple[int, int]:
    """How many errors there are from a node on down, and how many bytes those cover that are the grammar's."""
    if node.is_error or node.is_missing:
        own = 1, node.end_byte - node.start_byte
        return own[0] + sum(_misused(child, reserved) for child in node.children), own[1]
    each = [_errors(child, reserved) for child in node.children]
    return sum(count for count, _ in each) + _misused(node, reserved, deep=False), sum(covered for _, covered in each)


def _misused(node: tree_sitter.Node, reserved: frozenset[bytes], deep: bool = True) -> int:
    """How many reserved words are names: of a node itself, or from it on down."""
    below = sum(_misused(child, reserved) for child in node.children) if deep else 0
    if node.type not in {"identifier", "type_identifier", "simple_identifier"} or node.text not in reserved:
        return below
    parent = node.parent
    free = parent is not None and re.match(r"preproc_|token_tree$|(ex|im)port_specifier$", parent.type)
    return below if free or _byte_before(node) in {b".", b"$", b"@"} else below + 1


def _byte_before(node: tree_sitter.Node) -> bytes:
    root = node
    while root.parent is not None:
        root = root.parent
    place = node.start_byte - root.start_byte
    return (root.text or b"")[max(place - 1, 0) : place]


def without(data: bytes, start: int, end: int, text: bytes = b"") -> Iterator[bytes]:
    """A text with another one in the place of a stretch, in several layouts; words stay apart."""
    yield _joined(_joined(data[:start], text), data[end:])
    if text:
        return
    blanks = end + len(data[end:]) - len(data[end:].lstrip(b" \t"))
    yield _joined(data[:start], data[blanks:])
    line = data.rfind(b"\n", 0, start) + 1
    after = data.find(b"\n", end)
    if not data[line:start].strip() and after >= 0 and not data[end:after].strip():
        yield data[:line] + data[after + 1 :]


def _joined(left: bytes, right: bytes) -> bytes:
    apart = left and right and WORD.match(left[-1:]) and WORD.match(right[:1])
    return left + b" " + right if apart else left + right


def edited(language: Language, data: bytes, tried: str) -> Iterator[tuple[str, bytes]]:
    """Each edit that a promise excludes, and the text after it."""
    valid = accepted(language, data)
    free = tried == EDITS
    for token in TOKEN.finditer(data):
        for candidate in without(data, *token.span()):
            if free or valid(candidate):
                yield f"token {token[0]!r} at {token.start()} removed", candidate
    all_nodes = nodes(language, data)
    for kind, start, end in all_nodes:
        for candidate in without(data, start, end):
            if free or valid(candidate):
                yield f"{kind} {data[start:end]!r} at {start} removed", candidate
        same = min((data[a:b] for other, a, b in all_nodes if other == kind), key=len)
        ranked = sorted({*SMALLEST, same}, key=lambda text: (len(tokens(text)), len(text), text))
        for text in ranked:
            if len(tokens(text)) < len(tokens(data[start:end])):
                (candidate,) = without(data, start, end, text)
                if valid(candidate):
                    if len(candidate) >= len(data):  # words that stay apart: nothing is won
                        break
                    yield f"{kind} {data[start:end]!r} at {start} replaced by {text!r}", candidate
                    break


def atoms_of(data: bytes, kind: str) -> list[bytes]:
    """A text in pieces."""
    if kind == "chars":
        return [each.encode() for each in data.decode()]
    if kind == "bytes":
        return [data[at : at + 1] for at in range(len(data))]
    if kind == "lines":
        return re.findall(rb"[^\n]*\n|[^\n]+", data)
    ends = [match.end() for match in re.finditer(rb"(?s)(?:" + TOKEN.pattern + rb")[^\S\r\n]*|\s+", data)]
    return [data[a:b] for a, b in zip([0, *ends], ends, strict=False)]


def less(parts: Sequence[bytes], kind: str) -> Iterator[tuple[str, bytes]]:
    """Each atom removed."""
    for at, part in enumerate(parts):
        yield f"{kind} {part!r} removed", b"".join((*parts[:at], *parts[at + 1 :]))


def refuting(
    result: wynot.Reduced, data: bytes, test: Callable[[bytes], Outcome], language: Language | None
) -> tuple[str, bytes] | None:
    """Something smaller that fails, although it must not."""
    (tried,) = result.tried or {""}
    if result.minimality == "1-minimal":
        edits = less(atoms_of(data, tried), tried)
    elif tried == DELTAS:
        assert language is not None
        edits = _deltas(language, data)
    else:
        assert language is not None
        edits = edited(language, data, tried)
    return next(((what, text) for what, text in edits if text != data and test(text) is FAIL), None)


def _deltas(language: Language, data: bytes) -> Iterator[tuple[str, bytes]]:
    """What the words say are deltas is wynot's choice: no other way to know them."""
    from wynot.commands.reduce.parsed_text import ParsedText  # noqa: PLC0415
    from wynot.engine.budget import TestCounts  # noqa: PLC0415

    grown = ParsedText(language, data, None)
    full = wynot.Config.full(len(grown.tree))
    for node in range(1, len(grown.tree)):
        if grown.cuttable(node):
            config = full - grown.tree.shape.subtree(node)
            text = grown.pruned.render(config)
            if grown.valid(text, TestCounts()):
                yield f"delta {grown.tree.text(node)!r} removed", text


# Problems


def along_tree(number: int, chance: Random) -> Iterator[Counterexample | str]:
    """A text in a language."""
    name = chance.choice(installed())
    data = text_in(name, chance)
    while not tokens(data):
        data = text_in(name, chance)
    options = chance.choice(
        [Options(language=name, validity=validity) for validity in ("strict", "strict", "strict", "prefer", "off")]
        + [
            Options(language=name, algorithm=chance.choice(("hdd_plus", "hdd_star"))),
            Options(language=name, atoms="tree", algorithm=chance.choice((None, *LIST_ALGORITHMS))),
        ]
    )  # fmt: skip
    test = needs(chance, data)
    result = wynot.reduce(data, test, options, name=sample(name)[0])
    yield from _checked(number, f"{name} {options.validity} {options.algorithm or options.atoms}", result, test, name)


def _checked(
    number: int, kind: str, result: wynot.Reduced, test: Callable[[bytes], Outcome], name: str | None
) -> Iterator[Counterexample | str]:
    from wynot.report.result_text import guarantee  # noqa: PLC0415

    yield guarantee(result)
    assert test(result.data) is FAIL, f"problem {number}: the result passes"
    if result.minimality is None or result.weak or ORIGINAL_DELTAS in result.tried:
        return
    found = refuting(result, result.data, test, None if name is None else language_loading.load(name))
    if found is not None:
        yield Counterexample(number, kind, guarantee(result), result.data, *found)


def flat(number: int, chance: Random) -> Iterator[Counterexample | str]:
    """A text by lines, tokens, characters or bytes; a file that is no text."""
    name = chance.choice(installed())
    data = text_in(name, chance)[: chance.choice((60, MOST))]
    if chance.random() < 0.3:
        data = chance.randbytes(chance.randint(1, 20)) + b"\0" * chance.randint(0, 40) + data[:40] + b"\xff"
    data = data or b"x"
    atoms = chance.choice(("auto", "auto", "lines", "tokens", "chars", "bytes"))
    if atoms == "chars" and not _decodes(data):
        atoms = "bytes"
    algorithm = chance.choice((None, None, *LIST_ALGORITHMS))
    options = Options(language="none", atoms=atoms, algorithm=algorithm)
    test = _bytewise(chance, data)
    result = wynot.reduce(data, test, options, name="file")
    yield from _checked(number, f"flat {atoms} {algorithm}", result, test, None)


def marked(number: int, chance: Random) -> Iterator[Counterexample | str]:
    """A text of which only what stands between marks is reduced; the summary names that the rest is not tried."""
    begin, end = b"first\n# DDBEGIN\n", b"# DDEND\nlast\n"
    inner = b"".join(chance.choice((b"a", b"b", b"c d", b"\n")) for _ in range(chance.randint(1, 20))) + b"\n"
    atoms = chance.choice(("lines", "chars", "bytes", "auto"))
    needed = _bytewise(chance, inner)

    def test(data: bytes) -> Outcome:
        ends = data.startswith(begin) and data.endswith(end)
        return needed(data[len(begin) : len(data) - len(end)]) if ends else FAIL

    result = wynot.reduce(begin + inner + end, test, Options(language="none", atoms=atoms), name="file")
    from wynot.report.result_text import guarantee  # noqa: PLC0415

    yield (said := guarantee(result))
    if result.minimality is None or result.weak:
        return
    assert said.endswith("; protected text is kept"), said
    (tried,) = result.tried - {"protected"}
    left = result.data[len(begin) : len(result.data) - len(end)]
    for what, smaller in less(atoms_of(left, tried), tried):
        if needed(smaller) is FAIL:
            yield Counterexample(number, f"marked {atoms}", said, left, what, smaller)
            return


def several(number: int, chance: Random) -> Iterator[Counterexample | str]:
    """Several causes in a text: each is 1-minimal."""
    data = text_in(chance.choice(installed()), chance)[:MOST]
    if not _decodes(data) or not data:
        return
    test = _bytewise(chance, data)
    result = wynot.reduce(data, test, Options(language="none", causes=chance.randint(2, 4)), name="file")
    for cause in result.causes:
        assert test(cause) is FAIL or result.weak
        if result.minimality is None or result.weak:
            return
        (tried,) = result.tried
        found = next(((what, text) for what, text in less(atoms_of(cause, tried), tried) if test(text) is FAIL), None)
        yield f"causes: {result.minimality}"
        if found is not None:
            yield Counterexample(number, "several", result.minimality, cause, *found)
            return


def _decodes(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _bytewise(chance: Random, data: bytes) -> Callable[[bytes], Outcome]:
    """A test that wants a few bytes in their order."""
    places = sorted(chance.sample(range(len(data)), min(len(data), chance.randint(1, 5))))
    wanted = [data[place] for place in places]
    salt, unresolved, fails = chance.randbytes(4), chance.choice((0, 0, 20)), chance.choice((100, 100, 60))

    def test(candidate: bytes) -> Outcome:
        if candidate == data:
            return FAIL
        if not candidate:
            return PASS
        lot = int.from_bytes(blake2b(candidate, digest_size=4, salt=salt).digest(), "big")
        if lot % 100 < unresolved:
            return UNRESOLVED
        rest = iter(candidate)
        return FAIL if all(each in rest for each in wanted) and lot // 100 % 100 < fails else PASS

    return test


def folder(number: int, chance: Random) -> Iterator[Counterexample | str]:
    """A folder of a few files in several languages."""
    names = chance.sample(installed(), chance.randint(1, 3))
    files = {
        f"{at}/{sample(name)[0]}" if at % 2 else sample(name)[0]: text_in(name, chance)[:200]
        for at, name in enumerate(names)
    }
    if chance.random() < 0.5:
        files["notes"] = b"a b\nc d\n"
    if chance.random() < 0.3:
        files["blob"] = chance.randbytes(8) + b"\0\0\xff"
    tests = {path: needs(chance, data) for path, data in files.items() if tokens(data) and chance.random() < 0.7}
    if not tests:
        return

    def test(found: dict[str, bytes]) -> Outcome:
        outcomes = [each(found[path]) if path in found else PASS for path, each in tests.items()]
        return FAIL if set(outcomes) == {FAIL} else PASS if PASS in outcomes else UNRESOLVED

    with tempfile.TemporaryDirectory() as place:
        for path, data in files.items():
            Path(place, path).parent.mkdir(exist_ok=True)
            Path(place, path).write_bytes(data)
        result = wynot.reduce(place, test, Options())
    from wynot.report.result_text import guarantee  # noqa: PLC0415

    yield guarantee(result)
    found = result.files
    assert test(found) is FAIL, f"problem {number}: the result passes"
    if result.minimality is None or result.weak:
        return
    for what, smaller in _smaller_folders(found, files):
        if test(smaller) is FAIL:
            yield Counterexample(
                number, "folder", guarantee(result), repr(found).encode(), what, repr(smaller).encode()
            )
            return


def _smaller_folders(files: dict[str, bytes], originals: dict[str, bytes]) -> Iterator[tuple[str, dict[str, bytes]]]:
    """Each file removed, and each edit of one; what was mostly errors to its grammar has no syntax tree."""
    for path, data in files.items():
        yield f"file {path} removed", {other: each for other, each in files.items() if other != path}
        name = language_loading.guessed(Path(path).name, data)
        language = None if name is None else language_loading.load(name)
        if language is not None and language.checker(originals[path]).broken <= MOSTLY:
            edits = edited(language, data, "")
        else:
            kind = "chars" if _decodes(originals[path]) else "bytes"
            edits = less(atoms_of(data, kind), kind)
        for what, text in edits:
            if text != data:
                yield f"{path}: {what}", {**files, path: text}


def isolated(number: int, chance: Random) -> Iterator[Counterexample | str]:
    """A passing and a failing text: no part of the difference can be moved. All parts differ, so it is known which."""
    signs = [bytes((each,)) for each in chance.sample(range(33, 127), chance.randint(2, 40))]
    atoms = chance.choice(("lines", "bytes"))
    parts = [each + b"\n" for each in signs] if atoms == "lines" else signs
    test = _bytewise(chance, b"".join(parts))
    algorithm = chance.choice((None, "dd", "ddmax"))
    result = wynot.isolate(b"".join(parts), test, Options(atoms=atoms, algorithm=algorithm))
    yield f"isolate: {'1-minimal' if result.minimal else 'not proved'}"
    assert test(result.failing) is FAIL
    assert test(result.passing) is PASS
    between = [each for each in parts if each in result.failing and each not in result.passing]
    for part in between if result.minimal and len(between) > 1 else ():
        fewer = result.failing.replace(part, b"")
        more = b"".join(each for each in parts if each in result.passing or each == part)
        if test(more) is PASS or (algorithm != "ddmax" and test(fewer) is FAIL):  # ddmax: 2002, footnote 15
            yield Counterexample(number, "isolate", "1-minimal", result.failing, f"{part!r} moved", fewer)
            return


def listed(number: int, chance: Random) -> Iterator[Counterexample | str]:
    """Lists, by the functions of the Python API; dd1999 and ddplus promise nothing where a test is not monotone."""
    items = list(range(chance.randint(1, 14)))
    salt, unresolved = chance.randbytes(4), chance.choice((0, 0, 20, 40))
    needed = set(chance.sample(items, chance.randint(1, min(4, len(items)))))
    fails = chance.choice((100, 100, 60))

    def test(kept: Sequence[int]) -> Outcome:
        if len(kept) in {0, len(items)}:
            return FAIL if kept else PASS
        lot = int.from_bytes(blake2b(bytes(kept), digest_size=4, salt=salt).digest(), "big")
        if lot % 100 < unresolved:
            return UNRESOLVED
        return FAIL if needed <= set(kept) and lot // 100 % 100 < fails else PASS

    def refuted(kind: str, result: Sequence[int], what: str, smaller: Sequence[int]) -> Counterexample:
        return Counterexample(number, kind, "1-minimal", bytes(result), what, bytes(smaller))

    def minimal(kind: str, found: Sequence[int]) -> Iterator[Counterexample | str]:
        yield f"{kind}: 1-minimal"
        for item in found:
            smaller = [each for each in found if each != item]
            if smaller and test(smaller) is FAIL:
                yield refuted(kind, found, f"{item} removed", smaller)
                return

    jobs = chance.choice((1, 1, 1, 3))
    for search in (wynot.ddmin, wynot.sweep, wynot.dd1999, wynot.ddplus):
        found = search(items, test, jobs=jobs)
        assert test(found) is FAIL or search in {wynot.dd1999, wynot.ddplus}
        if search in {wynot.ddmin, wynot.sweep} or (fails == 100 and unresolved == 0):
            yield from minimal(search.__name__, found)
    rest = list(items)
    for cause in wynot.causes(items, test, jobs=jobs):
        assert test(cause) is FAIL
        yield from minimal("causes", cause)
        rest = [each for each in rest if each not in cause]
    if rest and test(rest) is FAIL:
        yield refuted("causes", items, "one more", rest)
    most = wynot.ddmax(items, test, jobs=jobs)
    yield "ddmax: none can be added"
    assert test(most) is PASS
    for item in items:
        if item not in most and test(more := sorted([*most, item])) is PASS:
            yield refuted("ddmax", most, f"{item} added", more)
            break
    pair = wynot.dd(items, test, jobs=jobs)
    yield "dd: 1-minimal"
    assert (test(pair.passing), test(pair.failing)) == (PASS, FAIL)
    for item in pair.difference if len(pair.difference) > 1 else ():
        more = sorted([*pair.passing, item])
        fewer = [each for each in pair.failing if each != item]
        if test(more) is PASS or test(fewer) is FAIL:
            yield refuted("dd", pair.failing, f"{item} moved", fewer)
            return


def grown(number: int, chance: Random) -> Iterator[Counterexample | str]:
    """Trees of callers: no single node can go with all that is below it."""
    above = [-1, *(chance.randrange(node) for node in range(1, chance.randint(2, 14)))]
    below = {node: [each for each, parent in enumerate(above) if parent == node] for node in range(len(above))}
    test = _choosing(chance, list(range(1, len(above))))
    for search in (wynot.hdd_plus, wynot.hdd_star):
        kept = search(0, lambda nodes: test(sorted(set(nodes) - {0})), children=below.__getitem__)
        yield f"{search.__name__}: 1-tree-minimal"
        for node in set(kept) - {0}:
            gone, waiting = set[int](), [node]
            while waiting:
                gone.add(here := waiting.pop())
                waiting += below[here]
            smaller = sorted(set(kept) - gone - {0})
            if smaller != sorted(set(kept) - {0}) and test(smaller) is FAIL:
                yield Counterexample(
                    number, search.__name__, "1-tree-minimal", bytes(kept), f"{node} removed", bytes(smaller)
                )
                return


def _choosing(chance: Random, items: Sequence[int]) -> Callable[[Sequence[int]], Outcome]:
    """A test that wants a few of some numbers, and fails on all of them."""
    needed = set(chance.sample(items, min(len(items), chance.randint(1, 3))))
    salt, unresolved, fails = chance.randbytes(4), chance.choice((0, 0, 30)), chance.choice((100, 60))

    def test(kept: Sequence[int]) -> Outcome:
        if len(kept) == len(items):
            return FAIL
        lot = int.from_bytes(blake2b(bytes(kept), digest_size=4, salt=salt).digest(), "big")
        if lot % 100 < unresolved:
            return UNRESOLVED if kept else PASS
        return FAIL if needed <= set(kept) and lot // 100 % 100 < fails else PASS

    return test


def called(number: int, chance: Random) -> Iterator[Counterexample | str]:
    """The words of a command line: none of those that are said to be needed can be left out."""
    from wynot.domains.calls.call_tree import (  # noqa: PLC0415
        CallTree,
        pieces,
    )

    words = [f"-{chr(97 + at)}" for at in range(chance.randint(2, 12))]
    choosing = _choosing(chance, list(range(len(words))))

    def test(argv: Sequence[str]) -> Outcome:
        return choosing([at for at, word in enumerate(words) if word in argv])

    if test(()) is FAIL:
        return
    call = CallTree(pieces(["prog", *words], dict.fromkeys(words, 0)))
    found = wynot.circumstances(call, lambda setting: test(setting.argv), wynot.Options())
    yield f"options: {found.minimality}"
    argv = found.causes[0].setting.argv
    assert test(argv) is FAIL
    for name in found.causes[0].names if found.minimal else ():
        if len(found.causes[0].names) > 1 and test(fewer := [each for each in argv if each != name]) is FAIL:
            yield Counterexample(
                number, "options", "1-minimal", " ".join(argv).encode(), f"{name} removed", " ".join(fewer).encode()
            )
            return


def explained(number: int, chance: Random) -> Iterator[Counterexample | str]:
    """A call that raises: no item, entry, keyword or character can go, and no number can be 0."""
    import json  # noqa: PLC0415

    def value(depth: int) -> object:
        kind = chance.choice(("list", "dict", "text", "number") if depth else ("text", "number"))
        if kind == "list":
            return [value(depth - 1) for _ in range(chance.randint(0, 4))]
        if kind == "dict":
            return {key: value(depth - 1) for key in chance.sample("abcdef", chance.randint(0, 4))}
        if kind == "text":
            texts = ("x<y", "", "{}", json.dumps(value(depth - 1)) if depth else "1,2\n3,4\n", "<a b='c'><d/></a>")
            return chance.choice(texts)
        return chance.choice((0, 1, -3, 7, 100, 2.5, True, None))

    given = {key: value(3) for key in chance.sample("klmn", chance.randint(1, 3))}
    atoms = tokens(repr(given).encode())
    wanted = [atoms[at] for at in sorted(chance.sample(range(len(atoms)), min(len(atoms), chance.randint(1, 3))))]
    salt, unresolved, fails = chance.randbytes(4), chance.choice((0, 0, 20)), chance.choice((100, 100, 60))
    whole = repr(given).encode()

    def function(**found: object) -> None:
        shown = repr(found).encode()
        lot = int.from_bytes(blake2b(shown, digest_size=4, salt=salt).digest(), "big")
        if shown != whole and lot % 100 < unresolved:
            raise KeyError
        rest = iter(tokens(shown))
        if shown == whole or (all(each in rest for each in wanted) and lot // 100 % 100 < fails):
            raise ValueError

    def raises(found: dict[str, object]) -> bool:
        try:
            function(**found)
        except ValueError:
            return True
        except KeyError:
            pass
        return False

    found = wynot.explain(function, given)
    yield f"explain: {'minimal' if found.minimal else 'not proved'}"
    assert raises(found.kwargs)
    for what, smaller in _smaller_values(found.kwargs):
        if raises(smaller):  # type: ignore[arg-type]
            yield Counterexample(
                number, "explain", "minimal", repr(found.kwargs).encode(), what, repr(smaller).encode()
            )
            return


def _smaller_values(value: object) -> Iterator[tuple[str, object]]:
    """A value with one item, entry or character less, or a 0 in the place of a number."""
    if isinstance(value, str):
        for at, sign in enumerate(value):
            yield f"{sign!r} removed", value[:at] + value[at + 1 :]
    elif isinstance(value, int | float) and value:
        yield f"{value!r} made 0", type(value)(0)
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield f"{item!r} removed", [*value[:at], *value[at + 1 :]]
            yield from ((what, [*value[:at], new, *value[at + 1 :]]) for what, new in _smaller_values(item))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield f"{key!r} removed", {each: value[each] for each in value if each != key}
            yield from ((what, {**value, key: new}) for what, new in _smaller_values(item))


def resumed(number: int, chance: Random) -> Iterator[Counterexample | str]:
    """A shell script as a test, which is stopped by budgets and resumed until it is done."""
    name = chance.choice(("c", "python", "json", "html", "css", "sexpr", "javascript"))
    data = text_in(name, chance)
    words = sorted({each for each in tokens(data) if re.fullmatch(rb"\w{1,20}", each)})
    if not words:
        return
    wanted = chance.sample(words, min(len(words), chance.randint(1, 3)))
    first, second = chance.choice(words), chance.choice(words)

    def has(text: bytes, word: bytes) -> bool:
        return any(word in line for line in text.split(b"\n"))

    def test(text: bytes) -> Outcome:
        if has(text, first) and not has(text, second):
            return UNRESOLVED
        return FAIL if all(has(text, each) for each in wanted) else PASS

    greps = " && ".join(f'grep -qF {each.decode("latin-1")} "$1"' for each in wanted)
    with tempfile.TemporaryDirectory() as place:
        script = Path(place, "test.sh")
        rule = f'if grep -qF {first.decode()} "$1" && ! grep -qF {second.decode()} "$1"; then exit 125; fi'
        script.write_text(f"#!/bin/sh\n{rule}\n{greps}\n")
        script.chmod(0o755)
        for turn in range(100):
            options = Options(language=name, resume=True, budget_tests=chance.randint(5, 20))
            try:
                result = wynot.reduce(data, wynot.Script(str(script)), options, name=sample(name)[0])
                break
            except BudgetEnded as ended:
                if turn == 99 or (ended.best is not None and ended.best.minimality is not None):  # type: ignore[attr-defined]
                    raise
        yield from _checked(number, f"resumed {name}", result, test, name)


def flaky(_number: int, chance: Random) -> Iterator[Counterexample | str]:
    """A shell script that shows the failure only sometimes: counted, as no promise is without doubt."""
    words = [b"w%d" % at for at in range(chance.randint(4, 10))]
    wanted = chance.sample(words, 2)
    percent = chance.choice((50, 70, 90))
    with tempfile.TemporaryDirectory() as place:
        script = Path(place, "test.sh")
        greps = " && ".join(f'grep -qw {each.decode()} "$1"' for each in wanted)
        script.write_text(f"#!/bin/sh\n[ $(( $(od -An -N2 -tu2 /dev/urandom) % 100 )) -lt {percent} ] && {greps}\n")
        script.chmod(0o755)
        try:
            result = wynot.reduce(
                b"\n".join(words) + b"\n", wynot.Script(str(script)), Options(atoms="lines"), name="f.txt"
            )
        except WynotError:
            yield "flaky: no failure seen"
            return
    left = set(result.data.split())
    wrong = left != set(wanted)
    yield f"flaky at {percent} %: {'more or less than needed' if wrong else 'just what is needed'}, {result.minimality}"


KINDS = (
    (along_tree, 50), (flat, 12), (marked, 4), (several, 4), (folder, 8), (isolated, 6), (listed, 5), (grown, 3),
    (called, 3), (explained, 4), (resumed, 4), (flaky, 2),
)  # fmt: skip


def solve(number: int) -> tuple[str, list[str], list[Counterexample]]:
    """One problem: its kind, what was promised, and what refutes that."""
    chance = Random(f"{number}")
    kind = chance.choices([each for each, _ in KINDS], [weight for _, weight in KINDS])[0]
    said: list[str] = []
    found: list[Counterexample] = []
    try:
        for each in kind(number, chance):
            (said if isinstance(each, str) else found).append(each)  # type: ignore[arg-type]
    except Exception as error:
        raise RuntimeError(f"problem {number}: {traceback.format_exc()}") from error
    return kind.__name__, said, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=2000, metavar="N", help="how many [%(default)s]")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the number of the first one [%(default)s]")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, help="at once [%(default)s]")
    args = parser.parse_args()
    begun = time.perf_counter()
    kinds: Counter[str] = Counter()
    promises: Counter[str] = Counter()
    bad = 0
    with tempfile.TemporaryDirectory() as home:
        os.environ["WYNOT_HOME"] = home
        with ProcessPoolExecutor(args.jobs) as pool:
            numbers = range(args.first, args.first + args.problems)
            for kind, said, found in pool.map(solve, numbers, chunksize=4):
                kinds[kind] += 1
                promises.update(said)
                bad += bool(found)
                for each in found:
                    print(each, flush=True)
    for title, counts in (("problems", kinds), ("what was said", promises)):
        print(f"\n{title}")
        for name, count in sorted(counts.items(), key=lambda each: -each[1]):
            print(f"{count:6} {name}")
    seconds = time.perf_counter() - begun
    print(f"\n{args.problems} problems, {len(installed())} languages: {bad} counterexamples; {seconds:.0f} s")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
