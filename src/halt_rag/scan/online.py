"""Questions to doi.org, Crossref, DataCite, arXiv and trackers, asked only where the user wants it, one by one."""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Literal
from urllib.parse import quote

from halt_rag.errors import InputError
from halt_rag.scan.corpus import Paper
from halt_rag.scan.records import arxiv_record, crossref_record, datacite_record

_MISSING = frozenset({404, 410})
_MAX_ANSWER = 2_000_000  # Bytes of a record; more is no record.
_TRACKERS = {
    "github": "https://api.github.com/repos/{}/issues/",
    "gitea": "https://{}/issues/",
    "gitlab": "https://gitlab.com/api/v4/projects/{}/issues/",
}


def tracker_address(tracker: str) -> str:
    """Where a tracker answers for an issue number that is put behind it.

    Args:
        tracker: ``github:owner/name``, ``gitlab:group/name`` or ``gitea:host/owner/name``.

    Raises:
        InputError: If it is none of these.
    """
    kind, _, name = tracker.partition(":")
    parts = name.split("/")
    if kind not in _TRACKERS or not all(parts) or len(parts) < (3 if kind == "gitea" else 2):
        raise InputError(
            f"{tracker} is no tracker.", hint="Write github:owner/name, gitlab:... or gitea:host/owner/name."
        )
    if kind == "gitlab":
        name = quote(name, safe="")
    elif kind == "gitea":
        name = f"{parts[0]}/api/v1/repos/{'/'.join(parts[1:])}"
    return _TRACKERS[kind].format(name)


class Web:
    """Asks the network; a refusal, a time-out or a redirect without an end is no answer.

    Args:
        timeout: Seconds to wait for an answer.
        pause: Seconds between two questions to the same service.
        doi_service: Where DOIs are looked up.
        arxiv_service: Where arXiv identifiers are looked up.
        crossref_service: Where records of DOIs are asked for first.
        datacite_service: Where they are asked for if Crossref has none.
        arxiv_records: Where records of arXiv papers are asked for.
        tracker: Where issue numbers are looked up; empty leaves them out.
        sleep: How to wait; for tests.
    """

    def __init__(
        self,
        *,
        timeout: float = 10.0,
        pause: float = 1.0,
        doi_service: str = "https://doi.org/api/handles/",
        arxiv_service: str = "https://export.arxiv.org/abs/",
        crossref_service: str = "https://api.crossref.org/works/",
        datacite_service: str = "https://api.datacite.org/dois/",
        arxiv_records: str = "https://export.arxiv.org/api/query?max_results=1&id_list=",
        tracker: str = "",
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._timeout, self._pause, self._sleep = timeout, pause, sleep
        self._services = {"doi": doi_service, "arxiv": arxiv_service, "issue": tracker}
        self._readers = {
            "doi": ((crossref_service, crossref_record), (datacite_service, datacite_record)),
            "arxiv": ((arxiv_records, arxiv_record),),
        }
        self._records: dict[tuple[str, str], Paper | None] = {}
        self._home: bool | None = None  # Whether the repository of the tracker can be seen at all.
        self._answers: dict[tuple[str, str], bool | None] = {}

    def doi(self, doi: str) -> bool | None:
        """Whether a DOI is registered; None if that could not be asked."""
        return self._ask("doi", doi)

    def arxiv(self, identifier: str) -> bool | None:
        """Whether arXiv has a paper; None if that could not be asked."""
        return self._ask("arxiv", identifier)

    def record(self, service: Literal["doi", "arxiv"], identifier: str) -> Paper | None:
        """The record of a DOI or arXiv identifier; None if it could not be asked for, or is not there."""
        key = (service, identifier.lower())
        if key not in self._records:
            self._records[key] = None
            for address, read in self._readers[service]:
                self._sleep(self._pause)
                body = self._body(address + quote(identifier, safe="/"))
                self._records[key] = read(body) if body else None
                if self._records[key]:
                    break
        return self._records[key]

    def issue(self, number: int) -> bool | None:
        """Whether the tracker has an issue; None if it could not be asked, as where the repository is private."""
        home = self._services["issue"].partition("/issues/")[0]
        if not home:
            return None
        if self._home is None:
            self._home = self._fetch(home) is True
        return self._ask("issue", str(number)) if self._home else None

    def _ask(self, service: str, name: str) -> bool | None:
        key = (service, name.lower())
        if key not in self._answers:
            if self._answers:
                self._sleep(self._pause)
            self._answers[key] = self._fetch(self._services[service] + quote(name, safe="/"))
        return self._answers[key]

    def _body(self, address: str) -> bytes:
        """The answer's content; empty if there is none."""
        request = urllib.request.Request(address, headers={"User-Agent": "halt-rag"})  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as answer:  # noqa: S310
                body: bytes = answer.read(_MAX_ANSWER + 1)
        except (OSError, ValueError):
            return b""
        return body if len(body) <= _MAX_ANSWER else b""

    def _fetch(self, address: str) -> bool | None:
        # Only https addresses, or what the caller gave.
        request = urllib.request.Request(address, method="HEAD", headers={"User-Agent": "halt-rag"})  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=self._timeout):  # noqa: S310
                return True
        except urllib.error.HTTPError as error:
            return False if error.code in _MISSING else None
        except (OSError, ValueError):
            return None
