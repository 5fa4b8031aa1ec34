"""``halt-rag doctor``: is a backend the model that it says it is?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from halt_rag.cli.backends import open_backend, parity_file
from halt_rag.cli.embedded import embedded_models, tier_of
from halt_rag.cli.failing import ACCEPTED, reported
from halt_rag.cli.verify import Format
from halt_rag.errors import ConfigurationError

if TYPE_CHECKING:
    from halt_rag.nli.parity import Parity
    from halt_rag.nli.scores import NLIBackend

FAILED = 1


def doctor(
    backend: Annotated[
        str, typer.Option(help="embedded, embedded:TIER, onnx:FOLDER, local:MODEL, hosted:MODEL, tei:URL or a plug-in.")
    ] = "embedded",
    reference: Annotated[
        str | None,
        typer.Option(help="The same model, asked plainly: local:MODEL or onnx:FOLDER. Default: from the backend."),
    ] = None,
    tolerance: Annotated[float, typer.Option(min=0.0, max=1.0, help="The largest difference that passes.")] = 0.02,
    tokenizer: Annotated[Path | None, typer.Option(help="hosted, tei: the model's tokenizer.json or folder.")] = None,
    token_file: Annotated[
        Path | None, typer.Option(help="hosted, tei: a file with the token. Default: HF_TOKEN.")
    ] = None,
    url: Annotated[
        str | None, typer.Option(help="hosted: the address that /MODEL is put behind. Default: Hugging Face.")
    ] = None,
    ca_file: Annotated[Path | None, typer.Option(help="hosted, tei: certificates (PEM) to trust.")] = None,
    record: Annotated[Path | None, typer.Option(help="Where passes are kept. Default: the user's folder.")] = None,
    output_format: Annotated[Format, typer.Option("--format", help="For people, or JSON.")] = Format.text,
) -> None:
    """Score 20 pairs with a backend and a reference, and compare: the parity gate. Also says which tiers are here.

    Exit codes: 0 passed, 1 not passed, 2 usage or configuration, 3 a model could not be asked.
    """
    with reported(as_json=output_format is Format.json):
        from halt_rag.nli.parity import check_parity
        from halt_rag.nli.parity_record import record_parity
        from halt_rag.nli.registry import is_embedded

        if url and not backend.startswith("hosted:"):
            raise ConfigurationError("--url belongs to the backend hosted.", hint="Others have it in their name.")
        options: dict[str, Any] = {"url": url} if url else {}
        checked = open_backend(backend, tokenizer=tokenizer, token_file=token_file, ca_file=ca_file, **options)
        try:
            parity = check_parity(checked, reference_for(backend, checked, reference), tolerance=tolerance)
        finally:
            if hasattr(checked, "close"):
                checked.close()
        record_parity(parity, record or parity_file())
        tiers = embedded_models() if is_embedded(backend) else []
    if output_format is Format.json:
        typer.echo(json.dumps(parity.to_dict() | ({"tiers": tiers} if tiers else {}), indent=2, ensure_ascii=False))
    else:
        lines = [f"here       {row['name']}: {row['megabytes']} MB, {tier_of(row)}" for row in tiers]
        typer.echo("\n".join([*lines, report(parity)]))
    raise typer.Exit(ACCEPTED if parity.passed else FAILED)


def reference_for(spec: str, checked: NLIBackend, reference: str | None) -> NLIBackend:
    """The reference that is named, or the plain way to the backend's own model.

    Raises:
        ConfigurationError: If there is none, or it is of another kind.
    """
    from halt_rag.nli.model_folders import tier_folder
    from halt_rag.nli.onnx_folder import OnnxNLI
    from halt_rag.nli.plain_reference import onnx_reference, transformers_reference
    from halt_rag.nli.presets import reading_of, repository_of

    named = reference or _own(spec, checked)
    kind, _, target = named.partition(":")
    if kind == "embedded":
        from halt_rag.nli.checkpoint import Reading

        folder = tier_folder(target or "auto")
        return onnx_reference(folder, folder / "model.onnx", checked.tokenizer, reading=Reading())
    if kind == "onnx" and target:
        return onnx_reference(Path(target), OnnxNLI(target).model_file, checked.tokenizer, reading=reading_of(target))
    if kind == "local" and target:
        source = target if Path(target).is_dir() else repository_of(target)
        return transformers_reference(source, checked.tokenizer, reading=reading_of(target))
    raise ConfigurationError(f"{named!r} is no reference.", hint="Use --reference local:MODEL or onnx:FOLDER.")


def _own(spec: str, checked: NLIBackend) -> str:
    kind, _, target = spec.partition(":")
    if kind in ("embedded", "onnx", "local"):
        return spec
    if kind == "hosted":
        return f"local:{target}"
    if kind == "tei":
        return f"local:{checked.model_id}"
    raise ConfigurationError(f"Nothing is known to compare {kind!r} with.", hint="Give --reference.")


def report(parity: Parity) -> str:
    """The result in lines for people."""
    lines = [
        f"backend    {parity.backend} {parity.model_id} {parity.revision}",
        f"reference  {parity.reference}",
    ]
    for kind in dict.fromkeys(row.kind for row in parity.rows):
        rows = [row for row in parity.rows if row.kind == kind]
        lines.append(f"{kind:<10} {len(rows)} pairs, largest difference {max(row.difference for row in rows):.4f}")
    lines += [f"- {failure}" for failure in parity.failures]
    return "\n".join([*lines, "PASS" if parity.passed else "FAIL"])
