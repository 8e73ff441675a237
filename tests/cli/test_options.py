"""`wynot options` on real programs: options, variables, configuration files; words, JSON, scripts; bad input."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.corpus.test_corpus import case
from tests.support.stage import Stage

APP = """import json, os, sys
settings = json.load(open(sys.argv[sys.argv.index("--config") + 1]))
if "--strict" in sys.argv and settings.get("server", {}).get("mode") == "fast" and os.environ.get("ZONE") == "nowhere":
    raise RuntimeError("bad zone")
"""
APP_ZONE = """import json, os, sys
zone = json.load(open("zone.json"))["zone"]
if "--strict" in sys.argv:
    raise RuntimeError("bad zone " + zone + os.environ.get("SUFFIX", ""))
"""
CONFIG = '{\n  "title": "t",\n  "server": {"port": 1, "mode": "fast"},\n  "more": [1, 2]\n}\n'
CALL = ("--", sys.executable, "-S", "app.py", "-v", "--strict", "--level", "5", "--config", "app.json")


@pytest.fixture
def app(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Stage:
    stage.file("app.py", APP)
    stage.file("app.json", CONFIG)
    for name, value in (("ZONE", "nowhere"), ("ZONE_OTHER", "x")):
        monkeypatch.setenv(name, value)
        stage.changed[name] = value
    return stage


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_options_variables_and_keys_at_once(app: Stage, jobs: str) -> None:
    words = ("options", "-j", jobs, "--env", "ZONE*", "--config", "app.json", "-o", "out", "--json", *CALL)
    done = app.here(*words)
    assert done.code == 0, done.err
    [cause] = done.json["causes"]
    assert cause["needed"] == ["--strict", "ZONE", "app.json: server.mode"]
    assert cause["fixed"] == ["--config ./app.json"]
    assert (cause["unset"], cause["set"]) == (["ZONE_OTHER"], {"ZONE": "nowhere"})
    assert cause["argv"][1:] == [str(app.work / "app.py"), "--strict", "--config", "./app.json"]
    assert done.json["minimality"] == "1-minimal"
    assert (app.work / "out" / "app.json").read_text() == '{\n  "server": {\n    "mode": "fast"\n  }\n}\n'
    again = subprocess.run(["sh", "out/call.sh"], cwd=app.work, capture_output=True, text=True, check=False)
    assert "RuntimeError: bad zone" in again.stderr
    assert (app.work / "app.json").read_text() == CONFIG
    app.assert_clean()


def test_what_is_known_is_not_run_again(app: Stage) -> None:
    words = ("options", "--env", "ZONE*", "--config", "app.json", "--json", *CALL)
    first, again = app.here(*words), app.wynot(*words)
    assert (again.json["tests"], again.json["baseline_tests"]) == (0, 1)
    assert again.json["causes"] == first.json["causes"]


def test_words_for_people(app: Stage) -> None:
    done = app.here("options", *CALL)
    assert "needed for the failure: --strict\n" in done.out
    assert "kept, because the call fails in another way without it: --config" in done.out
    assert "of 5 circumstances (1-minimal: none of them can be removed)" in done.out
    assert "RuntimeError: bad zone" in done.err


def test_the_call_can_be_pasted(stage: Stage) -> None:
    """Variables that were set for the search only are named with it, and set by the script."""
    stage.script("prog", '[ "$MODE" = "a b" ] && [ "$1" = --loud ] && exit 3; exit 0')
    stage.changed |= {"MODE": "a b", "BASH_FUNC_odd%%": "() { :; }", **{f"MORE_{n}": "1" for n in range(5)}}
    done = stage.here("options", "--env", "MODE", "--env", "BASH_FUNC_odd%%", "--", "./prog", "--loud", "--fast")
    call = next(line for line in done.out.splitlines() if "./prog" in line or "/prog" in line)
    assert call == f"  env -u BASH_FUNC_odd%% MODE='a b' {stage.work}/prog --loud"
    bare = {"PATH": os.environ["PATH"]}
    assert subprocess.run(["sh", "-c", call], env=bare, check=False).returncode == 3
    done = stage.here("options", "--env", "MO*,BASH_FUNC*", "-o", "out", "--", "./prog", "--loud", "--fast")
    assert (
        f"\n  env MODE='a b' {stage.work}/prog --loud\n  (with 6 variables unset: -o DIR writes it out)\n" in done.out
    )
    assert subprocess.run(["sh", "out/call.sh"], cwd=stage.work, env=bare, check=False).returncode == 3


def test_what_prevents_it(stage: Stage) -> None:
    stage.script("prog", 'for w; do case $w in -safe|-slow) exit 0;; esac; done; echo "error: boom" >&2; exit 3')
    words = ("-a", "-b", "-safe", "-c", "-d", "-slow", "-e")
    done = stage.here("options", "--preventing", "--all", "--", "./prog", *words)
    assert done.code == 0, done.err
    assert "prevents the failure: -safe\n" in done.out
    assert "prevents the failure: -slow\n" in done.out
    assert "with the other 5 only: the failure stays" in done.out
    none = stage.here("options", "--preventing", "--", "./prog", "-a", "-b")
    assert none.code == 1
    assert "the failure stays with all 2 of them: none prevents it" in none.err


def test_what_is_to_be_typed_is_the_call_that_should_fail(stage: Stage) -> None:
    stage.script("check", "exit 1")
    done = stage.here("options", "--preventing", "--env", "PATH", "--", "/bin/true", "-a")
    assert done.err.splitlines()[-1].endswith("try it by hand: env -u PATH /bin/true; echo $?")
    done = stage.here("options", "--preventing", "--test", "./check", "--", "true", "-a")
    last = done.err.splitlines()[-1]
    assert last.endswith("/true; echo $?")
    assert f"try it by hand: {stage.work}/check " in last


def test_a_script_is_given_the_words(stage: Stage) -> None:
    stage.script("check", 'shift; case " $* " in *" -x "*) case " $* " in *" -y 1 "*) exit 0;; esac;; esac; exit 1')
    done = stage.here("options", "--test", "./check", "--json", "--", "cat", "-w", "-x", "-y", "1", "-z")
    assert done.json["causes"][0]["needed"] == ["-x", "-y 1"]


def test_a_crash_of_a_real_compiler_and_its_options(stage: Stage) -> None:
    """Version 12.2.0 of gcc: of twenty options the crash needs two."""
    source, _ = case("c-gcc12-omp-taskgroup")
    options = (
        "-fno-report-bug -O0 -g -Wall -Wextra -pipe -std=gnu11 -fopenmp -fexceptions -fno-strict-aliasing -D NDEBUG "
        "-I . -fstack-protector -fno-common -fPIC -funwind-tables -march=x86-64 -w -S -o out.s"
    )
    done = stage.here("options", "-j", "2", "--json", "--", "gcc-12", *options.split(), source)
    assert done.code == 0, done.err
    assert done.json["causes"][0]["needed"] == ["-fopenmp", "-fexceptions"]
    assert done.json["size_before"] == 20
    assert done.json["needed"] <= 20


REFUSED = {
    "no command": ("options", 2, "No command was given", "wynot options -- PROGRAM"),
    "no option": ("options -- cat app.json", 2, "nothing to leave out", "--env"),
    "fails without any": ("options -- false -a -b", 2, "the failure shows without any of them", "--config FILE"),
    "does not fail": ("options -- true -a -b", 1, "the failure does not show", "--preventing"),
    "config that does not parse": ("options --config bad.toml -- cat -n bad.toml", 2, "no valid TOML", "look at it"),
    "config that is missing": ("options --config no.toml -- cat -n no.toml", 2, "no such file", "ls -l"),
    "no such variable": ("options --env NO_SUCH_NAME -- cat -n", 2, "no variable NO_SUCH_NAME is set", "env"),
    "no such program": ("options -- no-such-program -a", 2, "no such program", "command -v"),
    "arity": ("options --takes x:y -- cat -n", 2, "--takes x:y", "--takes --arg:2"),
    "algorithm": ("options --algorithm hdd -- cat -n", 2, "no algorithm 'hdd'", "sweep"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_told_with_what_to_type_next(app: Stage, name: str) -> None:
    app.file("bad.toml", "[a\n")
    app.assert_refused(*REFUSED[name])


def test_an_own_result_is_replaced_and_nothing_else(stage: Stage) -> None:
    """The same command may be run again; what somebody else has written into its folder stays."""
    stage.script("prog", 'case "$*" in *-a*) exit 3;; esac')
    call = stage.work / "out" / "call.sh"
    assert stage.here("options", "-o", "out", "--", "./prog", "-a", "-b").code == 0
    before = call.read_bytes()
    assert stage.here("options", "-o", "out", "--", "./prog", "-a", "-b").code == 0
    assert call.read_bytes() == before
    (call.parent / "mine").write_text("mine")
    stage.assert_refused("options -o out -- ./prog -a -b", 2, "out exists and is no empty folder", "-o out.2")
    (call.parent / "mine").unlink()
    call.write_text("mine")
    stage.assert_refused("options -o out -- ./prog -a -b", 2, "out exists and is no empty folder", "-o out.2")
    assert call.read_text() == "mine"


def test_an_interrupted_command_goes_on_with_the_same_output(stage: Stage) -> None:
    stage.script("prog", 'case "$*" in *-a*) exit 3;; esac')
    words = ("options", "-o", "out", "--", "./prog", "-a", "-b", "-c", "-d")
    assert stage.here(words[0], "--budget-tests", "1", *words[1:]).code == 3
    assert list((stage.work / "out").iterdir())
    assert stage.here(*words).code == 0
    assert "./prog -a\n" in (stage.work / "out" / "call.sh").read_text().replace(str(stage.work), ".")


def test_another_value_in_the_message_is_shown(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words that come from the configuration are not compared; without the variable they end otherwise."""
    stage.file("app.py", APP_ZONE)
    stage.file("zone.json", '{"zone": "Mars"}')
    monkeypatch.setenv("SUFFIX", "!")
    stage.changed["SUFFIX"] = "!"
    words = ("--config", "zone.json", "--env", "SUFFIX", "--", sys.executable, "-S", "app.py", "--strict")
    done = stage.here("options", *words)
    assert done.code == 0, done.err
    said = "original: RuntimeError: bad zone Mars! at app.py:4 in `<module>`\nresult:   RuntimeError: bad zone Mars at"
    assert said in done.out
    failures = stage.here("options", "--json", *words).json["failures"]
    assert failures["original"].startswith("RuntimeError: bad zone Mars! at")


def test_one_circumstance_is_spoken_of_as_one(stage: Stage) -> None:
    stage.script("prog", 'case "$*" in *-x*) exit 3;; esac')
    assert "of 1 circumstance (" in stage.here("options", "--", "./prog", "-x").out
    stage.script("prog", "exit 3")
    done = stage.here("options", "--", "./prog", "-x")
    assert "the failure shows without -x, too: it is not needed" in done.err
    done = stage.here("options", "--keep", "-y", "--preventing", "--", "./prog", "-x", "-y")
    assert "none of these 1" not in done.err + done.out
    assert "all 1 of them" not in done.err + done.out


def test_several_options_make_a_run_harmless(stage: Stage) -> None:
    stage.script("prog", 'case "$*" in *-x*) exit 3;; esac')
    done = stage.here("options", "--", "./prog", "--diff", "-x", "--check")
    assert "kept: --diff, --check (make the run harmless; to try without: --try-without --diff)" in done.out
