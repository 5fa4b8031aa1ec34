"""Links, anchors and paths as code hosts, site generators and package scopes have them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from halt_rag.scan.tree import MemoryTree
from tests.scan.support import bare, examined

PATHS = ["keyv/README.md", "@keyv/redis/package.json", "docs/guide.md", "docs/AGENTS.md", "src/a.py"]


def found(text: str, path: str = "docs/page.md") -> list[tuple[str, str]]:
    known = replace(bare(), files=MemoryTree(PATHS, {"docs/guide.md": "# Guide\n"}))
    document, findings = examined(text, path=path, known=known)
    assert findings.crashed == []
    items = [item for item in findings.items if item.rule.name in {"link", "path"}]
    return [(item.outcome.span.of(document.text), item.outcome.reason or item.outcome.status) for item in items]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("<h2>Install</h2>\n\n[a](#install) [b](#instal)\n", [("#install", "verified"), ("#instal", "detected")]),
        ('<h2 align="center">Our <b>Team</b></h2>\n\n[a](#our-team)\n', [("#our-team", "verified")]),
        ("## Contributors ![b](docs/guide.md) ![c](docs/guide.md)\n\n[a](#contributors--)\n",
         [("docs/guide.md", "detected"), ("docs/guide.md", "detected"), ("#contributors--", "verified")]),
        ("# A\n\n[issue](../../issues/new) [wiki](../../wiki)\n",
         [("../../issues/new", "host_page"), ("../../wiki", "host_page")]),
        ("# A\n\n[out](../../other/file.md)\n", [("../../other/file.md", "detected")]),
        ("# A\n\n### new f\\[code\\](\\[msg\\])\n", []),
        ("# A\n\n{{< include _part.md >}}\n\n[b](#part)\n", [("#part", "generated_anchor")]),
        ("# A\n\n--8<-- \"part.md\"\n\n[b](#part)\n", [("#part", "generated_anchor")]),
    ],
)  # fmt: skip
def test_links(text: str, wanted: list[tuple[str, str]]) -> None:
    assert found(text) == wanted


def test_cross_references_of_quarto() -> None:
    text = "# A\n\n[b](#sec-other) [c](#other)\n"
    assert found(text, "docs/page.qmd") == [("#sec-other", "generated_anchor"), ("#other", "detected")]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Use @keyv/redis, @keyv/mongo and @keyv/serialize@v1.0.3.", []),
        ("See @docs/guide.md and @docs/none.md.", [("@docs/guide.md", "verified"), ("@docs/none.md", "detected")]),
        ("See @src/ and @keyv/README.md.", [("@src/", "verified"), ("@keyv/README.md", "verified")]),
        ("@AGENTS.md\n\n@NONE.md\n", [("@AGENTS.md", "verified"), ("@NONE.md", "detected")]),
    ],
)
def test_paths(text: str, wanted: list[tuple[str, str]]) -> None:
    assert found(text) == wanted


def test_a_year_of_another_reference_does_not_contradict() -> None:
    listed = '# x\n"""\n.. [1] A. "Graphs." (1991): 1129.\n.. [2] B. "Force." arXiv:2412.20317 (2024).\n"""\n'
    assert examined(listed, path="a.py")[1].having("detected") == []
    assert len(examined("A (1991). Graphs. arXiv:2412.20317\n")[1].having("detected")) == 1
