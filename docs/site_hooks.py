"""What the site needs beyond Markdown: pages for the files of the repository that the docs point to, and the decisions.

Pages link to sources and tests by relative paths (`../src/wynot/search/lists/dd.py`), which work in a checkout. In the
site each such file has a page of its own, so that no link leaves it and it can be read offline.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

_LINK = re.compile(r"(?<=\]\()(?P<path>\.\./[^)\s#]+)(?P<anchor>#[^)\s]*)?(?=\))")
_FENCE = "`" * 6
_LANGUAGES = {
    ".py": "python",
    ".sh": "sh",
    ".yml": "yaml",
    ".toml": "toml",
    ".json": "json",
    ".md": "markdown",
    ".c": "c",
}
_HEAD = "---\nsearch:\n  exclude: true\n---\n"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put every decision into the navigation, after their index."""
    decisions = sorted(Path(config.docs_dir, "decisions").glob("*.md"), key=lambda path: (path.stem != "index", path))
    for entry in config.nav or []:
        if "Design" in entry:
            entry["Design"].append({"Decisions": [f"decisions/{path.name}" for path in decisions]})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each file or folder outside of the docs that a page points to."""
    from mkdocs.structure.files import File  # noqa: PLC0415 - only while a site is built

    targets = {
        target
        for file in files.documentation_pages()
        for match in _LINK.finditer(file.content_string)
        if (target := _target(match["path"], file.src_uri, config)) is not None
    }
    for target in sorted(targets):
        files.append(File.generated(config, _uri(target, config), content=_HEAD + _text(target, config)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - by name
    """Let links to files of the repository lead to their pages."""
    here = page.file.src_uri
    if here.startswith("source/"):
        return markdown

    def led(match: re.Match[str]) -> str:
        target = _target(match["path"], here, config)
        if target is None:
            return match[0]
        return os.path.relpath(_uri(target, config), Path(here).parent) + (match["anchor"] or "")

    return _LINK.sub(led, markdown)


def _root(config: MkDocsConfig) -> Path:
    return Path(config.config_file_path or ".").resolve().parent


def _target(link: str, page: str, config: MkDocsConfig) -> Path | None:
    """The file or folder of the repository, outside of the docs, that a link of a page means."""
    docs = Path(config.docs_dir).resolve()
    target = (docs / page).parent.joinpath(link).resolve()
    inside = target.is_relative_to(_root(config)) and not target.is_relative_to(docs)
    return target if inside and target.exists() else None


def _uri(target: Path, config: MkDocsConfig) -> str:
    name = target.relative_to(_root(config)).as_posix()
    return f"source/{name}/index.md" if target.is_dir() else f"source/{name}.md"


def _text(target: Path, config: MkDocsConfig) -> str:
    title = f"# {target.relative_to(_root(config)).as_posix()}\n\n"
    if target.is_file():
        return f"{title}{_FENCE}{_LANGUAGES.get(target.suffix, 'text')}\n{target.read_text()}\n{_FENCE}\n"
    names = sorted(
        f"{path.name}/" if path.is_dir() else path.name for path in target.iterdir() if path.name[0] not in "_."
    )
    return title + "".join(f"- `{name}`\n" for name in names)
