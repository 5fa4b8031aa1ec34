"""Claims in the quantities of a passage: what is replaced, what is not, and what a verifier makes of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from halt_rag import HaltRagVerifier
from halt_rag.nli.fake import FakeNLI
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.verify.quantities import QuantityIndex
from halt_rag.verify.rewording import rewordings


def reworded(claim: str, *passages: str, hypothesis: str | None = None) -> dict[int, str]:
    found = rewordings(claim, hypothesis or claim, QuantityIndex(passages))
    return {position: one.text for position, one in found.items()}


@pytest.mark.parametrize(
    ("source", "claim", "expected"),
    [
        ("The trail is 2.4 km long.", "The trail is 2,400 metres long.", "The trail is 2.4 km long."),
        ("The warranty lasts two years.", "The warranty lasts 24 months.", "The warranty lasts two years."),
        ("It opened on 3 May 1998.", "It opened on 1998-05-03.", "It opened on 3 May 1998."),
        ("Patients took 0.5 g a day.", "Patients took 500 mg a day.", "Patients took 0.5 g a day."),
        ("Revenue was $1.2 billion.", "Revenue was 1,200 million dollars.", "Revenue was $1.2 billion."),
    ],
)
def test_a_converted_quantity_is_put_as_the_passage_puts_it(source: str, claim: str, expected: str) -> None:
    assert reworded(claim, source) == {0: expected}


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("The trail is 2.4 km long.", "The trail is 2.4 km long."),
        ("The trail is 2.4 km long.", "The trail is 2,500 metres long."),
        ("The trail is 2.4 km long.", "The trail is long."),
        ("40 men and 35 women came.", "75 people came."),
    ],
)
def test_nothing_else_is_replaced(source: str, claim: str) -> None:
    assert reworded(claim, source) == {}


def test_each_passage_has_its_own_wording_whatever_the_others_say() -> None:
    claim = "The trail is 2,400 metres long."
    passages = ["The trail is 2.4 km long.", "The trail is 2,400 metres long.", "The trail is 2400 m long."]
    alone = [reworded(claim, passage).get(0) for passage in passages]
    together = reworded(claim, *passages)
    assert [together.get(i) for i in range(3)] == alone
    assert alone[:2] == ["The trail is 2.4 km long.", None]


def test_only_what_stands_once_in_the_hypothesis_is_replaced() -> None:
    claim, source = "It lasted 24 months.", "It lasted two years."
    assert reworded(claim, source, hypothesis="The war lasted 24 months.") == {0: "The war lasted two years."}
    assert reworded(claim, source, hypothesis="The war of 24 months lasted 24 months.") == {}
    assert reworded(claim, source, hypothesis="The war lasted 124 months.") == {}


class Literal(FakeNLI):
    """A model that entails only what stands there word for word."""

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        rows = [[0.98, 0.01, 0.01] if p.hypothesis in p.premise else [0.02, 0.96, 0.02] for p in pairs]
        return NLIScores(np.array(rows, dtype=np.float32))


def test_a_claim_is_faithful_where_a_passage_supports_it_in_its_own_units() -> None:
    verifier = HaltRagVerifier(backend=Literal(), task=None)
    source = "The path is old. The trail is 2.4 km long. It is steep."
    right, wrong = (
        verifier.verify(source, f"The trail is {said} metres long.").claims[0] for said in ("2,400", "2,500")
    )
    assert right.label == "faithful"
    assert right.quantities[0].status == "converted"
    assert right.evidence[0].text == "The trail is 2.4 km long."
    assert wrong.label == "unfaithful"


def test_both_wordings_are_counted_as_read() -> None:
    verifier = HaltRagVerifier(backend=Literal(), task=None, locate_evidence=False)
    source = ["The trail is 2.4 km long.", "The path is old."]
    assert verifier.verify(source, "The trail is 2,400 metres long.").receipt.pairs_scored == 3
    assert verifier.verify(source, "The trail is 2.4 km long.").receipt.pairs_scored == 2
