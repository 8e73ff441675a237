#!/bin/sh
# What a user might do with notes.py, by xdotool; the window stands at 20,20.
set -eu
click() { xdotool mousemove "$1" "$2" sleep 0.05 click 1 sleep 0.05; }
type() { xdotool type --delay 20 "$1"; }
click 100 42            # into the entry
type "ink"
xdotool key Return
type "paper"
click 350 44            # Add
click 60 80             # the first note
click 350 84            # Mark
click 350 164           # Sort
click 100 42
type "clips"
xdotool key Return
xdotool mousemove 200 120 mousemove 220 160 mousemove 150 200
click 350 164           # Sort
click 60 100
click 350 84            # Mark
click 350 124           # Copy
click 100 42
type "tea"
xdotool key Return
click 350 204           # Clear
click 100 42
type "pens"
click 350 164           # Sort
xdotool mousemove 60 120
click 350 124           # Copy: it crashes
