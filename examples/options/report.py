"""A small program with a fault that needs an option, a variable and a key of its configuration file."""

import argparse
import os
import tomllib
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

parser = argparse.ArgumentParser()
parser.add_argument("--config", default="report.toml")
parser.add_argument("--since", default="2020-01-01")
parser.add_argument("--width", type=int, default=80)
parser.add_argument("-v", "--verbose", action="store_true")
parser.add_argument("--local-time", action="store_true")
given = parser.parse_args()
settings = tomllib.loads(Path(given.config).read_text())
since = datetime.fromisoformat(given.since)
if given.local_time:
    zone = settings.get("times", {}).get("zone", "UTC")
    since = since.astimezone(ZoneInfo(os.environ.get("REPORT_ZONE", "") or zone))
print(f"since {since:{settings.get('times', {}).get('format', '%x')}}"[: given.width])
