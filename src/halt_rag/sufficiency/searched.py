"""Sufficiency without a language model: the verifier checks a known answer, or the context is searched for evidence.

The search looks at two things: how many of the question's content words stand in the sentences nearest to it, and
whether the verifier's own model finds that a window of the context entails "The text answers the question ...". Both
together tell a context on another topic from a sufficient one well, and one on the same topic that lacks the answer
less well; so the search says "undetermined" over a wide middle range.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from halt_rag.nli.scores import NLIBackend, Pair
from halt_rag.sufficiency.grading import contains_gold
from halt_rag.sufficiency.result import Sufficiency, Verdict
from halt_rag.text.sentences import split_sentences
from halt_rag.text.windows import windows
from halt_rag.verify.claims import SHORT_ANSWER_WORDS
from halt_rag.verify.na import is_yes_or_no
from halt_rag.verify.verifier import HaltRagVerifier, Passage

NEAREST = 6

# Logistic regression on HaluEval QA, fitted and measured by benchmarks/sufficiency.py.
INTERCEPT, ENTAILED, COVERAGE = -4.04, 3.19, 4.62
SUFFICIENT_FROM, INSUFFICIENT_TO = 0.75, 0.25

_WORD = re.compile(r"\w+(?:['’]\w+)?")
_COMMON = frozenset(
    """a an and are as at be been but by can could did do does for from had has have he her his how i in into is it its
    many much no not of on or she so than that the their them they this to was were what when where which who whom whose
    why will with would you your""".split()
)


def with_answer(question: str, passages: Sequence[Passage], answer: str, verifier: HaltRagVerifier) -> Sufficiency:
    """Whether the context supports a known answer to the question.

    A short answer must also stand there word for word; where that and the verifier disagree, it is undetermined.
    """
    result = verifier.verify(list(passages), answer, question)
    p = None if result.calibrated_prob is None else 1 - result.calibrated_prob
    supported = result.decision == "supported"
    verdict: Verdict = "sufficient" if supported else "insufficient"
    if result.decision == "abstain" or p is None:
        verdict, reason = "undetermined", "The verifier cannot tell whether the context supports the known answer."
    elif _is_short(answer) and supported != any(contains_gold(passage.text, [answer]) for passage in passages):
        words = "has the words of the known answer" if not supported else "lacks the words of the known answer"
        verdict, reason = "undetermined", f"The context {words}, and the verifier says otherwise."
    elif supported:
        reason = "The context supports the known answer."
    else:
        against = any(claim.reason == "contradicted" for claim in result.claims)
        reason = f"The context {'contradicts' if against else 'does not state'} the known answer."
    return Sufficiency(verdict=verdict, reason=reason, engine="answer", p_sufficient=p)


def _is_short(answer: str) -> bool:
    return len(answer.split()) <= SHORT_ANSWER_WORDS and not is_yes_or_no(answer)


def searched(question: str, passages: Sequence[Passage], verifier: HaltRagVerifier) -> Sufficiency:
    """Looks for evidence that the context answers the question."""
    near = nearest_sentences(question, passages)
    coverage, said = covered(question, near), entailed(question, passages, verifier.backend)
    p = probability(said, coverage)
    if p >= SUFFICIENT_FROM:
        verdict: Verdict = "sufficient"
        reason = "The context speaks of what is asked, and seems to answer it."
    elif p <= INSUFFICIENT_TO:
        verdict, reason = "insufficient", "The context does not seem to speak of what is asked."
    else:
        verdict, reason = "undetermined", "The context is near the question, but whether it answers it is not clear."
    return Sufficiency(verdict=verdict, reason=reason, engine="search", p_sufficient=p, nearest=near[:3])


def probability(said: float, coverage: float) -> float:
    """P(sufficient), calibrated on HaluEval QA; rises with both.

    Args:
        said: Probability, from 0 to 1, that the context entails that it answers the question.
        coverage: Share of the question's content words in the nearest sentences.
    """
    return 1 / (1 + math.exp(-(INTERCEPT + ENTAILED * said + COVERAGE * coverage)))


def entailed(question: str, passages: Sequence[Passage], backend: NLIBackend) -> float:
    """The highest probability over the context's windows that one entails that it answers the question.

    0 if the question leaves no room for a context.
    """
    hypothesis = f'The text answers the question "{question.strip()}"'
    tokenizer = backend.tokenizer
    budget = tokenizer.max_tokens - tokenizer.pair_overhead - tokenizer.count(hypothesis)
    if budget < tokenizer.max_tokens // 4:
        return 0.0
    texts = [passage.text for passage in passages]
    pairs = [Pair(w.span.of(texts[w.passage]), hypothesis) for w in windows(texts, tokenizer, budget=budget)]
    return float(backend.score(pairs).entailment.max()) if pairs else 0.0


def content_words(text: str) -> set[str]:
    """Lower-case words that carry meaning."""
    return {word for word in (match[0].lower() for match in _WORD.finditer(text)) if word not in _COMMON}


def nearest_sentences(question: str, passages: Sequence[Passage]) -> list[str]:
    """The sentences that share most content words with the question, best first."""
    wanted = content_words(question)
    sentences = [span.of(passage.text).strip() for passage in passages for span in split_sentences(passage.text)]
    scored = [(len(wanted & content_words(sentence)), sentence) for sentence in sentences if sentence]
    scored.sort(key=lambda pair: -pair[0])
    return [sentence for _, sentence in scored[:NEAREST]]


def covered(question: str, sentences: Sequence[str]) -> float:
    """The share of the question's content words that stand in the sentences; 0 if it has none."""
    wanted = content_words(question)
    return len(wanted & content_words(" ".join(sentences))) / len(wanted) if wanted else 0.0
