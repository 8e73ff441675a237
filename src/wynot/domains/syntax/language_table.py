"""The table of languages: how their files are named, how they begin, and which wheel has their grammar."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LanguageEntry:
    """A language."""

    name: str
    names: tuple[str, ...]
    """Suffixes, and names of files that have none."""
    wheel: str = ""
    """Empty where the adapter needs none."""
    entry: str = "language"
    opening: str = ""
    """A regular expression for how files begin that have no telling name."""
    items: str = ""
    """A regular expression for the kinds of nodes that a file may consist of, where the grammar takes anything."""
    spare: str = ""
    """A kind of node that the grammar asks for, and the language does not."""
    unclosed: str = ""
    """A regular expression for the kinds of nodes that may stand in a row without what encloses them: to the grammar
    such a row is an error, to the language it is none."""
    reserved: str = ""
    """Words that the language does not take for names, and the grammar does; `(?i)` where case does not matter."""

    @property
    def module(self) -> str:
        """The module in the wheel."""
        return self.wheel.replace("-", "_")


_ITEMS = {
    "c": r"preproc_.*|function_definition|declaration|type_definition|linkage_specification|\w+_specifier|comment|;"
         r"|attribute\w*|expression_statement",
    "java": r"\w*(class|interface|enum|record|package|import|module|annotation\w*)_declaration|\w*comment|;",
    "go": r"(package|import|function|method|type|const|var)_\w+|comment|;|\n",
    "rust": r"\w+_item|\w+_declaration|macro_\w+|\w*comment|\w*attribute\w*|expression_statement|shebang|;",
}  # fmt: skip
"""These grammars take statements where only declarations may stand."""
_ITEMS["cpp"] = (
    _ITEMS["c"] + r"|namespace_\w+|using_\w+|template_\w+|static_assert_\w+|alias_\w+|concept_\w+|\w+_declaration"
)
_SPARE = {"html": "_implicit_end_tag"}
"""In HTML the end of the file ends all elements."""
_UNCLOSED = {"html": r"start_tag|self_closing_tag|element|script_element|style_element|text|entity|comment|doctype"}
"""In HTML a start tag needs no end tag."""

_C = """break case char const continue default do double else enum extern float for goto if int long
        register return short signed sizeof static struct switch typedef union unsigned void volatile while"""
_JAVASCRIPT = """break case catch class const continue debugger default delete do else export extends false finally
        for function if import in instanceof new null return super switch this throw true try typeof var
        void while with"""
_RESERVED = {
    "c": _C,
    "cpp": _C + """ bool catch class delete explicit false friend mutable namespace new private protected public
        template this throw true try typename using virtual""",
    "java": """abstract boolean break byte case catch char class continue default do double else enum extends final
        finally float for if implements import instanceof int interface long native new package private
        protected public return short static super switch synchronized this throw throws transient try void
        volatile while true false null""",
    "c-sharp": """abstract as base bool break byte case catch char checked class const continue decimal default
        delegate do double else enum event explicit extern false finally fixed float for foreach goto if
        implicit in int interface internal is lock long namespace new null object operator out override
        params private protected public readonly ref return sbyte sealed short sizeof stackalloc static
        string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual
        void volatile while""",
    "go": """break case chan const continue default defer else fallthrough for func go goto if import interface
        map package range return select struct switch type var""",
    "rust": """as break const continue else enum extern false fn for if impl in let loop match mod move mut pub ref
        return static struct trait true type unsafe use where while""",
    "python": """False None True and as assert break class continue def del elif else except finally for from global
        if import in is lambda nonlocal not or pass raise return try while with yield""",
    "javascript": _JAVASCRIPT,
    "typescript": _JAVASCRIPT,
    "tsx": _JAVASCRIPT,
    "lua": """and break do else elseif end false for function if in local nil not or repeat return then true until
        while""",
    "sql": """(?i:and as case create distinct else from group having in into not null on or order select set table
        then to union values when where)""",
    "kotlin": """as class do else false for fun if in interface is null object package return super this throw true
        try typealias val var when while""",
    "ruby": """and begin break case class def do else elsif end ensure false for if in module next nil not or redo
        rescue retry return self super then true undef unless until when while yield""",
    "scala": """abstract case catch class def do else extends false final finally for if implicit import lazy match
        new null object override package private protected return sealed super this throw trait true try
        type val var while with yield""",
    "solidity": """abstract address anonymous as assembly bool break case catch constant continue contract default
        delete do else enum event external false final for function if import interface internal is let
        library mapping match memory modifier new null override payable pragma private public pure return
        returns storage string struct switch throw true try type typeof using var view virtual while""",
    "swift": """as break case catch class continue default defer deinit do else enum extension fallthrough false
        fileprivate for func guard if import in init inout internal is let nil operator private protocol
        public repeat rethrows return static struct subscript super switch throw throws true try typealias
        var where while""",
    "zig": """align and asm break catch comptime const continue defer else enum errdefer error export extern fn
        for if inline noalias or orelse packed pub resume return struct suspend switch test threadlocal try
        union unreachable usingnamespace var volatile while""",
}  # fmt: skip
"""Only words that are reserved in each dialect, and wherever they stand."""


def _g(name: str, names: str, wheel: str = "", entry: str = "language", opening: str = "") -> LanguageEntry:
    wheel = f"tree-sitter-{wheel or name}"
    own = (table.get(name, "") for table in (_ITEMS, _SPARE, _UNCLOSED, _RESERVED))
    return LanguageEntry(name, tuple(names.split()), wheel, entry, opening, *own)


def _own(name: str, names: str = "", opening: str = "") -> LanguageEntry:
    return LanguageEntry(name, tuple(names.split()), opening=opening)


_MARKUP = r"(\s|<!--[\s\S]*?-->)*+"
_NAME = r"[a-z_][\w:.-]*"
_HTML_TAG = r"(html|head|body|title|div|span|p|h[1-6]|a|ul|ol|table|form|script|style|link|meta|img)"
_JSON_VALUE = r'("([^"\\\n]|\\.)*"|-?\d+(\.\d+)?([eE][-+]?\d+)?|true|false|null)'
_LISP_WORD = r"(set-(logic|info|option)|declare-|define\b|define-|assert\b|module\b|defun\b|ns\b|require\b)"

GRAMMARS = (
    _g("c", ".c .h .i"),
    _g("cpp", ".cpp .cc .cxx .c++ .C .hpp .hh .hxx .h++ .H .ipp .ii .inl .tcc .cu .cuh .ino"),
    _g("python", ".py .pyi .pyw .bzl .star BUILD BUILD.bazel WORKSPACE SConstruct SConscript wscript",
       opening=r"#!.*(python|pypy)"),
    _g("javascript", ".js .mjs .cjs .jsx", opening=r"#!.*\bnode"),
    _g("typescript", ".ts .mts .cts", entry="language_typescript", opening=r"#!.*\b(deno|bun|ts-node|tsx)\b"),
    _g("tsx", ".tsx", "typescript", "language_tsx"),
    _g("java", ".java", opening=r"#!.*\bjava\b"),
    _g("rust", ".rs", opening=r"#!.*\b(cargo|rust-script)\b|#!\["),
    _g("go", ".go", opening=r"package \w+\s*\n\s*(import|func|type|var|const|//)"),
    _g("json", ".json .geojson .ipynb .webmanifest .jsonc .har .avsc .sarif composer.lock Pipfile.lock .babelrc",
       opening=rf"\s*(\{{\s*(\}}|\"([^\"\\\n]|\\.)*\"\s*:)|\[\s*(\]|\[|\{{\s*[\"}}]|{_JSON_VALUE}\s*[,\]]))"),
    _g("php", ".php .phtml .php5 .php7", "php", "language_php", r"(#!.*\n)?\s*<\?php"),
    _g("xml", ".xml .svg .xsl .xslt .xsd .xhtml .rss .atom .xul .plist .wsdl .kml .gpx .xaml .csproj .vcxproj",
       "xml", "language_xml", rf"(?i){_MARKUP}<(\?xml|!doctype(?! html)|svg\b|(?!html\b){_NAME}\s[^<>]*\bxmlns)"),
    _g("html", ".html .htm .xht .shtml", opening=rf"(?i){_MARKUP}<(!doctype html|{_HTML_TAG})\b"),
    _g("css", ".css", opening=r"@charset\b"),
    _g("sql", ".sql .ddl", opening=r"(?i)(\s|--[^\n]*\n)*+(create (table|view|database)|insert into|drop table)\s"),
    _g("bash", ".sh .bash .ksh .zsh .bats .ebuild .bashrc .bash_profile .bash_aliases .bash_logout .profile .zshrc "
       ".zshenv .zprofile .kshrc PKGBUILD APKBUILD", opening=r"#!.*\b(ba|da|a|k|z)?sh\b"),
    _g("yaml", ".yaml .yml .clang-format .clang-tidy .clangd", opening=r"%YAML|---[ \t]*\r?\n"),
    _g("solidity", ".sol", opening=r"(\s|//[^\n]*\n)*+pragma solidity\b"),
    _g("c-sharp", ".cs .csx"),
    _g("ruby", ".rb .rake .gemspec .ru Gemfile Rakefile Vagrantfile Podfile Fastfile Guardfile Brewfile .irbrc",
       opening=r"#!.*\bruby"),
    _g("lua", ".lua .rockspec", opening=r"#!.*\blua"),
    _g("kotlin", ".kt .kts", opening=r"#!.*\bkotlin"),
    _g("scala", ".scala .sc .sbt", opening=r"#!.*\bscala"),
    _g("haskell", ".hs .hs-boot", opening=r"#!.*\b(runghc|runhaskell|stack)\b|\{-#\s*LANGUAGE\b"),
    _g("ocaml", ".ml", "ocaml", "language_ocaml", r"#!.*\bocaml"),
    _g("ocaml-interface", ".mli", "ocaml", "language_ocaml_interface"),
    _g("swift", ".swift", opening=r"#!.*\bswift"),
    _g("zig", ".zig .zon"),
    _g("fortran", ".f90 .f95 .f03 .f08 .f .for .f77 .ftn"),
    _g("toml", ".toml Cargo.lock poetry.lock uv.lock Pipfile"),
    _g("markdown", ".md .markdown .mkd .mdown"),
    _own("sexpr", ".smt2 .smt .lisp .lsp .el .scm .sld .rkt .clj .cljs .cljc .edn .wat .wast .sexp .emacs",
         rf"#!.*\b(guile|racket|sbcl|clisp|emacs|clojure|bb)\b|(\s|;[^\n]*\n)*+\({_LISP_WORD}"),
    _own("outline", ".pyx .pxd .pxi"),
)  # fmt: skip
