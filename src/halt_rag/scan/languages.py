"""File names and fence labels: what kind of document they stand for, and how comments look in a language."""

from __future__ import annotations

from typing import Literal

Kind = Literal["markdown", "text", "code", "data", "rst"]

_MARKDOWN = frozenset({"md", "markdown", "mdx", "mkd", "mdown", "qmd", "rmd"})
_TEXT = frozenset({"txt", "text", "adoc", "asciidoc", "org", "tex", "log", ""})
_DATA = frozenset({"json", "jsonc", "yaml", "yml", "toml", "bib", "csv", "tsv", "ini", "cfg"})
_LANGUAGE = {
    "py": "python", "pyi": "python", "python": "python", "python3": "python", "py3": "python", "pycon": "python",
    "js": "javascript", "mjs": "javascript", "cjs": "javascript", "jsx": "javascript", "javascript": "javascript",
    "ts": "typescript", "mts": "typescript", "cts": "typescript", "typescript": "typescript", "tsx": "tsx",
    "java": "java", "kt": "kotlin", "kts": "kotlin", "scala": "scala", "go": "go", "rs": "rust", "c": "c", "h": "c",
    "cc": "c", "cpp": "c", "hpp": "c", "cs": "csharp", "swift": "swift", "dart": "dart", "php": "php",
    "css": "css", "scss": "scss", "less": "scss", "rb": "ruby", "sh": "shell", "bash": "shell", "zsh": "shell",
    "r": "r", "pl": "perl", "ex": "elixir", "exs": "elixir", "jl": "julia", "sql": "sql", "lua": "lua",
    "hs": "haskell", "html": "html", "xml": "html", "vue": "html", "svelte": "html", "tf": "shell",
}  # fmt: skip
_C_LIKE = "javascript typescript tsx java kotlin scala go rust c csharp swift dart php scss".split()
_HASH = "python ruby shell r perl elixir julia php".split()

LINE_COMMENT: dict[str, tuple[str, ...]] = dict.fromkeys(_C_LIKE, ("//",))
"""What opens a comment that ends with its line, by language."""
for _name in _HASH:
    LINE_COMMENT[_name] = (*LINE_COMMENT.get(_name, ()), "#")
LINE_COMMENT |= {"sql": ("--",), "lua": ("--",), "haskell": ("--",)}

BLOCK_COMMENT: dict[str, tuple[str, str]] = dict.fromkeys((*_C_LIKE, "css", "sql"), ("/*", "*/"))
"""What opens and closes a comment of several lines, by language."""
BLOCK_COMMENT |= {"html": ("<!--", "-->"), "lua": ("--[[", "]]"), "haskell": ("{-", "-}")}


def language_of(label: str) -> str:
    """The language that a fence label or a file suffix (without its dot) names; empty if it is not known."""
    return _LANGUAGE.get(label.lower(), "")


def kind_of(path: str, content_type: str | None = None) -> Kind:
    """How a file is read, from its name and, where the name says nothing, its content type."""
    name = path.rsplit("/", 1)[-1]
    suffix = name.rsplit(".", 1)[-1].lower() if "." in name else ""
    if suffix in _MARKDOWN:
        return "markdown"
    if suffix in {"rst", "rest"}:
        return "rst"
    if suffix in _DATA:
        return "data"
    if language_of(suffix):
        return "code"
    if suffix in _TEXT and content_type in {None, "text"}:
        return "text"
    return "code" if content_type in {"code", "test"} else "markdown" if content_type else "text"


def is_readable_name(path: str) -> bool:
    """Whether the scan reads files with such a name when it walks a folder."""
    name = path.rsplit("/", 1)[-1]
    suffix = name.rsplit(".", 1)[-1].lower() if "." in name else ""
    if not suffix:
        return name.upper() in {"README", "CHANGELOG", "CHANGES", "NEWS", "CONTRIBUTING", "AUTHORS", "HISTORY"}
    return suffix in _MARKDOWN | _TEXT | _DATA | {"rst", "rest"} or bool(language_of(suffix))
