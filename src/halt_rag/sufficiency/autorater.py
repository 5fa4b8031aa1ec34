"""Whether a context suffices to answer a question: the split to make before a wrong answer is mended."""

from __future__ import annotations

from functools import lru_cache

from halt_rag.contracts import Judge
from halt_rag.errors import InputError
from halt_rag.sufficiency.judged import judged
from halt_rag.sufficiency.result import Sufficiency
from halt_rag.sufficiency.searched import searched, with_answer
from halt_rag.verify.sources import Source, as_passages, checked
from halt_rag.verify.verifier import HaltRagVerifier


def check_sufficiency(
    question: str,
    context: Source,
    *,
    answer: str | None = None,
    judge: Judge | None = None,
    verifier: HaltRagVerifier | None = None,
) -> Sufficiency:
    """Whether the context alone lets a reader answer the question (Joren et al., "Sufficient Context", 2025).

    Args:
        question: The question.
        context: The retrieved passages.
        answer: A known right answer. Offline, the verifier then checks it against the context, which is far more
            reliable than looking for one.
        judge: A language model that reads the context; without one, the verifier works offline.
        verifier: The verifier of the offline engine; default: the one that ships with the package.

    Returns:
        The verdict; ``undetermined`` where the engine cannot tell, or the judge's answer cannot be used.

    Raises:
        InputError: If the question is empty, or the context holds no text.
        BackendError: If a model cannot be asked. That is never a verdict.
    """
    if not checked("The question", question).strip():
        raise InputError("The question is empty.")
    passages = as_passages(context)
    if judge is not None:
        return judged(question, passages, judge)
    used = verifier if verifier is not None else _default_verifier()
    if answer is not None:
        return with_answer(question, passages, answer, used)
    return searched(question, passages, used)


@lru_cache(maxsize=1)
def _default_verifier() -> HaltRagVerifier:
    return HaltRagVerifier()
