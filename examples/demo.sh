#!/bin/sh
# A real program (Python's own json.tool) refuses a file of some 270 lines. Which part of the file is to blame?
set -eu
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
show() { printf '\n$ %s\n' "$*"; "$@"; }

printf 'python3 -m json.tool settings.json says:\n  '
python3 -m json.tool settings.json 2>&1 >/dev/null | tail -n 1 || true

show wynot reduce settings.json -o "$out/small.json" --fresh -- python3 -m json.tool {}
printf 'The result, its bytes made visible:\n  '
python3 -c 'import sys; print(ascii(open(sys.argv[1]).read()))' "$out/small.json"

show wynot isolate settings.json --passing settings.yesterday.json -o "$out/pair" --fresh -- python3 -m json.tool {}
printf '\nYesterday the file worked. Of all that was changed since, one character matters: the tab in the string.\n'
