"""What Python modules have, by reading stubs and sources; nothing is imported or run."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from halt_rag.errors import MissingExtraError

_PLATFORMS = ("linux", "win32", "darwin")
_NEWEST = (3, 14)
_IMPORT_NAMES = {
    "pyyaml": "yaml", "opencv-python": "cv2", "opencv-python-headless": "cv2", "scikit-learn": "sklearn",
    "pillow": "PIL", "beautifulsoup4": "bs4", "python-dateutil": "dateutil", "python-dotenv": "dotenv",
    "scikit-image": "skimage", "protobuf": "google", "pyjwt": "jwt", "python-docx": "docx", "gitpython": "git",
    "attrs": "attr", "msgpack-python": "msgpack", "mysqlclient": "MySQLdb", "psycopg2-binary": "psycopg2",
    "pycryptodome": "Crypto", "faiss-cpu": "faiss", "markdown-it-py": "markdown_it", "python-multipart": "multipart",
}  # fmt: skip


def import_name(distribution: str) -> str:
    """The name under which a distribution is imported: the well-known ones, else the name itself."""
    low = distribution.lower()
    return _IMPORT_NAMES.get(low, low.replace("-", "_"))


def plain_name(distribution: str) -> str:
    """A distribution's name as indexes compare it: small letters, with one hyphen for each run of ``-_.`` (PEP 503)."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


@lru_cache(maxsize=64)
def _context(version: tuple[int, int], platform: str) -> Any:
    try:
        import typeshed_client
    except ImportError:
        raise MissingExtraError("typeshed-client", "scan") from None
    return typeshed_client.get_search_context(version=version, platform=platform, search_path=[])


@lru_cache(maxsize=4096)
def is_standard(module: str, version: tuple[int, int]) -> bool:
    """Whether a module belongs to the standard library of a Python version.

    Raises:
        MissingExtraError: If the stubs of the standard library are not installed.
    """
    context = _context(version, "linux")
    import typeshed_client

    return typeshed_client.get_stub_file(module, search_context=context) is not None or module in {
        "__future__",
        "idlelib",
    }


def versions_of(module: str) -> list[tuple[int, int]]:
    """The Python versions from 3.8 on whose standard library has a module."""
    return [(3, minor) for minor in range(8, _NEWEST[1] + 1) if is_standard(module, (3, minor))]


@lru_cache(maxsize=1024)
def standard_names(module: str, version: tuple[int, int]) -> frozenset[str] | None:
    """Names of a standard module on any platform, with its submodules; None if they cannot be known.

    Raises:
        MissingExtraError: If the stubs of the standard library are not installed.
    """
    found: set[str] = set()
    for platform in _PLATFORMS:
        context = _context(version, platform)
        import typeshed_client

        stub = typeshed_client.get_stub_file(module, search_context=context)
        if stub is None:
            return None
        names = typeshed_client.get_stub_names(module, search_context=context)
        if names is None or "__getattr__" in names:
            return None
        found |= set(names)
        if stub.name == "__init__.pyi":
            found |= {path.stem for path in stub.parent.iterdir()}
    return frozenset(found | _EVERY_MODULE)


def versions_with(module: str, name: str) -> list[tuple[int, int]]:
    """The Python versions from 3.8 on whose standard library has a name in a module."""
    found = ((version, standard_names(module, version)) for version in versions_of(module))
    return [version for version, names in found if names is not None and name in names]


_EVERY_MODULE = frozenset("__name__ __doc__ __file__ __path__ __package__ __loader__ __spec__ __dict__ __all__".split())


@lru_cache(maxsize=1024)
def package_names(module: str, folders: tuple[str, ...]) -> frozenset[str] | None:
    """Names that an installed package binds at its top level, by reading its source; None if that cannot be known.

    Star imports, a module ``__getattr__`` and extension modules make it unknowable.
    """
    for folder in folders:
        base = Path(folder).joinpath(*module.split("."))
        source = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
        if source.is_file():
            names = _bound(source)
            if names is not None and base.is_dir():
                names |= {path.name.split(".")[0] for path in base.iterdir()}
            return frozenset(names | _EVERY_MODULE) if names is not None else None
    return None


def _bound(source: Path) -> set[str] | None:
    try:
        tree = ast.parse(source.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            return None
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"globals", "exec", "setattr"}
        ):
            return None
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return None if "__getattr__" in found else found
