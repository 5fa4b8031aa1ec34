"""Coverage-guided fuzzing of the contracts with atheris; not collected by pytest.

    pip install atheris
    python tests/fuzz/fuzz_contracts.py tests/fuzz/corpus -dict=tests/fuzz/json.dict -max_total_time=3600 -max_len=2048

Whatever bytes come, ``parse`` must either refuse by a documented error or return what keeps the contract. Files that
libFuzzer adds to the corpus are not worth keeping in the repository; the seeds are.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

atheris: Any = import_module("atheris")

with atheris.instrument_imports(include=["halt_rag", "json"]):
    from halt_rag.contracts import (
        CONTRACTS,
        OutputShapeError,
        SentenceIndex,
        SentenceIndexTypeError,
        decode_attributions,
        decode_citations,
        decode_hallucinations,
    )
    from halt_rag.contracts.errors import SentenceIndexRangeError
    from halt_rag.errors import AdapterSchemaMismatchError
    from tests.contracts.test_contracts import keeps_contract

REFUSALS = (AdapterSchemaMismatchError, OutputShapeError, SentenceIndexRangeError, SentenceIndexTypeError)
NAMES = sorted(CONTRACTS)
INDEX = SentenceIndex("It rained.  Trams ran.\nNo one came.", ["Rain fell. It was wet.", "", "Snow."])


def one_input(data: bytes) -> None:
    """The first byte chooses what reads the rest."""
    raw = data[1:].decode("utf-8", errors="replace")
    choice = data[0] % 16 if data else 0
    if choice < len(NAMES):
        _contract(NAMES[choice], raw)
    else:
        _pipelines(raw)


def _contract(name: str, raw: str) -> None:
    try:
        parsed = CONTRACTS[name].parse(raw)
    except REFUSALS:
        return
    again = json.dumps(parsed["items"] if set(parsed) == {"items"} and isinstance(json.loads(raw), list) else parsed)
    assert CONTRACTS[name].parse(again) == parsed
    if name == "hallucination_detection":
        keeps_contract(parsed["items"])
    if name == "requirement-check":
        score = parsed["requirement_check"]["score"]
        assert type(score) in (int, float)
        assert 0 <= score <= 1


def _pipelines(raw: str) -> None:
    for decode in (decode_hallucinations, decode_citations, decode_attributions):
        try:
            records = decode(raw, INDEX)
        except REFUSALS:
            continue
        for record in records:
            begin, end = record["response_begin"], record["response_end"]
            assert INDEX.response_text[begin:end] == record["response_text"] != ""
        if decode is decode_hallucinations:
            keeps_contract(records)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
