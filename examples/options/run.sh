#!/bin/sh
# Which options, variables and configuration keys does the failure of report.py need?
set -eu
cd "$(dirname "$0")"
wynot options --fresh --env --config report.toml -- \
  python3 report.py --config report.toml --since 2024-02-29 --width 60 -v --local-time
