"""The service under load, beside the bare model on the same texts; and its memory over many requests.

    python -m benchmarks.service_load --backend embedded:fast --clients 1 8 64 --requests 300
    python -m benchmarks.service_load --backend fake --memory 20000

1. Load: a server process and, in this process, clients that each send one request after the other over a kept
   connection. Every answer must carry the id and the claim of its request. Beside it, in one process of its own, the
   bare model (ONNX Runtime and the tokenizer, no halt-rag) on the pairs that these texts lead to, with as many threads,
   before and after. CPU time is told, too: on a machine that is busy with other things, it says more than throughput.
2. Memory: the resident memory of the server process after each tenth of the requests, the first of which warms up.
   Texts differ from request to request.

Prints JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from benchmarks.process import BARE_MODEL

#: The fake records every call for tests, which would grow; and then the command.
FAKE = """
from halt_rag.cli.app import main
from halt_rag.nli.fake import FakeNLI
scored = FakeNLI.score
def score(self, pairs):
    self.calls.clear()
    return scored(self, pairs)
FakeNLI.score = score
main()
"""
FACTS = (
    "The {name} was opened in {year} by the council. It has {n} places for boats and a crane of {m} tonnes. "
    "Visitors may enter between nine and {h} o'clock. The office is in the north wing of the old customs house."
)
CLAIMS = (
    "The {name} was opened in {year}.",
    "It has {n} places for boats.",
    "It was sold to a private owner for {m} euros.",
)
NAMES = ("harbour", "marina", "basin", "ferry pier", "fishing port", "dock")


def body(number: int) -> dict[str, Any]:
    """A request that no other equals: three sentences, two passages."""
    values = {"name": f"{NAMES[number % 6]} {number}", "year": 1900 + number % 120, "n": 100 + number % 700}
    values |= {"m": 10 + number % 89, "h": "five"}
    other = {**values, "name": f"{NAMES[(number + 1) % 6]} {number + 1}", "year": 1900 + (number + 7) % 120}
    source = [FACTS.format(**values), FACTS.format(**other)]
    return {"source": source, "generated": " ".join(claim.format(**values) for claim in CLAIMS)}


@contextmanager
def server(backend: str, folder: Path) -> Iterator[tuple[str, int]]:
    """The service in a process of its own; its URL and process id."""
    with (folder / "log").open("wb") as log:
        start = ["-c", FAKE] if backend == "fake" else ["-m", "halt_rag"]
        command = [sys.executable, *start, "serve", "--port", "0", "--backend", backend]
        # Longer than usual: on a busy machine 64 clients wait for each other.
        environment = {**os.environ, "HALT_RAG_DEADLINE_SECONDS": "600"}
        process = subprocess.Popen(command, stderr=log, stdout=log, env=environment)
    try:
        yield ready_url(process, folder / "log"), process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def ready_url(process: subprocess.Popen[bytes], log: Path) -> str:
    """Waits until the service is ready."""
    while process.poll() is None:
        found = re.search(r"http://[0-9.]+:\d+", log.read_text())
        if found and httpx.get(f"{found[0]}/readyz", timeout=60).status_code == 200:
            return found[0]
        time.sleep(0.2)
    raise SystemExit(log.read_text())


async def asked(client: httpx.AsyncClient, number: int) -> float:
    """Sends a request and checks that the answer is its own; seconds that it took."""
    started = time.perf_counter()
    content = body(number)
    answer = await client.post("/verify", json=content, headers={"X-Request-ID": f"n{number}"})
    seconds = time.perf_counter() - started
    if answer.status_code != 200:
        raise SystemExit(f"request {number}: {answer.status_code} {answer.text[:300]}")
    claims = [claim["text"] for claim in answer.json()["claims"]]
    if answer.headers["x-request-id"] != f"n{number}" or " ".join(claims) != content["generated"]:
        raise SystemExit(f"request {number} got another's answer: {claims}")
    return seconds


async def load(url: str, clients: int, numbers: range) -> dict[str, Any]:
    """Throughput and latency with so many clients."""
    rest, seconds = iter(numbers), []
    limits = httpx.Limits(max_connections=clients, max_keepalive_connections=clients)

    async def one(client: httpx.AsyncClient) -> None:
        seconds.extend([await asked(client, number) for number in rest])

    async with httpx.AsyncClient(base_url=url, limits=limits, timeout=300) as client:
        started = time.perf_counter()
        await asyncio.gather(*(one(client) for _ in range(clients)))
        wall = time.perf_counter() - started
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return {
        "clients": clients,
        "requests": len(seconds),
        "per_second": round(len(seconds) / wall, 2),
        "p50_ms": round(1000 * cuts[49]),
        "p95_ms": round(1000 * cuts[94]),
        "p99_ms": round(1000 * cuts[98]),
    }


def pairs_of(numbers: range) -> list[tuple[str, str]]:
    """The pairs that the verifier scores for these texts, each once a call."""
    from halt_rag import HaltRagVerifier
    from halt_rag.nli.embedded import EmbeddedNLI
    from halt_rag.nli.scores import NLIScores, Pair

    seen: list[tuple[str, str]] = []

    class Recorder(EmbeddedNLI):
        def score(self, pairs: Sequence[Pair]) -> NLIScores:
            seen.extend((pair.premise, pair.hypothesis) for pair in dict.fromkeys(pairs))
            return super().score(pairs)

    verifier = HaltRagVerifier(backend=Recorder(tier="fast"))
    for number in numbers:
        content = body(number)
        verifier.verify(content["source"], content["generated"])
    return seen


def bare(pairs: list[tuple[str, str]], texts: int, folder: Path) -> tuple[float, float]:
    """Texts a second, and CPU seconds a text, of the bare model on these pairs, without what loading it takes."""
    from halt_rag.nli.embedded import MODEL_FOLDER, usable_cores

    wall, cpu = [], []
    for part in (pairs[:1], pairs):
        (folder / "pairs.json").write_text(json.dumps(part))
        command = [sys.executable, "-c", BARE_MODEL, str(MODEL_FOLDER), str(folder / "pairs.json"), str(usable_cores())]
        started, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall.append(time.perf_counter() - started)
        cpu.append(now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime)
    return texts / (wall[1] - wall[0]), (cpu[1] - cpu[0]) / texts


def cpu_seconds(pid: int) -> float:
    """CPU time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def beside_bare(args: argparse.Namespace, folder: Path) -> Iterator[dict[str, Any]]:
    """The load with each number of clients, and the bare model before and after it."""
    texts = range(args.requests)
    pairs = pairs_of(texts) if args.backend == "embedded:fast" else []
    before = bare(pairs, len(texts), folder) if pairs else None
    for clients in args.clients:
        numbers = range(max(args.requests // 3 if clients == 1 else args.requests, 3 * clients // 2))
        with server(args.backend, folder) as (url, pid):
            used = cpu_seconds(pid)
            figures = asyncio.run(load(url, clients, numbers))
            figures["cpu_ms_per_text"] = round(1000 * (cpu_seconds(pid) - used) / len(numbers), 1)
        if before is not None:
            after = bare(pairs, len(texts), folder)
            figures["bare_per_second"] = [round(before[0], 2), round(after[0], 2)]
            figures["bare_cpu_ms_per_text"] = [round(1000 * before[1], 1), round(1000 * after[1], 1)]
            figures["share_of_bare"] = round(2 * figures["per_second"] / (before[0] + after[0]), 2)
            figures["share_of_bare_by_cpu"] = round(500 * (before[1] + after[1]) / figures["cpu_ms_per_text"], 2)
            before = after
        print(json.dumps(figures), file=sys.stderr, flush=True)
        yield figures


def resident(pid: int) -> float:
    """Resident memory of a process in MB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else float("nan")


async def memory(url: str, pid: int, requests: int) -> list[float]:
    """Memory after each tenth of the requests."""
    told = []
    for part in range(10):
        size = requests // 10
        await load(url, 16, range(part * size, (part + 1) * size))
        told.append(round(resident(pid), 1))
        print(f"{(part + 1) * size} requests: {told[-1]} MB", file=sys.stderr, flush=True)
    return told


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backend", default="embedded:fast")
    parser.add_argument("--clients", type=int, nargs="*", default=[1, 8, 64])
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--memory", type=int, default=0, metavar="REQUESTS")
    args = parser.parse_args()
    report: dict[str, Any] = {"backend": args.backend}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if args.memory:
            with server(args.backend, folder) as (url, pid):
                report["memory_mb"] = asyncio.run(memory(url, pid, args.memory))
        else:
            report["load"] = list(beside_bare(args, folder))
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
