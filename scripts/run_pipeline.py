"""Runs the whole pipeline for one task: data, features, training, evaluation.

    python scripts/run_pipeline.py --task qa --limit 200 --yes

Each step is the command of the same name; what is not named here keeps its default. Run it again after an interruption:
scores come from the cache.
"""

from __future__ import annotations

import argparse
import subprocess
import sys


def commands(args: argparse.Namespace) -> list[list[str]]:
    """The commands to run, in order."""
    common = ["--task", args.task]
    settings = [*common, *(["--config", args.config] if args.config else []), *_if("--schema", args.schema)]
    extract = [*settings, *_if("--limit", args.limit), *(["--yes"] if args.yes else [])]
    return [
        ["download-data", *common, *_if("--from", args.from_file)],
        ["extract-features", *extract, *_if("--threads", args.threads)],
        ["train", *settings, *_if("--exclude", args.exclude)],
        ["evaluate", *settings, *_if("--exclude", args.exclude), *_if("--bench", args.bench)],
    ]


def _if(option: str, value: object) -> list[str]:
    return [] if value is None else [option, str(value)]


def main() -> None:
    """Runs the commands; the first that fails ends the run with its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", required=True, choices=["qa", "dialogue", "summarization"])
    parser.add_argument("--config", help="settings; default: those that ship")
    parser.add_argument("--schema", choices=["paper", "extended"])
    parser.add_argument("--limit", type=int, help="records; 0: all; default: data.limit")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--from", dest="from_file", help="data file, or the wheel of the mirror")
    parser.add_argument("--exclude", help="JSON file of records to leave out of training")
    parser.add_argument("--bench", help="folder of labelled files, to see how the model travels")
    parser.add_argument("--yes", action="store_true", help="do not ask before a large run")
    for command in commands(parser.parse_args()):
        print("$ halt-rag", *command, flush=True)
        done = subprocess.run([sys.executable, "-m", "halt_rag", *command], check=False)
        if done.returncode:
            raise SystemExit(done.returncode)


if __name__ == "__main__":
    main()
