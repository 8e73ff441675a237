"""libFuzzer: its own findings, and those of the sanitizer that it runs with."""

from __future__ import annotations

import re
from dataclasses import replace

from wynot.oracles.readers import asan, ubsan
from wynot.oracles.readers.stack_frames import llvm_frames, native, paragraph
from wynot.oracles.signature import Diagnosis

name = "libfuzzer"

_RUNNING = re.compile(r"^INFO: Seed: \d+$", re.MULTILINE)
_ERROR = re.compile(r"^==\d+== ?ERROR: libFuzzer: (?P<kind>[a-z -]+?)(?: after \d+.*| \(.*)?$", re.MULTILINE)


def read(text: str) -> Diagnosis | None:
    """From the crash out to the target function; the fuzzer's own functions are left out."""
    if error := _ERROR.search(text):
        return Diagnosis(name, error["kind"], "", *native(llvm_frames(paragraph(text, error.end()))))
    if not _RUNNING.search(text):
        return None
    found = asan.read(text) or ubsan.read(text)
    return replace(found, reader=name) if found else None
