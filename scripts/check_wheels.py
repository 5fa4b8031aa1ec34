"""Builds the wheels of halt-rag and halt-rag-base and uses them from an environment that holds nothing else.

    python scripts/check_wheels.py

Checks the size of the models as they are installed, and that each tier verifies texts from a folder outside the
repository. Needs a package index, for the dependencies. Without a model in packages/halt-rag-base, only the wheel of
halt-rag is checked, and the last line says so.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
BASE = ROOT / "packages" / "halt-rag-base"
#: Most megabytes (of a million bytes) of the models in each package, all their files together.
LIMITS = {"halt_rag/models": 30, "halt_rag_base/model": 95}
SOURCE = "The dam was built in 1967. It holds 40 million litres."
#: Texts, and the exit codes that they must have.
TEXTS = {"The dam was built in 1967.": 0, "The dam was built in 1958.": 1}


def main() -> None:
    """Builds, installs, checks.

    Raises:
        SystemExit: With what is wrong.
    """
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        python = place / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
        run(sys.executable, "-m", "venv", place / "venv", cwd=place)
        install(python, build(ROOT, place))
        site = Path(run(python, "-c", "import halt_rag; print(halt_rag.__file__)", cwd=place).strip()).parents[1]
        if not site.is_relative_to(place):
            raise SystemExit(f"halt_rag was imported from {site}, not from its wheel.")
        check_size(site, "halt_rag/models")
        fast = model_id(next((site / "halt_rag/models").glob("*/model.json")))
        check_tier(python, place, "auto", [fast])
        refused = verify(python, place, "base", SOURCE)
        if refused.returncode != 2 or "halt-rag[base]" not in refused.stderr:
            raise SystemExit(f"--tier base without halt-rag-base: {refused.returncode} {refused.stderr}")
        if not (BASE / "src/halt_rag_base/model/model.onnx").exists():
            print("halt-rag is fine. halt-rag-base was NOT checked: it holds no model.")
            return
        install(python, build(BASE, place))
        check_size(site, "halt_rag_base/model")
        base = model_id(site / "halt_rag_base/model/model.json")
        for tier, models in {"auto": [base], "base": [base], "fast": [fast], "cascade": [fast, base]}.items():
            check_tier(python, place, tier, models)
        print("halt-rag and halt-rag-base are fine.")


def run(*command: object, cwd: Path) -> str:
    """What a command prints; ends the check where it fails."""
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=environment(), stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed with {done.returncode}.\n{done.stdout}")
    return done.stdout


def environment() -> dict[str, str]:
    """The environment without what would bring the repository in."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}


def build(project: Path, place: Path) -> Path:
    """The wheel of a project."""
    target = place / f"wheel of {project.name}"
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", target, project, cwd=place)
    (wheel,) = target.glob("*.whl")
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB", flush=True)
    return wheel


def install(python: Path, wheel: Path) -> None:
    """Installs a wheel with its dependencies, which must agree."""
    run(python, "-m", "pip", "install", "--quiet", wheel, cwd=wheel.parent)
    run(python, "-m", "pip", "check", cwd=wheel.parent)


def check_size(site: Path, folder: str) -> None:
    """Ends the check if the models of a package are too large. Task models do not count."""
    files = [file for file in (site / folder).rglob("*") if file.is_file()]
    size = sum(file.stat().st_size for file in files if "tasks" not in file.relative_to(site / folder).parts) / 1e6
    print(f"{folder}: {size:.1f} MB of at most {LIMITS[folder]}", flush=True)
    if size > LIMITS[folder]:
        raise SystemExit(f"{folder} has {size:.1f} MB, but at most {LIMITS[folder]} are allowed.")


def model_id(card: Path) -> str:
    """The name of the model that a card describes."""
    return str(json.loads(card.read_text(encoding="utf-8"))["model_id"])


def verify(python: Path, place: Path, tier: str, text: str) -> subprocess.CompletedProcess[str]:
    """Verifies a text from outside the repository."""
    command = [str(python), "-m", "halt_rag", "verify", "--tier", tier, "--format", "json"]
    command += ["--source", SOURCE, "--generated", text]
    return subprocess.run(command, cwd=place, env=environment(), capture_output=True, text=True, check=False)


def check_tier(python: Path, place: Path, tier: str, models: list[str]) -> None:
    """Ends the check if a tier is wrong about a text, is not calibrated, or is another model than it should be."""
    for text, code in TEXTS.items():
        done = verify(python, place, tier, text)
        if done.returncode != code:
            raise SystemExit(f"--tier {tier}, {text!r}: exit code {done.returncode}, not {code}.\n{done.stderr}")
        result = json.loads(done.stdout)
        used = [result["model"], *result["cascade"]]
        if [model["model_id"] for model in used] != models or not all(model["calibrated"] for model in used):
            raise SystemExit(f"--tier {tier} used {used}, not {models} with their calibrations.")
    print(f"--tier {tier}: {', then '.join(models)}", flush=True)


if __name__ == "__main__":
    main()
