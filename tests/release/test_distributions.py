"""What is published can be built from what is published, has all the files that it needs, and runs once installed."""

from __future__ import annotations

import email
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

from ruamel.yaml import YAML

from tests.docs.blocks import ROOT
from tests.release.conftest import lend_dependencies, run
from wynot import __version__


def test_the_sdist_has_what_a_build_and_a_test_run_need(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "src/wynot/version.py", "tests/conftest.py"}
    assert needed - names == set()
    assert not [name for name in names if ".venv/" in name or "__pycache__" in name]


def test_the_wheel_has_the_files_of_the_package_and_no_tests(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        metadata = email.message_from_bytes(archive.read(f"wynot-{__version__}.dist-info/METADATA"))
    source = ROOT / "src"
    ours = {str(path.relative_to(source)) for path in source.rglob("*") if path.is_file()}
    assert names == {name for name in ours if "__pycache__" not in name and ".egg-info/" not in name}
    for needed in (
        "wynot/py.typed",
        "wynot/commands/trace/perl/Wynot.pm",
        "wynot/demo/settings.json",
        "wynot/demo/shop/today/bill.py.txt",
        "wynot/domains/grammar/readers/antlr.lark",
        "wynot/domains/grammar/readers/yacc.lark",
        "wynot/oracles/backtrace.gdb",
        "wynot/report/page/page.css",
        "wynot/report/page/page.html.jinja",
        "wynot/report/page/page.js",
    ):
        assert needed in names
    assert metadata["Version"] == __version__
    assert metadata["License-Expression"] == "MIT"


def test_the_workflow_tests_the_versions_that_are_named() -> None:
    workflow = YAML(typ="safe").load(ROOT / ".github/workflows/test.yml")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [each.rpartition(" ")[2] for each in project["classifiers"] if "Python :: 3." in each]
    assert workflow["jobs"]["linux"]["strategy"]["matrix"]["python"] == named
    assert project["requires-python"] == f">={named[0]}"


def test_the_installed_wheel_runs(wheel: Path, tmp_path: Path) -> None:
    """In an environment of its own, from a folder without the source."""
    venv, work = tmp_path / "venv", tmp_path / "work"
    work.mkdir()
    run(sys.executable, "-m", "venv", "--without-pip", venv, cwd=work)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", venv / "bin/python")
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=work)
    lend_dependencies(venv)
    wynot = venv / "bin/wynot"
    assert run(wynot, "--version", cwd=work) == f"wynot, version {__version__}\n"
    where = run(venv / "bin/python", "-c", "import wynot; print(wynot.__file__)", cwd=work)
    assert where.startswith(str(venv))
    (work / "bug.py").write_text("import sys\nfirst = 1\nsecond = 2\nprint('bug')\n")
    home = {"WYNOT_HOME": str(tmp_path / "home")}
    run(wynot, "reduce", "bug.py", "--fail-if-output", "bug", "--", "cat", "{}", cwd=work, **home)
    assert (work / "bug.reduced.py").read_text().strip() == "bug"
    assert run(wynot, "report", "last", "-o", "-", cwd=work, **home).startswith("<!doctype html>")
