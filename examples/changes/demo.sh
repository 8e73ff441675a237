#!/bin/sh
# The test worked at v1.0 and fails now, five commits later. Which changes break it, and which must be reverted?
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$here/history.sh" "$out/shop"
cd "$out/shop"
show() { printf '\n$ %s\n' "$*"; "$@"; }

show git log --oneline v1.0..
show wynot changes v1.0 HEAD --fresh -- python3 test_bill.py
show git apply repair.patch
show python3 test_bill.py
printf 'It works again, and the pots are still there.\n'
