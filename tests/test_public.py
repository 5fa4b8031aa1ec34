"""The public names, what importing them costs, and the errors."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys

import pytest

import halt_rag
from halt_rag import errors

HEAVY = {"numpy", "onnxruntime", "pydantic", "tokenizers", "typer", "rich", "sklearn", "sentencex", "redis", "sqlite3"}


def loaded_by(code: str) -> set[str]:
    """Top-level modules that a fresh interpreter has after some code."""
    report = "import json, sys; sys.stderr.write(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    done = subprocess.run([sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr))


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert not loaded_by("import halt_rag") & HEAVY


@pytest.mark.parametrize(
    "names", ["InputError, BackendError, HaltRagError, UnknownNameError", "Span, __version__"], ids=["errors", "span"]
)
def test_light_names_stay_light(names: str) -> None:
    assert not loaded_by(f"from halt_rag import {names}") & HEAVY


def test_results_need_no_model_runtime() -> None:
    assert not loaded_by("from halt_rag import Verification, HaltRagVerifier; HaltRagVerifier()") & {
        "onnxruntime", "tokenizers", "sklearn", "sentencex", "typer",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "its_own"),
    [("['--help']", set()), ("['--version']", set()), ("['verify', '--help']", {"pydantic"})],
    ids=["help", "version", "help on a command: typer itself brings pydantic in"],
)
def test_help_loads_nothing_heavy(arguments: str, its_own: set[str]) -> None:
    code = (
        "import sys\n"
        f"sys.argv = ['halt-rag', *{arguments}]\n"
        "from halt_rag.cli.app import main\n"
        "try: main()\n"
        "except SystemExit as end: assert end.code == 0"
    )
    heavy = {"numpy", "onnxruntime", "pydantic", "tokenizers", "sklearn", "sentencex", "sqlite3"}
    assert loaded_by(code) & heavy <= its_own


def test_every_public_name_is_there() -> None:
    assert sorted(halt_rag.__all__) == halt_rag.__all__
    for name in halt_rag.__all__:
        assert getattr(halt_rag, name) is not None
        assert name in dir(halt_rag)
    assert len(set(halt_rag.__all__)) == len(halt_rag.__all__)


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'HaltRagVerifer'"):
        _ = halt_rag.HaltRagVerifer


ERRORS = [
    errors.HaltRagError("What is wrong.", hint="What to do."),
    errors.InputError("What is wrong.", hint="What to do."),
    errors.ConfigurationError("What is wrong."),
    errors.MissingExtraError("scikit-learn", "evaluate"),
    errors.UnknownNameError("task", "genral", ["general", "other"]),
    errors.ArtifactMismatchError("What is wrong."),
    errors.ContractError("What is wrong."),
    errors.AdapterSchemaMismatchError("citations", ["b", "a"], ["c"], "key missing"),
    errors.BackendError("What is wrong.", backend="fake", retryable=True, status_code=503, hint="What to do."),
    errors.HallucinationError("What is wrong.", result={"decision": "hallucinated"}),
]


def test_every_error_is_listed_here_and_has_a_code_of_its_own() -> None:
    classes = {c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, errors.HaltRagError)}
    assert {type(error) for error in ERRORS} == classes
    codes = {c.__name__: vars(c)["code"] for c in classes}
    assert len(set(codes.values())) == len(codes)
    assert codes == {
        "HaltRagError": "HALT_RAG",
        "InputError": "INPUT",
        "ConfigurationError": "CONFIGURATION",
        "MissingExtraError": "MISSING_EXTRA",
        "UnknownNameError": "UNKNOWN_NAME",
        "ArtifactMismatchError": "ARTIFACT_MISMATCH",
        "ContractError": "CONTRACT",
        "AdapterSchemaMismatchError": "SCHEMA_MISMATCH",
        "BackendError": "BACKEND",
        "HallucinationError": "HALLUCINATION",
    }, "codes are for programs: they stay"


def test_every_error_is_public() -> None:
    assert {type(error).__name__ for error in ERRORS} <= set(halt_rag.__all__)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors_survive_pickling(error: errors.HaltRagError) -> None:
    restored = pickle.loads(pickle.dumps(error))  # noqa: S301 - what was pickled one line above
    assert type(restored) is type(error)
    assert str(restored) == str(error)
    assert vars(restored) == vars(error)
    assert restored.args == error.args


def test_errors_say_what_to_do() -> None:
    assert str(ERRORS[0]) == "What is wrong. What to do."
    assert 'pip install "halt-rag[evaluate]"' in str(ERRORS[3])
    assert "Did you mean 'general'?" in str(ERRORS[4])
    assert isinstance(ERRORS[1], ValueError)
    assert isinstance(ERRORS[3], ImportError)
