"""How long servers ask to be left alone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.nli.remote.waits import wait_asked

NOW = datetime(2030, 1, 1, 12, 0, 0, tzinfo=UTC)
LOADING = {"error": "Model is currently loading", "estimated_time": 20.5}


@pytest.mark.parametrize(
    ("status", "headers", "body", "seconds"),
    [
        (429, {"retry-after": "7"}, None, 7),
        (503, {"retry-after": "1.5"}, LOADING, 1.5),
        (429, {"retry-after": "Tue, 01 Jan 2030 12:00:30 GMT"}, None, 30),
        (429, {"retry-after": "Tue, 01 Jan 2030 11:00:00 GMT"}, None, 0),
        (429, {"retry-after": "soon"}, None, None),
        (429, {"retry-after": "-5"}, None, None),
        (503, {}, LOADING, 20.5),
        (200, {}, LOADING, None),
        (503, {}, {"estimated_time": "long"}, None),
        (503, {}, {"estimated_time": True}, None),
        (503, {}, {"estimated_time": -1}, None),
        (503, {}, {"estimated_time": float("nan")}, None),
        (429, {"ratelimit": '"api";r=0;t=42'}, None, 42),
        (200, {"ratelimit": '"api"; r=0; t=42'}, [], 42),
        (200, {"ratelimit": '"api";r=5;t=42'}, [], None),
        (429, {"ratelimit": '"a";r=5;t=10, "b";r=0;t=60'}, None, 60),
        (200, {"ratelimit-remaining": "0", "ratelimit-reset": "9"}, [], 9),
        (200, {"ratelimit-remaining": "1", "ratelimit-reset": "9"}, [], None),
        (429, {"x-ratelimit-reset": "9"}, None, 9),
        (429, {"x-ratelimit-reset": str(int(NOW.timestamp()) + 11)}, None, 11),
        (429, {"x-ratelimit-reset": "never"}, None, None),
        (500, {}, {"error": "broken"}, None),
        (429, {"retry-after": "Fri, 01 Jan 2100 00:00:00 GMT"}, None, 2_208_945_600),
    ],
)
def test_waits(status: int, headers: dict[str, str], body: Any, seconds: float | None) -> None:
    assert wait_asked(status, headers, body, now=NOW) == seconds


@pytest.mark.parametrize("year", [1999, 2099])
def test_a_clock_that_is_wrong_here_does_no_harm(year: int) -> None:
    headers = {"date": f"Fri, 01 May {year} 12:00:00 GMT", "retry-after": f"Fri, 01 May {year} 12:00:30 GMT"}
    assert wait_asked(429, headers, None) == 30


@given(st.text(), st.text(), st.text(), st.integers(100, 599))
def test_any_header_gives_a_wait_or_none(retry: str, limit: str, reset: str, status: int) -> None:
    headers = {"retry-after": retry, "ratelimit": limit, "x-ratelimit-reset": reset, "x-ratelimit-remaining": "0"}
    seconds = wait_asked(status, headers, None, now=NOW)
    assert seconds is None or seconds >= 0
