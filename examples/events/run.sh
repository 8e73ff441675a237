#!/bin/sh
# Which user actions make a page and a program fail? Needs: pip install 'wynot[events]'; apt install chromium xvfb xdotool python3-tk
set -eu
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
wynot events web/recording.json --serve web -j 2 --fresh -o "$out/small.json"
cd x11
wynot events record -o "$out/log.jsonl" --drive ./session.sh -- /usr/bin/python3 notes.py
wynot events "$out/log.jsonl" -j 2 --fresh -o "$out/small.jsonl" -- /usr/bin/python3 notes.py
