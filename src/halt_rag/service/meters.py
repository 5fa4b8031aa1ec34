"""What ``/metrics`` shows, in the Prometheus text format. Labels are closed sets: no text of a request is in them."""

from __future__ import annotations

import os

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from halt_rag.verify.result import Verification

CONTENT_TYPE = CONTENT_TYPE_LATEST
#: Set where several workers serve: a folder in which they put their figures together.
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


class Meters:
    """The figures of one application."""

    def __init__(self) -> None:
        self._registry = own = CollectorRegistry()
        self.requests = Counter("halt_rag_requests", "Requests answered.", ["route", "status"], registry=own)
        self.seconds = Histogram("halt_rag_request_seconds", "Seconds a request took.", ["route"], registry=own)
        self.decisions = Counter("halt_rag_verifications", "Texts verified.", ["decision"], registry=own)
        self.pairs = Counter("halt_rag_pairs", "Pairs that verifications asked for.", registry=own)
        self.cache_hits = Counter("halt_rag_cache_hits", "Pairs that the score cache answered.", registry=own)
        self.cache_failures = Counter(
            "halt_rag_cache_failures", "Times the score cache could not be used; scoring went on without.", registry=own
        )
        self.batches = Histogram(
            "halt_rag_batch_texts", "Texts scored together.", registry=own, buckets=(1, 2, 4, 8, 16, 32, 64, 128)
        )
        self.pending = Gauge(
            "halt_rag_pending_texts", "Texts that wait or run.", registry=own, multiprocess_mode="livesum"
        )
        self.refused = Counter("halt_rag_refused_texts", "Texts refused because too many waited.", registry=own)
        self.dropped = Counter("halt_rag_dropped_requests", "Requests given up.", ["reason"], registry=own)

    def verified(self, result: Verification) -> None:
        """Counts a verification."""
        self.decisions.labels(result.decision).inc()
        self.pairs.inc(result.receipt.pairs_scored)
        self.cache_hits.inc(result.receipt.cache_hits)

    def text(self) -> bytes:
        """All figures; those of all workers where there are several."""
        if SHARED_FOLDER not in os.environ:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)
