"""Imports and calls of Python, JavaScript and TypeScript, read with tree-sitter: no code is run or imported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from halt_rag.errors import MissingExtraError
from halt_rag.scan.languages import language_of
from halt_rag.text.spans import OffsetMap, Span

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

    from halt_rag.text.markdown import CodeBlock

_GRAMMARS = {
    "python": ("tree_sitter_python", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
}
SCRIPTS = ("javascript", "typescript", "tsx")


@dataclass(frozen=True, slots=True)
class Import:
    """An imported module.

    Attributes:
        module: Its dotted name, or the specifier of a script.
        span: Where it stands in the document.
        names: What is taken from it: name, the name it is bound to, place.
        bound: The name that the module itself is bound to; empty if there is none.
        guarded: Whether it stands under a condition or in a ``try``, so that it may be meant to be missing.
    """

    module: str
    span: Span
    names: tuple[tuple[str, str, Span], ...] = ()
    bound: str = ""
    guarded: bool = False


@dataclass(frozen=True, slots=True)
class MethodCall:
    """A call ``receiver.method(...)``; ``receiver`` is its dotted name, empty if it is anything else.

    ``guarded``: it stands under a condition or in a ``try``, so that the name may be meant to be missing.
    """

    receiver: str
    method: str
    span: Span
    guarded: bool


@lru_cache(maxsize=8)
def _parser(language: str) -> Parser:
    module, function = _GRAMMARS[language]
    try:
        from tree_sitter import Language, Parser

        return Parser(Language(getattr(import_module(module), function)()))
    except ImportError:
        raise MissingExtraError(module.replace("_", "-"), "scan") from None


class Code:
    """A parsed block of code.

    Raises:
        MissingExtraError: If the parser of its language is not installed.
    """

    def __init__(self, block: CodeBlock) -> None:
        self.block = block
        self.language = language_of(block.language)
        safe = block.code.encode("utf-8", "replace")
        self._bytes = OffsetMap(safe.decode("utf-8"), "utf-8")
        self._tree = _parser(self.language).parse(safe)

    @property
    def root(self) -> Node:
        """The root node."""
        return self._tree.root_node

    def nodes(self, *kinds: str) -> Iterator[Node]:
        """All named nodes of these kinds, in order."""
        if len(kinds) == 1:
            yield from self._by_kind.get(kinds[0], ())
            return
        found = [entry for kind in kinds for entry in self._by_kind.get(kind, ())]
        yield from sorted(found, key=lambda node: (node.start_byte, -node.end_byte))

    @cached_property
    def _by_kind(self) -> dict[str, list[Node]]:
        """The nodes by kind: one walk serves all rules."""
        found: dict[str, list[Node]] = {}
        stack = [self.root]
        while stack:
            node = stack.pop()
            if node.is_named:
                found.setdefault(node.type, []).append(node)
                stack.extend(reversed(node.children))
        return found

    def span(self, node: Node) -> Span:
        """A node's place in the document."""
        start, end = self._bytes.decoded(node.start_byte), self._bytes.decoded(node.end_byte)
        return self.block.span(start, end)

    def imports(self) -> Iterator[Import]:
        """The imports, in order."""
        return self._python_imports() if self.language == "python" else self._script_imports()

    def _python_imports(self) -> Iterator[Import]:
        for node in self.nodes("import_statement", "import_from_statement"):
            if node.has_error:
                continue
            if node.type == "import_statement":
                for name in node.children_by_field_name("name"):
                    module = name.child_by_field_name("name") if name.type == "aliased_import" else name
                    alias = name.child_by_field_name("alias") if name.type == "aliased_import" else None
                    if module is not None:
                        dotted = _text(module)
                        bound = _text(alias) if alias is not None else dotted.split(".")[0]
                        yield Import(dotted, self.span(module), bound=bound, guarded=_is_guarded(node))
                continue
            origin = node.child_by_field_name("module_name")
            if origin is not None and origin.type == "dotted_name":
                names = tuple(self._taken(name) for name in node.children_by_field_name("name"))
                yield Import(_text(origin), self.span(origin), names, guarded=_is_guarded(node))

    def _taken(self, node: Node) -> tuple[str, str, Span]:
        name, alias = node, None
        if node.type == "aliased_import":
            name, alias = node.child_by_field_name("name") or node, node.child_by_field_name("alias")
        return _text(name), _text(alias if alias is not None else name), self.span(name)

    def _script_imports(self) -> Iterator[Import]:
        for node in self.nodes("import_statement", "export_statement", "call_expression"):
            source: Any = node.child_by_field_name("source")
            if node.type == "call_expression":
                called, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
                if called is None or given is None or _text(called) not in {"require", "import"}:
                    continue
                source = given.named_children[0] if given.named_child_count == 1 else None
            if source is not None and source.type == "string" and len(_text(source)) > 2:
                span = self.span(source)
                yield Import(_text(source)[1:-1], Span(span.start + 1, span.end - 1))

    def method_calls(self) -> Iterator[MethodCall]:
        """Calls of attributes in Python code."""
        for node in self.nodes("call"):
            function = node.child_by_field_name("function")
            if function is None or function.type != "attribute":
                continue
            receiver, method = function.child_by_field_name("object"), function.child_by_field_name("attribute")
            if receiver is None or method is None or method.is_missing:
                continue
            dotted = _text(receiver) if _is_dotted(receiver) else ""
            yield MethodCall(dotted, _text(method), self.span(method), _is_guarded(node))

    def assigned(self) -> frozenset[str]:
        """Names that Python code binds other than by import: assignments, parameters, definitions, loops."""
        found: set[str] = set()
        for node in self.nodes("assignment", "named_expression", "for_statement", "parameters", "lambda_parameters",
                               "function_definition", "class_definition", "as_pattern_target"):  # fmt: skip
            for field in ("left", "name"):
                target = node.child_by_field_name(field)
                if target is not None:
                    found.update(_identifiers(target))
            if node.type in {"parameters", "lambda_parameters", "as_pattern_target"}:
                found.update(_identifiers(node))
        return frozenset(found)


@lru_cache(maxsize=32)
def parsed(block: CodeBlock) -> Code:
    """A block, parsed once for all rules.

    Raises:
        MissingExtraError: If the parser of its language is not installed.
    """
    return Code(block)


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _is_guarded(node: Node) -> bool:
    above = node.parent
    for _ in range(6):
        if above is None:
            return False
        if above.type in {"if_statement", "try_statement"}:
            return True
        above = above.parent
    return False


def _is_dotted(node: Node) -> bool:
    while node.type == "attribute":
        inner = node.child_by_field_name("object")
        if inner is None:
            return False
        node = inner
    return node.type == "identifier"


def _identifiers(node: Node) -> Iterator[str]:
    stack = [node]
    while stack:
        here = stack.pop()
        if here.type == "identifier":
            yield _text(here)
        if here.type not in {"attribute", "subscript", "call"}:
            stack.extend(here.children)
