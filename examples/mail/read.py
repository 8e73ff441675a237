"""Prints who sent a mail, to whom, and about what."""

import sys
from email import message_from_bytes, policy
from pathlib import Path

mail = message_from_bytes(Path(sys.argv[1]).read_bytes(), policy=policy.default)
for name in ("From", "To", "Cc", "Subject"):
    print(f"{name}: {mail[name]}")
