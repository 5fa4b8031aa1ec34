"""Any exported checkpoint: a folder with an ONNX file, ``config.json`` and ``tokenizer.json``."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from halt_rag.errors import ConfigurationError
from halt_rag.nli.checkpoint import Description, Reading, describe_folder, weights_digest
from halt_rag.nli.onnx_session import OnnxCrossEncoder, PairInput, scored_once, softmax
from halt_rag.nli.presets import reading_of
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.nli.tokenizer import ModelTokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Where exporters put the model, the first that exists counts.
_PLACES = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")


class OnnxNLI:
    """Scores pairs with an exported cross-encoder on ONNX Runtime, on a CPU; an ``NLIBackend``.

    Pairs run alone and unpadded, as in ``EmbeddedNLI``. Constructing costs nothing; files are read on first use.

    Args:
        folder: Has ``config.json`` (with ``id2label``), ``tokenizer.json`` and the model as ``model.onnx``,
            ``model_quantized.onnx`` or one of these in a folder ``onnx``.
        reading: What the files do not say; default: what the preset of the model says, if there is one.
        file: The ONNX file, relative to the folder.
        threads: How many pairs run at once, at least 1; default: the cores that this process may use.

    Raises:
        InputError: If ``threads`` is less than 1.
    """

    name = "onnx"

    def __init__(
        self,
        folder: Path | str,
        reading: Reading | None = None,
        *,
        file: str | None = None,
        threads: int | None = None,
    ) -> None:
        self._folder = Path(folder)
        self._reading = reading
        self._file = file
        self._encoder = OnnxCrossEncoder(self.name, threads=threads)
        self._loading = threading.RLock()
        self._description: Description | None = None
        self._digest: str | None = None
        self._tokenizer: ModelTokenizer | None = None

    @property
    def description(self) -> Description:
        """What the configuration says.

        Raises:
            ConfigurationError: If it cannot be used.
        """
        with self._loading:
            if self._description is None:
                named = describe_folder(self._folder, self._reading or reading_of(str(self._folder)))
                self._description = named
            return self._description

    @property
    def model_id(self) -> str:
        """The name in ``config.json``, or that of the folder."""
        return self.description.model_id

    @property
    def revision(self) -> str:
        """A hash of the model and its tokenizer, the order of labels and the length."""
        with self._loading:
            if self._digest is None:
                model = self.model_file
                # Weights of large models lie beside the graph.
                self._digest = weights_digest([*model.parent.glob(model.name + "*"), self._folder / "tokenizer.json"])
            return self.description.revision(self._digest)

    @property
    def model_file(self) -> Path:
        """The ONNX file.

        Raises:
            ConfigurationError: If there is none.
        """
        for place in (self._file,) if self._file else _PLACES:
            if (self._folder / place).is_file():
                return self._folder / place
        raise ConfigurationError(
            f"There is no ONNX model in {self._folder}.",
            hint="Export one (halt-rag models convert), or name the file in the folder.",
        )

    @property
    def tokenizer(self) -> ModelTokenizer:
        """The model's own tokenizer.

        Raises:
            ConfigurationError: If it cannot be used.
        """
        with self._loading:
            if self._tokenizer is None:
                self._tokenizer = ModelTokenizer(
                    self._folder / "tokenizer.json", self.description.max_tokens, template=self.description.template
                )
            return self._tokenizer

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        """Scores pairs, each for itself; equal pairs are run once.

        Raises:
            InputError: A ``PairTooLongError`` with the index of the first pair that is too long.
            BackendError: If the model fails or gives values that are not finite.
            ConfigurationError: If the model cannot be loaded.
        """

        def run(batch: list[PairInput]) -> NDArray[np.floating]:
            outputs, file = self.description.outputs, self.model_file
            count = len(outputs.meanings)
            logits = self._encoder.logits(batch, count, model_id=self.model_id, file=file, sha256=None)
            return outputs.columns(softmax(logits))

        return scored_once(pairs, self.tokenizer.pair_inputs(pairs), run)
