"""A case's check, wrapped: the same few lines of C for every tool, which run it and write down what came of it.

For each finished run a line in a log: when it ended, how long it took, the exit code, the candidate's bytes and, where
the failure shows, its tokens. The smallest candidate that fails (fewest tokens, then bytes) is kept, so that a tool can
be stopped at any moment. To the tool it says 0, 125 or, for all else, 1.
"""

from __future__ import annotations

import json
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import common
from wynot.domains.text import tokens

C = r"""
#define _GNU_SOURCE
#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int in_word(unsigned char c) { return isalnum(c) || c == '_' || c >= 0x80; }

/* As wynot's lexer counts: compare.py makes sure that both agree. */
static long count(const unsigned char *s, const unsigned char *end) {
    long found = 0;
    while (s < end) {
        if (isspace(*s)) { s++; continue; }
        found++;
        if (*s == '"' || *s == '\'') {
            const unsigned char *t = s + 1;
            int items = 0;
            for (; t < end && *t != *s && *t != '\n' && items < 999; items++) {
                if (*t == '\\' && t + 1 >= end) break;
                t += *t == '\\' ? 2 : 1;
            }
            s = t < end && *t == *s ? t + 1 : s + 1;
        } else if (isdigit(*s)) {
            while (++s < end && (isalnum(*s) || *s == '_' || *s == '.')) {}
        } else if (in_word(*s) || *s == '$') {
            while (++s < end && (in_word(*s) || *s == '$')) {}
        } else {
            s++;
        }
    }
    return found;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void append(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, text, strlen(text)) < 0) _exit(3);
    close(fd);
}

static void keep(const unsigned char *data, long bytes, long tokens) {
    long old_tokens, old_bytes;
    int lock = open(BEST ".size", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    char size[64] = "";
    flock(lock, LOCK_EX);
    if (pread(lock, size, sizeof size - 1, 0) <= 0 || sscanf(size, "%ld %ld", &old_tokens, &old_bytes) != 2
        || tokens < old_tokens || (tokens == old_tokens && bytes < old_bytes)) {
        int fd = open(BEST ".new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (write(fd, data, bytes) == bytes) rename(BEST ".new", BEST);
        close(fd);
        int length = snprintf(size, sizeof size, "%19ld %19ld\n", tokens, bytes);
        if (pwrite(lock, size, length, 0) != length) _exit(3);
    }
    close(lock);
}

int main(int argc, char **argv) {
    const char *file = argc > 1 ? argv[argc - 1] : NAME;  /* cvise and creduce lay the file there and name none */
    struct stat info = {0};
    int status, code;
    long tokens = -1;
    char line[128];
    double begun = now();
    append(LOG ".begun", "\n");
    pid_t child = vfork();  /* of the rest, starting a program is the dearest */
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (int fd = 0; fd < 3; fd++) dup2(null, fd);
        execl(CHECK, CHECK, file, (char *)0);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) return 3;
    code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    double ended = now();
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && !fstat(fd, &info) && code == 0) {
        unsigned char *data = malloc(info.st_size + 1);
        if (!data || read(fd, data, info.st_size) != info.st_size) return 3;
        tokens = count(data, data + info.st_size);
        keep(data, info.st_size, tokens);
    }
    snprintf(line, sizeof line, "%.4f %.4f %d %ld %ld\n", ended, ended - begun, code, (long)info.st_size, tokens);
    append(LOG, line);
    return code == 0 || code == 125 ? code : 1;
}
"""


@dataclass(frozen=True, slots=True)
class Log:
    """What the tests of a run were: how many ended, how many began, the seconds they took together, and the curve.

    The curve: seconds since the start, tokens and bytes of each candidate that fails and is smaller than any before.
    A candidate that its tool has removed while the check ran has no size, and is no part of it.
    """

    tests: int
    begun: int
    seconds: float
    curve: list[tuple[float, int, int]]


@dataclass(frozen=True, slots=True)
class Counted:
    """The wrapped check of a run."""

    test: Path
    log: Path
    best: Path

    def read(self, start: float) -> Log:
        """What happened since the start, on the monotonic clock."""
        tests, seconds = 0, 0.0
        curve: list[tuple[float, int, int]] = []
        for line in self.log.read_text().splitlines() if self.log.exists() else ():
            ended, took, code, size, count = line.split()
            tests, seconds = tests + 1, seconds + float(took)
            point = (int(count), int(size))
            if code == "0" and point[0] >= 0 and (not curve or point < curve[-1][1:]):
                curve.append((round(float(ended) - start, 3), *point))
        begun = self.log.with_suffix(".begun")
        return Log(tests, begun.stat().st_size if begun.exists() else 0, seconds, curve)


def wrap(check: Path, name: str, place: Path) -> Counted:
    """The check as a program in this folder; a file of this name is its input where a tool names none."""
    made = Counted(place / "test", place / "log", place / "best")
    facts = {"CHECK": check.resolve(), "NAME": name, "LOG": made.log, "BEST": made.best}
    defines = "".join(f"#define {key} {json.dumps(str(value))}\n" for key, value in facts.items())
    common.compiled(made.test, defines + C, "-static")
    return made


def verify(check: Path, original: Path, place: Path) -> float:
    """The failure shows, and the wrapper counts as wynot does; seconds of one test."""
    counted = wrap(check, original.name, place)
    exits = [subprocess.run([counted.test, original], check=False).returncode for _ in range(2)]
    found = counted.read(0.0)
    if exits != [0, 0]:
        raise ValueError(f"{check} does not exit 0 on {original.name}")
    if found.curve[0][1:] != (expected := (tokens.count(original.read_bytes()), original.stat().st_size)):
        raise SystemExit(f"{original}: the wrapper counts {found.curve[0][1:]}, wynot {expected}: mend counted.py")
    return found.seconds / 2


def overhead(times: int = 100) -> float:
    """Milliseconds that the wrapper adds to a test: least against least, so that other work does not count."""
    with common.work_folder() as place:
        bare = common.compiled(place / "bare", "int main(void) { return 1; }")
        (place / "input").write_bytes(b"x = 1;\n" * 1000)
        wrapped = wrap(bare, "input", place).test
        pairs = [(_spawn(wrapped, place), _spawn(bare, place)) for _ in range(times)]
    return 1000 * (min(pair[0] for pair in pairs) - min(pair[1] for pair in pairs))


def _spawn(program: Path, place: Path) -> float:
    begun = time.perf_counter()
    subprocess.run([program, place / "input"], check=False)
    return time.perf_counter() - begun
