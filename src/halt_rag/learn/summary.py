"""evaluation_results/summary.md: the tasks beside the paper's table, and beside what needs no reading."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from halt_rag.errors import InputError
from halt_rag.learn.files import write_whole
from halt_rag.verify.text_head import TEXT_TASKS

#: Table 1 of arXiv:2509.07475, 20,000 examples a task, folds neither grouped nor stratified.
PAPER: dict[str, dict[str, float]] = {
    "summarization": {"threshold": 0.377, "precision": 0.7122, "recall": 0.8514, "f1": 0.7756, "accuracy": 0.7537,
                      "auroc": 0.847, "aupr": 0.844, "ece": 0.011, "false_positive_rate": 0.344},
    "qa": {"threshold": 0.395, "precision": 0.9838, "recall": 0.9735, "f1": 0.9786, "accuracy": 0.9788,
           "auroc": 0.995, "aupr": 0.996, "ece": 0.005, "false_positive_rate": 0.016},
    "dialogue": {"threshold": 0.421, "precision": 0.7059, "recall": 0.7756, "f1": 0.7391, "accuracy": 0.7262,
                 "auroc": 0.819, "aupr": 0.829, "ece": 0.013, "false_positive_rate": 0.323},
}  # fmt: skip
_COLUMNS = ("threshold", "precision", "recall", "f1", "accuracy", "auroc", "aupr", "ece", "false_positive_rate")
_AT = ("precision", "recall", "f1", "accuracy", "false_positive_rate")


def write_summary(results: Path) -> Path:
    """Writes summary.md from the oof_meta.json of each task that has one.

    Raises:
        InputError: If there is none, or one cannot be read.
        ConfigurationError: If the summary cannot be written.
    """
    metas: dict[str, dict[str, Any]] = {}
    for task in TEXT_TASKS:
        file = results / task / "oof_meta.json"
        if file.is_file():
            try:
                metas[task] = json.loads(file.read_bytes())
            except ValueError as error:
                raise InputError(f"{file} is not JSON.", hint=f"Run halt-rag evaluate --task {task} again.") from error
    if not metas:
        raise InputError(f"{results} holds no results.", hint="Run halt-rag evaluate --task TASK.")
    path = results / "summary.md"
    lines, sections = [], []
    for task, meta in metas.items():
        try:
            lines += _lines(task, meta)
            sections += _section(task, meta)
        except (KeyError, StopIteration, TypeError) as error:
            raise InputError(
                f"{results / task / 'oof_meta.json'} is of another version.",
                hint=f"Run halt-rag evaluate --task {task} again, or delete it.",
            ) from error
    header = ["task", "rows", "", "t*", *(name.replace("_", " ") for name in _COLUMNS[1:])]
    content = ["# HaluEval, out of fold", _notes(), _table(header, lines), *sections]
    write_whole(path, "\n\n".join(content) + "\n")
    return path


def _notes() -> str:
    return (
        "Hallucinated is the positive class. Folds keep together what shares a record or source; the paper's did not. "
        "Probabilities are cross-fitted, so that the ECE (15 bins of equal mass) is of rows that calibration did not "
        "see. The threshold is chosen on the rows that are reported, as in the paper; a second line shows each fold at "
        "the threshold of the others. Figures differ from the paper's for more reasons than quality: other NLI models, "
        "other features (below), and, where fewer than 20,000 rows are named, a sample."
    )


def _table(header: list[str], lines: list[list[str]]) -> str:
    rows = [header, ["---"] * len(header), *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cell(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}"


def _value(meta: dict[str, Any], name: str) -> float | None:
    if name in _AT:
        mark = next(key for key in meta if key.startswith("f1_at_prec_ge")).removeprefix("f1_")
        name = f"{name}_{mark}"
    value: float | None = meta[name]
    return value


def _lines(task: str, meta: dict[str, Any]) -> list[list[str]]:
    """A task's lines of the first table."""
    other = meta["threshold_from_other_folds"]
    return [
        [task, f"{meta['rows']:,}", "here", *(_cell(_value(meta, name)) for name in _COLUMNS)],
        ["", "", "95 % interval", "", *(_interval(meta, name) for name in _COLUMNS[1:])],
        ["", "", "threshold of other folds", *(_cell(other[n]) if n in other else "" for n in _COLUMNS)],
        ["", "20,000", "paper", *(_cell(PAPER[task][name]) for name in _COLUMNS)],
    ]


