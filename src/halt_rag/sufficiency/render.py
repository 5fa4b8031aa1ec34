"""A diagnosis as text and as a plain SVG plot."""

from __future__ import annotations

from xml.sax.saxutils import escape

from halt_rag.sufficiency.diagnose import GENERATION, MEANING, DiagnosisReport, Share

_COLOURS: dict[str, str] = {
    "retrieval_failure": "#c2571a",
    "undetermined": "#9a9a9a",
    **dict.fromkeys(GENERATION, "#3566a8"),
}
_WIDTH, _ROW, _LABEL = 760, 26, 190
_LONGEST = 160


def text(report: DiagnosisReport) -> str:
    """The report for people."""
    lines = [f"{report.rows} rows", ""]
    lines += [f"{count:>6}  {kind:<21} {MEANING[kind]}" for kind, count in report.kinds.items() if count]  # type: ignore[index]
    lines += [
        "",
        f"retrieval failures   {_shown(report.retrieval)}",
        f"generation failures  {_shown(report.generation)}",
    ]
    lines += ["", f"Fix first: {report.fix_first}. {report.advice}"]
    for kind, examples in report.examples.items():
        lines += ["", f"{kind}:"]
        lines += [f"  {_line(one.id)}: {_line(one.question)} -> {_line(one.answer or '(none)')}" for one in examples]
    return "\n".join([*lines, "", *report.notes])


def _shown(share: Share) -> str:
    if share.low is None or share.high is None:
        return "none"
    return (
        f"{share.count} of {share.of} ({share.count / share.of:.0%}, 95% interval {share.low:.0%} to {share.high:.0%})"
    )


def _line(text: str) -> str:
    flat = "".join(char if char.isprintable() else " " for char in text)
    return flat if len(flat) <= _LONGEST else f"{flat[:_LONGEST]}… ({len(flat)} characters)"


def svg(report: DiagnosisReport) -> str:
    """A bar for each kind of row; failures of retrieval and of generation in different colours."""
    most = max([1, *report.kinds.values()])
    bars = []
    for at, (kind, count) in enumerate(report.kinds.items()):
        y, length = 44 + at * _ROW, (_WIDTH - _LABEL - 70) * count / most
        colour = _COLOURS.get(kind, "#5a8f5a")
        bars.append(
            f'<text x="{_LABEL - 8}" y="{y + 13}" text-anchor="end">{escape(kind)}</text>'
            f'<rect x="{_LABEL}" y="{y}" width="{length:.1f}" height="18" fill="{colour}"/>'
            f'<text x="{_LABEL + length + 6:.1f}" y="{y + 13}">{count}</text>'
        )
    height = 44 + len(report.kinds) * _ROW + 10
    title = f"{report.rows} rows; fix first: {report.fix_first}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" font-family="sans-serif" '
        f'font-size="13"><rect width="100%" height="100%" fill="white"/><text x="12" y="24" font-size="15">'
        f"{escape(title)}</text>{''.join(bars)}</svg>\n"
    )
