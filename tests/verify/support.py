"""What the tests of verification share: a task model for the fake backend, texts, and what holds for every result."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise

import jsonschema
from hypothesis import strategies as st

from halt_rag import Passage, Verification
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.scores import NLIBackend
from halt_rag.verify.artifact import Cuts, LinearHead, PipelineSettings, TaskModel
from halt_rag.verify.result import Label, Reason

SIGNED = {
    "nli_support": -1.0,
    "word_recall": -2.0,
    "bigram_recall": -0.5,
    "missing_words": 0.5,
    "missing_numbers": 1.0,
    "missing_names": 1.0,
    "claim_words": 0.1,
    "short_answer": 0.2,
}
REASONS: dict[Label | None, set[Reason | None]] = {
    "faithful": {None},
    "NA": {None},
    None: {"uncertain", "not_read", "language"},
    "partial": {"contradicted", "unsupported"},
    "unfaithful": {"contradicted", "unsupported"},
}
VALIDATOR = jsonschema.Draft202012Validator(Verification.json_schema())


def head(coefficients: dict[str, float], intercept: float = 0.0) -> LinearHead:
    names = list(coefficients)
    return LinearHead(
        features=names,
        mean=[0.0] * len(names),
        scale=[1.0] * len(names),
        coef=list(coefficients.values()),
        intercept=intercept,
    )


def task_model(
    backend: NLIBackend | None = None, *, pipeline: PipelineSettings | None = None, cuts: Cuts | None = None
) -> TaskModel:
    """A plausible task model; between 0.3 and 0.7 it abstains."""
    backend = backend or FakeNLI()
    return TaskModel(
        task="general",
        model_id=backend.model_id,
        revision=backend.revision,
        pipeline=pipeline or PipelineSettings(),
        claim_head=head(SIGNED, 0.5),
        cuts=cuts or Cuts(threshold=0.5, supported_below=0.3, hallucinated_from=0.7),
        fitted_on={},
    )


SMALL = PipelineSettings(window_tokens=16, overlap_tokens=6, claim_tokens=16, max_windows_per_claim=128)

_WORDS = "the dam opened in May 1958 67 999 million Geneva Anna Rome not never river 水坝 zwölf café 🙂 if".split()
sentences = st.builds(
    lambda words, end: " ".join(words) + end,
    st.lists(st.sampled_from(_WORDS), min_size=1, max_size=12),
    st.sampled_from([". ", "? ", "! ", "\n\n", "; ", "。", " "]),
)
#: Texts that share words, so that something is supported, contradicted and missing.
plain_texts = st.lists(sentences, min_size=1, max_size=4).map("".join)
#: Any valid Unicode that holds something.
any_texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80).filter(lambda t: t.strip())
texts = plain_texts | any_texts


def check(result: Verification, passages: Sequence[str | Passage], generated: str) -> None:
    """Asserts what holds for every verification, whatever was given."""
    given = [p.text if isinstance(p, Passage) else p for p in passages]
    _check_claims(result, given, generated)
    _check_decision(result)
    _check_receipt(result, given)
    content = result.to_json()
    json.loads(content, parse_constant=_refused)
    if len(result.claims) < 100:  # The validator takes milliseconds for each claim.
        VALIDATOR.validate(json.loads(content))
    assert Verification.from_json(content) == result


def _refused(constant: str) -> None:
    raise AssertionError(f"the JSON holds {constant}")


def _check_claims(result: Verification, passages: Sequence[str], generated: str) -> None:
    covered = set()
    for claim, after in pairwise([*result.claims, None]):
        assert claim is not None
        assert claim.text == generated[claim.start : claim.end]
        assert claim.text == claim.text.strip() != ""
        assert after is None or claim.end <= after.start
        covered |= set(range(claim.start, claim.end))
        for evidence in claim.evidence:
            assert passages[evidence.passage_index][evidence.start : evidence.end] == evidence.text != ""
        determined = claim.label in {"faithful", "partial", "unfaithful"}
        assert not determined or claim.evidence, "a verdict without evidence"
        assert claim.label != "NA" or (claim.p_hallucinated is None and not claim.evidence)
        assert claim.reason in REASONS[claim.label]
    assert all(c.isspace() or i in covered for i, c in enumerate(generated))


def _check_decision(result: Verification) -> None:
    labels = {claim.label for claim in result.claims}
    assert (result.decision == "hallucinated") == bool(labels & {"partial", "unfaithful"})
    assert (result.decision == "supported") == (labels <= {"faithful", "NA"})
    assert (result.decision == "abstain") == (result.abstain_reason is not None)


def _check_receipt(result: Verification, passages: Sequence[str]) -> None:
    receipt = result.receipt
    checked = [claim for claim in result.claims if claim.label != "NA"]
    assert receipt.passages == len(passages)
    assert receipt.source_tokens_read <= receipt.source_tokens_total
    assert receipt.generated_tokens_read <= receipt.generated_tokens_total
    assert receipt.cache_hits <= receipt.pairs_scored
    if checked and not receipt.truncated:
        assert receipt.source_tokens_read == receipt.source_tokens_total
    if receipt.generated_tokens_read < receipt.generated_tokens_total:
        assert receipt.truncated
    if any(claim.reason == "not_read" for claim in checked):
        assert receipt.truncated
