"""Declaring a contract, serving it, and what may be done with a report."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from pydantic import BaseModel, ValidationError
from pydantic import Field as Described

from halt_rag.contracts.evidence import (
    Duration,
    EvidenceContract,
    Grounded,
    Money,
    Percent,
    Quantity,
    Ratio,
    Report,
    Rules,
    Source,
    UnvalidatedWarning,
    Validated,
    Version,
    highlight,
    repair_text,
)
from halt_rag.contracts.judges import OpenAICompatibleJudge
from halt_rag.errors import ConfigurationError, ContractError, InputError
from tests.contracts.evidence.helpers import ABSENT, grounded
from tests.contracts.server import Reply, completion, serving


class Grade(Enum):
    HIGH = "high"
    LOW = "low"


class Party(BaseModel):
    name: Grounded[str]
    share: Grounded[Percent] | None


class Deal(BaseModel):
    """A deal between parties."""

    price: Grounded[Money] = Described(description="what is paid")
    signed: Grounded[date] | None
    parties: list[Party]
    tests: Annotated[list[Grounded[str]], Rules(presence_probe=r"^FAILED (\S+)")]
    grade: Grounded[Grade] | None
    kind: Grounded[Literal["sale", "lease"]] | None
    risk: Annotated[Grounded[float] | None, Rules(derived=True)]


class EveryType(BaseModel):
    text: Grounded[str]
    count: Grounded[int]
    number: Grounded[float]
    exact: Grounded[Decimal]
    flag: Grounded[bool]
    day: Grounded[date]
    money: Grounded[Money]
    length: Grounded[Quantity]
    span: Grounded[Duration]
    version: Grounded[Version]
    ratio: Grounded[Ratio]


TEXT = "Price: $1,250.00\nSigned 25/04/2026\nAda (60%) and Bob\nFAILED a\nFAILED b\nType: sale\n"
DEAL: EvidenceContract[Deal] = EvidenceContract.from_model(Deal, locale="en-US")


def listed(*items: object, found: bool = True, complete: bool = True) -> dict[str, Any]:
    return {"items": list(items), "answer_found": found, "complete_answer_found": complete}


def record(**changes: object) -> dict[str, Any]:
    whole: dict[str, Any] = {
        "price": grounded({"amount": "1250.00", "currency": "USD"}, 1, "Price: $1,250.00"),
        "signed": grounded("2026-04-25", 2, "Signed 25/04/2026"),
        "parties": listed(
            {"name": grounded("Ada", 3, "Ada (60%)"), "share": grounded(60, 3, "Ada (60%)")},
            {"name": grounded("Bob", 3, "and Bob"), "share": ABSENT},
        ),
        "tests": listed(grounded("a", 4, "FAILED a"), grounded("b", 5, "FAILED b")),
        "grade": ABSENT,
        "kind": grounded("sale", 6, "Type: sale"),
        "risk": ABSENT,
    }
    return {**whole, **changes}


def test_a_model_declares_the_same_contract_as_its_plain_form() -> None:
    plain = DEAL.to_dict()
    assert plain["description"] == "A deal between parties."
    assert EvidenceContract.from_dict(json.loads(json.dumps(plain))).fields == DEAL.fields
    types = {field.name: field.type for field in DEAL.fields}
    assert types == {
        "price": "amount",
        "signed": "date",
        "parties": "list",
        "tests": "list",
        "grade": "enum",
        "kind": "enum",
        "risk": "number",
    }
    assert [field.nullable for field in DEAL.fields] == [False, True, False, False, True, True, True]


def test_every_python_type_has_its_contract_type() -> None:
    declared: EvidenceContract[EveryType] = EvidenceContract.from_model(EveryType)
    assert [field.type for field in declared.fields] == (
        "string integer number number boolean date amount quantity duration version ratio".split()
    )


@pytest.mark.parametrize("annotation", [str, Grounded[bytes], Grounded, Grounded[str] | Grounded[int], list[int]])
def test_a_member_that_is_no_field_is_refused(annotation: Any) -> None:
    from pydantic import create_model

    model = create_model("Odd", odd=(annotation, ...))
    with pytest.raises(ConfigurationError, match=r"Odd\.odd"):
        EvidenceContract.from_model(model)


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"fields": []}, "needs fields"),
        ({}, "list of fields"),
        ({"fields": [{"type": "string"}]}, "name"),
        ({"fields": [{"name": "a", "type": "text"}]}, "field type"),
        ({"fields": [{"name": "a", "required": True}]}, "field setting"),
        ({"fields": [{"name": "a", "type": "enum"}]}, "needs 'enum'"),
        ({"fields": [{"name": "a", "type": "object"}]}, "needs 'fields'"),
        ({"fields": [{"name": "a", "nullable": "yes"}]}, "true or false"),
        ({"fields": [{"name": "a", "folds": ["spelling"]}]}, "fold"),
        ({"fields": [{"name": "a"}, {"name": "a"}]}, "different names"),
        ({"fields": [{"name": "a", "enum": [1], "type": "enum"}]}, "list of strings"),
        ({"fields": [{"name": "a", "min_quote_chars": -1}]}, "from 0 on"),
        ({"fields": ["a"]}, "by an object"),
        ({"fields": [{"name": "a"}], "version": 2}, "contract setting"),
    ],
)
def test_a_wrong_declaration_says_what_is_wrong(declared: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        EvidenceContract.from_dict(declared)


def test_contract_files(tmp_path: Path) -> None:
    plain = {"name": "log", "fields": [{"name": "tests", "type": "list[string]"}]}
    (tmp_path / "c.json").write_text(json.dumps(plain), encoding="utf-8")
    (tmp_path / "c.yaml").write_text("name: log\nfields:\n- name: tests\n  type: list[string]\n", encoding="utf-8")
    assert EvidenceContract.load(tmp_path / "c.json") == EvidenceContract.load(tmp_path / "c.yaml")
    (tmp_path / "evil.yaml").write_text("!!python/object/apply:os.getcwd []", encoding="utf-8")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    (tmp_path / "twice.json").write_text('{"fields": [], "fields": [{"name": "a"}]}', encoding="utf-8")
    (tmp_path / "twice.yaml").write_text("fields:\n- name: a\n  type: date\n  type: string\n", encoding="utf-8")
    (tmp_path / "deep.yaml").write_text("[" * 5_000, encoding="utf-8")
    (tmp_path / "latin.yaml").write_bytes(b"name: caf\xe9")
    for name in ("evil.yaml", "broken.json", "missing.json", "twice.json", "twice.yaml", "deep.yaml", "latin.yaml"):
        with pytest.raises(ConfigurationError, match=name):
            EvidenceContract.load(tmp_path / name)


# https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
STRICT_KEYS = {
    "type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref", "$defs",
    "description", "title",
}  # fmt: skip
STRICT_TYPES = {"string", "number", "boolean", "integer", "object", "array", "null"}


def strict(schema: object, *, names: bool = False) -> None:
    """What OpenAI's strict mode demands: known keywords and types, closed objects, every property required."""
    if isinstance(schema, dict):
        if not names:
            assert set(schema) <= STRICT_KEYS
            types = schema.get("type", [])
            assert set([types] if isinstance(types, str) else types) <= STRICT_TYPES
            assert schema.get("type") != "array" or "items" in schema
        for key, part in schema.items():
            strict(part, names=not names and key in ("properties", "$defs"))
        if not names and schema.get("type") == "object":
            assert schema["additionalProperties"] is False
            assert schema["required"] == list(schema["properties"])
    elif isinstance(schema, list):
        for part in schema:
            strict(part)


