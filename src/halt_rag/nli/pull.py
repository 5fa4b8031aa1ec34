"""Downloads a checkpoint into a folder: weights without pickles, no code, one commit."""

from __future__ import annotations

from pathlib import Path

from halt_rag.errors import BackendError, ConfigurationError, MissingExtraError
from halt_rag.nli.checkpoint import Reading, describe_folder, keep_reading
from halt_rag.nli.presets import find_preset, repository_of

_WANTED = ["config.json", "tokenizer.json", "tokenizer_config.json", "*.safetensors", "model.safetensors.index.json"]
_TOKENIZER = [name for name in _WANTED if "safetensors" not in name]


def pull(
    model: str, folder: Path, *, revision: str = "main", tokenizer_only: bool = False, endpoint: str | None = None
) -> str:
    """Downloads a model of the Hugging Face hub.

    Args:
        model: A repository, or the name of a preset.
        folder: Where the files go.
        revision: Branch, tag or commit.
        tokenizer_only: Whether to leave out the weights: what the backends behind HTTP need.
        endpoint: Address of another hub.

    Returns:
        The commit.

    Raises:
        MissingExtraError: If huggingface_hub is not installed.
        BackendError: If the hub cannot be asked or has no such model.
        ConfigurationError: If the files are not those of an NLI model, or not of the one that the preset means.
    """
    try:
        import httpx
        from huggingface_hub import HfApi
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError
    except ImportError as error:
        raise MissingExtraError("huggingface_hub", "local") from error
    try:
        api = HfApi(endpoint=endpoint)
        commit = str(api.model_info(repository_of(model), revision=revision).sha)
        api.snapshot_download(
            repository_of(model), revision=commit, local_dir=folder,
            allow_patterns=_TOKENIZER if tokenizer_only else _WANTED,
        )  # fmt: skip
    except HFValidationError as error:
        raise ConfigurationError(f"{model!r} is no name of a repository: {error}") from error
    except HfHubHTTPError as error:
        status = error.response.status_code if error.response is not None else None
        raise BackendError(
            f"{repository_of(model)} cannot be pulled: the hub answers with status {status}.", backend="hub",
            status_code=status, hint="Check name and revision; for gated models, accept the terms and set HF_TOKEN.",
        ) from error  # fmt: skip
    except (httpx.HTTPError, OSError) as error:
        raise BackendError(
            f"{repository_of(model)} cannot be pulled: {type(error).__name__}.", backend="hub", retryable=True
        ) from error
    found = find_preset(model)
    reading = found.reading if found else Reading()
    if not (folder / "tokenizer.json").exists():
        raise ConfigurationError(f"{repository_of(model)} has no tokenizer.json.", hint="Convert its tokenizer first.")
    describe_folder(folder, reading)
    keep_reading(folder, reading)
    return commit
