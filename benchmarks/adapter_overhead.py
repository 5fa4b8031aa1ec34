"""What each adapter costs beyond the library call that it makes.

    python -m benchmarks.adapter_overhead [--rounds 300]

Each round times the library call and every adapter in turn, on the same text with the fake backend (which takes no
time, so that the difference is the adapter's own). Times are CPU time of the process, all its threads, so that what
else the machine does counts less. Prints JSON: median microseconds of the call, and the median over rounds of what each
adapter took more.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from halt_rag import HaltRagVerifier, Passage
from halt_rag.integrations.generic import verify_step
from halt_rag.integrations.langchain_adapter import HaltRagGuard
from halt_rag.integrations.llamaindex_adapter import verify_response
from halt_rag.nli.fake import FakeNLI
from halt_rag.policies import Guard

PASSAGES = [Passage(str(n), f"The harbour {n} was opened in {1900 + n}. It has {n} places.") for n in range(1, 6)]
ANSWER = "The harbour 3 was opened in 1903. It has 3 places. It is painted red."


def calls(verifier: HaltRagVerifier) -> dict[str, Callable[[], Any]]:
    """The library call and the adapters, on one text."""
    from langchain_core.documents import Document
    from llama_index.core.base.response.schema import Response
    from llama_index.core.schema import NodeWithScore, TextNode

    state = {"source": PASSAGES, "generated": ANSWER}
    documents = [Document(page_content=p.text, metadata={"source": p.id}) for p in PASSAGES]
    runnable = HaltRagGuard(verifier).as_runnable()
    response = Response(ANSWER, [NodeWithScore(node=TextNode(text=p.text, id_=p.id)) for p in PASSAGES])
    guard, step = Guard(verifier), verify_step(verifier)
    loop = asyncio.new_event_loop()
    return {
        "library": lambda: verifier.verify(PASSAGES, ANSWER),
        "guard": lambda: guard.check(PASSAGES, ANSWER),
        "generic": lambda: step(state),
        "generic, async": lambda: loop.run_until_complete(step.acall(state)),
        "langchain": lambda: runnable.invoke({"context": documents, "answer": ANSWER}),
        "langchain, async": lambda: loop.run_until_complete(runnable.ainvoke({"context": documents, "answer": ANSWER})),
        "llamaindex": lambda: verify_response(verifier, response),
    }


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=300)
    args = parser.parse_args()
    verifier = HaltRagVerifier(backend=FakeNLI())
    todo = calls(verifier)
    seconds: dict[str, list[float]] = {name: [] for name in todo}
    for round_ in range(args.rounds + 20):
        for name, call in todo.items():
            started = time.process_time()
            call()
            if round_ >= 20:
                seconds[name].append(time.process_time() - started)
    more = {
        name: statistics.median(a - b for a, b in zip(taken, seconds["library"], strict=True))
        for name, taken in seconds.items()
        if name != "library"
    }
    told = {name: round(1e6 * value) for name, value in more.items()}
    print(json.dumps({"library_us": round(1e6 * statistics.median(seconds["library"])), "more_us": told}, indent=1))


if __name__ == "__main__":
    main()