@pytest.mark.parametrize("several", [False, True])
def test_the_schema_is_valid_strict_and_met_by_a_record(several: bool) -> None:
    schema = DEAL.json_schema(several_sources=several)
    jsonschema.Draft202012Validator.check_schema(schema)
    strict(schema)
    assert schema["type"] == "object"
    assert DEAL.response_format(several_sources=several)["json_schema"]["strict"] is True
    if not several:
        jsonschema.validate(record(), schema)
        wrong = record(kind=grounded("gift", 6, "Type: sale"))
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


def test_the_wire_model_round_trips() -> None:
    wire = DEAL.wire_model
    with_source = json.loads(json.dumps(record()).replace('"line_start"', '"source": null, "line_start"'))
    assert DEAL.validate(wire.model_validate(with_source), TEXT).status == "valid"
    with pytest.raises(ValidationError):
        wire.model_validate({**with_source, "more": 1})
    strict(json.loads(json.dumps(wire.model_json_schema())))


def test_any_name_can_be_served() -> None:
    names = ["schema", "json", "model_config", "_x", "class", "copy", "a b", "field_1", "price"]
    fields = [*({"name": name, "nullable": True} for name in names), {"name": "a_b", "type": "list[integer]"}]
    contract: EvidenceContract[BaseModel] = EvidenceContract.from_dict({"name": "an offer (new)", "fields": fields})
    assert contract.response_format()["json_schema"]["name"] == "an_offer__new_"
    schema = contract.wire_model.model_json_schema()
    strict(schema)
    assert list(schema["properties"]) == [*names, "a_b"] == list(contract.json_schema()["properties"])
    sent = contract.wire_model.model_validate(
        {**dict.fromkeys(names, ABSENT), "a_b": listed(found=False, complete=False)}
    )
    assert contract.validate(sent, "x").status == "valid"


