"""A verification for people: the text with its claims marked in place, and the evidence below."""

from __future__ import annotations

import io
import unicodedata

from rich.console import Console
from rich.text import Text

from halt_rag.verify.result import Claim, Verification

_STYLE = {"faithful": "green", "partial": "yellow", "unfaithful": "red", "NA": "dim", None: "magenta"}
_MARK = {"faithful": "✓", "partial": "~", "unfaithful": "✗", "NA": "·", None: "?"}
_DECISION = {"supported": "bold green", "hallucinated": "bold red", "abstain": "bold magenta"}
_WHY = {
    "contradicted": "the sources contradict it",
    "unsupported": "nothing in the sources supports it",
    "uncertain": "too near the threshold to decide",
    "not_read": "no support was found in what was read, and not all was read",
    "language": "the model is not competent in its language or that of the sources",
    "near_threshold": "too near the threshold to decide",
    "disagreement": "the task's model of whole texts and the claims disagree",
}
_KIND = {"supports": "supported by", "contradicts": "contradicted by", "nearest": "nearest"}
#: What is said of a quantity that the sources do not bear out.
_AMISS = {"contradicted": "another quantity stands there for", "absent": "no source has the quantity"}
_LONGEST_QUOTE = 300


def shown(text: str) -> str:
    """A text that is safe on a terminal: control characters, which could rewrite what is shown, become visible."""
    lines = text.replace("\r\n", "\n")
    return "".join(c if c in "\n\t\u200c\u200d" or unicodedata.category(c) not in {"Cc", "Cf"} else "�" for c in lines)


def _in_line(text: str) -> str:
    """The same in one line."""
    return " ".join(shown(text).split())


def print_result(result: Verification, generated: str) -> None:
    """Prints a result to standard output, in colour where that is a terminal."""
    _print(Console(soft_wrap=True, highlight=False, emoji=False), result, generated)


def plain_result(result: Verification, generated: str) -> str:
    """The same as plain text."""
    buffer = io.StringIO()
    _print(Console(file=buffer, soft_wrap=True, highlight=False, emoji=False, color_system=None), result, generated)
    return buffer.getvalue()


def _print(console: Console, result: Verification, generated: str) -> None:
    console.print(_headline(result))
    console.print()
    console.print(_marked(result, generated))
    for number, claim in enumerate(result.claims, 1):
        if claim.label != "NA":
            console.print()
            console.print(_claim(number, claim))
    console.print()
    console.print(_receipt(result), style="dim")


def _headline(result: Verification) -> Text:
    line = Text(result.decision, style=_DECISION[result.decision])
    if result.calibrated_prob is None:
        line.append("  nothing to check" if result.decision == "supported" else "  no probability")
    else:
        line.append(f"  P(hallucinated) {result.calibrated_prob:.2f}, threshold {result.threshold:.2f}")
    if not result.model.calibrated:
        line.append("  (not calibrated)")
    if result.abstain_reason:
        line.append(f"  {_WHY[result.abstain_reason]}")
    return line


def _marked(result: Verification, generated: str) -> Text:
    """The generated text, each claim followed by its mark and number."""
    marked, last = Text(), 0
    for number, claim in enumerate(result.claims, 1):
        style = _STYLE[claim.label]
        marked.append(shown(generated[last : claim.start]))
        marked.append(shown(generated[claim.start : claim.end]), style=style)
        marked.append(f" [{_MARK[claim.label]}{number}]" if claim.label != "NA" else "", style=f"bold {style}")
        last = claim.end
    marked.append(shown(generated[last:]))
    return marked


def _claim(number: int, claim: Claim) -> Text:
    style = _STYLE[claim.label]
    text = Text(f"{_MARK[claim.label]}{number} {claim.label or 'undetermined'}", style=style)
    if claim.p_hallucinated is not None:
        text.append(f"  P(hallucinated) {claim.p_hallucinated:.2f}")
    if claim.reason:
        text.append(f"  {_WHY[claim.reason]}")
    if claim.conflict:
        text.append("  the passages are in conflict")
    for evidence in claim.evidence:
        quote = _in_line(evidence.text)
        if len(quote) > _LONGEST_QUOTE:
            quote = quote[: _LONGEST_QUOTE - 1] + "…"
        place = f"{_in_line(evidence.passage_id)}:{evidence.start}-{evidence.end}"
        text.append(f"\n   {_KIND[evidence.kind]} [{place}] ", style="dim")
        text.append(f"“{quote}”")
    for part in claim.parts:
        text.append(f"\n   {'holds' if part.label == 'faithful' else 'does not hold'}: ", style="dim")
        text.append(f"“{_in_line(part.text)}”")
    for found in claim.quantities:
        if found.status in _AMISS:
            text.append(f"\n   {_AMISS[found.status]} ", style="dim")
            text.append(f"“{_in_line(found.text)}”")
    return text


def _receipt(result: Verification) -> str:
    receipt, model = result.receipt, result.model
    passages = f"{receipt.passages} passage{'s' if receipt.passages != 1 else ''}"
    read = f"read {receipt.source_tokens_read} of {receipt.source_tokens_total} source tokens in {passages}"
    cached = f", {receipt.cache_hits} from cache" if receipt.cache_hits else ""
    left = "; NOT ALL WAS READ" if receipt.truncated else ""
    asked = [model, *(after for after, pairs in zip(result.cascade, receipt.pairs_by_tier[1:], strict=False) if pairs)]
    models = ", then ".join(f"{one.model_id} {one.revision}" for one in asked)
    return f"{read}; {receipt.pairs_scored} pairs scored{cached}{left}; {models}"
