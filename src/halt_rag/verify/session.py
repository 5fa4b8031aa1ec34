"""One text against its sources, by the models of a verifier; whole, or piece by piece as it is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from halt_rag.verify.asking import Steps
from halt_rag.verify.checking import CheckedClaim, check
from halt_rag.verify.claims import ClaimText, claims_of
from halt_rag.verify.details import explain
from halt_rag.verify.growing import GrowingClaims
from halt_rag.verify.lexical import lexemes, union
from halt_rag.verify.reading import Sources, fit_claims, read_sources
from halt_rag.verify.result import Claim
from halt_rag.verify.rewording import PassageQuantities
from halt_rag.verify.sources import Passage
from halt_rag.verify.tiers import Allowance, Context, Tier

Checked = tuple[CheckedClaim, Claim]


class Session:
    """The sources as each model reads them, and what is left of the limits.

    Args:
        tiers: The models, in the order in which they are asked.
        passages: The sources.
        question: The question that the text answers, if any.
        max_pairs: The limit of pairs for each model and purpose.
        locate: Whether deciding sentences and parts are looked for.

    Raises:
        ConfigurationError: If a window and a claim together do not fit the first model.
    """

    def __init__(
        self, tiers: Sequence[Tier], passages: list[Passage], question: str | None, *, max_pairs: int, locate: bool
    ) -> None:
        self.tiers = tiers
        self._passages = passages
        self._question = question
        self._locate = locate
        self._read: dict[int, tuple[Sources, Context]] = {}
        self._quantities = PassageQuantities([p.text for p in passages], question)
        self._allowances = [Allowance(max_pairs, max_pairs, max_pairs) for _ in tiers]
        self.sources = self._sources(tiers[0])[0]

    def claims_of(self, generated: str) -> list[ClaimText]:
        """The claims of a text, cut so that they fit the first model."""
        return self._fitted(claims_of(generated, self._question), generated)

    def growing(self) -> GrowingClaims:
        """What reads the same claims of a text that is still being written."""
        return GrowingClaims(self._question, self._fitted)

    def _fitted(self, claims: list[ClaimText], generated: str) -> list[ClaimText]:
        first = self.tiers[0]
        return fit_claims(claims, generated, first.backend.tokenizer, first.settings)

    def limits(self) -> list[Allowance]:
        """What is left now, to return to."""
        return [replace(allowance) for allowance in self._allowances]

    def return_to(self, limits: Sequence[Allowance]) -> None:
        """Makes what is left what it was."""
        self._allowances = [replace(allowance) for allowance in limits]

    def check(self, claims: Sequence[ClaimText], generated: str) -> Steps[list[Checked]]:
        """Checks claims: what a model leaves open goes to the next. The claims before must have been checked before.

        Returns:
            What was found for each claim that can be checked, in order.
        """
        final = yield from self._checked(claims, generated, self.tiers[0])
        for before, tier in zip(self.tiers, self.tiers[1:], strict=False):
            at = [i for i, c in enumerate(final) if c.tier == before.number and _is_open(c, before) and _fits(c, tier)]
            if not at:
                continue
            again = yield from self._checked([final[i].claim for i in at], generated, tier)
            for i, c in zip(at, again, strict=True):
                c.tally.add(final[i].tally)
                if c.p is None:
                    final[i].tally = c.tally
                else:
                    final[i] = c
        records: dict[int, Claim] = {}
        for tier in self.tiers:
            at = [i for i, c in enumerate(final) if c.tier == tier.number]
            if at:
                found = yield from explain(
                    [final[i] for i in at],
                    self._sources(tier)[0],
                    tier=tier.number,
                    allowance=self._allowances[tier.number],
                    locate=self._locate,
                )
                records |= zip(at, found, strict=True)
        return [(c, records[i]) for i, c in enumerate(final)]

    def _checked(self, claims: Sequence[ClaimText], generated: str, tier: Tier) -> Steps[list[CheckedClaim]]:
        sources, context = self._sources(tier)
        allowance = self._allowances[tier.number]
        return (yield from check(claims, generated, sources, context=context, tier=tier, allowance=allowance))

    def _sources(self, tier: Tier) -> tuple[Sources, Context]:
        """The sources in the windows of a model, and what is known from them and the question."""
        if tier.number not in self._read:
            sources = read_sources(self._passages, tier.backend.tokenizer, tier.settings)
            known = union([sources.known, lexemes(self._question)]) if self._question else sources.known
            self._read[tier.number] = sources, Context(known, self._quantities)
        return self._read[tier.number]


def _is_open(c: CheckedClaim, tier: Tier) -> bool:
    """Whether the next model is asked about a claim."""
    return c.label is None or (c.p is not None and tier.sure_below <= c.p < tier.sure_from)


def _fits(c: CheckedClaim, tier: Tier) -> bool:
    """Whether a claim, which was cut for the first model, leaves room for a window in another."""
    tokenizer = tier.backend.tokenizer
    room = tokenizer.max_tokens - tokenizer.pair_overhead - tier.settings.window_tokens
    return tokenizer.count(c.hypothesis) <= room