def test_the_prompt_numbers_the_lines_as_evidence_counts_them() -> None:
    sources = [Source("a.txt", "one\r\n\r\nthree\u2028still three\r\n"), Source("b.txt", "x\n" * 10)]
    prompt = DEAL.prompt(sources)
    assert "Source a.txt:\n1 | one\n2 | \n3 | three\u2028still three\n" in prompt
    assert "\n10 | x\n" in prompt
    assert " 9 | x" in prompt
    for part in ("price (amount, required): what is paid", "sale, lease", "give the name", "may be inferred"):
        assert part in prompt


def test_a_valid_record_fills_the_model() -> None:
    report = DEAL.validate(json.dumps(record()), TEXT)
    assert report.status == "valid"
    assert repair_text(report) == ""
    accepted = report.accept()
    assert accepted.values["parties"] == [{"name": "Ada", "share": 60}, {"name": "Bob", "share": None}]
    deal = DEAL.instance(accepted)
    assert deal.price.value == Money(amount=Decimal("1250.00"), currency="USD")
    assert deal.signed is not None
    assert deal.signed.value == date(2026, 4, 25)
    assert deal.tests[1].evidence[0].line_start == 5


def test_repair_text_names_only_what_is_wrong() -> None:
    wrong = record(
        signed=grounded("2026-04-26", 2, "Signed 25/04/2026"),
        kind=grounded("sale", 5, "Type: sale"),
        tests=listed(grounded("a", 4, "FAILED a"), grounded("c", 5, "FAILED c")),
    )
    lines = repair_text(DEAL.validate(wrong, TEXT)).splitlines()
    assert [line.split(":")[0] for line in lines[1:]] == [
        "- signed",
        "- tests[1] (evidence 1)",
        "- kind (evidence 1)",
    ]
    assert "line 6 of document" in lines[3]


def test_partial_acceptance_keeps_the_valid_parts_and_says_why() -> None:
    wrong = record(
        price=grounded({"amount": "1250.00", "currency": "CAD"}, 1, "Price: $1,250.00"),
        tests=listed(grounded("a", 4, "FAILED a"), grounded("c", 5, "FAILED c"), complete=False),
        risk=grounded(0.5, 3, "Ada (60%)"),
    )
    report = DEAL.validate(wrong, TEXT)
    with pytest.raises(ContractError, match="price"):
        report.accept()
    accepted = report.accept(partial=True)
    assert accepted.dropped == {
        "price": "CURRENCY_NOT_IN_QUOTE",
        "tests[1]": "QUOTE_NOT_FOUND",
        "risk": "VALUE_DERIVED",
    }
    assert accepted.values["price"] is None
    assert accepted.values["tests"] == ["a"]
    assert accepted.values["kind"] == "sale"
    deal = DEAL.instance(accepted)
    assert deal.price.value is None
    assert [test.value for test in deal.tests] == ["a"]
    with_derived = report.accept(partial=True, unverified=True)
    assert with_derived.values["risk"] == 0.5
    assert with_derived.unverified == ("risk",)


