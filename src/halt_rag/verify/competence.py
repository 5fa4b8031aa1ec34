"""Which windows a model can be trusted with for a claim: those in its languages, and those that hold the claim."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from halt_rag.nli.scores import NLIBackend
from halt_rag.verify.languages import competent
from halt_rag.verify.literal import stands_in


def languages_of(backend: NLIBackend) -> Collection[str] | None:
    """The languages that a backend declares, as BCP 47 tags; None where it declares none, which claims all."""
    found: Collection[str] | None = getattr(backend, "languages", None)
    return found


def trusted(
    claim: str,
    language: str | None,
    windows: Sequence[str],
    window_languages: Sequence[str | None],
    *,
    model_languages: Collection[str] | None,
) -> list[int]:
    """Which windows are read for a claim.

    In a language that a model was not trained on, its score says nothing, so that the window counts as not read. What
    stands in a window word for word is supported by it in any language.

    Args:
        claim: The claim.
        language: Its language, as of ``language_of``.
        windows: The texts of the windows.
        window_languages: Their languages.
        model_languages: Those of the model; None for all.

    Returns:
        Indices into ``windows``, in order; all of them where the model declares no languages.
    """
    if model_languages is None:
        return list(range(len(windows)))
    able = competent(language, model_languages)
    read = {i for i, tag in enumerate(window_languages) if able and competent(tag, model_languages)}
    if len(read) < len(windows):
        others = [i for i in range(len(windows)) if i not in read]
        read |= {others[i] for i in stands_in(claim, [windows[i] for i in others])}
    return sorted(read)
