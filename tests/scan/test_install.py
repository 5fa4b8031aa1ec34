"""Install commands: which words are packages, and what is known of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from halt_rag.scan.knowledge import Packages
from tests.scan.support import bare, examined

INDEX = Packages(
    True,
    {
        "npm": frozenset({"react", "@types/node"}),
        "python": frozenset({"numpy", "yaml"}),
        "pypi": frozenset({"numpy", "pyyaml", "scikit-learn"}),
    },
)


def packages(text: str, index: Packages | None = INDEX, path: str = "docs/page.md") -> list[tuple[str, str]]:
    document, found = examined(text, known=replace(bare(), packages=index), path=path)
    assert found.crashed == []
    items = [item for item in found.items if item.rule.name == "install"]
    return [(item.outcome.span.of(document.text), item.outcome.reason or item.outcome.status) for item in items]


def shell(line: str) -> str:
    return f"```bash\n{line}\n```\n"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Run `pip install fastapi-jwt-ultra`.", [("fastapi-jwt-ultra", "detected")]),
        ("Run pip install fastapi-jwt-ultra first.", [("fastapi-jwt-ultra", "detected")]),
        ("Then pip install numpy and start the worker.", [("numpy", "verified")]),
        (shell("pip install Scikit_Learn numpy>=1.2 pyyaml[x]==6 ultra-yaml"),
         [("Scikit_Learn", "verified"), ("numpy", "verified"), ("pyyaml", "verified"), ("ultra-yaml", "detected")]),
        (shell("$ python -m pip install -U 'ultra-yaml[extra]>=2'"), [("ultra-yaml", "detected")]),
        (shell("uv add ultra-yaml\npoetry add ultra-b\npipx install ultra-c"),
         [("ultra-yaml", "detected"), ("ultra-b", "detected"), ("ultra-c", "detected")]),
        (shell("npm install react @types/node left-pad-ultra --save-dev && echo done"),
         [("react", "verified"), ("@types/node", "verified"), ("left-pad-ultra", "detected")]),
        (shell("npx ultra-cli init numpy"), [("ultra-cli", "detected")]),
        (shell("yarn add react@18\npnpm add ultra-a"), [("react", "verified"), ("ultra-a", "detected")]),
        (shell("pip install -r requirements.txt\npip install -e .\npip install ./dist/x.whl"), []),
        (shell("npm install\nnpm i -g"), []),
        (shell("pip install https://example.org/x.tar.gz\npip install git+https://example.org/x"), []),
        (shell("uv pip install $NAME"), []),
        (shell("pip install <package>\npip install your-package\nnpm install PACKAGE_NAME"), []),
        ("<!-- pip install ultra-yaml -->\n\nThe pip installer is old.", []),
    ],
)  # fmt: skip
def test_packages_of_commands(text: str, wanted: list[tuple[str, str]]) -> None:
    assert packages(text) == wanted


def test_comments_of_programs_are_read() -> None:
    assert packages("# pip install ultra-yaml\nx = 'pip install ultra-b'\n", path="a.py") == [
        ("ultra-yaml", "detected")
    ]


@pytest.mark.parametrize(
    ("index", "wanted"),
    [
        (None, "no_package_index"),
        (Packages(False, {"pypi": frozenset({"numpy"}), "python": frozenset()}), "no_package_index"),
        (Packages(True, {"python": frozenset({"numpy"})}), "no_distribution_index"),
        (Packages(True, {"python": frozenset({"ultra_yaml"})}), "verified"),
        (Packages(False, {"pypi": frozenset({"ultra-yaml"})}), "verified"),
    ],
)
def test_what_is_not_known_is_not_missing(index: Packages | None, wanted: str) -> None:
    assert packages("`pip install ultra-yaml`", index) == [("ultra-yaml", wanted)]
