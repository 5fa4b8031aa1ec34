"""Records of DOIs and arXiv papers: read from the registries' formats, and compared with the reference beside them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote

import pytest

from halt_rag.scan import scan
from halt_rag.scan.corpus import Paper
from halt_rag.scan.lookup import disagreement
from halt_rag.scan.online import Web
from halt_rag.scan.records import arxiv_record, crossref_record, datacite_record

CROSSREF = {
    "status": "ok",
    "message-type": "work",
    "message": {
        "DOI": "10.1000/queue",
        "title": ["Draining <i>Queues</i> Without Losing Messages"],
        "author": [
            {"given": "Ana", "family": "Mišić", "sequence": "first"},
            {"given": "Bo", "family": "Lind", "sequence": "additional"},
        ],
        "issued": {"date-parts": [[2019, 5, 1]]},
        "type": "journal-article",
    },
}
DATACITE = {
    "data": {
        "id": "10.5000/set",
        "type": "dois",
        "attributes": {
            "doi": "10.5000/set",
            "titles": [{"title": "A Corpus of Router Measurements"}],
            "creators": [{"name": "Okafor, Ife", "givenName": "Ife", "familyName": "Okafor"}],
            "publicationYear": 2021,
        },
    }
}
ATOM = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>http://arxiv.org/api/x</id>
  <entry>
    <id>http://arxiv.org/abs/2303.11366v4</id>
    <published>2023-03-20T18:08:50Z</published>
    <title>Learning From Verbal
  Feedback</title>
    <author><name>Noah Haddad</name></author>
    <author><name>Ana Petrov</name></author>
  </entry>
</feed>"""
EMPTY = '<feed xmlns="http://www.w3.org/2005/Atom"><id>x</id></feed>'
BOMB = (
    '<!DOCTYPE x [<!ENTITY a "aaaa">]><feed xmlns="http://www.w3.org/2005/Atom"><entry><id>/abs/1</id></entry></feed>'
)


class _Registries(BaseHTTPRequestHandler):
    """doi.org, Crossref, DataCite and arXiv, as far as the scan asks them."""

    answers: ClassVar[dict[str, str]] = {
        "/crossref/10.1000/queue": json.dumps(CROSSREF),
        "/datacite/10.5000/set": json.dumps(DATACITE),
        "/records?id_list=2303.11366": ATOM,
        "/records?id_list=2001.00001": EMPTY,
        "/crossref/10.1000/odd": "[1]",
    }
    existing = ("/handles/10.1000/queue", "/handles/10.5000/set", "/handles/10.1000/odd", "/abs/2303.11366",
                "/abs/2001.00001")  # fmt: skip

    def do_HEAD(self) -> None:
        self.send_response(200 if unquote(self.path) in self.existing else 404)
        self.end_headers()

    def do_GET(self) -> None:
        body = self.answers.get(unquote(self.path), "").encode()
        self.send_response(200 if body else 404)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that the base class has
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Registries)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def web(address: str) -> Web:
    return Web(
        timeout=5,
        pause=0,
        doi_service=f"{address}/handles/",
        arxiv_service=f"{address}/abs/",
        crossref_service=f"{address}/crossref/",
        datacite_service=f"{address}/datacite/",
        arxiv_records=f"{address}/records?id_list=",
    )


def test_records_are_read() -> None:
    assert crossref_record(json.dumps(CROSSREF).encode()) == Paper(
        "10.1000/queue", ("Ana Mišić", "Bo Lind"), 2019, "Draining Queues Without Losing Messages"
    )
    assert datacite_record(json.dumps(DATACITE).encode()) == Paper(
        "10.5000/set", ("Ife Okafor",), 2021, "A Corpus of Router Measurements"
    )
    assert arxiv_record(ATOM.encode()) == Paper(
        "2303.11366v4", ("Noah Haddad", "Ana Petrov"), 2023, "Learning From Verbal Feedback"
    )


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"message": 1}', b'{"data": {}}', b"<a", b"[" * 90_000])
def test_other_answers_are_no_records(body: bytes) -> None:
    assert crossref_record(body) is datacite_record(body) is arxiv_record(body) is None


def test_empty_feeds_and_document_types_are_no_records() -> None:
    assert arxiv_record(EMPTY.encode()) is arxiv_record(BOMB.encode()) is None


RIGHT = (
    "Mišić and Lind (2019) drain queues, doi:10.1000/queue.",
    "Misic, A., Lind, B. (2020). Draining queues without losing messages. https://doi.org/10.1000/queue",
    'A. Mišić, "Draining Queues Without Losing Messages", 2019, 10.1000/queue',
    "We follow 10.1000/queue in this.",
    "The 2024 release follows 10.1000/queue in this.",
    "Okafor (2021) has the data (doi:10.5000/set).",
    "Haddad et al. (2023), arXiv:2303.11366",
    "It is odd (10.1000/odd), as Novak (1999) says.",
    "Novak (2020) says it (arXiv:2001.00001).",
    "1. Novak (1999), a book.\n2. Mišić, A. (2019). 10.1000/queue\n3. Petrov (1998), a book.",
)
WRONG = (
    ("Novak et al. (2019) drain queues, doi:10.1000/queue.", "by Novak"),
    ("Mišić and Lind (2012) drain queues, doi:10.1000/queue.", "of 2012"),
    ('A. Mišić, "A Survey of Garbage Collection Techniques", 10.1000/queue', "titled A Survey of Garbage"),
    ("Novak, P. (2021). Router data. https://doi.org/10.5000/set", "by Novak"),
    ("Yamamoto et al. (2023), arXiv:2303.11366", "by Yamamoto"),
    ("- Mišić (2019), 10.1000/queue\n- Novak (2021), 10.5000/set", "by Novak"),
)


@pytest.mark.parametrize("text", RIGHT)
def test_references_that_fit_their_record_are_verified(web: Web, tmp_path: Path, text: str) -> None:
    (page,) = scan(root=tmp_path, texts={"p.md": f"{text}\n"}, online=web).documents
    assert page.detections == ()
    assert page.citation_audit[0].status == "verified"


@pytest.mark.parametrize(("text", "said"), WRONG)
def test_references_that_do_not_fit_are_false_attributions(web: Web, tmp_path: Path, text: str, said: str) -> None:
    (page,) = scan(root=tmp_path, texts={"p.md": f"{text}\n"}, online=web).documents
    (found,) = page.detections
    assert (found.type, found.severity, found.check) == ("false_attribution", "high", "record_agrees")
    assert found.evidence.actual.startswith(said)
    assert "inconsistent" in {entry.status for entry in page.citation_audit}


def test_bibtex_entries_are_compared_too(web: Web, tmp_path: Path) -> None:
    entry = "@article{{a, author = {{{}, Ana}}, title = {{{}}}, year = {{{}}}, doi = {{10.1000/queue}}}}\n"
    right = entry.format("Mišić", "Draining queues without losing messages", 2019)
    wrong = entry.format("Novak", "Draining queues without losing messages", 2019)
    pages = scan(root=tmp_path, texts={"a.bib": right, "b.bib": wrong}, online=web).documents
    assert [len(page.detections) for page in pages] == [0, 1]


def test_what_is_not_said_is_not_compared() -> None:
    bare = Paper("x", title="Short")
    assert disagreement("Novak (1999), 10.1/x", bare) == ""
    assert disagreement("", Paper("x", ("Ana Mišić",), 2019, "Draining Queues Without Losing")) == ""
