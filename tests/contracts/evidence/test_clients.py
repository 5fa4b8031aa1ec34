"""The wire model in the hands of client libraries; each test is skipped where its library is not installed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel

from halt_rag.contracts.evidence import EvidenceContract, Grounded, Money

pytestmark = pytest.mark.filterwarnings("default")  # the libraries' own warnings are not ours


class Offer(BaseModel):
    """An offer."""

    price: Grounded[Money]
    tags: list[Grounded[str]]


CONTRACT: EvidenceContract[Offer] = EvidenceContract.from_model(Offer)
TEXT = "Total: 1,250.00 EUR\nred\n"


def field(value: object, line: int, quote: str) -> dict[str, Any]:
    evidence = [{"source": None, "line_start": line, "line_end": line, "quote": quote}]
    return {"value": value, "evidence": evidence, "answer_found": True, "complete_answer_found": True}


RECORD = {
    "price": field({"amount": "1250.00", "currency": "EUR"}, 1, "Total: 1,250.00 EUR"),
    "tags": {"items": [field("red", 2, "red")], "answer_found": True, "complete_answer_found": True},
}


def test_langchain_parses_and_binds_the_wire_model() -> None:
    parsers = pytest.importorskip("langchain_core.output_parsers", reason="langchain-core is not installed")
    calling = pytest.importorskip("langchain_core.utils.function_calling")
    parsed = parsers.PydanticOutputParser(pydantic_object=CONTRACT.wire_model).parse(json.dumps(RECORD))
    assert CONTRACT.validate(parsed, TEXT).status == "valid"
    tool = calling.convert_to_openai_tool(CONTRACT.wire_model, strict=True)
    assert set(tool["function"]["parameters"]["properties"]) == {"price", "tags"}
    assert calling.convert_to_openai_tool({**CONTRACT.json_schema(), "title": "offer", "description": "An offer."})


def test_instructor_takes_the_wire_model_as_response_model() -> None:
    instructor = pytest.importorskip("instructor", reason="instructor is not installed")
    openai = pytest.importorskip("openai", reason="openai is not installed")
    from tests.contracts.server import Reply, completion, serving

    with serving(Reply(completion(json.dumps(RECORD)))) as server:
        plain = openai.OpenAI(base_url=server.url, api_key="none", max_retries=0)
        client = instructor.from_openai(plain, mode=instructor.Mode.JSON_SCHEMA)
        messages = [{"role": "user", "content": CONTRACT.prompt(TEXT)}]
        answer = client.chat.completions.create(model="m", response_model=CONTRACT.wire_model, messages=messages)
        plain.close()
    assert CONTRACT.validate(answer, TEXT).accept().values["tags"] == ["red"]
