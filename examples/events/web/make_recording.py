"""Writes recording.json: some 95 actions of a customer, in the format of the Recorder of Chrome's DevTools."""

import json
from pathlib import Path

URL = "http://localhost:8000/index.html"
steps: list[dict[str, object]] = [
    {"type": "setViewport", "width": 1000, "height": 700, "deviceScaleFactor": 1, "isMobile": False, "hasTouch": False,
     "isLandscape": False},
    {"type": "navigate", "url": URL, "assertedEvents": [{"type": "navigation", "url": URL, "title": "Small shop"}]},
]  # fmt: skip


def act(kind: str, selector: str, **more: object) -> None:
    name = selector.lstrip("#")
    steps.append({"type": kind, "target": "main", "selectors": [[selector], [f"xpath///*[@id='{name}']"]], **more})


def click(selector: str) -> None:
    act("click", selector, offsetX=6, offsetY=8)


def keys(text: str) -> None:
    for key in text:
        steps.extend({"type": kind, "target": "main", "key": key} for kind in ("keyDown", "keyUp"))


def change(selector: str, value: str) -> None:
    act("change", selector, value=value)


click("#search")
keys("lamp")
click("#add-3")
change("#search", "")
change("#sort", "price")
for article in (0, 5, 2, 7):
    act("hover", f"#add-{article}")
    click(f"#add-{article}")
change("#count-5", "3")
click("#note")
keys("please")
change("#note", "please ring")
click("#gift")
change("#gift-name", "Ada")
click("#gift-wrap")
click("#gift-ok")
click("#coupon")
change("#coupon-code", "HALF")
click("#coupon-cancel")
click("#remove-0")
change("#sort", "name")
click("#search")
keys("in")
click("#add-1")
change("#search", "")
click("#add-7")
steps.append({"type": "scroll", "target": "main", "x": 0, "y": 120})
click("#coupon")
click("#coupon-code")
keys("te")
change("#coupon-code", "TENTH")
click("#coupon-ok")
steps.append({"type": "scroll", "target": "main", "x": 0, "y": 0})
change("#count-2", "2")
click("#add-4")
click("#gift")
change("#gift-name", "Grace")
click("#gift-wrap")
click("#gift-ok")
click("#note")
keys("thanks")
change("#note", "please ring, thanks")
click("#add-6")
click("#remove-6")
change("#count-5", "1")
click("#search")
keys("pap")
change("#search", "")
act("hover", "#add-5")
click("#remove-4")
click("#remove-1")
click("#remove-7")
document = {"title": "A customer", "steps": steps}
Path(__file__).with_name("recording.json").write_text(json.dumps(document, indent=2) + "\n")
print(len(steps) - 2, "actions")
