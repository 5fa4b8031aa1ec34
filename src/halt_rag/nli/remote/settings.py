"""How a server is reached and how much may be asked of it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from halt_rag.errors import ConfigurationError, InputError

#: Where ``Connection.from_env`` looks for a token, in this order.
TOKEN_VARIABLES: Final = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")
_LOCAL_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_TOKEN = re.compile(r"[!-~]+")
#: ASCII without white space: other letters are written with percent signs, or as xn-- in the name of a host.
_ADDRESS = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class Connection:
    """How a server is reached. No secret of it is in a representation, a log or an error.

    Attributes:
        token: Sent as a bearer token.
        proxy: URL of a proxy, which may hold a password.
        ca_file: Certificates (PEM) of the authorities to trust, in place of the usual ones.
        trust_env: Whether to take proxies and certificates from the environment where they are not given here
            (``HTTPS_PROXY``, ``NO_PROXY``, ``SSL_CERT_FILE``). Off by default: the library reads no environment.

    Raises:
        InputError: If the token has characters that a header cannot carry.
    """

    token: str | None = field(default=None, repr=False)
    proxy: str | None = field(default=None, repr=False)
    ca_file: Path | None = None
    trust_env: bool = False

    def __post_init__(self) -> None:
        if self.token is not None and not _TOKEN.fullmatch(self.token):
            raise InputError("The token is empty or has characters that a header cannot carry, such as a line break.")

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None, *, ca_file: Path | None = None) -> Connection:
        """With the token of ``HF_TOKEN``, and proxies and certificates as the environment says.

        Args:
            environ: The environment; default: that of the process.
            ca_file: As the attribute.
        """
        variables = os.environ if environ is None else environ
        token = next((variables[name].strip() for name in TOKEN_VARIABLES if variables.get(name, "").strip()), None)
        return cls(token=token, ca_file=ca_file, trust_env=True)

    def with_token_of(self, file: Path) -> Connection:
        """The same, with the token that a file holds (and nothing else).

        Raises:
            ConfigurationError: If it cannot be read.
        """
        try:
            token = file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"The token file {file} cannot be read.") from error
        return Connection(token, self.proxy, self.ca_file, self.trust_env)


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be spent over the life of a backend; requests that are repeated count, as providers bill them.

    Attributes:
        max_calls: Most requests; None for no limit.
        max_cost: Most of the currency that ``price_per_call`` is in; None for no limit.
        price_per_call: What a request costs, as the provider's price list says.
    """

    max_calls: int | None = None
    max_cost: float | None = None
    price_per_call: float = 0.0

    def __post_init__(self) -> None:
        if not all(amount >= 0 for amount in (self.max_calls or 0, self.max_cost or 0, self.price_per_call)):
            raise InputError(f"A budget cannot be negative or undefined: {self}.")
        if self.max_cost is not None and not self.price_per_call:
            raise InputError("max_cost needs price_per_call: nothing else says what a request costs.")

    @property
    def calls(self) -> float:
        """How many requests it allows; infinite without a limit."""
        by_cost = float("inf") if self.max_cost is None else self.max_cost / self.price_per_call + 1e-9
        return min(float("inf") if self.max_calls is None else self.max_calls, by_cost)


@dataclass(frozen=True, slots=True)
class Manners:
    """How a server is treated.

    Attributes:
        concurrency: Requests under way at once, at most.
        rate: Requests a second, at most, as a token bucket that holds one second's worth; None for no limit.
        attempt_s: Seconds that one attempt may take, connecting included.
        deadline_s: Seconds for one call of ``score``, waits and all; None for no limit, as in long batch runs.
        retries: How often a request is repeated after 408, 425, 429, 5xx, a time-out or a broken connection.
        backoff_s: Seconds before the first repetition, doubled for each further one up to a minute, with jitter of a
            half either way. What the server asks for goes before it.
        give_up_after: After so many failures in a row, of any requests, none is sent for ``pause_s`` (circuit breaker).
        pause_s: See there.
        longest_wait_s: Most seconds that a server may ask to be left alone; if a refusal asks for more, the call fails.
        budget: What may be spent.
    """

    concurrency: int = 8
    rate: float | None = None
    attempt_s: float = 30.0
    deadline_s: float | None = 600.0
    retries: int = 5
    backoff_s: float = 0.5
    give_up_after: int = 25
    pause_s: float = 30.0
    longest_wait_s: float = 3600.0
    budget: Budget = field(default_factory=Budget)

    def __post_init__(self) -> None:
        limits = (self.concurrency, self.attempt_s, self.give_up_after, self.longest_wait_s, self.rate, self.deadline_s)
        pauses = (self.retries, self.backoff_s, self.pause_s)
        # In this form, what is not a number is refused too.
        if not (all(limit > 0 for limit in limits if limit is not None) and all(pause >= 0 for pause in pauses)):
            raise InputError(f"Limits must be positive, retries and pauses at least 0: {self}.")


def check_url(url: str, connection: Connection) -> None:
    """Refuses addresses that are none, and a token in clear text over a network.

    Raises:
        InputError: With what to do.
    """
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not _ADDRESS.fullmatch(url):
        raise InputError("The address of a server must begin with http:// or https:// and name a host.")
    if parts.username or parts.password:
        raise InputError("The address must not hold a password.", hint="Give the token to Connection.")
    if parts.query or parts.fragment:
        raise InputError(
            "The address of a server must end with its path, without a query or fragment.",
            hint="Give a token to Connection.",
        )
    if connection.token and parts.scheme == "http" and parts.hostname not in _LOCAL_HOSTS:
        raise InputError(f"The token would be sent to {parts.hostname} unencrypted.", hint="Use https://.")
