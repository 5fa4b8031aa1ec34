"""Real HTTP servers that speak the wire formats of Hugging Face inference and Text Embeddings Inference."""

from __future__ import annotations

import hashlib
import json
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from halt_rag.nli.scores import NLIBackend, Pair

LABELS = ("entailment", "neutral", "contradiction")


@dataclass(frozen=True)
class Reply:
    """What a server answers in place of scores; ``drop`` closes the connection, ``cut`` in the middle of the body."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    drop: bool = False
    cut: bool = False
    delay: float = 0.0


@dataclass
class Seen:
    """A request as it arrived."""

    path: str
    headers: dict[str, str]
    body: Any


def hashed(premise: str, hypothesis: str) -> tuple[float, float, float]:
    """Scores that differ from pair to pair and depend on the order of the texts."""
    digest = hashlib.sha256(f"{premise}\x00{hypothesis}".encode("utf-8", "surrogatepass")).digest()
    parts = [1 + byte for byte in digest[:3]]
    e, n, c = (part / sum(parts) for part in parts)
    return e, n, c


def by(backend: NLIBackend) -> Callable[[str, str], tuple[float, float, float]]:
    """Scores as a backend gives them."""

    def score(premise: str, hypothesis: str) -> tuple[float, float, float]:
        e, n, c = (float(p) for p in backend.score([Pair(premise, hypothesis)]).probabilities[0])
        return e, n, c

    return score


class ModelServer:
    """Answers at ``/models/...`` as Hugging Face does, at ``/info`` and ``/predict`` as TEI does.

    Attributes:
        seen: The requests so far.
        asked: The pairs of the requests that were answered with scores.
        replies: Given first, in order, in place of scores.
        fault: Called with the number of each request; what it gives goes out in place of scores.
        change: Applied to the list of label-score items of each pair; for servers that do it wrongly.
    """

    def __init__(self, score: Callable[[str, str], tuple[float, float, float]] = hashed) -> None:
        self.score, self.seen, self.asked = score, list[Seen](), list[tuple[str, str]]()
        self.replies: deque[Reply] = deque()
        self.fault: Callable[[int], Reply | None] = lambda number: None
        self.change: Callable[[list[dict[str, Any]]], Any] = lambda items: items
        self.names: tuple[str, ...] = LABELS
        self.info: dict[str, Any] = {}
        self.nested = True
        self.delay = 0.0
        self.under_way = self.most_under_way = 0
        self.lock = threading.Lock()
        self.url = ""

    def items(self, premise: str, hypothesis: str) -> Any:
        """Labels with scores, the largest first, as both services sort them."""
        scores = zip(self.names, self.score(premise, hypothesis), strict=False)
        return self.change(sorted(({"label": k, "score": v} for k, v in scores), key=lambda item: -item["score"]))

    def description(self) -> dict[str, Any]:
        """The answer of ``/info``."""
        id2label = {str(index): name for index, name in enumerate(self.names)}
        return {
            "model_id": "example/nli", "model_sha": "0123456789abcdef", "model_dtype": "float16",
            "model_type": {"classifier": {"id2label": id2label, "label2id": {v: k for k, v in id2label.items()}}},
            "max_concurrent_requests": 512, "max_input_length": 120, "max_batch_tokens": 16384,
            "max_client_batch_size": 4, "auto_truncate": False, "tokenization_workers": 2, "version": "1.8.0",
        } | self.info  # fmt: skip

    def answer(self, path: str, body: Any) -> Any:
        """The JSON for a request that is understood, or a ``Reply`` that refuses it."""
        if path == "/info":
            return self.description()
        if path == "/predict":
            inputs = body["inputs"]
            single = isinstance(inputs[0], str)
            pairs = [inputs] if single else inputs
            if len(pairs) > self.description()["max_client_batch_size"]:
                return Reply(422, {"error": "batch size > maximum allowed batch size", "error_type": "Validation"})
            rows = self._rows([(texts[0], texts[1] if len(texts) == 2 else "") for texts in pairs])
            return rows[0] if single else rows
        if "candidate_labels" in body["parameters"]:
            return self._zero_shot(body)
        inputs = body["inputs"]
        if not isinstance(inputs, list) or not all(isinstance(item, dict) for item in inputs):
            return Reply(400, {"error": "text input must be of type `str`"})
        rows = self._rows([(item["text"], item.get("text_pair", "")) for item in inputs])
        return rows if self.nested or len(rows) != 1 else rows[0]

    def _rows(self, pairs: list[tuple[str, str]]) -> list[Any]:
        rows = [self.items(*pair) for pair in pairs]
        with self.lock:
            self.asked += pairs
        return rows

    def _zero_shot(self, body: Any) -> Any:
        (hypothesis,) = body["parameters"]["candidate_labels"]
        e, _, c = self.score(body["inputs"], hypothesis)
        return [{"label": hypothesis, "score": e / (e + c)}]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True
    server: _Http

    def do_GET(self) -> None:
        self._serve(None)

    def do_HEAD(self) -> None:
        self._serve(None)

    def do_POST(self) -> None:
        self._serve(json.loads(self.rfile.read(int(self.headers["content-length"]))))

    def _serve(self, body: Any) -> None:
        model = self.server.model
        # A proxy is asked for the whole address.
        path = self.path.partition(self.headers["host"])[2] if self.path.startswith("http") else self.path
        with model.lock:
            number = len(model.seen)
            model.seen.append(Seen(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            model.under_way += 1
            model.most_under_way = max(model.most_under_way, model.under_way)
            reply = model.replies.popleft() if model.replies else model.fault(number)
        try:
            time.sleep(model.delay if reply is None else reply.delay)
            answer = model.answer(path, body) if reply is None else reply
            self._send(answer if isinstance(answer, Reply) else Reply(body=answer))
        finally:
            with model.lock:
                model.under_way -= 1

    def _send(self, reply: Reply) -> None:
        if reply.drop:
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        content = json.dumps(reply.body).encode() if reply.raw is None else reply.raw
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content[: len(content) // 2] if reply.cut else content)
        self.close_connection = self.close_connection or reply.cut

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - named by the base class
        pass


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, model: ModelServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model = model

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that leave early are part of the tests."""


@contextmanager
def serving(model: ModelServer, *, context: ssl.SSLContext | None = None) -> Iterator[ModelServer]:
    """Runs a server on a free port of this machine."""
    http = _Http(model)
    if context is not None:
        http.socket = context.wrap_socket(http.socket, server_side=True)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    model.url = f"{'https' if context else 'http'}://127.0.0.1:{http.server_address[1]}"
    try:
        yield model
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
