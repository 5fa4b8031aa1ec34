"""Reads the JSON in what a model wrote, whatever is around it and wherever it breaks off.

Only the syntax is mended, never the content: text around the JSON is skipped, a bracket that is missing before another
one closes is added, and what cannot be read is marked, so that the rest can be. Time is linear in the length.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

_TOKEN: Final = re.compile(r'[\[\]{}:,]|"[^"\\]*+(?:\\.[^"\\]*+)*+"|"|[^\s\[\]{}:,"]++', re.DOTALL)
_OPENING: Final = re.compile(r"[\[{]")


class Unreadable:
    """Stands for a value that is not JSON."""


UNREADABLE: Final = Unreadable()


@dataclass(slots=True)
class Entry:
    """A JSON object.

    Attributes:
        values: The values of each key, in order; more than one where a key is repeated. Objects are ``Entry``, arrays
            lists, what is not JSON is ``UNREADABLE``.
        sound: Whether it was well-formed and ended, so that nothing in it is missing or in doubt.
    """

    values: dict[str, list[object]] = field(default_factory=dict)
    sound: bool = True
    _key: str | None = None
    _colon: bool = False

    def put(self, value: object) -> None:
        """Takes a value for the key that waits for one; anything else is a flaw."""
        if self._key is not None and self._colon:
            self.values.setdefault(self._key, []).append(value)
        elif self._key is None and isinstance(value, str):
            self._key = value
            return
        else:
            self.sound = False
        self._key, self._colon = None, False

    def colon(self) -> None:
        """Takes the colon after a key."""
        self.sound = self.sound and self._key is not None and not self._colon
        self._colon = self._key is not None

    def pause(self) -> None:
        """Takes a comma or the end; a key that still waits for its value is a flaw."""
        self.sound = self.sound and self._key is None
        self._key, self._colon = None, False


Container = Entry | list[object]
_OPENS: Final[dict[str, type[Entry] | type[list[object]]]] = {"[": list, "{": Entry}
_CLOSES: Final[dict[str, type[Entry] | type[list[object]]]] = {"]": list, "}": Entry}


def entries(text: str) -> Iterator[Entry]:
    """The objects that are items of an array, but not those within such an object, in the order of the text.

    Args:
        text: What the model wrote.

    Yields:
        The objects, sound or not.
    """
    rest = list(_containers(text))[::-1]
    while rest:
        container = rest.pop()
        if isinstance(container, Entry):
            inner = [value for values in container.values.values() for value in values]
        else:
            yield from (item for item in container if isinstance(item, Entry))
            inner = [item for item in container if isinstance(item, list)]
        rest.extend(item for item in reversed(inner) if isinstance(item, Entry | list))


def _containers(text: str) -> Iterator[Container]:
    """The arrays and objects that are in no other."""
    place = 0
    while opening := _OPENING.search(text, place):
        container, place = _container(text, opening.start())
        yield container


def _container(text: str, start: int) -> tuple[Container, int]:
    """The array or object that opens at ``start``, and where it ends."""
    stack: list[Container] = []
    arrays = 0  # How many of them are arrays.
    for token in _TOKEN.finditer(text, start):
        word = token[0]
        if word in _OPENS:
            opened = _OPENS[word]()
            if stack:
                _put(stack[-1], opened)
            stack.append(opened)
            arrays += word == "["
        elif word in _CLOSES:
            kind = _CLOSES[word]
            if not (arrays if kind is list else len(stack) - arrays):
                _flaw(stack[-1])
                continue
            closed: Container | None = None
            while not isinstance(closed, kind):  # One that is open within it is closed with it.
                closed = stack.pop()
                arrays -= isinstance(closed, list)
                _pause(closed)
            if not stack:
                return closed, token.end()
        elif word == '"':
            break  # A string that does not end: there is nothing sure after it.
        elif word == ",":
            _pause(stack[-1])
        elif word == ":":
            _colon(stack[-1])
        else:
            _put(stack[-1], _value(word))
    for container in stack:
        _flaw(container)
    return stack[0], len(text)


def _put(container: Container, value: object) -> None:
    if isinstance(container, Entry):
        container.put(value)
    else:
        container.append(value)


def _pause(container: Container) -> None:
    if isinstance(container, Entry):
        container.pause()


def _colon(container: Container) -> None:
    if isinstance(container, Entry):
        container.colon()


def _flaw(container: Container) -> None:
    if isinstance(container, Entry):
        container.sound = False


def _value(word: str) -> object:
    try:
        return json.loads(word, strict=False)
    except ValueError:
        return UNREADABLE
