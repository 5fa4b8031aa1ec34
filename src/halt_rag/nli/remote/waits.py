"""How long a server asks to be left alone."""

from __future__ import annotations

import email.utils
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

_SECONDS: Final = re.compile(r"\d{1,12}(\.\d{1,9})?")
#: ``RateLimit: "default";r=0;t=30`` (IETF draft-ietf-httpapi-ratelimit-headers-08 and later).
_REMAINING: Final = re.compile(r";\s*r=(\d{1,9})")
_RESET: Final = re.compile(r";\s*t=(\d{1,9})")
#: Resets above this are points in time (seconds since 1970), not seconds from now.
_A_DATE: Final = 1_000_000_000


def wait_asked(status: int, headers: Mapping[str, str], body: Any, *, now: datetime | None = None) -> float | None:
    """Seconds for which no request should be sent, or None if the server does not say.

    In the order of their authority: ``Retry-After`` in seconds or as a date (RFC 9110, 10.2.3); the ``estimated_time``
    of a model that is being loaded; the rate-limit headers, once nothing remains.

    Args:
        status: HTTP status of the answer.
        headers: Its headers, names in lower case or looked up without regard to it.
        body: Its JSON, or None.
        now: The time; default: what the server says (``Date``), so that a clock that is wrong here does no harm,
            else that of the clock.
    """
    moment = now or _date(headers.get("date", "")) or datetime.now(UTC)
    if (stated := _retry_after(headers.get("retry-after", ""), moment)) is not None:
        return stated
    if status >= 400 and isinstance(body, dict):
        estimate = body.get("estimated_time")
        if isinstance(estimate, int | float) and not isinstance(estimate, bool) and 0 <= estimate < _A_DATE:
            return float(estimate)
    return _rate_limit(status, headers, moment)


def _retry_after(header: str, now: datetime) -> float | None:
    if _SECONDS.fullmatch(header.strip()):
        return float(header)
    date = _date(header)
    return None if date is None else max(0.0, (date - now).total_seconds())


def _date(header: str) -> datetime | None:
    try:
        date = email.utils.parsedate_to_datetime(header)
    except (ValueError, OverflowError):
        return None
    return date.replace(tzinfo=date.tzinfo or UTC)


def _rate_limit(status: int, headers: Mapping[str, str], now: datetime) -> float | None:
    waits = []
    for entry in headers.get("ratelimit", "").split(","):
        remaining, reset = _REMAINING.search(entry), _RESET.search(entry)
        if reset and (status == 429 or (remaining and int(remaining[1]) == 0)):
            waits.append(float(reset[1]))
    for prefix in ("ratelimit-", "x-ratelimit-"):
        left, again = headers.get(f"{prefix}remaining", "").strip(), headers.get(f"{prefix}reset", "").strip()
        if _SECONDS.fullmatch(again) and (status == 429 or (_SECONDS.fullmatch(left) and float(left) == 0)):
            seconds = float(again)
            waits.append(max(0.0, seconds - now.timestamp()) if seconds > _A_DATE else seconds)
    return max(waits, default=None)
