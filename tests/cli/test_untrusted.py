"""A repository that is not trusted: whatever its configuration names, no program of it is run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.repos import Repo
from tests.support.stage import Stage

COMMAND = ("--", "sh", "-c", "! grep -q bad a.txt")
HOOKS = ("fsmonitor-watchman", "post-checkout", "post-index-change", "pre-auto-gc", "reference-transaction")
TRANSPORTS = {
    "ext": ("ext::{evil}", ()),
    "ssh": ("ssh://host.invalid/x", ("core.sshCommand", "core.askPass", "credential.helper")),
    "local": ("{repo}", ("remote.origin.uploadpack",)),
    "git": ("git://127.0.0.1:1/x", ("core.gitProxy",)),
}
"""Ways by which git fetches what is missing, and programs that it runs for that."""


def evil(stage: Stage, name: str) -> str:
    """A program that leaves a mark; never to be run."""
    return str(stage.script(f"../evil-{name}", f'echo {name} "$@" >> {stage.folder}/marks'))


def marks(stage: Stage) -> str:
    """Who was run."""
    path = stage.folder / "marks"
    return path.read_text() if path.exists() else ""


def arm(stage: Stage, repo: Repo, settings: Sequence[str]) -> None:
    """Let each of these settings name a program."""
    for key in settings:
        repo.git("config", key, evil(stage, key))


def signed(repo: Repo, subject: str) -> None:
    """A commit of the index that carries a signature."""
    tree, parent = repo.git("write-tree"), repo.git("rev-parse", "HEAD")
    who = "Ada <a@example.com> 1000000000 +0000"
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
    text = f"tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\n{signature}\n\n{subject}\n"
    (repo.path.parent / "commit").write_text(text)
    sha = repo.git("hash-object", "-t", "commit", "-w", str(repo.path.parent / "commit"))
    repo.git("reset", "-q", "--soft", sha)


@pytest.fixture
def hostile(stage: Stage) -> Repo:
    """A history with a merge, signed commits and a submodule; every setting names a program."""
    inner = Repo(stage.folder / "inner")
    names = "* diff=evil filter=evil merge=evil\n"
    inner.commit("inner", {"x.txt": b"1\n", ".gitattributes": b"* filter=inner\n"})
    repo = Repo(stage.work)
    repo.write({"a.txt": b"good\n", "b.txt": b"1\n", ".gitattributes": names.encode()})
    repo.git("submodule", "--quiet", "add", str(inner.path), "sub")
    repo.commit("start")
    repo.git("tag", "v1")
    repo.git("checkout", "-q", "-b", "side")
    repo.write({"a.txt": b"bad\n"})
    repo.git("add", "a.txt")
    signed(repo, "guilty")
    repo.git("checkout", "-q", "main")
    repo.commit("beside", {"b.txt": b"2\n"})
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    signed(repo, "last")
    repo.git("tag", "v2")
    (repo.path / "a.txt").write_bytes(b"bad\n")  # its time is another one: git has to look into it
    (repo.path / "sub" / "x.txt").write_bytes(b"2\n")  # so it does if it looks into submodules
    module = Repo(repo.path / "sub")
    arm(stage, module, ("filter.inner.clean",))
    for each in (repo, module):
        hooks = each.path.parent / f"hooks-{each.path.name}"
        hooks.mkdir()
        for name in HOOKS:
            Path(evil(stage, f"hook-{name}")).rename(hooks / name)
        settings = (
            "core.fsmonitor", "core.pager", "pager.log", "pager.diff", "core.editor", "core.alternateRefsCommand",
            "diff.external", "diff.evil.command", "diff.evil.textconv", "filter.evil.clean", "filter.evil.smudge",
            "filter.evil.process", "merge.evil.driver", "gpg.program", "gpg.ssh.program", "gpg.x509.program",
            "alias.log", "alias.cat-file", "alias.ls-tree", "core.sshCommand", "core.askPass",
        )  # fmt: skip
        arm(stage, each, settings)
        for key, value in (
            ("core.hooksPath", str(hooks)), ("log.showSignature", "true"), ("diff.submodule", "diff"),
            ("status.submoduleSummary", "true"), ("gc.auto", "1"), ("color.ui", "always"),
            ("submodule.recurse", "true"), ("protocol.allow", "always"),
        ):  # fmt: skip
            each.git("config", key, value)
    return repo


@pytest.mark.parametrize("words", [("changes", "v1", "v2"), ("changes", "v1", "."), ("bisect", "v1", "v2")])
def test_no_program_of_the_configuration_is_run(stage: Stage, hostile: Repo, words: tuple[str, ...]) -> None:
    (stage.folder / "marks").unlink(missing_ok=True)
    done = stage.here(*words, *COMMAND)
    assert marks(stage) == ""
    assert done.code == 0, done.err
    assert "breaks v1\na.txt\n" in done.out
    assert (hostile.path / "a.txt").read_bytes() == b"bad\n"


@pytest.mark.parametrize(("command", "way"), [*(("changes", way) for way in TRANSPORTS), ("bisect", "ext")])
def test_nothing_is_fetched_that_a_partial_clone_lacks(stage: Stage, command: str, way: str) -> None:
    repo = Repo(stage.work)
    repo.commit("start", {"a.txt": b"good\n"})
    repo.commit("guilty", {"a.txt": b"bad\n"})
    blob = repo.git("rev-parse", "HEAD:a.txt")
    (repo.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    url, settings = TRANSPORTS[way]
    for key, value in (
        ("core.repositoryFormatVersion", "1"), ("extensions.partialClone", "origin"), ("protocol.allow", "always"),
        ("remote.origin.promisor", "true"), ("remote.origin.url", url.format(evil=evil(stage, "ext"), repo=repo.path)),
        ("protocol.ext.allow", "always"),
    ):  # fmt: skip
        repo.git("config", key, value)
    arm(stage, repo, settings)
    done = stage.here(command, "HEAD~1", "HEAD", *COMMAND)
    assert marks(stage) == ""
    assert done.code == 2
    assert f"the repository lacks the content {blob[:12]}" in done.err


def test_no_filter_of_a_work_tree_s_own_settings_is_run(stage: Stage) -> None:
    repo = Repo(stage.work)
    repo.commit("start", {"a.txt": b"good\n", ".gitattributes": b"* filter=evil\n"})
    repo.commit("guilty", {"a.txt": b"bad\n"})
    (repo.path / "a.txt").write_bytes(b"bad\n")  # its time is another one: git has to look into it
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.git("config", "extensions.worktreeConfig", "true")
    repo.git("config", "--worktree", "filter.evil.clean", evil(stage, "clean"))
    done = stage.here("changes", "HEAD~1", ".", *COMMAND)
    assert marks(stage) == ""
    assert done.code == 0, done.err
