"""What the routes answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from halt_rag import BackendError, ContractError, HaltRagVerifier, Passage, Verification
from halt_rag.cli.app import app as command
from halt_rag.contracts import CONTRACTS
from halt_rag.nli.embedded import EmbeddedNLI
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.policies import Outcome
from halt_rag.service import create_app
from tests.service.conftest import client_of, figure, wait_until

SOURCE = "The dam was built in 1967."
GOOD = "The dam was built in 1967."
BAD = "It is painted red."
BODY = {"source": SOURCE, "generated": f"{GOOD} {BAD}"}


def verifier() -> HaltRagVerifier:
    return HaltRagVerifier(backend=FakeNLI())


@pytest.mark.parametrize(
    ("source", "as_given"),
    [
        (SOURCE, SOURCE),
        ([SOURCE, "The lake is deep."], [SOURCE, "The lake is deep."]),
        ([{"id": "dam.md", "text": SOURCE}], [Passage("dam.md", SOURCE)]),
    ],
    ids=["text", "texts", "passages"],
)
@pytest.mark.parametrize(
    "more", [{}, {"task": "qa"}, {"question": "Was the dam built?"}], ids=["plain", "task", "asked"]
)
def test_verify_is_the_library(client: TestClient, source: Any, as_given: Any, more: dict[str, str]) -> None:
    answer = client.post("/verify", json={"source": source, "generated": BODY["generated"], **more})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    expected = verifier().verify(as_given, BODY["generated"], more.get("question"))
    assert Verification.from_json(answer.content) == expected
    assert answer.text == expected.to_json()


@pytest.mark.parametrize("backend", ["fake", "embedded"])
def test_library_command_and_service_give_one_json(
    backend: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    model = FakeNLI() if backend == "fake" else request.getfixturevalue("shipped_model")
    library = HaltRagVerifier(backend=model)
    texts = ["--source", SOURCE, "--generated", BODY["generated"], "--backend", backend]
    printed = CliRunner().invoke(command, ["verify", *texts, "--format", "json"])
    with TestClient(create_app(library)) as client:
        answer = client.post("/verify", json=BODY)
    from_library = json.loads(library.verify(SOURCE, BODY["generated"]).to_json())
    assert json.loads(printed.stdout) == from_library
    assert answer.json() == from_library
    jsonschema.Draft202012Validator(Verification.json_schema()).validate(answer.json())


def test_the_call_of_the_readme_with_the_shipped_model(shipped_model: EmbeddedNLI) -> None:
    body = {
        "task": "qa",
        "source": "Paris is the capital of France.",
        "generated": "Berlin is the capital of France.",
    }
    with TestClient(create_app(HaltRagVerifier(backend=shipped_model))) as client:
        answer = client.post("/verify", json=body).json()
    assert answer["decision"] == "hallucinated"
    assert answer["model"]["calibrated"] is True


def test_a_task_of_its_own_is_used() -> None:
    text = "Paint covers everything."
    other = HaltRagVerifier(backend=FakeNLI({(SOURCE, text): (0.96, 0.03, 0.01)}))
    app = create_app(verifier(), tasks={"qa": other})
    with TestClient(app) as client:
        bodies = [{"source": SOURCE, "generated": text, **task} for task in ({}, {"task": "qa"})]
        told = [client.post("/verify", json=body).json()["decision"] for body in bodies]
    assert told == ["hallucinated", "supported"]


def test_an_abstention_is_an_answer() -> None:
    library = HaltRagVerifier(backend=FakeNLI(), max_pairs=1)
    with TestClient(create_app(library)) as client:
        answer = client.post("/verify", json={"source": SOURCE, "generated": f"{GOOD} It was built."})
    assert answer.status_code == 200
    assert answer.json()["decision"] == "abstain"
    assert Verification.from_json(answer.content) == library.verify(SOURCE, f"{GOOD} It was built.")


def test_a_batch_keeps_order_and_errors_stay_where_they_belong(client: TestClient) -> None:
    items = [
        {"source": SOURCE, "generated": GOOD},
        {"source": " ", "generated": GOOD},
        {"source": SOURCE, "generated": BAD},
        {"source": SOURCE, "generated": ""},
        {"source": [{"id": "x", "text": SOURCE}], "generated": GOOD, "question": "Was it built?"},
    ]
    answer = client.post("/v1/verify/batch", json={"items": items, "task": "summarization"})
    assert answer.status_code == 200
    results = answer.json()["results"]
    assert [result.get("decision") for result in results] == ["supported", None, "hallucinated", None, "hallucinated"]
    assert [results[i]["status"] for i in (1, 3)] == ["error", "error"]
    assert results[1]["error"]["code"] == "INPUT"
    assert results[1]["error"]["message"].startswith("The source is empty.")
    assert results[0] == json.loads(verifier().verify(SOURCE, GOOD).to_json())


@pytest.mark.parametrize(
    ("policy", "applied", "text"),
    [
        ("annotate", "passed", BODY["generated"]),
        ("filter", "filtered", GOOD),
        ("abstain_message", "replaced", "Ask us."),
    ],
)
def test_guard_applies_the_policies(client: TestClient, policy: str, applied: str, text: str) -> None:
    answer = client.post("/v1/guard", json={**BODY, "policy": policy, "message": "Ask us."})
    assert answer.status_code == 200
    outcome = Outcome.model_validate_json(answer.content)
    assert (outcome.applied, outcome.text) == (applied, text)
    assert outcome.verification == verifier().verify(SOURCE, BODY["generated"])


def test_guard_raises_with_a_status(client: TestClient) -> None:
    answer = client.post("/v1/guard", json={**BODY, "policy": "raise"})
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
    assert answer.json()["code"] == "HALLUCINATION"
    assert Verification.model_validate(answer.json()["verification"]).decision == "hallucinated"


def test_guard_without_a_model() -> None:
    backend = FakeNLI()
    with client_of(backend) as client:
        backend.failure = BackendError("The model is gone.", backend="fake")
        answer = client.post("/v1/guard", json={**BODY, "on_error": "open"}).json()
        assert (answer["applied"], answer["text"], answer["verification"]) == ("error_open", BODY["generated"], None)
        assert answer["error"]["code"] == "BACKEND"
        assert client.post("/v1/guard", json=BODY).json()["applied"] == "error_closed"
        assert client.post("/v1/guard", json={**BODY, "policy": "raise"}).status_code == 502
        assert client.post("/v1/guard", json={**BODY, "source": " "}).json()["error"]["code"] == "INPUT"


@pytest.mark.parametrize(
    ("output", "valid"),
    [
        ('[{"r": 0}]', False),
        ("not JSON", False),
        ([], True),
        ({}, False),
        ("[] and more", False),
    ],
)
def test_contracts(client: TestClient, output: Any, *, valid: bool) -> None:
    answer = client.post("/v1/contracts/hallucination_detection/check", json={"output": output})
    assert answer.status_code == 200
    contract = CONTRACTS["hallucination_detection"]
    try:
        _ = contract.parse(output) if isinstance(output, str) else contract.accept(output)
    except ContractError:
        library = False
    else:
        library = True
    assert answer.json()["valid"] is library is valid
    assert bool(answer.json()["offences"]) is not valid


def test_an_unknown_contract(client: TestClient) -> None:
    answer = client.post("/v1/contracts/citatons/check", json={"output": []})
    assert (answer.status_code, answer.json()["code"]) == (404, "UNKNOWN_NAME")
    assert "Did you mean 'citations'" in answer.json()["hint"]


YEAR = {"value": 1967, "answer_found": True, "complete_answer_found": True}
PLACE = {"line_start": 1, "line_end": 1, "quote": "built in 1967"}


@pytest.mark.parametrize(
    ("record", "offences"),
    [
        ({"year": {**YEAR, "evidence": PLACE}}, 0),
        ({"year": {**YEAR, "evidence": {**PLACE, "quote": "built in 1958"}}}, 1),
        ("no JSON", 1),
    ],
)
def test_evidence(client: TestClient, record: Any, offences: int) -> None:
    contract = {"name": "dam", "fields": [{"name": "year", "type": "integer"}]}
    body = {"contract": contract, "record": record, "sources": [{"id": "dam.md", "text": SOURCE}]}
    answer = client.post("/v1/evidence/validate", json=body)
    assert answer.status_code == 200, answer.text
    assert answer.json()["offences"] == offences
    assert answer.json()["report"]["status"] == ("invalid" if offences else "valid")


@pytest.mark.parametrize("contract", [{}, {"fields": []}, {"fields": [{"name": "x", "type": "yeer"}]}, {"fields": [7]}])
def test_a_contract_that_is_none(client: TestClient, contract: Any) -> None:
    answer = client.post("/v1/evidence/validate", json={"contract": contract, "record": {}, "sources": "x"})
    assert (answer.status_code, answer.json()["code"]) == (422, "INPUT")


@pytest.mark.parametrize(
    ("response", "status"), [(GOOD, "pass"), (BODY["generated"], "fail"), ("", "pass"), ("Hello!", "pass")]
)
def test_groundedness(client: TestClient, response: str, status: str) -> None:
    answer = client.post("/v1/groundedness", json={"response": response, "documents": [{"id": "1", "text": SOURCE}]})
    assert answer.status_code == 200
    assert answer.json()["status"] == status
    assert [span["text"] for span in answer.json()["failing"]] == ([BAD] if status == "fail" else [])


def test_groundedness_without_a_model_is_no_verdict() -> None:
    backend = FakeNLI()
    with client_of(backend) as client:
        backend.failure = BackendError("The model is gone.", backend="fake", retryable=True)
        answer = client.post("/v1/groundedness", json={"response": GOOD, "documents": SOURCE})
    assert (answer.status_code, answer.json()["code"]) == (503, "BACKEND")
    assert "reason" not in answer.json()


def test_scan(client: TestClient) -> None:
    text = "As `src/gone.py` shows, it is fast."
    without_files = client.post("/v1/scan", json={"text": text}).json()
    assert without_files["results"]["hallucinated"] == 0
    assert without_files["documents"][0]["target"]["path"] == "document.md"
    given = client.post("/v1/scan", json={"text": text, "files": ["src/there.py"], "path": "docs/a.md"}).json()
    assert given["results"]["total_claims"] >= without_files["results"]["total_claims"]


def test_probes_and_figures(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    before = client.get("/metrics").text
    client.post("/verify", json=BODY)
    after = client.get("/metrics")
    assert after.headers["content-type"].startswith("text/plain")
    for name, by in [("halt_rag_verifications_total", 1), ("halt_rag_pairs_total", 2)]:
        assert figure(after.text, name) - figure(before, name) >= by
    assert 'halt_rag_requests_total{route="/verify",status="200"} 1.0' in after.text


def test_a_model_that_breaks_while_it_loads_is_told(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(FakeNLI):
        def score(self, pairs: Sequence[Pair]) -> NLIScores:
            raise ZeroDivisionError

    with TestClient(create_app(HaltRagVerifier(backend=Broken()))) as client:
        wait_until(lambda: "INTERNAL" in client.get("/readyz").text)
        assert client.get("/readyz").status_code == 503
    assert "the model cannot be loaded" in caplog.text


def test_not_ready_until_the_model_is_loaded() -> None:
    backend = FakeNLI()
    backend.failure = BackendError("Still loading.", backend="fake", retryable=True)
    with TestClient(create_app(HaltRagVerifier(backend=backend))) as client:
        wait_until(lambda: "BACKEND" in client.get("/readyz").text)
        answer = client.get("/readyz")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert client.get("/healthz").status_code == 200
