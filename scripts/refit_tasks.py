"""Refits all task models that ship, on all of HaluEval, after the embedded model or the general task model changed.

    nohup python scripts/refit_tasks.py --exclude ../shared/data/halueval_overlap.json > refit.log 2>&1 &

The order of a release: export the NLI model, ``python -m training.task_model`` (the claims of a text are weighed by the
general task model, which the text models are fitted on), then this. It can be stopped and started at any time: scores
come from the cache, and the rest takes minutes.

Each model is fitted on all records but those in ``--exclude`` and written to src/halt_rag/models/tasks/MODEL/TASK.json.
Results are in build/tasks/evaluation_results; those with the features of the paper alone are among the ablations there.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from halt_rag.nli.embedded import EmbeddedNLI

_ROOT = Path(__file__).parents[1]
_MODELS = _ROOT / "src/halt_rag/models/tasks"
#: Cheap ones first.
_TASKS = ("qa", "dialogue", "summarization")


def halt_rag(*arguments: object) -> None:
    """Runs a command; ends the run where it fails."""
    words = [str(argument) for argument in arguments]
    print("$ halt-rag", *words, flush=True)
    done = subprocess.run([sys.executable, "-m", "halt_rag", *words], check=False, cwd=_ROOT)
    if done.returncode:
        raise SystemExit(done.returncode)


def main() -> None:
    """Extracts all tasks, then trains and measures them, so that each can be tried on the others' data."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=0, help="records of each task; 0: all")
    parser.add_argument("--exclude", type=Path, help="JSON file of records to leave out of the models that ship")
    parser.add_argument("--bench", type=Path, help="folder of labelled files, to see how the models travel")
    parser.add_argument("--bench-rows", type=int, default=300)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--build", type=Path, default=_ROOT / "build/tasks", help="data, scores, features, results")
    parser.add_argument("--trial", action="store_true", help="leave the models that ship alone")
    args = parser.parse_args()
    build: Path = args.build.resolve()
    where = ["--data-dir", build / "data", "--runs", build / "runs"]
    results, cache = ["--results", build / "evaluation_results"], ["--cache", build / "scores.sqlite"]
    threads = [] if args.threads is None else ["--threads", args.threads]
    exclude = [] if args.exclude is None else ["--exclude", args.exclude.resolve()]
    bench = [] if args.bench is None else ["--bench", args.bench.resolve(), "--bench-rows", args.bench_rows]
    halt_rag("download-data", "--task", "all", "--data-dir", build / "data")
    for task in _TASKS:
        halt_rag("extract-features", "--task", task, "--limit", args.limit, "--yes", *where, *cache, *threads)
    for task in _TASKS:
        # The figures are on every record, as the paper's; the model that ships leaves some out.
        halt_rag("train", "--task", task, "--runs", build / "runs")
        halt_rag("evaluate", "--task", task, *where, *results, *cache, *threads, *bench)
        model = build / "models" / f"{task}.json"
        if not args.trial:
            model = _MODELS / EmbeddedNLI().model_id / f"{task}.json"
        halt_rag("train", "--task", task, "--runs", build / "runs", "--output", model, *exclude)


if __name__ == "__main__":
    main()
