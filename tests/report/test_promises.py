"""What is promised of a result is said in the same words wherever users read it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from wynot.commands.reduce.prove_single_edits import LARGEST
from wynot.commands.reduce.reduction import reduce
from wynot.engine.budget import TestCounts
from wynot.engine.results import Cost, ReducedRecording
from wynot.engine.run_options import Options
from wynot.report.options_report import events_text
from wynot.report.result_text import NO_EDIT, by_statistics, promise, reduced_text

ROOT = Path(__file__).parents[2]
AS_TRIED = "syntax tree can be removed or replaced by an edit of the search"
TEXT = b"int a;\nint b;\n"


@pytest.mark.parametrize("page", ["docs/topics/minimality.md", "src/wynot/engine/results.py"])
def test_1_tree_minimal_is_explained_in_the_words_of_the_report(page: str) -> None:
    assert NO_EDIT in " ".join((ROOT / page).read_text(encoding="utf-8").split())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options(), f"1-tree-minimal: among texts that parse, {NO_EDIT}"),
        (Options(validity="prefer"), f"1-tree-minimal: among texts that parse, {NO_EDIT}"),
        (Options(validity="off"), f"1-tree-minimal: {NO_EDIT}"),
        (
            Options(algorithm="hdd_plus"),
            f"1-tree-minimal: no node of the original's {AS_TRIED}",
        ),
        (
            Options(atoms="tree"),
            f"1-tree-minimal: no node of its {AS_TRIED}",
        ),
        (Options(atoms="tree", algorithm="dd1999"), "not proved to be 1-minimal"),
        (Options(algorithm="hdd"), "not proved to be 1-minimal"),
        (Options(atoms="lines"), "1-minimal: no single line can be removed"),
        (Options(language="none"), "1-minimal: no single character can be removed"),
    ],
)
def test_the_summary_says_what_was_tried(options: Options, words: str) -> None:
    result = reduce(TEXT, lambda data: b"b" in data, options, name="x.c")
    assert words in reduced_text(result)
    if result.minimality is not None:
        assert promise(result.minimality, result.tried) == words


def test_protected_text_is_named_as_what_was_not_tried(tmp_path: Path) -> None:
    text = b"spare();\n// DDBEGIN\nint a;\nint b;\n// DDEND\n"
    result = reduce(text, lambda data: b"b" in data, name="x.c")
    assert b"spare" in result.data
    assert f"1-tree-minimal: among texts that parse, {NO_EDIT}; protected text is kept" in reduced_text(result)
    for name, content in (("marked.c", text), ("other.txt", b"x\ny\n")):
        (tmp_path / name).write_bytes(content)
    folder = reduce(tmp_path, lambda files: b"b" in files.get("marked.c", b"") and b"y" in files.get("other.txt", b""))
    assert reduced_text(folder).splitlines()[1].endswith("; protected text is kept")
    assert "protected" not in reduced_text(reduce(b"int a;\n", lambda data: b"a" in data, name="x.c"))


def test_of_large_results_less_is_said() -> None:
    """Not all of their nodes are tried."""
    name = b"a" * LARGEST
    result = reduce(b"int %s;\nint b;\n" % name, lambda data: name in data, name="x.c")
    assert f"1-tree-minimal: no node of its {AS_TRIED}" in reduced_text(result)


@pytest.mark.parametrize("rate", [1.0, 0.3])
@pytest.mark.parametrize("folder", [False, True])
def test_a_failure_that_shows_only_sometimes_has_no_unconditional_promise(rate: float, *, folder: bool) -> None:
    words = promise("1-tree-minimal", {"edits"}, folder=folder, rate=rate)
    assert NO_EDIT in words
    assert words.startswith("1-tree-minimal: ") == (rate == 1)
    assert ("by statistics, error at most 1% each: without lowering the failure rate, " in words) == (rate < 1)


def test_a_rate_that_is_not_the_results_is_named() -> None:
    words = by_statistics("1-minimal", "no single change can be removed", "NEW")
    assert words.endswith(" each: without lowering the failure rate below that of NEW, no single change can be removed")


def test_recorded_actions_that_fail_only_sometimes_have_no_unconditional_promise() -> None:
    steady = ReducedRecording(b"", ("a",), 3, 0, minimal=True, cost=Cost(TestCounts(), 0.0, 0.0), looked_for="")
    unsteady = replace(steady, cost=Cost(TestCounts(), 0.0, 0.0, rate=0.3))
    assert "(1-minimal: no single action can be removed)" in events_text(steady)
    assert "rate, no single action can be removed)" in events_text(unsteady)
    assert "1-minimal: " not in events_text(unsteady)
