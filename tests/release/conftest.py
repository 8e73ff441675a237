from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT


def run(*words: object, cwd: Path, **more: str) -> str:
    """Run a program that has to end well, without this checkout among Python's modules; gives what it prints."""
    environment = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PYTHONHOME"}}
    done = subprocess.run(
        [*map(str, words)], cwd=cwd, env={**environment, **more}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def lend_dependencies(venv: Path) -> None:
    """Let an environment find the packages of this one, so that nothing is downloaded. Its own packages come first."""
    (site,) = venv.glob("lib/python*/site-packages")
    (site / "lent.pth").write_text("\n".join({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}) + "\n")


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution of this checkout."""
    if importlib.util.find_spec("hatchling") is None and os.environ.get("CI") != "true":
        pytest.skip("hatchling is not installed: make test installs it")
    return build(ROOT, "sdist", tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="session")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution, as package indexes and distributions do."""
    folder = tmp_path_factory.mktemp("wheel")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    return build(folder / sdist.name.removesuffix(".tar.gz"), "wheel", folder)


def build(source: Path, target: str, folder: Path) -> Path:
    """Build one distribution."""
    modules = os.pathsep.join(path for path in sys.path if path)
    run(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", folder, cwd=source, PYTHONPATH=modules)
    (built,) = folder.glob("wynot-*.whl" if target == "wheel" else "wynot-*.tar.gz")
    return built
