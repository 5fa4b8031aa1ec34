"""What a call to a server costs beyond the server's own time, and how many pairs a second come back.

    python -m benchmarks.hosted_throughput [--delay-ms 50] [--seconds 2] [--concurrency 1 2 4 8 16 32 64]

Runs an HTTP server in a process of its own that answers as Hugging Face inference does, after a fixed delay. The
overhead is measured with no delay and one request at a time: the time of a call through ``HostedNLI``, less that of
the same request through a bare ``http.client`` connection. Throughput is measured with the delay; "possible" is what
so many requests at once would give if nothing but the delay took time. "cpu ms" is the processor time of the client for
a pair, which says more than the rate on a busy machine. Client and server share the machine's cores.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import statistics
import time
from multiprocessing.connection import Connection as Pipe
from urllib.parse import urlsplit

from halt_rag.nli.hosted import HostedNLI
from halt_rag.nli.remote.settings import Manners
from halt_rag.nli.scores import Pair

PREMISE = "The council met in Geneva on 3 May and approved the budget. " * 12


def serve(pipe: Pipe, delay: float) -> None:
    """Runs the server until the pipe says that it is over."""
    from tests.nli.servers import ModelServer, serving

    server = ModelServer()
    server.delay = delay
    with serving(server):
        pipe.send(server.url)
        pipe.recv()


class Running:
    """The server in a process of its own."""

    def __init__(self, delay: float) -> None:
        self._ours, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs, delay))

    def __enter__(self) -> str:
        self._process.start()
        return str(self._ours.recv())

    def __exit__(self, *_: object) -> None:
        self._ours.send(None)
        self._process.join()


def pairs(count: int, start: int = 0) -> list[Pair]:
    """Pairs that differ."""
    return [Pair(PREMISE, f"Statement {start + index} about the budget.") for index in range(count)]


def bare_ms(url: str, count: int) -> list[float]:
    """Milliseconds of single requests through one plain connection."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port)
    times = []
    for pair in pairs(count):
        item = {"text": pair.premise, "text_pair": pair.hypothesis}
        body = json.dumps({"inputs": [item], "parameters": {"top_k": 3}})
        begun = time.perf_counter()
        connection.request("POST", "/models/example/nli", body, {"content-type": "application/json"})
        json.loads(connection.getresponse().read())
        times.append(1000 * (time.perf_counter() - begun))
    connection.close()
    return times


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--delay-ms", type=float, default=50)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--concurrency", type=int, nargs="+", default=[1, 2, 4, 8, 16, 32, 64])
    args = parser.parse_args()

    with Running(0.0) as url, HostedNLI("example/nli", url=f"{url}/models", manners=Manners(concurrency=1)) as backend:
        bare_ms(url, 20)
        backend.score(pairs(20))
        bare = statistics.median(bare_ms(url, args.calls))
        single = []
        for pair in pairs(args.calls):
            begun = time.perf_counter()
            backend.score([pair])
            single.append(1000 * (time.perf_counter() - begun))
        begun, used = time.perf_counter(), time.process_time()
        backend.score(pairs(args.calls))
        many = 1000 * (time.perf_counter() - begun) / args.calls
        processor = 1000 * (time.process_time() - used) / args.calls
    alone = statistics.median(single)
    print(f"bare connection      {bare:6.2f} ms a call (median of {args.calls})")
    print(f"score([pair])        {alone:6.2f} ms a call, overhead {alone - bare:.2f} ms")
    print(f"score({args.calls} pairs)     {many:6.2f} ms a call, overhead {many - bare:.2f} ms")
    print(f"processor time       {processor:6.2f} ms a call in the client, in all its threads")
    print(f"\nserver with {args.delay_ms:g} ms:\n{'concurrency':>11} {'pairs/s':>9} {'possible':>9} {'cpu ms':>9}")
    with Running(args.delay_ms / 1000) as url:
        for concurrency in args.concurrency:
            possible = concurrency / (args.delay_ms / 1000)
            count = max(4, int(possible * args.seconds))
            manners = Manners(concurrency=concurrency, deadline_s=None)
            with HostedNLI("example/nli", url=f"{url}/models", manners=manners) as backend:
                backend.score(pairs(concurrency, start=1_000_000))
                begun, used = time.perf_counter(), time.process_time()
                backend.score(pairs(count))
                rate = count / (time.perf_counter() - begun)
                used = 1000 * (time.process_time() - used) / count
            print(f"{concurrency:>11} {rate:9.0f} {possible:9.0f} {used:9.2f}")


if __name__ == "__main__":
    main()
