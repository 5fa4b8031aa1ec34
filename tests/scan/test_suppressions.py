from __future__ import annotations

import pytest

from tests.case_areas.scan import known_from
from tests.scan.support import examined

KNOWN = known_from({"base": "default"})


@pytest.mark.parametrize(
    ("text", "hidden", "messages"),
    [
        ("<!-- halt-rag: ignore-next-line fabricated_citation -- draft -->\nREF-999\n", 1, []),
        ("<!-- halt-rag: ignore-next-line HR105, HR301 -- draft -->\nREF-999 @docs/x.md\n", 2, []),
        ("<!-- halt-rag: ignore-next-line paper-id -- draft -->\nREF-999\n", 1, []),
        ("<!-- halt-rag: ignore-next-line fabricated_citation -- draft -->\n\nREF-999\n", 0, ["hides nothing"]),
        ("<!-- halt-rag: ignore-next-line broken_reference -- draft -->\nREF-999\n", 0, ["hides nothing"]),
        ("<!-- halt-rag: ignore-next-line -->\nREF-999\n", 0, ["no reason", "must name"]),
        ("<!-- halt-rag: ignore-next-line gossip -- x -->\nREF-999\n", 0, ["neither a rule nor"]),
        ("<!-- halt-rag: ignore-next-line gossip, HR105 -- x -->\nREF-999\n", 1, ["neither a rule nor"]),
        ("<!-- halt-rag: off -->\nREF-999\n<!-- halt-rag: on -->\n", 1, ["no reason"]),
        ("<!-- halt-rag: off -- all of it -->\nREF-999\n\nREF-998\n", 2, []),
        ("<!-- halt-rag: off -- x -->\nfine\n<!-- halt-rag: on -->\nREF-999\n", 0, ["hides nothing"]),
        ("halt-rag: ignore-next-line fabricated_citation -- prose\nREF-999\n", 0, []),
        ("`<!-- halt-rag: off -- an example -->`\nREF-999\n", 0, []),
        ("```\n<!-- halt-rag: off -- an example -->\n```\nREF-999\n", 0, []),
        ("<!-- my halt-rag: off -- not at the start -->\nREF-999\n", 0, []),
        ("<!-- halt-rag: offline mode is described below -->\nREF-999\n", 0, []),
    ],
)
def test_directives(text: str, hidden: int, messages: list[str]) -> None:
    _, found = examined(text, known=KNOWN)
    assert len(found.having("detected", suppressed=True)) == hidden
    assert len(found.warnings) == len(messages)
    assert all(any(part in message for _, _, message in found.warnings) for part in messages)


@pytest.mark.parametrize(
    ("path", "comment"),
    [
        ("a.py", "# {}"),
        ("a.ts", "// {}"),
        ("a.ts", "/* {} */"),
        ("a.sql", "-- {}"),
        ("a.lua", "-- {}"),
        ("a.html", "<!-- {} -->"),
        ("a.css", "/* {} */"),
        ("a.rs", "// {}"),
    ],
)
def test_the_comment_form_of_the_language(path: str, comment: str) -> None:
    text = "\n".join(
        comment.format(line) for line in ("halt-rag: ignore-next-line HR105 -- it is a test", "see REF-999", "REF-998")
    )
    _, found = examined(text, path=path, known=KNOWN)
    assert [item.outcome.span.of(text) for item in found.having("detected")] == ["REF-998"]
    assert [item.suppressed_by for item in found.having("detected", suppressed=True)] == ["it is a test"]
    assert found.warnings == []


def test_a_directive_in_a_string_is_none() -> None:
    text = 'x = "# halt-rag: off -- a string"\n# REF-999\n'
    _, found = examined(text, path="a.py", known=KNOWN)
    assert len(found.having("detected")) == 1
