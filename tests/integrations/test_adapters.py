"""One suite for all adapters: the same policies with the same outcomes, through the real frameworks."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import pytest

from halt_rag import BackendError, HallucinationError, HaltRagVerifier, InputError, UnknownNameError
from halt_rag.integrations.generic import Keys, verified, verify_step
from halt_rag.integrations.langchain_adapter import HaltRagGuard
from halt_rag.integrations.llamaindex_adapter import averify_response, verify_response
from halt_rag.nli.fake import FakeNLI
from halt_rag.policies import Guard, Outcome
from halt_rag.verify.sources import Passage

PASSAGES = [Passage("dam.md", "The dam was built in 1967."), Passage("lake.md", "The lake is deep.")]
GOOD = "The dam was built in 1967."
BAD = "It is painted red."
QUESTION = "Was the dam built in 1967?"

needs_langchain = pytest.mark.skipif(not find_spec("langchain_core"), reason="langchain-core is not installed")
needs_llamaindex = pytest.mark.skipif(not find_spec("llama_index"), reason="llama-index-core is not installed")


@dataclass(frozen=True)
class Run:
    """What an adapter passed on, and its outcome."""

    text: str
    outcome: Outcome


Adapter = Callable[..., Run]


def state(answer: Any = None, **more: Any) -> dict[str, Any]:
    return {"source": PASSAGES, "generated": answer, "question": QUESTION, "trace": 7, **more}


def _of(result: dict[str, Any]) -> Run:
    assert result["trace"] == 7, "the rest of the dict stays"
    assert result["question"] == QUESTION
    return Run(result["generated"], result["halt_rag"])


def generic(verifier: HaltRagVerifier, answer: str, **options: Any) -> Run:
    given = state(answer)
    result = verify_step(verifier, **options)(given)
    assert given == state(answer), "the dict that was given is left as it is"
    return _of(result)


def generic_async(verifier: HaltRagVerifier, answer: str, **options: Any) -> Run:
    return _of(asyncio.run(verify_step(verifier, **options).acall(state(answer))))


def decorator(verifier: HaltRagVerifier, answer: str, **options: Any) -> Run:
    @verified(verify_step(verifier, **options))
    def generate(question: str) -> dict[str, Any]:
        return state(answer, question=question)

    return _of(generate(QUESTION))


def decorator_async(verifier: HaltRagVerifier, answer: str, **options: Any) -> Run:
    @verified(verify_step(verifier, **options))
    async def generate(question: str) -> dict[str, Any]:
        return state(answer, question=question)

    return _of(asyncio.run(generate(QUESTION)))


def chain(verifier: HaltRagVerifier, answer: Any, **options: Any) -> Any:
    """A chain as users write it: documents, then an answer word by word, then the guard."""
    from langchain_core.documents import Document
    from langchain_core.runnables import RunnableGenerator, RunnableLambda, RunnablePassthrough

    documents = [Document(page_content=p.text, metadata={"source": p.id}) for p in PASSAGES]

    parts = re.findall(r"\S+\s*", answer) if isinstance(answer, str) else [answer]

    def words(_: Iterator[Any]) -> Iterator[Any]:
        yield from parts

    async def awords(_: AsyncIterator[Any]) -> AsyncIterator[Any]:
        for part in parts:
            yield part

    rag = RunnablePassthrough.assign(context=RunnableLambda(lambda _: documents), trace=RunnableLambda(lambda _: 7))
    return rag.assign(answer=RunnableGenerator(words, awords)) | HaltRagGuard(verifier, **options).as_runnable()


def _of_chain(result: dict[str, Any]) -> Run:
    return _of(result | {"generated": result["answer"]})


def lc_invoke(verifier: HaltRagVerifier, answer: str, **options: Any) -> Run:
    return _of_chain(chain(verifier, answer, **options).invoke({"question": QUESTION}))


def lc_ainvoke(verifier: HaltRagVerifier, answer: str, **options: Any) -> Run:
    return _of_chain(asyncio.run(chain(verifier, answer, **options).ainvoke({"question": QUESTION})))


def lc_batch(verifier: HaltRagVerifier, answer: str, **options: Any) -> Run:
    first, second = chain(verifier, answer, **options).batch([{"question": QUESTION}, {"question": QUESTION}])
    assert first == second
    return _of_chain(first)


def lc_stream(verifier: HaltRagVerifier, answer: str, **options: Any) -> Run:
    chunks = list(chain(verifier, answer, **options).stream({"question": QUESTION}))
    assert len(chunks) == 1, "nothing unverified gets out"
    return _of_chain(chunks[0])


def lc_astream(verifier: HaltRagVerifier, answer: str, **options: Any) -> Run:
    async def collect() -> list[Any]:
        return [chunk async for chunk in chain(verifier, answer, **options).astream({"question": QUESTION})]

    (chunk,) = asyncio.run(collect())
    return _of_chain(chunk)


def nodes() -> list[Any]:
    from llama_index.core.schema import NodeWithScore, TextNode

    return [NodeWithScore(node=TextNode(text=p.text, id_=p.id), score=0.5) for p in PASSAGES]


def _of_response(result: Any) -> Run:
    assert result.metadata["trace"] == 7
    assert [node.node.node_id for node in result.source_nodes] == ["dam.md", "lake.md"]
    return Run(str(result), result.metadata["halt_rag"])


def li_response(verifier: HaltRagVerifier, answer: str, **options: Any) -> Run:
    from llama_index.core.base.response.schema import Response

    given = Response(answer, nodes(), {"trace": 7})
    result = verify_response(verifier, given, question=QUESTION, **options)
    assert (given.response, given.metadata) == (answer, {"trace": 7}), "the response that was given is left as it is"
    return _of_response(result)


def li_stream(verifier: HaltRagVerifier, answer: str, **options: Any) -> Run:
    from llama_index.core.base.response.schema import StreamingResponse

    given = StreamingResponse(iter([answer[:5], answer[5:]]), nodes(), {"trace": 7})  # type: ignore[arg-type]
    return _of_response(verify_response(verifier, given, question=QUESTION, **options))


def li_async(verifier: HaltRagVerifier, answer: str, **options: Any) -> Run:
    from llama_index.core.base.response.schema import AsyncStreamingResponse

    async def words() -> Any:
        for part in (answer[:5], answer[5:]):
            yield part

    async def ask() -> Any:
        given = AsyncStreamingResponse(words(), nodes(), {"trace": 7})
        return await averify_response(verifier, given, question=QUESTION, **options)

    return _of_response(asyncio.run(ask()))


ADAPTERS = [
    generic,
    generic_async,
    decorator,
    decorator_async,
    *(
        pytest.param(one, marks=needs_langchain, id=one.__name__)
        for one in (lc_invoke, lc_ainvoke, lc_batch, lc_stream, lc_astream)
    ),
    *(pytest.param(one, marks=needs_llamaindex, id=one.__name__) for one in (li_response, li_stream, li_async)),
]
every_adapter = pytest.mark.parametrize("adapter", ADAPTERS)


def working() -> HaltRagVerifier:
    return HaltRagVerifier(backend=FakeNLI())


def failing() -> HaltRagVerifier:
    backend = FakeNLI()
    backend.failure = BackendError("The model is gone.", backend="fake", retryable=True)
    return HaltRagVerifier(backend=backend)


@every_adapter
@pytest.mark.parametrize("answer", [GOOD, f"{GOOD} {BAD}"], ids=["good", "bad"])
@pytest.mark.parametrize(
    "policy",
    ["annotate", "filter", "abstain_message", lambda result, text: f"[{result.decision}] {text}"],
    ids=["annotate", "filter", "abstain_message", "callable"],
)
def test_an_adapter_does_what_the_guard_does(adapter: Adapter, policy: Any, answer: str) -> None:
    run = adapter(working(), answer, policy=policy)
    expected = Guard(working(), policy).check(PASSAGES, answer, QUESTION)
    assert run.outcome == expected
    assert run.text == expected.text


@every_adapter
def test_raise_raises_with_the_result(adapter: Adapter) -> None:
    with pytest.raises(HallucinationError) as caught:
        adapter(working(), f"{GOOD} {BAD}", policy="raise")
    assert caught.value.result == working().verify(PASSAGES, f"{GOOD} {BAD}", QUESTION)
    assert adapter(working(), GOOD, policy="raise").outcome.applied == "passed"


@every_adapter
@pytest.mark.parametrize(("on_error", "text"), [("open", GOOD), ("closed", "Ask us.")])
def test_a_failure_is_no_verdict(adapter: Adapter, on_error: str, text: str) -> None:
    run = adapter(failing(), GOOD, on_error=on_error, message="Ask us.")
    assert (run.text, run.outcome.applied) == (text, f"error_{on_error}")
    assert run.outcome.verification is None
    assert run.outcome.error is not None
    assert run.outcome.error.code == "BACKEND"


@every_adapter
def test_evidence_names_the_passages_of_the_framework(adapter: Adapter) -> None:
    verification = adapter(working(), f"{GOOD} The lake is deep.").outcome.verification
    assert verification is not None
    assert [claim.evidence[0].passage_id for claim in verification.claims] == ["dam.md", "lake.md"]


# Dicts


def pipeline(steps: list[Callable[[Any], Any]], given: Any) -> Any:
    for step in steps:
        given = step(given)
    return given


def test_the_step_is_a_step_of_a_pipeline() -> None:
    def retrieve(question: str) -> dict[str, Any]:
        return {"question": question, "context": [p.text for p in PASSAGES]}

    def generate(found: dict[str, Any]) -> dict[str, Any]:
        return {**found, "answer": GOOD}

    result = pipeline([retrieve, generate, verify_step(working(), policy="annotate")], QUESTION)
    assert result["answer"] == GOOD
    assert result["halt_rag"].verification.decision == "supported"


def test_keys_can_be_chosen() -> None:
    keys = Keys(source="found", generated="draft", question="asked", outcome="checked")
    given = {"found": PASSAGES[0].text, "draft": f"{GOOD} {BAD}", "asked": None, "answer": "untouched"}
    result = verify_step(working(), "filter", keys=keys)(given)
    assert (result["draft"], result["answer"]) == (GOOD, "untouched")
    assert result["checked"].applied == "filtered"


@pytest.mark.parametrize(
    "source",
    [
        "The lake is deep.",
        ["The lake is deep."],
        {"text": "The lake is deep."},
        [{"page_content": "The lake is deep.", "metadata": {"source": "1"}}],
        [{"content": "The lake is deep.", "id": 1}],
        (Passage("1", "The lake is deep."),),
    ],
    ids=["text", "texts", "mapping", "document", "record", "passage"],
)
def test_sources_of_every_kind(source: Any) -> None:
    result = verify_step(working())({"source": source, "generated": "The lake is deep."})["halt_rag"]
    assert result.verification == working().verify([Passage("1", "The lake is deep.")], "The lake is deep.")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"generated": GOOD}, "no source: none of the keys 'source'.*It has 'generated'"),
        ({"source": GOOD}, "no generated text"),
        ({"source": GOOD, "generated": 7}, "generated text is int"),
        ({"source": 7, "generated": GOOD}, "Passage 1 is int without a text"),
        ({"source": [GOOD, {"title": "x"}], "generated": GOOD}, "Passage 2 is dict without a text"),
        ({"source": GOOD, "generated": GOOD, "question": 7}, "question under 'question' must be a string"),
        ("text", "takes a dict, not str"),
    ],
)
def test_what_a_step_cannot_use(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        verify_step(working(), on_error="open")(given)


def test_policies_are_checked_when_the_step_is_made() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'filter'"):
        verify_step(working(), "filtre")  # type: ignore[arg-type]


def test_the_decorator_keeps_names() -> None:
    @verified(verify_step(working()))
    def generate() -> dict[str, Any]:
        """Generates."""
        return state(GOOD)

    assert (generate.__name__, generate.__doc__) == ("generate", "Generates.")


# LangChain


@needs_langchain
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_messages_stay_messages() -> None:
    from langchain_core.messages import AIMessage

    message = AIMessage(content=f"{GOOD} {BAD}", id="m1")
    result = chain(working(), message, policy="filter").invoke({"question": QUESTION})
    assert isinstance(result["answer"], AIMessage)
    assert (result["answer"].content, result["answer"].id) == (GOOD, "m1")
    assert message.content == f"{GOOD} {BAD}"


@needs_langchain
def test_a_chain_that_answers_with_text_needs_a_source() -> None:
    from langchain_core.runnables import RunnableLambda

    answer: Any = RunnableLambda(lambda _: GOOD)
    with pytest.raises(InputError, match="The chain gives str, without the sources"):
        (answer | HaltRagGuard(working()).as_runnable()).invoke("?")
    result = (answer | HaltRagGuard(working(), source=PASSAGES).as_runnable()).invoke("?")
    assert result["answer"] == GOOD
    assert result["halt_rag"].verification.decision == "supported"
    assert set(result) == {"answer", "halt_rag"}


def test_a_guard_checks_its_policy_at_once() -> None:
    with pytest.raises(UnknownNameError, match="There is no policy named 'rase'"):
        HaltRagGuard(working(), policy="rase")  # type: ignore[arg-type]


# LlamaIndex


@needs_llamaindex
@pytest.mark.parametrize(
    ("response", "contexts", "expected"),
    [
        (GOOD, [PASSAGES[0].text], {"passing": True, "invalid_result": False}),
        (f"{GOOD} {BAD}", [PASSAGES[0].text], {"passing": False, "invalid_result": False}),
        ("Hello!", [PASSAGES[0].text], {"passing": True, "score": None, "invalid_result": False}),
        (GOOD, [], {"passing": None, "score": None, "invalid_result": True}),
        (None, None, {"passing": None, "score": None, "invalid_result": True}),
    ],
    ids=["supported", "hallucinated", "nothing to check", "no contexts", "nothing"],
)
def test_the_evaluator(response: Any, contexts: Any, expected: dict[str, Any]) -> None:
    from halt_rag.integrations.llamaindex_adapter import evaluator

    result = evaluator(working()).evaluate(query=QUESTION, response=response, contexts=contexts)
    assert {name: getattr(result, name) for name in expected} == expected
    assert (result.query, result.response) == (QUESTION, response)
    if expected["passing"] is False:
        assert result.feedback == f"hallucinated\nnot supported: {BAD}"
        assert 0 <= result.score < 0.5
    if expected["invalid_result"]:
        assert result.invalid_reason.startswith("INPUT: ")


@needs_llamaindex
def test_the_evaluator_reads_responses() -> None:
    from llama_index.core.base.response.schema import Response

    from halt_rag.integrations.llamaindex_adapter import evaluator

    result = evaluator(working()).evaluate_response(query=QUESTION, response=Response(GOOD, nodes()))
    assert result.passing is True


@needs_llamaindex
@pytest.mark.parametrize("broken", ["text", None, 7])
def test_what_is_no_response(broken: Any) -> None:
    with pytest.raises(InputError, match="no response of a LlamaIndex query engine"):
        verify_response(working(), broken)


@needs_llamaindex
def test_a_response_without_a_text() -> None:
    from llama_index.core.base.response.schema import Response

    with pytest.raises(InputError, match="The response has no text"):
        verify_response(working(), Response(None, nodes()))


# Missing packages


def _in_chain() -> Any:
    return HaltRagGuard(working()).as_runnable()


def _evaluate() -> Any:
    from halt_rag.integrations.llamaindex_adapter import evaluator

    return evaluator(working())


@pytest.mark.parametrize(
    ("use", "module", "extra"),
    [
        (_in_chain, "langchain_core.runnables", "langchain"),
        (lambda: verify_response(working(), None), "llama_index.core.base.response.schema", "llamaindex"),
        (_evaluate, "llama_index.core.evaluation", "llamaindex"),
    ],
    ids=["langchain", "llamaindex", "evaluator"],
)
def test_a_missing_framework_is_named_with_the_command(
    use: Callable[[], Any], module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=rf'pip install "halt-rag\[{extra}\]"'):
        use()


def test_importing_the_adapters_imports_no_framework() -> None:
    import subprocess
    import sys

    code = (
        "import sys, halt_rag.integrations.generic, halt_rag.integrations.langchain_adapter,"
        " halt_rag.integrations.llamaindex_adapter;"
        "print({'langchain_core', 'llama_index', 'fastapi', 'onnxruntime'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
