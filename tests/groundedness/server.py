"""A chat-completions server on this machine that answers as it is told, also badly."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """What the server sends; ``hang_up`` closes the connection before the body ends."""

    content: str | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    finish: str = "stop"
    delay_s: float = 0.0
    hang_up: bool = False

    def payload(self) -> bytes:
        if self.body is not None:
            return self.body
        message = {"role": "assistant", "content": self.content}
        choice = {"index": 0, "message": message, "finish_reason": self.finish}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        head = {"id": "r1", "object": "chat.completion", "created": 0, "model": "m", "usage": usage}
        return json.dumps({**head, "choices": [choice]}).encode()


Respond = Callable[[dict[str, Any]], Reply]


@dataclass
class ChatServer:
    """A running server and the request bodies that it got."""

    base_url: str
    requests: list[dict[str, Any]]

    @property
    def prompts(self) -> str:
        """All that was ever asked, in one text."""
        return json.dumps([request["messages"] for request in self.requests], ensure_ascii=False)


@contextmanager
def chat_server(respond: Respond) -> Iterator[ChatServer]:
    """Runs a server for as long as the context lasts."""
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            requests.append(body)
            reply = respond(body)
            time.sleep(reply.delay_s)
            payload = reply.payload()
            try:
                self.send_response(reply.status)
                for name, value in {"content-type": "application/json", **reply.headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload[: len(payload) // 2] if reply.hang_up else payload)
            except (BrokenPipeError, ConnectionResetError):
                pass  # The client stopped waiting.

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield ChatServer(f"http://127.0.0.1:{server.server_port}/v1", requests)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def closed_port_url() -> str:
    """An address on this machine where nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"
