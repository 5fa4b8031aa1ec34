"""Texts that break careless offset arithmetic."""

from __future__ import annotations

from hypothesis import strategies as st

# What sentence and line rules look at, next to what encoders stumble over.
PARTS = [
    *"ab A.!?…,;:()[]\"'“”-*#|`=>1 2\n\r\t\x0c\x0b\x85\u2028\u2029\x00\u3000\u200b",
    *"é日。！？؟।።។ا😀🇫",
    "e\u0301",
    "\r\n",
    "\n\n",
    "Dr. ",
    "etc. ",
    "3.14",
    "- ",
    "1. ",
    "word ",
    "Sentence one. ",
    "(Aside.) ",
    "https://a.b/c ",
]


def any_text(alphabet: str | None = None, max_size: int = 80) -> st.SearchStrategy[str]:
    """Any string that Python can hold, lone surrogates included, or one of the given characters."""
    if alphabet is not None:
        return st.text(alphabet, max_size=max_size)
    rich = st.lists(st.sampled_from([*PARTS, "\ud800", "\udfff"]), max_size=max_size // 2).map("".join)
    return st.one_of(rich, st.text(st.characters(exclude_categories=()), max_size=max_size))


def encodable_text(max_size: int = 80) -> st.SearchStrategy[str]:
    """Any string without lone surrogates."""
    rich = st.lists(st.sampled_from(PARTS), max_size=max_size // 2).map("".join)
    return st.one_of(rich, st.text(st.characters(exclude_categories=["Cs"]), max_size=max_size))