def _interval(meta: dict[str, Any], name: str) -> str:
    low, high = meta["intervals"][name]
    return "" if low is None else f"{low:.4f}-{high:.4f}"


def _section(task: str, meta: dict[str, Any]) -> list[str]:
    models = ", ".join(f"{m['model_id']} {m['revision']}" for m in meta["pipeline"]["models"])
    return [
        f"## {task}",
        f"{meta['pipeline']['schema_name']} features ({len(meta['features'])}), {meta['classifier']}, "
        f"{meta['calibration']}; {models}; artifact {meta['artifact']}. {meta['truncated']} texts were cut off at "
        f"the cap of the hypothesis; {meta['nothing_to_check']} hold no claim, and the verifier accepts those "
        "without asking this model.",
        _beside(meta),
        _abstention(meta),
        *_floor(meta),
        *_travel(meta),
    ]


def _beside(meta: dict[str, Any]) -> str:
    """The model, its ablations and the baselines; AUROC also where length says nothing."""
    matched = meta["length_matched"]
    has = bool(matched["rows"])
    own = [_cell(_value(meta, "f1")), _cell(meta["auroc"]), _cell(matched["model"]["auroc"]["value"]) if has else ""]
    lines = [["this model", *own]]
    lines += [
        [f"baseline: {name.replace('_', ' ')}", _cell(f["f1"]["value"]), _cell(f["auroc"]["value"]),
         _cell(matched["baselines"][name]["auroc"]["value"]) if has else ""]
        for name, f in meta["baselines"].items()
    ]  # fmt: skip
    lines.append(["baseline: always hallucinated", _cell(meta["always_hallucinated_f1"]), "0.5000", "0.5000"])
    lines += [
        [f"ablation: {n.replace('_', ' ')}", _cell(f["f1"]), _cell(f["auroc"]), ""]
        for n, f in meta["ablations"].items()
    ]
    return _table(["", "F1", "AUROC", f"AUROC, length-matched ({matched['rows']:,} rows)"], lines)


def _abstention(meta: dict[str, Any]) -> str:
    a, b = meta["abstention"], meta["agreeing_with_claims"]
    at = ", ".join(f"{p}: {_cell(c)}" for p, c in meta["coverage_at_precision"].items())
    return (
        f"At {a['coverage']:.3f} coverage (target {a['coverage_target']}): precision "
        f"{_cell(a['precision'])}, recall {_cell(a['recall'])}, F1 {_cell(a['f1'])}. AURC {_cell(meta['aurc'])}, AUGRC "
        f"{_cell(meta['augrc'])}. Coverage at a precision of {at} (undefined: not reached)."
    ) + (
        ""
        if b is None
        else f" Where the claims say the opposite, the verifier abstains as well: coverage {b['coverage']:.3f}, "
        f"precision {_cell(b['precision'])}, recall {_cell(b['recall'])}, F1 {_cell(b['f1'])}."
    )


def _floor(meta: dict[str, Any]) -> list[str]:
    floor = meta["floor"]
    if floor is None:
        return []
    said = "kept" if floor["attained"] else "attained by no threshold"
    return [
        f"Precision of at least {floor['precision']} at {100 * floor['confidence']:g}% confidence: {said} "
        f"({floor['right']} of {floor['called']} calls right on {floor['tested_rows']} held-out rows)."
    ]


def _travel(meta: dict[str, Any]) -> list[str]:
    """The model on data that it was not fitted for."""
    every = [*meta.get("transfer", {}).items(), *meta.get("bench", {}).items()]
    if not every:
        return []
    names = ("auroc", "balanced_accuracy", "f1", "ece", "coverage", "accuracy_on_decided")
    agreeing = names[-2:]
    lines = [
        [name, f"{t['rows']:,}", *(_cell(t["figures"][key]["value"]) for key in names)]
        + [_cell(t["agreeing_with_claims"][key]["value"]) if t["agreeing_with_claims"] else "" for key in agreeing]
        for name, t in every
    ]
    header = ["data", "rows", *(name.replace("_", " ") for name in names)]
    return [
        "How it travels; in the last two columns the verifier abstains where the claims say the opposite:",
        _table([*header, *(f"{name.replace('_', ' ')}, claims agreeing" for name in agreeing)], lines),
    ]
