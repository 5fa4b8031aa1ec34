"""A function or name that its module does not have.

## What it does
Follows calls ``module.name(...)`` and ``from module import name`` in Python code to the module and looks the name up:
for the standard library in the stubs of the stated version, for inspected packages in their sources. Nothing is
imported or run.

## Why is this bad?
An invented function costs the reader an afternoon; in an agent's code it fails at run time.

## Example
``json.dumpz({})`` is reported.

## Limits
The type of other receivers is not known: ``df.grupby("a")`` is not checked. Modules that make their names at run time
are not checked either.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from halt_rag.scan.document import Document
from halt_rag.scan.knowledge import Knowledge
from halt_rag.scan.modules import is_standard, package_names, standard_names, versions_with
from halt_rag.scan.outcome import DetectionType, Outcome, Rule, Severity, abstained, verified
from halt_rag.scan.syntax import MethodCall, parsed
from halt_rag.text.spans import Span

CHECK = "method_exists"


def check(document: Document, known: Knowledge) -> Iterator[Outcome]:
    """Yields one outcome per call of an attribute and per imported name."""
    for block in document.code("python"):
        code = parsed(block)
        modules: dict[str, str] = {}
        for found in code.imports():
            if found.bound:
                whole = found.module.split(".")[0] == found.bound
                modules[found.bound] = found.bound if whole else found.module
            for name, bound, span in found.names:
                if _is_module(f"{found.module}.{name}", known):
                    modules[bound] = f"{found.module}.{name}"
                elif name != "*":
                    yield from _looked_up(span, found.module, name, known, silent=True)
        assigned = code.assigned()
        for call in code.method_calls():
            yield from _call(call, modules, assigned, known)


def _is_module(name: str, known: Knowledge) -> bool:
    return is_standard(name, known.python)


def _call(call: MethodCall, modules: dict[str, str], assigned: frozenset[str], known: Knowledge) -> Iterator[Outcome]:
    first, _, rest = call.receiver.partition(".")
    module = modules.get(first, "") if first not in assigned else ""
    if not module:
        yield abstained(call.span, CHECK, "receiver_unknown")
        return
    for part in filter(None, rest.split(".")):
        if not (_is_module(f"{module}.{part}", known)):
            yield abstained(call.span, CHECK, "receiver_unknown")
            return
        module = f"{module}.{part}"
    for outcome in _looked_up(call.span, module, call.method, known):
        doubtful = call.guarded and outcome.status == "detected"
        yield abstained(call.span, CHECK, "guarded_call") if doubtful else outcome


def _looked_up(span: Span, module: str, name: str, known: Knowledge, *, silent: bool = False) -> Iterator[Outcome]:
    """Looks a name up in a module; ``silent``: nothing to say where the module cannot be read."""
    if module.split(".")[0] in known.modules:
        names = None
    elif is_standard(module, known.python):
        names = standard_names(module, known.python)
    else:
        names = package_names(module, known.packages.inspected) if known.packages else None
    if names is None:
        if not silent:
            yield abstained(span, CHECK, "module_not_readable")
    elif name in names:
        yield verified(span, CHECK)
    else:
        others = versions_with(module, name) if is_standard(module, known.python) else []
        if others:
            yield _other_version(span, f"{module}.{name}", others, known)
            return
        near = difflib.get_close_matches(name, names, n=1)
        version = ".".join(map(str, known.python)) if is_standard(module, known.python) else "the installed version"
        yield Outcome(
            span, CHECK, "detected", expected=f"A name of {module}", actual=f"{module} has no {name}",
            source=f"{module} of Python {version}" if version[0].isdigit() else f"{module}, {version}",
            suggestion=f"Did you mean {module}.{near[0]}?" if near else "Look the name up in the documentation.",
        )  # fmt: skip


def _other_version(span: Span, name: str, versions: list[tuple[int, int]], known: Knowledge) -> Outcome:
    first, last, stated = (".".join(map(str, version)) for version in (versions[0], versions[-1], known.python))
    return Outcome(
        span, "version_has", "detected", type=DetectionType.VERSION_MISMATCH, severity=Severity.MEDIUM,
        expected=f"A name of Python {stated}", actual=f"{name} is in Python {first} to {last}",
        source="Stubs of the standard library",
        suggestion="Use what the stated version has, or state another version.",
    )  # fmt: skip


RULE = Rule("HR402", "attribute", DetectionType.INVALID_API, Severity.HIGH, (CHECK, "version_has"), "0.1.0", check)