def test_relocations_are_applied_only_on_request() -> None:
    wrong = record(kind=grounded("sale", 5, "Type: sale"), signed=grounded("2026-04-25", 2, "Signed 26/04/2026"))
    before = json.dumps(wrong)
    report = DEAL.validate(wrong, TEXT)
    assert {result.path for result in report.offences} == {"kind", "signed"}
    moved = DEAL.validate(wrong, TEXT, apply_relocations=True)
    assert {result.path for result in moved.offences} == {"signed"}
    assert [(move.path, move.place.line_start) for move in moved.moves] == [("kind", 6)]
    assert json.dumps(wrong) == before
    deep: Any = 0
    for _ in range(5_000):
        deep = [deep]
    again = DEAL.validate({**wrong, "more": deep}, TEXT, apply_relocations=True)
    assert [move.path for move in again.moves] == ["kind"]
    assert again.record["more"] is deep


@pytest.mark.parametrize("output", ["[]", "3", [], None])
def test_a_record_that_is_no_object(output: object) -> None:
    report = DEAL.validate(output, TEXT)
    assert [result.codes for result in report.offences] == [("RECORD_NOT_OBJECT",)]
    assert report.accept(partial=True).values == {}
    assert "record" in repair_text(report)


def test_missing_and_unknown_fields() -> None:
    whole = record(more=1)
    del whole["price"], whole["parties"]["items"][1]["name"]
    report = DEAL.validate(whole, TEXT)
    assert {result.path: result.codes for result in report.results if result.codes and result.path != "risk"} == {
        "": ("FIELD_UNKNOWN",),
        "price": ("FIELD_MISSING",),
        "parties[1].name": ("FIELD_MISSING",),
        "parties[1].share": ("ABSENT_DECLARED",),
        "grade": ("ABSENT_DECLARED",),
    }
    assert report.accept(partial=True).values["parties"][1] == {"name": None, "share": None}


def test_warnings_against_misuse() -> None:
    derived = [{"name": name, "derived": True} for name in "abc"]
    doubtful: EvidenceContract[BaseModel] = EvidenceContract.from_dict({"fields": [*derived, {"name": "d"}]})
    assert doubtful.warnings[0].startswith("DERIVED_FIELDS: 3 of 4")
    assert DEAL.warnings == ()
    (gate,) = DEAL.validate(record(), TEXT).warnings
    assert gate.startswith("FLAGS_ONLY_GATE")
    assert "parties[1].share, grade, risk" in gate
    probed: EvidenceContract[BaseModel] = EvidenceContract.from_dict(
        {"fields": [{"name": "d", "nullable": True, "presence_probe": "x"}]}
    )
    assert probed.validate({"d": ABSENT}, "abc").warnings == ()


def test_unvalidated_data_is_marked() -> None:
    claimed = DEAL.parse(record())
    assert not isinstance(claimed, Validated)
    with pytest.warns(UnvalidatedWarning, match="not validated"):
        assert claimed.unchecked["kind"]["value"] == "sale"
    with pytest.raises(ConfigurationError, match="validated"):
        DEAL.instance(claimed)  # type: ignore[arg-type]
    assert "1250" not in repr(claimed)
    assert claimed.validate(TEXT).status == "valid"


