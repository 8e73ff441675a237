"""The report as one HTML page: no request, no script but ours, and nothing of an input that a browser would obey.

All text is escaped by the template engine; the policy in the page's head allows just the one script and the one style
sheet whose hashes it names.
"""

from __future__ import annotations

import base64
import shlex
from difflib import SequenceMatcher
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from wynot.core.artifact import Laid
from wynot.core.text import counted
from wynot.report.page.charts import TreePair, bullets, chart, trees
from wynot.report.page.page_text import MOST, text_of, trace_table
from wynot.report.page.report_data import ReportData
from wynot.report.page.report_markdown import bug_report
from wynot.report.patch_text import PatchLine

HERE = Path(__file__).parent
GROUPS = 300
"""Rows of a tree of groups that are shown."""
LONG = 400
"""Characters of a label."""
_STYLES = {"green": "add", "red": "del", "bold": "head", "magenta": "at"}


def as_html(page: ReportData) -> str:
    """The page."""
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    style, script = ((HERE / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    return environment.get_template("page.html.jinja").render(
        page=page,
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        style_hash=_hash(style),
        script_hash=_hash(script),
        **_parts(page),
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(sha256(text.encode()).digest()).decode()


def _parts(page: ReportData) -> dict[str, Any]:
    view, kind = page.view, page.run.kind
    cuts = page.laid_over() if kind in {"reduce", "events"} else []
    groups = view.get("groups", [])
    shown = [[*row[:2], str(row[2])[:LONG], *row[3:]] for row in groups if row[4] or row[0] <= 2][:GROUPS]
    first = page.results[0] if page.results else None
    return {
        "figures": _figures(page),
        "chart": chart(page.run, page.steps),
        "sides": _sides(page),
        "results": _results(page) if kind == "reduce" else [],
        "cuts": cuts,
        "anew": any(piece.how == "new" for piece in cuts),
        "patches": [
            (head, [(line.text, _STYLES.get(line.style, "same")) for line in _few(lines)])
            for head, lines in page.patches()
        ],
        "commits": _commits(view),
        "groups": shown if len(groups) > 1 else [],
        "groups_left": len(groups) - len(shown),
        "causes": view.get("causes", []) if kind == "options" else [],
        "actions": [str(name)[:LONG] for name in view.get("names", [])[:GROUPS]] if kind == "events" else [],
        "trace": trace_table(page.parts) if kind == "trace" else None,
        "trees": _trees(page, first),
        "bullets": bullets(page.steps),
        "rows": page.rows(),
        "repeat": _repeat(page),
        "bug": bug_report(page),
    }


def _results(page: ReportData) -> list[tuple[int, str]]:
    """The causes that were found, and no more of them than a page holds."""
    most = MOST // max(1, len(page.results))
    return [(number, _begun(text_of(each), most)) for number, each in enumerate(page.results, 1)]


def _begun(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}\n… {len(text) - most:,} more characters are not shown"


def _few(lines: list[PatchLine]) -> list[PatchLine]:
    """The first lines of a patch."""
    shown: list[PatchLine] = []
    left = MOST // 2
    for line in lines:
        left -= len(line.text)
        if left < 0:
            return [*shown, PatchLine("… the rest is not shown", "dim")]
        shown.append(line)
    return shown


def _trees(page: ReportData, result: Laid | None) -> TreePair | None:
    if page.run.kind != "reduce":
        return None
    return trees(str(page.facts.get("name", "")), page.facts.get("language"), page.original, result)


def _figures(page: ReportData) -> list[tuple[str, str]]:
    facts = page.facts
    found = []
    if "before" in facts:
        unit = facts["unit"]
        if page.run.kind == "isolate":
            found.append((f"{page.view.get('deltas', '?')}", f"of the {facts.get('atoms') or 'atoms'}: the difference"))
        else:
            found.append((f"{facts['before']:,} → {facts['after']:,}", unit))
    tests = int(facts.get("tests", page.run.tests))
    found.append((f"{tests:,}", counted(tests, "test").split()[1]))
    if "wall" in facts:
        found.append((f"{facts['wall']:.1f} s", "in all"))
    looked_for = dict(page.rows()).get("failure")
    if looked_for:
        found.append((looked_for if len(looked_for) < 240 else looked_for[:239] + "…", "what counts as the failure"))
    return found


def _sides(page: ReportData) -> list[tuple[str, list[tuple[str, bool]], str]]:
    """The passing and the failing input; what only one of them has is marked (2002, figure 3)."""
    found = [page.run.content(side) for side in ("passing", "failing")] if page.run.kind == "isolate" else []
    if len(found) != 2 or not all(isinstance(each, bytes) for each in found):
        return []
    texts = [text_of(each)[: MOST // 2] for each in found if each is not None]
    parts = _apart(texts[0], texts[1])
    return [("Passes", parts[0], "onlypass"), ("Fails", parts[1], "onlyfail")]


def _apart(one: str, other: str) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Both texts in stretches, with whether only one has them."""
    head = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest = min(len(one), len(other)) - head
    tail = next((n for n in range(rest) if one[-1 - n] != other[-1 - n]), rest)
    middle = one[head : len(one) - tail], other[head : len(other) - tail]
    if max(map(len, middle)) > 20_000:
        codes: list[tuple[str, int, int, int, int]] = [("replace", 0, len(middle[0]), 0, len(middle[1]))]
    else:
        codes = list(SequenceMatcher(None, *middle, autojunk=False).get_opcodes())
    sides: tuple[list[tuple[str, bool]], list[tuple[str, bool]]] = ([(one[:head], False)], [(other[:head], False)])
    for kind, a, b, c, d in codes:
        sides[0].append((middle[0][a:b], kind != "equal"))
        sides[1].append((middle[1][c:d], kind != "equal"))
    for side, text in zip(sides, (one, other), strict=True):
        side.append((text[len(text) - tail :], False))
    return sides


def _commits(view: dict[str, Any]) -> list[dict[str, str]]:
    named = view.get("suspects") or [
        *view.get("breaks", {}).get("commits", []),
        *view.get("repairs", {}).get("commits", []),
    ]
    return list({each["sha"]: each for each in named}.values())


def _repeat(page: ReportData) -> str:
    lines = [f"cd {shlex.quote(str(page.facts['cwd']))} && {page.command}"] if page.run.argv else []
    if page.by_hand:
        lines += ["", "# by hand", page.by_hand]
    return "\n".join(lines)
