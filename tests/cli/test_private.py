"""What is private: files that nobody else can read, and reports that can be published."""

from __future__ import annotations

import os
import pwd
import shlex
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.stage import Stage
from wynot.engine.files.output_file import write_whole

TOKEN = "tok'en <b>&1"
USER, HOST = "alice-of-wonder", "looking-glass.example"


@pytest.fixture
def open_umask() -> Iterator[None]:
    """A umask that hides nothing: what is private has to be made so."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    paths = [folder, *folder.rglob("*")]
    return {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in paths}


@pytest.mark.usefixtures("open_umask")
def test_what_holds_values_is_for_its_owner_only(stage: Stage) -> None:
    stage.script("prog", '[ "$1" = --loud ] && [ "$API_TOKEN" = secret ] && grep -q pass app.json && exit 3; exit 0')
    stage.file("app.json", '{"pass": "word", "other": 1}')
    stage.changed["API_TOKEN"] = "secret"
    words = ("options", "--env", "API_TOKEN", "--config", "app.json", "-o", "new/out", "--", "./prog", "--loud")
    done = stage.here(*words)
    assert done.code == 0, done.err
    assert "secret" in (stage.work / "new/out/call.sh").read_text()
    assert modes(stage.work / "new") == {".": 0o700, "out": 0o700, "out/call.sh": 0o700, "out/app.json": 0o600}
    assert stage.here("report", "last", "-o", "page.html").code == 0
    assert stat.S_IMODE((stage.work / "page.html").stat().st_mode) == 0o600
    assert stage.here("report", "last", "--redact", "-o", "open.html").code == 0
    assert stat.S_IMODE((stage.work / "open.html").stat().st_mode) == 0o666
    runs = modes(stage.home / "runs")
    assert runs.pop(".") == 0o700
    assert {mode & 0o077 for mode in runs.values()} == {0}


@pytest.mark.usefixtures("open_umask")
@pytest.mark.parametrize(("mode", "expected"), [(0o600, 0o600), (0o400, 0o600), (0o640, 0o640), (0o644, 0o666)])
def test_what_is_made_of_a_private_input_is_private(stage: Stage, mode: int, expected: int) -> None:
    stage.script("check", 'grep -q bug "$1"')
    stage.file("good.txt", "a\nb\n")
    stage.file("in.txt", "a\nbug\nb\n").chmod(mode)
    assert stage.here("reduce", "in.txt", "--test", "./check").code == 0
    assert stage.here("isolate", "in.txt", "--passing", "good.txt", "-o", "pair", "--test", "./check").code == 0
    written = [stage.work / name for name in ("in.reduced.txt", "pair/passing", "pair/failing")]
    assert [stat.S_IMODE(path.stat().st_mode) for path in written] == [expected] * 3


@pytest.mark.usefixtures("open_umask")
def test_a_private_file_is_never_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even for the moment in which it is written."""
    seen = []
    replace = Path.replace

    def watched(self: Path, target: Path) -> Path:
        seen.append(stat.S_IMODE(self.stat().st_mode))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", watched)
    write_whole(tmp_path / "a" / "b", b"x", 0o600)
    assert seen == [0o600]
    assert modes(tmp_path / "a") == {".": 0o700, "b": 0o600}