def test_sources_must_be_told_apart() -> None:
    with pytest.raises(InputError, match="different ids"):
        DEAL.validate(record(), [Source("a", "x"), Source("a", "y")])
    with pytest.raises(InputError, match="at least one"):
        DEAL.validate(record(), [])
    with pytest.raises(InputError, match="content type"):
        Source("a", "x", "pdf")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="bytes"):
        Source("a", b"x")  # type: ignore[arg-type]


def test_a_broken_probe_is_a_configuration_error() -> None:
    broken: EvidenceContract[BaseModel] = EvidenceContract.from_dict(
        {"fields": [{"name": "d", "nullable": True, "presence_probe": "(a"}]}
    )
    with pytest.raises(ConfigurationError, match="RE2"):
        broken.validate({"d": ABSENT}, "abc")


def test_the_report_is_plain_json() -> None:
    report: Report = DEAL.validate(record(kind=grounded("sale", 5, "Type: sale")), TEXT)
    plain = json.loads(json.dumps(report.to_dict()))
    kind = next(result for result in plain["results"] if result["path"] == "kind")
    assert plain["status"] == "invalid"
    assert kind["evidence"][0]["relocations"][0]["line_start"] == 6
    assert plain["results"] == report.to_dict()["results"]


def test_the_page_marks_spans_and_escapes_the_source() -> None:
    text = "<script>alert(1)</script>\r\nPrice: $5 & more\r\n"
    contract: EvidenceContract[BaseModel] = EvidenceContract.from_dict({"fields": [{"name": "price<"}]})
    page = highlight(contract.validate({"price<": grounded("$5 &", 2, "$5 & more")}, text), text)
    assert "<script" not in page
    assert '<mark class="valid" title="price&lt;: valid">$5 &amp; more</mark>' in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;</li><li>Price: <mark" in page
    assert "http" not in page


def test_the_page_of_overlapping_marks_and_odd_characters() -> None:
    text = "one two three\nfour \ud800\n"
    contract: EvidenceContract[BaseModel] = EvidenceContract.from_dict({"fields": [{"name": "a"}, {"name": "b"}]})
    whole = {"a": grounded("one", 1, "one two three\nfour", 2), "b": grounded("two", 1, "two"), "c": 1}
    page = highlight(contract.validate(whole, text), text)
    assert page.count("<mark") == 2  # one mark over two lines; the one inside it adds nothing
    assert "three</mark></li>" in page
    assert page.encode()


LOG = """collected 3 items
tests/test_auth.py F.
FAILED tests/test_auth.py::test_token_expiry - assert 0
1 failed, 2 passed
"""


def test_from_a_served_schema_to_a_rejected_fabrication() -> None:
    """An agent asks which test failed; the model invents one, is told so, and mends its answer."""
    contract: EvidenceContract[BaseModel] = EvidenceContract.from_dict(
        {"name": "ci", "fields": [{"name": "failing_test", "presence_probe": r"^FAILED \S+::(\S+)"}]}
    )
    fabricated = {"failing_test": grounded("test_refresh", 3, "FAILED tests/test_auth.py::test_refresh")}
    honest = {"failing_test": grounded("test_token_expiry", 3, "FAILED tests/test_auth.py::test_token_expiry")}
    honest["failing_test"]["complete_answer_found"] = False
    with serving(*(Reply(completion(json.dumps(answer))) for answer in (fabricated, honest))) as server:
        judge = OpenAICompatibleJudge("m", base_url=server.url)
        prompt = contract.prompt(LOG)
        first = contract.validate(judge(prompt, contract.json_schema(), 500), LOG)
        assert first.offences[0].codes == ("QUOTE_NOT_FOUND",)
        second = contract.validate(judge(f"{prompt}\n{repair_text(first)}", contract.json_schema(), 500), LOG)
    asked = server.asked[0]["response_format"]["json_schema"]
    assert asked["strict"] is True
    jsonschema.validate(honest, asked["schema"])
    assert "failing_test" in server.asked[1]["messages"][0]["content"]
    assert second.results[0].codes == ("INCOMPLETE_DECLARED",)
    assert second.accept().values == {"failing_test": "test_token_expiry"}
