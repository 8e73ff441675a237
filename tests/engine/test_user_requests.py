"""What the user wishes in mid-run: to stop, to skip a pass, to pause. Here the wishes come after so many questions."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wynot
from wynot.commands.changes.investigation import changes
from wynot.commands.changes.old_and_new import Sources
from wynot.commands.changes.patch_files import git_diff
from wynot.commands.isolation import isolate
from wynot.core.folder import Folder
from wynot.core.run_events import Event, Note, PassStarted, Request, Working
from wynot.domains.changes.diff_folders import changes_between
from wynot.engine.results import Reduced
from wynot.errors import Stopped

TEXT = b"".join(b"line %d, and some more\n" % number for number in range(12))


def fails(data: bytes) -> bool:
    return b"7" in data and b"3" in data


class Script:
    """Wishes, by the number of the question."""

    patience: float | None = None

    def __init__(self, wishes: dict[int, Request], always: Request = Request.GO_ON) -> None:
        self.wishes, self.always, self.asked = wishes, always, 0
        self.seen: list[Working] = []

    def busy(self, working: Working) -> None:
        self.seen.append(working)

    def wish(self, wait: float = 0.0) -> Request:
        self.asked += 1
        return self.wishes.get(self.asked, self.always)


def reduced(script: Script, heard: list[Event] | None = None, *, jobs: int = 1, atoms: str = "auto") -> Reduced:
    listener = (heard if heard is not None else []).append
    return wynot.reduce(TEXT, fails, wynot.Options(controls=script, listener=listener, jobs=jobs, atoms=atoms))


@settings(deadline=None, max_examples=50)
@given(st.integers(min_value=1, max_value=40))
def test_stopped_anywhere_the_best_so_far_is_kept(place: int) -> None:
    with pytest.raises(Stopped) as stopped:
        reduced(Script({place: Request.STOP}))
    result = stopped.value.best
    assert stopped.value.exit_code == 3
    assert isinstance(result, Reduced)
    assert (result.status, result.minimality) == ("stopped", None)
    assert fails(result.data)


@settings(deadline=None, max_examples=50)
@given(st.sets(st.integers(min_value=1, max_value=150), max_size=12), st.sampled_from([1, 3]))
def test_whatever_is_skipped_the_result_fails_and_claims_no_more_than_was_proved(places: set[int], jobs: int) -> None:
    result = reduced(Script(dict.fromkeys(places, Request.SKIP)), jobs=jobs)
    assert fails(result.data)
    if result.minimality is not None:
        assert not any(fails(result.data[:i] + result.data[i + 1 :]) for i in range(len(result.data)))


def test_all_passes_skipped_prove_nothing() -> None:
    heard: list[Event] = []
    result = reduced(Script({}, Request.SKIP), heard)
    assert (result.data, result.status, result.minimality) == (TEXT, "done", None)
    assert sum(isinstance(each, Note) and each.message.startswith("skipped") for each in heard) == 3


@pytest.mark.parametrize("name", ["items", "tree", "hoist", "tokens"])
@pytest.mark.parametrize("validity", ["strict", "prefer"])
def test_a_pass_that_is_skipped_and_run_to_its_end_later_takes_nothing_from_the_promise(
    name: str, validity: str
) -> None:
    """The first passes of a file with a tree prove nothing; only the last ones have to be run to their ends."""
    text, script = b"int a;\nint b;\nint c = a + b;\n", Script({})

    def listen(event: Event) -> None:
        if isinstance(event, PassStarted) and event.name == name and not script.wishes:
            script.wishes[script.asked + 1] = Request.SKIP

    options = wynot.Options(validity=validity, controls=script, listener=listen)
    result = wynot.reduce(text, lambda data: data == text, options, name="a.c")
    assert script.wishes
    assert result.minimality == "1-tree-minimal"
    script.always = Request.SKIP
    assert wynot.reduce(text, lambda data: data == text, options, name="a.c").minimality is None


def test_the_only_pass_cannot_be_skipped() -> None:
    heard: list[Event] = []
    result = reduced(Script({}, Request.SKIP), heard, atoms="chars")
    assert (result.data, result.minimality) == (b"37", "1-minimal")
    assert not any(each.skippable for each in heard if isinstance(each, PassStarted))


def test_a_skipped_level_of_isolate_leaves_the_proof_to_the_last_one() -> None:
    script = Script({}, Request.SKIP)
    result = isolate(TEXT, fails, wynot.Options(controls=script), passing=TEXT.replace(b"7", b"8"))
    assert fails(result.failing)
    assert not fails(result.passing)
    assert (result.deltas, result.minimality) == (1, "1-minimal")


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_pause_changes_nothing_and_nothing_begins_in_it(jobs: int) -> None:
    plain = reduced(Script({}), jobs=jobs)
    pauses = dict.fromkeys([*range(5, 9), *range(20, 24)], Request.PAUSE)
    script = Script(pauses)
    result = reduced(script, jobs=jobs)
    assert (result.data, result.minimality) == (plain.data, plain.minimality)
    assert all(each.running <= each.jobs == jobs for each in script.seen)
    if jobs == 1:
        assert result.cost.counts.tests == plain.cost.counts.tests


def test_files_of_a_folder_can_be_skipped(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_bytes(TEXT)
    script = Script({}, Request.SKIP)
    result = wynot.reduce(tmp_path, _in_a, wynot.Options(controls=script))
    assert _in_a(result.files)
    assert result.minimality is None


def _in_a(files: dict[str, bytes]) -> bool:
    return fails(files.get("a.txt", b""))


def test_what_is_under_way_is_told() -> None:
    script = Script({})
    result = reduced(script)
    assert {each.running for each in script.seen} == {0, 1}
    assert max(each.tests for each in script.seen) == result.cost.counts.tests


def test_skipped_groups_of_changes_leave_the_proof_to_the_last_pass() -> None:
    words = (b"old", b"new")
    texts = (b"".join(b"%d %s\n" % (n, word if n % 3 == 0 else b"as ever") for n in range(60)) for word in words)
    before, after = (Folder.of({"f.txt": text}) for text in texts)
    given_sources = Sources(before, after, changes_between(before, after, git_diff(before, after)))
    heard: list[Event] = []
    options = wynot.Options(controls=Script({}, Request.SKIP), listener=heard.append)
    found = changes(given_sources, lambda files: b"\n33 new" in files["f.txt"], options)
    assert any(isinstance(each, Note) and each.message.startswith("skipped") for each in heard)
    assert found.breaks is not None
    assert len(found.breaks.changes) == 1
    assert found.minimality == "1-minimal"
