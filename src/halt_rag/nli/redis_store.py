"""A score store in Redis, for several machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from halt_rag.errors import ConfigurationError, MissingExtraError
from halt_rag.nli.cache import StoreError

_BATCH = 1000


class RedisScoreStore:
    """Keeps scores in a Redis server; a ``ScoreStore``. Needs the extra ``redis``.

    Nothing is asked of the server before the first use. Entries carry checksums against damage, not against
    forgery: whoever may write to the server can change scores.

    Args:
        url: Where the server is, e.g. ``redis://localhost:6379/0``; ``rediss://`` for TLS.
        prefix: Put before each key.
        seconds: After how long an entry expires; default: never, so the server's eviction policy should be
            one that drops old entries (``allkeys-lru``).
        timeout: How many seconds to wait for the server before the cache is given up.

    Raises:
        MissingExtraError: If the package ``redis`` is not installed.
        ConfigurationError: If the URL is not one of Redis.
    """

    def __init__(
        self, url: str, *, prefix: str = "halt-rag:nli:1:", seconds: int | None = None, timeout: float = 1.0
    ) -> None:
        try:
            import redis
        except ImportError as error:
            raise MissingExtraError("redis", "redis") from error

        self._prefix = prefix.encode()
        self._seconds = seconds
        self._errors = redis.RedisError
        try:
            self._client: Any = redis.Redis.from_url(url, socket_timeout=timeout, socket_connect_timeout=timeout)
        except ValueError as error:
            # The URL may hold a password and is not shown.
            raise ConfigurationError(
                "The URL of the Redis cache cannot be used.", hint="It must start with redis://, rediss:// or unix://."
            ) from error

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The entries of those keys that are there.

        Raises:
            StoreError: If the server cannot be asked.
        """
        found: dict[bytes, bytes] = {}
        try:
            for start in range(0, len(keys), _BATCH):
                batch = keys[start : start + _BATCH]
                values = self._client.mget([self._prefix + key for key in batch])
                found.update((key, value) for key, value in zip(batch, values, strict=True) if value is not None)
        except self._errors as error:
            raise StoreError(f"Redis cannot be read: {error}.") from error
        return found

    def put(self, entries: Mapping[bytes, bytes]) -> None:
        """Adds entries, or replaces them.

        Raises:
            StoreError: If the server cannot be asked.
        """
        try:
            with self._client.pipeline(transaction=False) as pipeline:
                for key, value in entries.items():
                    pipeline.set(self._prefix + key, value, ex=self._seconds)
                pipeline.execute()
        except self._errors as error:
            raise StoreError(f"Redis cannot be written: {error}.") from error
