"""A small HTTP server on the loopback address that answers as it was told to, and remembers what it was asked."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """One answer of the server.

    Attributes:
        body: Sent as JSON, or as it is if it is bytes.
        status: The HTTP status.
        headers: Further headers.
        pause: Seconds of silence before anything is sent.
        drip: Seconds between one byte of the body and the next.
        header_drip: Seconds between one byte of a header of 100 bytes and the next.
        cut: Whether the connection ends in the middle of the body.
    """

    body: Any = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    pause: float = 0.0
    drip: float = 0.0
    header_drip: float = 0.0
    cut: bool = False


@dataclass
class Server:
    """Answers with its replies in turn, the last of them for good."""

    url: str
    replies: list[Reply]
    asked: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    sent: int = 0  # Replies whose headers were sent to their end.


@contextmanager
def serving(*replies: Reply) -> Iterator[Server]:
    """Runs a server for a while."""
    done = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            server.asked.append(json.loads(body))
            server.paths.append(self.path)
            server.headers.append({name.lower(): value for name, value in self.headers.items()})
            reply = server.replies.pop(0) if len(server.replies) > 1 else server.replies[0]
            done.wait(reply.pause)
            content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            try:
                self._send(reply, content)
            except OSError:
                self.close_connection = True  # the client has given up, which some tests want it to

        def _send(self, reply: Reply, content: bytes) -> None:
            self.send_response(reply.status)
            self.send_header("content-length", str(len(content)))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.flush_headers()
            for _ in range(100 if reply.header_drip else 0):
                if done.wait(reply.header_drip):
                    break
                self.wfile.write(b"x")
            if reply.header_drip:
                self.wfile.write(b": x\r\n")
            self.end_headers()
            server.sent += 1
            if reply.cut:
                self.wfile.write(content[: len(content) // 2])
                self.close_connection = True
            elif reply.drip:
                for byte in content:
                    if done.is_set():
                        break
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    time.sleep(reply.drip)
                self.close_connection = True
            else:
                self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server = Server(f"http://127.0.0.1:{http.server_port}", list(replies))
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        done.set()
        http.shutdown()
        thread.join()
        http.server_close()


def completion(content: object, *, finish: str = "stop", refusal: str | None = None) -> dict[str, Any]:
    """A chat completion with one choice."""
    message = {"role": "assistant", "content": content, "refusal": refusal}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return {"id": "x", "object": "chat.completion", "model": "m", "choices": [choice]}
