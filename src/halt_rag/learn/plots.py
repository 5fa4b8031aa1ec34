"""Four plots of out-of-fold predictions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from halt_rag.errors import MissingExtraError
from halt_rag.learn.files import whole_file
from halt_rag.learn.metrics import Outcomes, reliability
from halt_rag.learn.selective import risk_coverage

if TYPE_CHECKING:
    from collections.abc import Callable

try:
    from matplotlib.figure import Figure
    from sklearn.metrics import precision_recall_curve, roc_curve
except ImportError as error:
    raise MissingExtraError("matplotlib", "pipeline") from error


def write_plots(outcomes: Outcomes, folder: Path, *, title: str) -> list[Path]:
    """Writes pr.png, roc.png, reliability.png and risk_coverage.png.

    Args:
        outcomes: Predictions with a probability for each row, both labels among them.
        folder: Where to; made if it is missing.
        title: Stands over each plot.

    Raises:
        ConfigurationError: If they cannot be written.
    """
    draw: dict[str, Callable[[Any, Outcomes], None]] = {
        "pr": _precision_recall,
        "roc": _roc,
        "risk_coverage": _risk_coverage,
    }
    written = []
    for name, plot in draw.items():
        figure = Figure(figsize=(5, 4.2), layout="constrained")
        axes = figure.add_subplot()
        plot(axes, outcomes)
        axes.set_title(title)
        axes.grid(alpha=0.3)
        written.append(_save(figure, folder / f"{name}.png"))
    return [*written, _reliability(outcomes, folder / "reliability.png", title)]


def _save(figure: Figure, path: Path) -> Path:
    with whole_file(path) as part:
        figure.savefig(part, format="png", dpi=120)
    return path


def _precision_recall(axes: Any, o: Outcomes) -> None:
    precision, recall, _ = precision_recall_curve(o.hallucinated, o.p)
    axes.plot(recall, precision)
    axes.axhline(float(o.hallucinated.mean()), linestyle=":", color="grey", label="always hallucinated")
    found = int((o.called & o.hallucinated).sum())
    axes.plot([found / o.hallucinated.sum()], [found / max(1, o.called.sum())], "o", label=f"t* = {o.threshold:.3f}")
    axes.set(xlabel="recall", ylabel="precision", xlim=(0, 1.02), ylim=(0, 1.02))
    axes.legend(loc="lower left")


def _roc(axes: Any, o: Outcomes) -> None:
    false, true, _ = roc_curve(o.hallucinated, o.p)
    axes.plot(false, true)
    axes.plot([0, 1], [0, 1], linestyle=":", color="grey", label="chance")
    axes.set(xlabel="false positive rate", ylabel="true positive rate", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    axes.legend(loc="lower right")


def _risk_coverage(axes: Any, o: Outcomes) -> None:
    coverage, risk = risk_coverage(o.called != o.hallucinated, np.abs(o.p - o.threshold))
    axes.plot(coverage, risk)
    axes.axvline(float(o.decided.mean()), linestyle=":", color="grey", label="coverage of the band")
    axes.set(xlabel="coverage, the most certain first", ylabel="share of wrong decisions", xlim=(0, 1.02))
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left")


def _reliability(o: Outcomes, path: Path, title: str) -> Path:
    """Observed share against probability in 15 bins of equal mass, and how many rows there are at each probability."""
    expected, observed, rows = zip(*reliability(o), strict=True)
    figure = Figure(figsize=(5, 5.2), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    upper.plot([0, 1], [0, 1], linestyle=":", color="grey", label="calibrated")
    upper.plot(expected, observed, "o-", label=f"{len(rows)} bins of about {rows[0]} rows")
    upper.set(ylabel="share hallucinated", ylim=(-0.02, 1.02), title=title)
    upper.legend(loc="upper left")
    lower.hist(o.p, bins=np.linspace(0, 1, 21).tolist())
    lower.set(xlabel="P(hallucinated)", ylabel="rows")
    for axes in (upper, lower):
        axes.grid(alpha=0.3)
    return _save(figure, path)
