"""What a test that fails leaves behind is ended with its stage, and not found by the garbage collector in another."""

from __future__ import annotations

import gc
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from tests.support.stage import alive, eventually, open_stage

BUSY = "import subprocess, time\nsubprocess.Popen(['sleep', '1000'])\nprint('ready', flush=True)\ntime.sleep(1000)\n"


def test_a_failed_test_leaves_no_process_and_no_pipe(tmp_path: Path) -> None:
    with open_stage(tmp_path) as stage:
        process = stage.program(sys.executable, "-c", BUSY)
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        with pytest.raises(subprocess.TimeoutExpired):
            stage.ended(process, seconds=0.0)
        pids = stage.living()
        assert len(pids) == 2
    assert process.returncode is not None
    eventually(lambda: not any(map(alive, pids)), "all are gone")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        del process, stage
        gc.collect()
    assert [str(each.message) for each in seen] == []