@pytest.fixture
def alice(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """A user with a home, a project in it, and a secret."""
    home = stage.folder / "wonder land" / USER
    project = home / "project-x"
    project.mkdir(parents=True)
    stage.work = project
    for name, value in {"HOME": str(home), "LOGNAME": USER, "API_TOKEN": TOKEN, "SITE": "production-7"}.items():
        stage.changed[name] = value
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(socket, "gethostname", lambda: HOST)
    return stage


def private(stage: Stage) -> list[str]:
    """What must not be in a report, as it may be written there."""
    texts = [str(stage.work), stage.changed["HOME"], str(stage.home), USER, HOST, TOKEN, "production-7", "tok'en"]
    return [form for text in texts for form in (text, shlex.quote(text).strip("'"), text.replace("<", "&lt;"))]


def assert_redacted(stage: Stage, *kept: str) -> None:
    for form in ("html", "md", "json", "svg"):
        plain = stage.here("report", "last", "--format", form, "-o", "-").out
        text = stage.here("report", "last", "--format", form, "--redact", "-o", "-").out
        left = [each for each in private(stage) if each in text]
        assert not left, form
        if form != "svg":
            assert [each for each in private(stage) if each in plain]
            assert [each for each in kept if each in text] == list(kept)


def test_a_reduction_can_be_published(alice: Stage) -> None:
    text = f"noise\nbug at {alice.work}/a.c by {USER} on {HOST}: {TOKEN} and production-7 in {alice.changed['HOME']}\n"
    alice.file("in.txt", text)
    alice.script("check", f'grep -q "bug.*{USER}.*production-7" "$1" && grep -qF {shlex.quote(TOKEN)} "$1"')
    done = alice.here("reduce", "in.txt", "--atoms", "lines", "--test", f"{alice.work}/check")
    assert done.code == 0, done.err
    assert_redacted(alice, "bug at")


def test_short_secrets_go_by_the_names_of_their_variables(alice: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = {"DB_PASS": "ab12x", "MYSQL_PWD": "zq9yy", "PIN": "47113"}
    for name, value in {**secrets, "MODE": "plain", "BYPASS": "yes"}.items():
        monkeypatch.setenv(name, value)
    alice.file("in.txt", f"noise\nbug yes plain {' '.join(secrets.values())}\n")
    alice.script("check", 'grep -q "bug yes plain ab12x zq9yy 47113" "$1"')
    assert alice.here("reduce", "in.txt", "--atoms", "lines", "--test", f"{alice.work}/check").code == 0
    text = alice.here("report", "last", "--format", "md", "--redact", "-o", "-").out
    assert not [value for value in secrets.values() if value in text]
    assert "bug yes plain <DB_PASS> <MYSQL_PWD> <PIN>" in text


def test_a_user_without_an_account_can_publish(alice: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container that runs as any number."""
    alice.file("in.txt", f"noise\nbug {alice.work}\n")
    alice.script("check", 'grep -q bug "$1"')
    assert alice.here("reduce", "in.txt", "--atoms", "lines", "--test", f"{alice.work}/check").code == 0

    def without_account(number: int) -> None:
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", without_account)
    monkeypatch.delenv("HOME")
    done = alice.here("report", "last", "--format", "md", "--redact", "-o", "-")
    assert done.code == 0, done.err
    assert str(alice.work) not in done.out


def test_the_values_of_a_call_can_be_published(alice: Stage) -> None:
    alice.script("prog", 'case "$API_TOKEN$1" in tok*--loud) echo "error: $PWD $API_TOKEN" >&2; exit 3;; esac; exit 0')
    done = alice.here("options", "--env", "API_TOKEN,SITE", "--", f"{alice.work}/prog", "--loud", "--fast")
    assert done.code == 0, done.err
    assert_redacted(alice, "--loud")


@pytest.mark.parametrize("fill", [0, 180, 190, 196])
def test_parts_of_a_secret_are_redacted_too(alice: Stage, monkeypatch: pytest.MonkeyPatch, fill: int) -> None:
    """The words of a message that are not compared are listed one by one; a long message is cut off anywhere."""
    alice.changed["API_TOKEN"] = "abcd-12345-topmost"
    monkeypatch.setenv("API_TOKEN", "abcd-12345-topmost")
    alice.script("prog", f'[ "$1" = --loud ] && echo "error: {"x" * fill} $API_TOKEN is wrong" >&2 && exit 3; exit 0')
    done = alice.here("options", "--env", "API_TOKEN", "--", f"{alice.work}/prog", "--loud", "--fast")
    assert done.code == 0, done.err
    for form in ("html", "md", "json", "svg"):
        text = alice.here("report", "last", "--format", form, "--redact", "-o", "-").out
        assert not [part for part in ("abcd-1", "12345", "topmost") if part in text], form
