"""Plants one fault of each type into clean documents, from templates; two sets, so that one can stay unseen."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from halt_rag.scan.outcome import DetectionType as T

NAMES = "Novak Okafor Lindqvist Castellanos Yamamoto Petrov Haddad Fitzgerald Nguyen Kowalczyk Ibrahim Moreau".split()
CLEAN = (
    "# Notes\n\nThe service keeps a queue for each tenant, and a worker drains it.\n\n",
    "## Setup\n\nInstall the package and write a configuration file. Then start it.\n\n- first step\n- second step\n\n",
    "> A reader asked how retries work.\n\nThey back off, up to a limit that the settings name.\n\n",
    "| key | meaning |\n|---|---|\n| queue | its name |\n\n",
)

SEEN: dict[T, tuple[str, ...]] = {
    T.FABRICATED_CITATION: (
        "As {name} et al. (20{yy}) found, it holds.",
        "This is known (REF-9{nn}).",
        "See arXiv:24{bad}.12345 for it.",
        "It was shown before [4{d}].\n\n## References\n\n1. A book.\n2. Another book.",
        "It was shown before [@{name}20{yy}].",
    ),
    T.FALSE_ATTRIBUTION: (
        "Shinn et al. (201{d}) introduced it.",
        "REF-021 (201{d}) introduced it.",
        "REF-021 ({name} et al.) introduced it.",
    ),
    T.TEMPORAL_INCONSISTENCY: (
        "{name} et al. (20{far}) found it.",
        "The review (20{far}) found it.",
        "It shipped on 2023-02-3{z}.",
    ),
    T.INCORRECT_STATISTIC: (
        "It reduces latency by {nn}%.",
        "Retries cut the failures by {nn}%.",
        "Die Latenz sank um {nn} %.",
        "La latence a baissé de {nn} %.",
        "We passed 1{d}/40 checks (9{d}%).",
    ),
    T.UNSUPPORTED_INFERENCE: (
        "Studies show that it works.",
        "The worker is {d}x faster than before.",
        "Experts agree on this.",
        "Studien belegen den Nutzen.",
        "El router es {d} veces más rápido.",
    ),
    T.BROKEN_REFERENCE: (
        "See @docs/missing-{nn}.md for more.",
        "See [the page](missing-{nn}.md) for more.",
        "Fixed in #9{nn}9.",
    ),
    T.PHANTOM_REQUIREMENT: ("This implements UC-9{nn}.", "Traces to UC-8{nn} in full."),
    T.INVALID_API: (
        "```python\nimport json\njson.dumps_{name}({{}})\n```",
        "```js\nimport x from 'left-{nn}-pad';\n```",
        "Run `pip install ultra-{nn}` first.",
    ),
    T.VERSION_MISMATCH: ('```python\nprint "{name}"\n```', "```python\nimport distutils\n```"),
    T.IMPOSSIBLE_SYNTAX: (
        "```python\nx = a ? {nn} : b\n```",
        "```python\ni++\n```",
        "```js\ndef f(x):\n  return {nn}\n```",
    ),
    T.MISQUOTED_SOURCE: ('The page says "{name} was never wrong here" (@docs/guide.md).',),
    T.NONEXISTENT_ENTITY: ("Our partner {name} Dynamics Inc. agrees.", "It is sold by {name} Labs Ltd."),
    T.CONTRADICTION: ("DOI 10.1000/abc{nn} (2019) is cited, and 10.1000/abc{nn} (2021) too.",),
}
HELD_OUT: dict[T, tuple[str, ...]] = {
    T.FABRICATED_CITATION: (
        "{name} and Brown (20{yy}) disagree.",
        "It was measured ({name} & Lee, 20{yy}).",
        "REF-8{nn} has the table.",
        "That is known [1{nn}].\n\n[1] A. Author, a book.\n[2] B. Author, another.",
        "Compare [see @{name}{yy}b, p. {d}] on this.",
        "doi:10.{nn}/abc says it.",
    ),
    T.FALSE_ATTRIBUTION: (
        "The loop is old (Shinn et al., 201{d}).",
        "Compare Shinn (201{d}).",
        "It follows REF-045 ({name}, 2015).",
    ),
    T.TEMPORAL_INCONSISTENCY: (
        "See {name} and Lee (20{far}).",
        "As of 31 April 2024 it holds.",
        "arXiv:29{mm}.00123 has it.",
    ),
    T.INCORRECT_STATISTIC: (
        "Throughput rose {nn}% overall.",
        "It improved accuracy from 12% to {nn}%.",
        "Der Aufwand wurde um {nn} Prozent verringert.",
        "El consumo bajó un {nn} por ciento.",
        "Of all, 3 out of 4 (5{d}%) passed.",
    ),
    T.UNSUPPORTED_INFERENCE: (
        "Recent research demonstrates a gain.",
        "Builds are {d} times cheaper now.",
        "Surveys suggest otherwise.",
        "Des études montrent le contraire.",
        "Los estudios sugieren otra cosa.",
        "Le cache est {d} fois plus rapide.",
    ),
    T.BROKEN_REFERENCE: ("![chart](img-{nn}.png)", "Config: @src/none-{nn}.py here.", "Closes #8{nn}8, finally."),
    T.PHANTOM_REQUIREMENT: ("| UC-7{nn} | open |", "(UC-9{nn})"),
    T.INVALID_API: (
        "```python\nfrom os import {name}\n```",
        "```ts\nconst a = require('nope-{nn}');\n```",
        "```console\n$ npm install --save nope-{nn}\n```",
    ),
    T.VERSION_MISMATCH: ("```python\ntry:\n    f()\nexcept E, e:\n    g()\n```", "```python\nimport asynchat\n```"),
    T.IMPOSSIBLE_SYNTAX: ("```python\nif a && b{nn}:\n    f()\n```", "```ts\nif (a) {{\n}} elif (b) {{\n}}\n```"),
    T.MISQUOTED_SOURCE: (
        "“Nothing {name} does can fail”, says [the guide](docs/guide.md).",
        "Im Leitfaden: „Alles gelingt {name} immer“ (@docs/guide.md).",
    ),
    T.NONEXISTENT_ENTITY: ("{name} Holdings GmbH was founded there.", "They work for {name} & Sons LLC now."),
    T.CONTRADICTION: ("ABC-0{nn} (2019) came first; ABC-0{nn} (2020) later.",),
}

SOURCE = "The router was tested in one lab. It has two ports. It draws six watts."
"""What documents with a fault of scope must not go beyond; their faults need a model."""
SCOPE = {
    "seen": ("The router is used by {name} in {nn} countries.", "It has won {d} awards since 20{yy}."),
    "held-out": ("{name} calls it the best router on the market.", "Its antenna reaches {nn} kilometres at sea."),
}


@dataclass(frozen=True)
class Planted:
    """A document with one fault."""

    type: T
    template: str
    text: str
    line: int


def planted(templates: dict[T, tuple[str, ...]], *, each: int, seed: int) -> Iterator[Planted]:
    """Documents with a fault of each type, ``each`` for a template."""
    chance = random.Random(seed)
    for kind, forms in templates.items():
        for form in forms:
            for _ in range(each):
                fault = form.format(
                    name=chance.choice(NAMES), nn=chance.randint(10, 99), yy=chance.randint(10, 25),
                    d=chance.randint(2, 8), far=chance.randint(30, 89), bad=chance.randint(13, 99),
                    mm=f"{chance.randint(1, 12):02d}", z=chance.randint(0, 1),
                )  # fmt: skip
                parts = list(CLEAN)
                chance.shuffle(parts)
                cut = chance.randint(0, len(parts))
                before = "".join(parts[:cut])
                yield Planted(kind, form, f"{before}{fault}\n\n{''.join(parts[cut:])}", before.count("\n") + 1)
