"""Any sequence-classification checkpoint with transformers, on a CPU, CUDA or Apple GPU. Needs the extra ``local``."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from halt_rag.errors import BackendError, ConfigurationError, InputError, MissingExtraError
from halt_rag.nli.checkpoint import Description, Reading, describe, read_json, weights_digest
from halt_rag.nli.onnx_session import PairInput, scored_once, softmax
from halt_rag.nli.presets import reading_of, repository_of
from halt_rag.nli.scores import NLIScores, Pair
from halt_rag.nli.tokenizer import ModelTokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DType = Literal["float32", "float16", "bfloat16"]
_INSTALL = "transformers and torch"


class LocalNLI:
    """Scores pairs with a checkpoint that runs here; an ``NLIBackend``.

    Takes any encoder with a sequence-classification head (BERT, RoBERTa, DeBERTa, ModernBERT ...), also the names and
    folders of sentence-transformers ``CrossEncoder`` models, which are such checkpoints. Weights are read from
    safetensors only, never from pickles, and no code of a repository is run.

    Pairs of similar length run together, padded and masked. In float32 the company changes a score by less than 1e-5;
    in half precision by up to some 1e-3, so compare such scores with care.

    Args:
        model: A folder, the name of a repository on the Hugging Face hub, or the name of a preset.
        reading: What the configuration does not say; default: what the preset of the model says, if there is one.
        revision: A commit of the repository, which should be given for names: without it, whatever is newest is used.
        device: ``cpu``, ``cuda``, ``cuda:1``, ``mps``; ``auto`` takes CUDA, then MPS, then the CPU.
        dtype: Type of the weights and activations.
        compiled: Whether to compile the model: slow at first, faster in long runs.
        batch_size: How many pairs run together at most.

    Raises:
        InputError: If ``batch_size`` is less than 1.
        MissingExtraError: If transformers or torch is not installed.
    """

    name = "local"

    def __init__(
        self,
        model: Path | str,
        reading: Reading | None = None,
        *,
        revision: str | None = None,
        device: str = "auto",
        dtype: DType = "float32",
        compiled: bool = False,
        batch_size: int = 16,
    ) -> None:
        if batch_size < 1:
            raise InputError(f"batch_size must be at least 1, not {batch_size}.")
        self._torch, self._transformers = _libraries()
        self._source = str(model) if Path(model).is_dir() else repository_of(str(model))
        self._reading = reading or reading_of(str(model))
        self._commit, self._device, self._dtype = revision, device, dtype
        self._compiled, self._batch_size = compiled, batch_size
        self._loading = threading.RLock()
        self._running = threading.Lock()
        self._loaded: Any = None
        self._config: Any = None
        self._digest = ""
        self._tokenizer: ModelTokenizer | None = None

    @property
    def model_id(self) -> str:
        """The name of the repository, or of the folder."""
        return self.description.model_id

    @property
    def description(self) -> Description:
        """What the configuration says.

        Raises:
            ConfigurationError: If it cannot be read or used.
        """
        config = self._read_config().to_dict()
        folder = Path(self._source)
        name = folder.resolve().name if folder.is_dir() else self._source
        file = folder / "tokenizer_config.json"
        return describe(config, read_json(file) if file.exists() else {}, name, self._reading)

    @property
    def revision(self) -> str:
        """The commit, or a hash of the weights in a folder; with the order of labels, the length and the type."""
        with self._loading:
            if not self._digest:
                folder = Path(self._source)
                if folder.is_dir():
                    self._digest = weights_digest([*folder.glob("*.safetensors"), folder / "tokenizer.json"])
                else:
                    self._digest = str(getattr(self._read_config(), "_commit_hash", None) or self._commit or "unpinned")
                    self._digest = self._digest[:12]
        return self.description.revision(self._digest, self._dtype if self._dtype != "float32" else "")

    @property
    def tokenizer(self) -> ModelTokenizer:
        """The model's own tokenizer.

        Raises:
            ConfigurationError: If it cannot be read or used.
        """
        with self._loading:
            if self._tokenizer is None:
                fast = self._from("AutoTokenizer", use_fast=True)
                if not getattr(fast, "is_fast", False):
                    raise ConfigurationError(f"{self._source} has no tokenizer.json.", hint="Convert its tokenizer.")
                description = self.description
                self._tokenizer = ModelTokenizer.from_json(
                    fast.backend_tokenizer.to_str(), description.max_tokens, template=description.template,
                    origin=f"The tokenizer of {self._source}",
                )  # fmt: skip
            return self._tokenizer

    def model(self) -> Any:
        """The torch module, loaded, on its device and in evaluation mode.

        Raises:
            ConfigurationError: If it cannot be loaded.
        """
        with self._loading:
            if self._loaded is None:
                torch = self._torch
                model, found = self._from(
                    "AutoModelForSequenceClassification", use_safetensors=True, dtype=getattr(torch, self._dtype),
                    output_loading_info=True,
                )  # fmt: skip
                # transformers fills what is missing with random numbers.
                if missing := sorted({name for name, _ in model.named_parameters()} & set(found["missing_keys"])):
                    raise ConfigurationError(
                        f"{self._source} lacks weights of its classifier: {', '.join(missing[:3])}.",
                        hint="Give a checkpoint that was trained for classification, not the model that it began with.",
                    )
                model = model.eval().requires_grad_(requires_grad=False).to(_device(torch, self._device))
                self._loaded = torch.compile(model, dynamic=True) if self._compiled else model
            return self._loaded

    def score(self, pairs: Sequence[Pair]) -> NLIScores:
        """Scores pairs; equal pairs are run once.

        Raises:
            InputError: A ``PairTooLongError`` with the index of the first pair that is too long.
            BackendError: If the model fails or gives values that are not finite.
            ConfigurationError: If the model cannot be loaded.
        """

        def run(batch: list[PairInput]) -> NDArray[np.floating]:
            outputs = self.description.outputs
            return outputs.columns(softmax(self._logits(batch, len(outputs.meanings))))

        return scored_once(pairs, self.tokenizer.pair_inputs(pairs), run)

    def _logits(self, batch: list[PairInput], outputs: int) -> NDArray[np.float64]:
        import numpy as np

        logits = np.empty((len(batch), outputs))
        order = sorted(range(len(batch)), key=lambda index: len(batch[index][0]))
        for start in range(0, len(order), self._batch_size):
            part = order[start : start + self._batch_size]
            try:
                # One at a time: the device is busy anyhow, and memory stays bounded.
                with self._running, self._torch.inference_mode():
                    found = self.model()(**self._padded([batch[index] for index in part])).logits
            except (RuntimeError, IndexError) as error:  # the latter: ids or positions that it has no vectors for
                raise BackendError(f"{self._source} failed: {error}", backend=self.name) from error
            if found.shape[1] != outputs:
                raise BackendError(
                    f"{self._source} has {found.shape[1]} outputs, but {outputs} labels.", backend=self.name
                )
            logits[part] = found.float().cpu().numpy()
        if not np.isfinite(logits).all():
            raise BackendError(f"{self._source} gave logits that are not finite.", backend=self.name)
        return logits

    def _padded(self, batch: list[PairInput]) -> dict[str, Any]:
        model, config = self.model(), self._read_config()
        longest, pad = max(len(ids) for ids, _ in batch), int(getattr(config, "pad_token_id", None) or 0)
        rows: dict[str, list[list[int]]] = {"input_ids": [], "attention_mask": []}
        two_types = int(getattr(config, "type_vocab_size", 0) or 0) > 1
        if two_types:
            rows["token_type_ids"] = []
        for ids, types in batch:
            blank = longest - len(ids)
            rows["input_ids"].append(ids + [pad] * blank)
            rows["attention_mask"].append([1] * len(ids) + [0] * blank)
            if two_types:
                rows["token_type_ids"].append(types + [0] * blank)
        return {name: self._torch.tensor(row, device=model.device) for name, row in rows.items()}

    def _read_config(self) -> Any:
        with self._loading:
            if self._config is None:
                self._config = self._from("AutoConfig")
            return self._config

    def _from(self, kind: str, **options: Any) -> Any:
        # A commit belongs to a repository; a folder is what it is.
        if self._commit and not Path(self._source).is_dir():
            options["revision"] = self._commit
        try:
            return getattr(self._transformers, kind).from_pretrained(self._source, trust_remote_code=False, **options)
        except (OSError, ValueError, KeyError, ImportError) as error:
            first = str(error).strip().partition("\n")[0]
            raise ConfigurationError(
                f"{kind} cannot read {self._source}: {first}",
                hint="Give a folder with config.json, tokenizer.json and model.safetensors, or pull the model.",
            ) from error


def _libraries() -> tuple[Any, Any]:
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtraError(_INSTALL, "local") from error
    return torch, transformers


def _device(torch: Any, wanted: str) -> Any:
    if wanted != "auto":
        try:
            return torch.device(wanted)
        except RuntimeError as error:
            raise ConfigurationError(f"There is no device {wanted!r}.", hint="Use auto, cpu, cuda or mps.") from error
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")
