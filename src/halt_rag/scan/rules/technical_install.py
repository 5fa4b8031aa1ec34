"""An install command for a package that does not exist.

## What it does
Reads ``pip install``, ``uv add``, ``poetry add``, ``pipx install``, ``npm install``, ``npx``, ``yarn add`` and
``pnpm add`` in prose, inline code, shell blocks and comments, and looks the packages up. npm names are those of the
``npm`` list of the package index; Python distributions those of its ``pypi`` list.

## Why is this bad?
The reader runs the command. Whoever has registered an invented name by then runs code on the reader's machine.

## Example
``pip install fastapi-jwt-ultra`` is reported if the package index lists distributions and this is none of them.

## Limits
Import names are not distribution names: with only the ``python`` list of importable names, a distribution can be
known to exist and never to be missing. Placeholders, paths, addresses, versions and options are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.modules import import_name, plain_name
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, abstained, verified
from halt_rag.text.markdown import blanked
from halt_rag.text.spans import Span

CHECK = "package_exists"
_COMMAND = re.compile(
    r"(?<![\w./-])(?:(?P<pypi>(?:pip3?|pipx|uv pip) install|uv add|uv tool install|poetry add|pdm add)"
    r"|(?P<npm>npm (?:install|i|add)|npx|yarn add|pnpm (?:add|install|i)|bun add))"
    r"(?P<rest>(?:[ \t]+(?:[^\s`\"'|;&<>(){}\[\]#,]|[<>]=?\d)+"
    r"|[ \t]+[\"'][^\s`\"'|;&(){}#]+[\"']|\[[\w,.-]{1,80}\](?:[=~!<>]=?[\w.*]+)?)+)"
)
_WORD = re.compile(r"[ \t]+[\"']?([^\s\"']+)[\"']?")
_PYTHON = re.compile(r"([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(?:\[[\w,.-]*\]?)?(?:[=~!<>@].*)?")
_NPM = re.compile(r"(@[a-z0-9~-][\w.~-]*/[a-z0-9~-][\w.~-]*|[a-z0-9~-][\w.~-]*)(?:@.*)?")
_TAKES_VALUE = frozenset(
    "-r --requirement -c --constraint -e --editable -i --index-url --extra-index-url -f --find-links -t --target "
    "--prefix --python -p --package --registry --group -G --extra --index -C --cwd --dir -w --workspace".split()
)
_PLACEHOLDER = re.compile(
    r"(?:[A-Z_]+|(?:some|my|your|the|a|another|example|package|pkg|module|library|plugin|name|foo|bar|baz|x|y)"
    r"(?:[-_](?:package|pkg|module|library|plugin|name|foo|bar|baz|x|y))*)\Z"
)


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per package."""
    if document.kind == "data":
        return
    text = blanked(document.text, document.layout.comments) if document.narrates else document.everything
    for match in _COMMAND.finditer(text):
        ecosystem = "pypi" if match["pypi"] else "npm"
        in_code = _is_code(document, match.start())
        for span, name in _packages(match, ecosystem, only_first=not in_code or match["npm"] == "npx"):
            yield _outcome(span, name, ecosystem, known)


def _is_code(document: Document, at: int) -> bool:
    """Whether a place is in code, where the whole command stands; prose goes on behind it."""
    return not document.narrates or any(span.start <= at < span.end for span in document.layout.hidden)


def _packages(match: re.Match[str], ecosystem: str, *, only_first: bool) -> Iterator[tuple[Span, str]]:
    pattern = _PYTHON if ecosystem == "pypi" else _NPM
    skip = False
    for word in _WORD.finditer(match["rest"]):
        written, was_value = word[1].rstrip(".,:;!?*"), skip
        skip = word[1] in _TAKES_VALUE
        if was_value or "://" in written or written.startswith(("-", ".", "/", "~", "$", "%")):
            continue
        name = pattern.fullmatch(written)
        if name is None or "..." in written or written.endswith((".whl", ".gz", ".zip", ".txt", ".toml")):
            return
        if not _PLACEHOLDER.match(name[1]):
            start = match.start("rest") + word.start(1)
            yield Span(start, start + len(name[1])), name[1]
        if only_first:
            return


def _outcome(span: Span, name: str, ecosystem: str, known: Knowledge) -> Outcome:
    packages = known.packages
    listed = packages.imports.get(ecosystem) if packages else None
    plain = plain_name(name) if ecosystem == "pypi" else name
    if listed is not None and plain in listed:
        return verified(span, CHECK)
    if packages and ecosystem == "pypi" and import_name(name) in packages.imports.get("python", ()):
        return verified(span, CHECK)
    if listed is None or packages is None or not packages.complete:
        only_imports = packages is not None and packages.complete and ecosystem == "pypi"
        return abstained(span, CHECK, "no_distribution_index" if only_imports else "no_package_index")
    return Outcome(
        span, CHECK, "detected", expected="A package of the index", actual=f"No package {name}",
        source="The package index", suggestion="Look the package up before anybody installs it.",
    )  # fmt: skip


RULE = Rule("HR405", "install", DetectionType.INVALID_API, Severity.HIGH, (CHECK,), "0.1.0", check)
