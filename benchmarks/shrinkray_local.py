"""shrinkray with grammars that come in a wheel, as those of tree-sitter-language-pack 0.13 do.

Later packs fetch each grammar from the network when it is first needed; without it shrinkray would lack its tree
passes. Run by shrinkray's own Python; where its pack is a later one nothing is changed.
"""

from __future__ import annotations

import importlib
from typing import Any

pack: Any = importlib.import_module("tree_sitter_language_pack")
if not hasattr(pack, "download"):
    languages: Any = importlib.import_module("shrinkray.passes.treesitter").EXTENSION_LANGUAGES
    pack.downloaded_languages = lambda: list(languages.values())
    pack.download = lambda _names: None

if __name__ == "__main__":
    importlib.import_module("shrinkray.__main__").main()
