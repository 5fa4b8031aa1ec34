"""Reads a whole text with the NLI models of a task, and gives the task's verdict on it.

The claims of the text keep the labels of the general task model. The verdict on the text is the text model's, as long
as the claims do not say the opposite.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING

from halt_rag.errors import ArtifactMismatchError, ConfigurationError, UnknownNameError
from halt_rag.nli.scores import NLIBackend, NLIScores, Pair, asked
from halt_rag.text.windows import Tokenizer, windows
from halt_rag.verify import artifact as artifacts
from halt_rag.verify.artifact import TaskModel
from halt_rag.verify.checking import CheckedClaim, by_nearest
from halt_rag.verify.decide import decide
from halt_rag.verify.lexical import lexemes, union
from halt_rag.verify.reading import Sources
from halt_rag.verify.result import Verification
from halt_rag.verify.text_features import VERSIONS, ClaimFigures, Schema, text_features
from halt_rag.verify.text_model import ModelRef, Pipeline, TextModel, TextSettings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The tasks whose verdict on a text is a text model's; their claims are the general task model's.
TEXT_TASKS = ("qa", "dialogue", "summarization")


@dataclass(frozen=True, slots=True)
class Reading:
    """A text that is about to be scored.

    Attributes:
        sources: The passages.
        generated: The text.
        question: The question it answers, if any.
        pairs: For each model, by name, each window with the hypothesis; empty where a source has no token.
        truncated: Whether the hypothesis was cut off for one of the models.
    """

    sources: list[str]
    generated: str
    question: str | None
    pairs: dict[str, list[Pair]]
    truncated: bool


class TextReader:
    """Turns texts into pairs, and their scores into features.

    Args:
        schema: Which features.
        settings: How a text is read.
        backends: The NLI models by name; each reads with its own tokenizer.
        claims: The task model that weighs claims, if any; only the extended schema depends on it.

    Raises:
        ConfigurationError: If a window and a hypothesis together do not fit a model.
    """

    def __init__(
        self, schema: Schema, settings: TextSettings, *, backends: Mapping[str, NLIBackend], claims: TaskModel | None
    ) -> None:
        self.schema = schema
        self._settings = settings
        self.backends = dict(backends)
        self._claims = claims
        for backend in self.backends.values():
            tokenizer = backend.tokenizer
            need = settings.window_tokens + settings.hypothesis_tokens + tokenizer.pair_overhead
            if need > tokenizer.max_tokens:
                raise ConfigurationError(
                    f"Windows of {settings.window_tokens} and hypotheses of {settings.hypothesis_tokens} tokens need "
                    f"{need}, but {backend.model_id} reads {tokenizer.max_tokens}.",
                    hint="Lower windows.window_tokens or windows.hypothesis_tokens.",
                )

    @property
    def pipeline(self) -> Pipeline:
        """What the features depend on."""
        return Pipeline(
            schema_name=self.schema,
            schema_version=VERSIONS[self.schema],
            models=[ModelRef(name=n, model_id=b.model_id, revision=b.revision) for n, b in self.backends.items()],
            reading=self._settings,
            claims=self._claims.id if self._claims and self.schema == "extended" else None,
        )

    def read(self, sources: Sequence[str], generated: str, question: str | None) -> Reading:
        """Cuts a text into what each model is asked."""
        question = (question or "").strip() or None
        premises = list(sources)
        if question and self._settings.premise == "source_question":
            premises[-1] = f"{premises[-1]}\n{question}"
        pairs: dict[str, list[Pair]] = {}
        truncated = False
        for name, backend in self.backends.items():
            hypothesis, cut = _hypothesis(generated, question, backend.tokenizer, self._settings)
            truncated = truncated or cut
            spans = windows(premises, backend.tokenizer, budget=self._settings.window_tokens, overlap=0)
            pairs[name] = [Pair(w.span.of(premises[w.passage]), hypothesis) for w in spans]
        return Reading(list(sources), generated, question, pairs, truncated)

    def figures(self, checked: Sequence[CheckedClaim], sources: Sources, question: str | None) -> ClaimFigures:
        """What claims that were read say of their text, each by its ``TextSettings.claim_windows`` nearest windows.

        Args:
            checked: The claims, from ``checking.check`` or ``checking.read_nearest``.
            sources: What they were checked against.
            question: The question that the text answers, if any.
        """
        asked = (question or "").strip()
        known = union([sources.known, lexemes(asked)]) if asked else sources.known
        found = [by_nearest(c, self._settings.claim_windows, sources, known, self._claims) for c in checked]
        read = [reading for reading in found if reading is not None]
        return ClaimFigures(
            [r.p for r in read], [r.entailment for r in read], [r.contradiction for r in read], found.count(None)
        )

    def features(
        self, reading: Reading, scores: Mapping[str, NDArray[np.float32]], claims: ClaimFigures | None
    ) -> dict[str, float]:
        """The features of a text that was read.

        Args:
            reading: What was read.
            scores: For each model, by name, the probabilities of its pairs, shape (pairs, 3).
            claims: What the claims say; needed by the extended schema.
        """
        return text_features(
            self.schema,
            sources=reading.sources,
            generated=reading.generated,
            question=reading.question,
            nli=scores,
            claims=claims,
        )


def _hypothesis(generated: str, question: str | None, tokenizer: Tokenizer, settings: TextSettings) -> tuple[str, bool]:
    """What a model is asked about, and whether the text was cut off; a question that leaves no room is left out."""
    if question and settings.hypothesis == "question_answer":
        both = f"{question} {generated.strip()}"
        if tokenizer.count(both) <= settings.hypothesis_tokens:
            return both, False
    text = generated.strip()
    cut = _first(text, tokenizer, settings.hypothesis_tokens)
    return cut, cut != text


def _first(text: str, tokenizer: Tokenizer, most: int) -> str:
    """The start of a text, with at most so many tokens when it is tokenized alone."""
    offsets = tokenizer.offsets(text)
    room, start = most, text
    while room < len(offsets):
        start = text[: offsets[room][0]].rstrip()
        # A part of a text can have other tokens than the text has there.
        beyond = tokenizer.count(start) - most
        if beyond <= 0 or room == 1:
            break
        room = max(1, room - beyond)
    return start


@dataclass(frozen=True, slots=True)
class TextVerdict:
    """What a text model says.

    Attributes:
        p: P(hallucinated).
        features: By name.
        complete: Whether all of the text was read: by the models whole, or claim by claim.
    """

    p: float
    features: dict[str, float]
    complete: bool


class TextHead:
    """A text model together with the NLI models that it was fitted on.

    Args:
        model: The text model.
        backends: The NLI models in the order of ``model.pipeline.models``; the first also checks the claims.
        claims: The task model that weighs the claims.

    Raises:
        ArtifactMismatchError: If the model was fitted on another pipeline.
    """

    def __init__(self, model: TextModel, backends: Sequence[NLIBackend], claims: TaskModel | None) -> None:
        names = [m.name for m in model.pipeline.models]
        if len(names) != len(backends):
            raise ConfigurationError(
                f"The task model {model.id!r} needs {len(names)} NLI models ({', '.join(names)}), not {len(backends)}."
            )
        self.model = model
        self._reader = TextReader(
            model.pipeline.schema_name,
            model.pipeline.reading,
            backends=dict(zip(names, backends, strict=True)),
            claims=claims,
        )
        model.check_fits(self._reader.pipeline)

    def read(self, sources: Sequence[str], generated: str, question: str | None) -> Reading:
        """Cuts a text into what each model is asked."""
        return self._reader.read(sources, generated, question)

    def pairs(self, reading: Reading) -> list[Pair]:
        """What the first model has to score."""
        return next(iter(reading.pairs.values()))

    def figures(self, checked: Sequence[CheckedClaim], sources: Sources, question: str | None) -> ClaimFigures | None:
        """What claims that were checked say of their text; None where the features do not depend on them."""
        return self._reader.figures(checked, sources, question) if self._reader.schema == "extended" else None

    def verdict(self, reading: Reading, scores: NLIScores, claims: ClaimFigures | None) -> TextVerdict | None:
        """The probability of a text; None where its source has nothing that a model can read.

        Args:
            reading: What was read.
            scores: Those of ``pairs``. The other models are asked here.
            claims: What the claims say, from ``figures``.
        """
        if not all(reading.pairs.values()):
            return None
        first, *others = self._reader.backends
        by_model = {first: scores.probabilities}
        by_model |= {name: asked(self._reader.backends[name], reading.pairs[name]).probabilities for name in others}
        features = self._reader.features(reading, by_model, claims)
        complete = self._reader.schema == "extended" or not reading.truncated
        return TextVerdict(self.model.probability(features), features, complete)

    def applied(
        self,
        result: Verification,
        reading: Reading,
        scores: NLIScores | None,
        claims: ClaimFigures | None = None,
        *,
        foreign: bool = False,
    ) -> Verification:
        """A verification with this model's verdict on the text; its claims stay as they are.

        A text with nothing to check stays accepted, without a probability. The verdict is left open where this model
        says "hallucinated" and all claims are supported, or "supported" and a claim is contradicted: a model of whole
        texts goes by their style too, and takes what is not written as its training data for hallucinated.

        Args:
            result: What the claims alone say.
            reading: What was read.
            scores: Those of ``pairs``; None where there are none.
            claims: What the claims say, from ``figures``.
            foreign: Whether a part of the text or of its source is in a language that the NLI model cannot read. It is
                scored as a whole, so that its probability then says nothing: the verdict is left open.
        """
        if all(claim.label == "NA" for claim in result.claims):
            return result
        verdict = None if foreign or scores is None else self.verdict(reading, scores, claims)
        all_read = all(claim.reason != "not_read" for claim in result.claims)
        cuts = self.model.cuts.thresholds()
        p = verdict.p if verdict else None
        decision, why = decide(p, cuts, complete=all_read and verdict is not None and verdict.complete)
        if foreign:
            why = "language"
        contradicted = any(claim.reason == "contradicted" for claim in result.claims)
        if (decision == "supported" and contradicted) or (decision, result.decision) == ("hallucinated", "supported"):
            decision, why = "abstain", "disagreement"
        asked = 0 if foreign else sum(map(len, reading.pairs.values()))
        first, *cascade = result.receipt.pairs_by_tier or [result.receipt.pairs_scored]
        receipt = {
            "pairs_scored": result.receipt.pairs_scored + asked,
            "pairs_by_tier": [first + asked, *cascade],
            "cache_hits": result.receipt.cache_hits + (scores.cache_hits if scores else 0),
            "truncated": result.receipt.truncated or verdict is None or not verdict.complete,
        }
        return result.model_copy(
            update={
                "decision": decision,
                "abstain_reason": why,
                "calibrated_prob": p,
                "threshold": cuts.threshold,
                "feature_breakdown": verdict.features if verdict else {},
                "receipt": result.receipt.model_copy(update=receipt),
                "model": result.model.model_copy(update={"artifact": self.model.id, "calibrated": True}),
            }
        )


def text_head_for(
    task: str | None, given: TextModel | None, backends: Sequence[NLIBackend], claims: TaskModel | None
) -> TextHead | None:
    """What gives the verdict on a text; None where that is the worst claim's.

    Args:
        task: Which task; those of ``TEXT_TASKS`` have text models.
        given: A text model instead of a shipped one.
        backends: The NLI models, the first of which checks the claims.
        claims: The task model that weighs the claims.

    Raises:
        UnknownNameError: If no text model of the task ships for this NLI model, though others do.
        ArtifactMismatchError: If the text model is for another task, or was fitted on another pipeline.
    """
    if given is not None and task in TEXT_TASKS and given.task != task:
        raise ArtifactMismatchError(
            f"The task model {given.id!r} is for {given.task!r}, not for {task!r}.",
            hint=f"Give task={given.task!r}, or another task model.",
        )
    shipped = (
        shipped_text_model(task, backends[0].model_id)
        if given is None and task is not None and task in TEXT_TASKS
        else None
    )
    model = given or shipped
    return None if model is None else TextHead(model, backends, claims)


def load_text_model(source: Traversable | Path) -> TextModel:
    """Reads a text model.

    Raises:
        ConfigurationError: If it cannot be read or has the wrong shape.
    """
    return artifacts.read_as(TextModel, source, "text model")


def load_model(source: Path) -> TaskModel | TextModel:
    """Reads a task model of either kind.

    Raises:
        ConfigurationError: If it cannot be read or has the wrong shape.
    """
    try:
        content = json.loads(source.read_bytes())
    except OSError as error:
        raise ConfigurationError(f"The task model {source} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{source} is no task model: it is not JSON.") from error
    is_text = isinstance(content, dict) and content.get("kind") == "text"
    return load_text_model(source) if is_text else artifacts.load(source)


def shipped_text_model(task: str, model_id: str) -> TextModel | None:
    """The text model that ships for a task and an NLI model; None where nothing is fitted on that NLI model.

    Raises:
        ConfigurationError: If this one ships for other NLI models only.
        UnknownNameError: If other task models of that NLI model ship, and there is no such task.
    """
    folders = artifacts.task_folders()
    folder = folders.get(model_id)
    if folder is None:
        return None
    file = folder / f"{task}.json"
    if file.is_file():
        return load_text_model(file)
    if task not in TEXT_TASKS:
        raise UnknownNameError("task", task, [f.name.removesuffix(".json") for f in folder.iterdir()])
    others = sorted(name for name, home in folders.items() if (home / file.name).is_file())
    raise ConfigurationError(
        f"No task model {task!r} ships for {model_id}.",
        hint=f'It ships for {", ".join(others) or "no other model"}: --tier fast, or EmbeddedNLI(tier="fast"), asks '
        "the model of the package. Or fit one: halt-rag train.",
    )
