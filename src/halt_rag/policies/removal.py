"""Takes claims out of a text and leaves it readable: no empty list items, broken code or orphaned table rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from halt_rag.verify.result import Claim

_FENCE = re.compile(r"(?:```|~~~)")
#: What stands before the words of a line: quote marks, then the bullet or number of a list item.
_BEFORE = re.compile(r"[ \t]*(?:>[ \t]?)*(?P<item>[-*+•–‣◦▪●][ \t]+|\(?(?:\d{1,3}[.)]|[A-Za-z]\))[ \t]+)?")
_RULE_ROW = re.compile(r"[ \t]*\|?[ \t]*:?-+[-:| \t]*$")


def to_drop(claims: Sequence[Claim], *, undetermined: bool) -> tuple[list[Claim], bool]:
    """The claims that a text must lose, and whether a checked claim is left then.

    Args:
        claims: The claims of a text, in order.
        undetermined: Whether claims of which it could not be told are dropped, too.

    Returns:
        Those that are unfaithful or partial, undetermined ones if asked for, and each fenced code block that holds
        one of them, whole: code without some of its lines is other code.
    """
    bad = {"unfaithful", "partial", None} if undetermined else {"unfaithful", "partial"}
    drop = {i for i, claim in enumerate(claims) if claim.label in bad}
    for block in _code_blocks(claims):
        if drop.intersection(block):
            drop.update(block)
    left = any(claim.label != "NA" for i, claim in enumerate(claims) if i not in drop)
    return [claims[i] for i in sorted(drop)], left


def _code_blocks(claims: Sequence[Claim]) -> Iterator[range]:
    """The positions of the claims of each fenced code block, its fences included."""
    start: int | None = None
    for i, claim in enumerate(claims):
        if not _FENCE.match(claim.text):
            continue
        if start is None:
            start = i
        else:
            yield range(start, i + 1)
            start = None
    if start is not None:
        yield range(start, len(claims))


def without(text: str, dropped: Sequence[Claim]) -> str:
    """A text without some of its claims.

    What remains stays as it is, except that lines with nothing left disappear, the bullet of a list item goes to what
    is left of it, and a table's rule goes with its header. Nothing is put in.

    Args:
        text: The generated text.
        dropped: Claims of its verification, in order.
    """
    out: list[str] = []
    carried = ""  # The bullet of an item whose first line is gone.
    gone = False  # Whether the line before disappeared.
    for line, cuts in _lines_with_cuts(text, dropped):
        body = line.rstrip("\r\n")
        end = line[len(body) :]
        marker = _BEFORE.match(body)
        before = marker[0] if marker else ""
        own_item = bool(marker and marker["item"])
        if gone and not cuts and (_RULE_ROW.match(body) if "-" in body else _doubles_blank(body, out)):
            continue
        if not cuts:
            out.append(_carry(carried, body, own_item=own_item) + end)
            carried, gone = "", False
            continue
        kept = _kept(body, len(before), cuts)
        if kept:
            out.append((before if own_item or not carried else carried) + kept + end)
            carried, gone = "", False
        else:
            carried, gone = (before if own_item else carried), True
    return _ends_as(text, "".join(out))


def _lines_with_cuts(text: str, dropped: Sequence[Claim]) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Each line with the parts of it that go, as offsets in the line."""
    start, first = 0, 0
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        stop = start + len(line)
        while first < len(dropped) and dropped[first].end <= start:
            first += 1
        cuts = []
        at = first
        while at < len(dropped) and dropped[at].start < stop:
            cuts.append((max(0, dropped[at].start - start), min(len(line), dropped[at].end - start)))
            at += 1
        yield line, cuts
        start = stop


def _kept(body: str, begin: int, cuts: Sequence[tuple[int, int]]) -> str:
    """What is left of a line from ``begin`` on; words that were apart stay apart."""
    kept, at = "", begin
    for start, end in [*cuts, (len(body), len(body))]:
        part = body[at : max(at, start)]
        joined = kept and (kept[-1:].isspace() or body[at - 1 : at + 1].strip() != body[at - 1 : at + 1])
        kept = f"{kept.rstrip()} {part.lstrip()}" if joined and part.strip() else kept + part
        at = max(at, end)
    return kept.strip()


def _doubles_blank(body: str, out: Sequence[str]) -> bool:
    return not body.strip() and (not out or not out[-1].strip())


def _carry(carried: str, body: str, *, own_item: bool) -> str:
    return carried + body.lstrip() if carried and body.strip() and not own_item else body


def _ends_as(text: str, left: str) -> str:
    """Without the blank lines at the end that the text did not have."""
    end = text[len(text.rstrip()) :]
    return left.rstrip() + end
