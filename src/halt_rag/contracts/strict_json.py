"""Reads a model's output as JSON (RFC 8259, unique names as in RFC 7493), and says precisely why it cannot."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from typing import Any, Final, NoReturn

from halt_rag.contracts.errors import OutputShapeError, ProseAroundJSONError, TruncatedOutputError
from halt_rag.errors import InputError

_KINDS: Final = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
_CUT: Final = ("true", "false", "null", "NaN", "Infinity", "-Infinity", ".", "e-", "e+", "E-", "E+")
"""What a value may stop in: a word, or a number before its next digit."""
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


def kind(value: object) -> str:
    """What JSON calls a value, with its article: ``an array``, ``a number``."""
    return _KINDS.get(type(value), "a number")


def shown(value: object, limit: int = 60) -> str:
    """A value as it may stand in a one-line message: quoted, and what is left out is counted."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # Python's own limits on the digits of an integer, and on nesting
        return "a value too long or too deep to be shown"
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text)} characters)"


def load(name: str, raw: str) -> Any:
    """The value that an output spells.

    ``NaN`` and infinities are read as such, for the contract to name the field they are in
    (see :func:`non_finite`).

    Args:
        name: Name of the contract, for the messages.
        raw: The output.

    Raises:
        OutputShapeError: If it is not JSON, names a key of one object twice (which of the two counts would be a
            guess), holds half a surrogate pair, or is nested too deeply to be read.
        TruncatedOutputError: If it begins as JSON and stops too early.
        ProseAroundJSONError: If there is JSON with something else around it.
        InputError: If ``raw`` is not a string.
    """
    if not isinstance(raw, str):
        raise InputError(f"The output of {name} must be given as a str, not {type(raw).__name__}.")

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record = dict(pairs)
        if len(record) != len(pairs):
            twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
            raise OutputShapeError(f"The output of {name} names the key {shown(twice)} twice in one object.")
        return record

    try:
        value = json.loads(raw, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        _explain(name, raw, error)
    except RecursionError as error:
        raise OutputShapeError(f"The output of {name} is nested too deeply to be read as JSON.") from error
    except OutputShapeError:
        raise
    except ValueError as error:  # Python's own limit on the digits of an integer
        raise OutputShapeError(f"The output of {name} holds a number that cannot be read: {error}.") from error
    if _has_lone_surrogate(raw, value):
        raise OutputShapeError(f"The output of {name} holds half a surrogate pair, which is no Unicode character.")
    return value


def non_finite(value: object) -> bool:
    """Whether ``NaN`` or an infinity is anywhere in a value. JSON has no such numbers."""
    rest = [value]
    while rest:
        part = rest.pop()
        if isinstance(part, float):
            if not math.isfinite(part):
                return True
        elif isinstance(part, dict):
            rest.extend(part.values())
        elif isinstance(part, list):
            rest.extend(part)
    return False


def _has_lone_surrogate(raw: str, value: object) -> bool:
    if "\\u" not in raw:
        return _SURROGATE.search(raw) is not None
    return _SURROGATE.search(json.dumps(value, ensure_ascii=False)) is not None


def _explain(name: str, raw: str, error: json.JSONDecodeError) -> NoReturn:
    where = f"line {error.lineno} column {error.colno}"
    if not raw.strip():
        raise OutputShapeError(f"The output of {name} is empty, not JSON.") from error
    if error.msg == "Extra data":
        raise ProseAroundJSONError(
            f"The output of {name} goes on after its JSON ends, at {where}.", hint="Ask for JSON alone."
        ) from error
    if raw.lstrip()[0] in '[{"':
        if _stops_early(raw, error):
            raise TruncatedOutputError(
                f"The output of {name} is JSON that stops too early, at {where}.", hint="Raise max_tokens."
            ) from error
    elif any(_json_from(raw, bracket) for bracket in "[{"):
        raise ProseAroundJSONError(
            f"The output of {name} has other text before its JSON.", hint="Ask for JSON alone."
        ) from error
    raise OutputShapeError(f"The output of {name} is not JSON: {error.msg} at {where}.") from error


def _stops_early(raw: str, error: json.JSONDecodeError) -> bool:
    tail = raw[error.pos :].rstrip()
    if error.msg.startswith("Invalid \\u"):
        return len(tail) <= len("uXXXX") and '"' not in tail
    return not tail or error.msg.startswith("Unterminated") or any(word.startswith(tail) for word in _CUT)


def _json_from(raw: str, bracket: str) -> bool:
    """Whether JSON begins at the first such bracket; only the first, so that the time stays linear."""
    start = raw.find(bracket)
    if start < 0:
        return False
    try:
        json.JSONDecoder().raw_decode(raw, start)
    except (ValueError, RecursionError):
        return False
    return True
