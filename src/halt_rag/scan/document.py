"""What a rule sees of a file: its text, its parts, and views in which everything else is blanked."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from halt_rag.errors import InputError
from halt_rag.scan import rst
from halt_rag.scan.comments import comments_of
from halt_rag.scan.languages import Kind, kind_of, language_of
from halt_rag.text import markdown
from halt_rag.text.markdown import CodeBlock, Layout, Link, blanked, code_block
from halt_rag.text.spans import LineIndex, Span, united

if TYPE_CHECKING:
    from collections.abc import Iterator

_URL = re.compile(r"\b(?:https?|ftp)://[^\s<>\"`|\\^{}\[\]]+")
_PARAGRAPH = re.compile(r"[^\r\n]*\S[^\r\n]*(?:(?:\r\n|\n|\r)[^\r\n]*\S[^\r\n]*)*")
_MARKED = re.compile(r"``[^`\r\n]+``|`[^`\r\n]+`")
_PROMPT = re.compile(r"(?:>>>|\.\.\.)(?: |$)")
_FRONT_LIMIT = 65_536  # Code points of front matter that are read as YAML.


class Document:
    """One file, read once for all rules. All places are code-point spans of ``text``.

    Attributes:
        path: Where it is, from the root, with forward slashes.
        text: Its text without a byte order mark.
        kind: How it is read: ``markdown``, ``text``, ``code``, ``data`` or ``rst``.
        lines: Its lines.
        layout: Where its parts are.
    """

    def __init__(self, path: str, text: str, *, content_type: str | None = None) -> None:
        self.path = path
        self.text = text.removeprefix("\ufeff")
        self.content_type = content_type
        self.kind: Kind = kind_of(path, content_type)
        self.lines = LineIndex(self.text)
        self.layout: Layout = self._read()

    def _read(self) -> Layout:
        if self.kind == "markdown":
            return markdown.layout(self.text, self.lines)
        if self.kind == "rst":
            return rst.layout(self.text, self.lines)
        found = Layout(blocks=[Span(*match.span()) for match in _PARAGRAPH.finditer(self.text)])
        found.urls = [Span(*match.span()) for match in _URL.finditer(self.text)]
        if self.kind == "code":
            language = self.path.rsplit(".", 1)[-1].lower()
            found.comments = comments_of(self.text, language_of(language))
            for comment in found.comments:
                inside = _MARKED.finditer(self.text, comment.start, comment.end)
                found.hidden += [Span(*code.span()) for code in inside]
            spans = [self.lines.span(number) for number in range(1, self.lines.count + 1)]
            found.code = [code_block(language, [(span.of(self.text), span.start) for span in spans])]
        elif self.kind == "data":
            found.data = [Span(0, len(self.text))]
        return found

    @cached_property
    def full(self) -> str:
        """Prose with addresses and link targets; the text of data and of comments is blanked."""
        if self.kind == "data":
            return blanked(self.text, [Span(0, len(self.text))])
        if self.kind == "code":
            return blanked(self._only(self.layout.comments), self.layout.hidden)
        return blanked(self.text, self.layout.hidden + self.layout.data)

    @cached_property
    def prose(self) -> str:
        """Prose without addresses and link targets. In code, what comments say."""
        return blanked(self.full, self.layout.urls)

    @cached_property
    def references(self) -> str:
        """Prose and data without addresses: where ids and paths are looked for."""
        return blanked(self.everything, self.layout.urls)

    @cached_property
    def everything(self) -> str:
        """Prose and data, with addresses."""
        if self.kind == "code":
            return self.full
        return blanked(self.text, self.layout.hidden)

    @property
    def narrates(self) -> bool:
        """Whether it tells something in sentences, as code and data do not."""
        return self.kind in {"markdown", "text", "rst"}

    def _only(self, kept: list[Span]) -> str:
        gaps, done = [], 0
        for span in united(kept):
            gaps.append(Span(done, span.start))
            done = span.end
        return blanked(self.text, [*gaps, Span(done, len(self.text))])

    @cached_property
    def _blocks(self) -> tuple[list[int], list[Span]]:
        blocks = sorted(self.layout.blocks, key=lambda span: (span.start, -span.end))
        return [block.start for block in blocks], blocks

    def block(self, offset: int) -> Span:
        """The paragraph, item or row at a place; the line where there is none."""
        starts, blocks = self._blocks
        at = bisect_right(starts, offset) - 1
        if at >= 0 and offset <= blocks[at].end:
            return blocks[at]
        return self.lines.span(self.lines.position(offset)[0])

    def sentence(self, span: Span) -> Span:
        """The sentence around a place, cut at full stops, question marks and table bars inside its block."""
        block = self.block(span.start)
        return _sentence(self.full, block, span)

    def code(self, *languages: str) -> Iterator[CodeBlock]:
        """The blocks of code in these languages; Python prompts are taken off."""
        for block in self.layout.code:
            if language_of(block.language) in languages:
                yield without_prompts(block) if "python" in languages else block

    @cached_property
    def front_matter(self) -> dict[str, Any]:
        """The front matter; empty if there is none that can be read."""
        span = self.layout.front_matter
        if span is None or len(span) > _FRONT_LIMIT:
            return {}
        import yaml

        source = span.of(self.text)
        try:
            if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(source, yaml.SafeLoader)):
                return {}  # Aliases can unfold to any size.
            value = yaml.safe_load(source)
        except (yaml.YAMLError, ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}

    def links(self) -> list[Link]:
        """The links, in order."""
        return sorted(self.layout.links, key=lambda link: link.span)

    def excerpt(self, span: Span, limit: int = 200) -> str:
        """The line where the span begins, shortened around it to ``limit`` code points."""
        line = self.lines.span(self.lines.position(span.start)[0])
        if len(line) <= limit:
            return line.of(self.text).strip()
        start = max(line.start, span.start - limit // 3)
        return f"…{self.text[start : min(line.end, start + limit)].strip()}…"


_STOP = re.compile(r"[.!?;](?=\s|$)|\r?\n(?=\s*[-*+] )|\|")
_ABBREVIATION = re.compile(r"(?:\b(?:al|e\.g|i\.e|cf|vs|approx|ca|Fig|No|pp?|St|Dr|Mr|Mrs|Ms|Prof)|\b[A-Z])$")


def _sentence(text: str, block: Span, span: Span) -> Span:
    stops = _stops(text, block)
    before, after = bisect_right(stops, span.start), bisect_left(stops, span.end)
    start = stops[before - 1] if before else block.start
    end = stops[after] if after < len(stops) else block.end
    return Span(start, max(end, span.end))


@lru_cache(maxsize=256)
def _stops(text: str, block: Span) -> tuple[int, ...]:
    found = []
    for stop in _STOP.finditer(text, block.start, block.end):
        before = text[max(block.start, stop.start() - 8) : stop.start()]
        if stop[0] != "." or not _ABBREVIATION.search(before):
            found.append(stop.end())
    return tuple(found)


def without_prompts(block: CodeBlock) -> CodeBlock:
    """A session's input alone: lines behind ``>>>`` and ``...``; other blocks stay as they are."""
    if ">>> " not in block.code:
        return block
    placed = []
    for line, start in zip(block.code.split("\n"), block.starts, strict=False):
        prompt = _PROMPT.match(line)
        placed.append((line[prompt.end() :], start + prompt.end()) if prompt else ("", start))
    return code_block(block.language, placed)


def decoded(data: bytes, path: str) -> str:
    """The text of a file: UTF-8, or UTF-16 where a byte order mark says so.

    Raises:
        InputError: If it is binary or in another encoding.
    """
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        encoding = "utf-16"
    elif b"\0" in data[:8192]:
        raise InputError(f"{path} is not a text: it has zero bytes.")
    else:
        encoding = "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not {encoding.removesuffix('-sig').upper()}: byte {error.start}.") from error
