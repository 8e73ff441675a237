"""Move all fragments into CHANGELOG.md, as the section of a version: `python changelog.d/collect.py 1.0.0`."""

import re
import sys
from pathlib import Path

OTHER = "Other"


def collect(version: str, folder: Path, changelog: Path) -> list[Path]:
    """Write the section above that of the last version, delete the fragments; gives their paths."""
    text = changelog.read_text()
    if f"\n## {version}\n" in text:
        sys.exit(f"{changelog.name} has a section {version} already")
    topics: dict[str, list[str]] = {topic: [] for topic in re.findall(r"^### (.+)$", text, re.MULTILINE)}
    topics.setdefault(OTHER, [])
    fragments = sorted(folder.glob("*.md"), key=lambda path: (int(path.name.partition(".")[0]), path.name))
    for path in fragments:
        first, *named = re.split(r"^### (.+)\n", path.read_text(), flags=re.MULTILINE)
        for topic, entries in zip((OTHER, *named[::2]), (first, *named[1::2]), strict=True):
            if entries.strip():
                topics.setdefault(topic, []).append(entries.strip())
    parts = [f"### {topic}\n" + "\n".join(entries) for topic, entries in topics.items() if entries]
    head, mark, rest = text.partition("\n## ")
    changelog.write_text(head + "\n" + "\n\n".join([f"## {version}", *parts]) + "\n" + mark + rest)
    for path in fragments:
        path.unlink()
    return fragments


if __name__ == "__main__":
    here = Path(__file__).parent
    print(len(collect(sys.argv[1], here, here.parent / "CHANGELOG.md")), "fragments moved to CHANGELOG.md")
