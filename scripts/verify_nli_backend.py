"""The parity gate from a checkout: run it before a budget is spent on a server.

    python scripts/verify_nli_backend.py                       # both models of the ensemble, hosted
    python scripts/verify_nli_backend.py tei:http://host:8080  # any backend that `halt-rag doctor` takes
    python scripts/verify_nli_backend.py onnx:FOLDER --reference local:FOLDER

All arguments after the backends go to `halt-rag doctor`. Exits with 0 if all pass, else with the first other exit code
of `halt-rag doctor`.
"""

from __future__ import annotations

import sys

from typer.testing import CliRunner

from halt_rag.cli.app import app

ENSEMBLE = ("hosted:roberta-large-mnli", "hosted:deberta-large-wanli")


def main(arguments: list[str]) -> int:
    """Runs the gate for each backend."""
    options = next((place for place, text in enumerate(arguments) if text.startswith("-")), len(arguments))
    worst = 0
    for backend in arguments[:options] or ENSEMBLE:
        print(f"== {backend}")
        result = CliRunner().invoke(app, ["doctor", "--backend", backend, *arguments[options:]])
        print(result.output.rstrip())
        worst = worst or result.exit_code
    return worst


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
