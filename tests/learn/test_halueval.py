"""HaluEval: its files and the examples they give."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from halt_rag.errors import InputError, UnknownNameError
from halt_rag.learn.halueval import FILES, data_file, git_blob, read_examples
from tests.learn.halueval_small import write_data


def test_each_record_gives_two_examples_of_one_group(tmp_path: Path) -> None:
    rows = read_examples("qa", write_data(tmp_path, records=6))
    assert [row.id for row in rows[:4]] == ["qa-0-right", "qa-0-hallucinated", "qa-1-right", "qa-1-hallucinated"]
    assert [row.label for row in rows[:2]] == ["supported", "hallucinated"]
    assert rows[0].group == rows[1].group != rows[2].group
    assert rows[0].question == "When was dam 0 built?"
    assert rows[6].group == rows[8].group, "a repeated source is one group over records"


def test_summaries_have_no_question(tmp_path: Path) -> None:
    assert read_examples("summarization", write_data(tmp_path, "summarization", 2))[0].question is None


def test_a_larger_limit_draws_the_same_and_more(tmp_path: Path) -> None:
    path = write_data(tmp_path)
    few, more = ([row.id for row in read_examples("qa", path, limit=n, seed=3)] for n in (5, 12))
    assert len(few) == 10
    assert set(few) < set(more)
    assert few != [row.id for row in read_examples("qa", path, limit=5, seed=4)]
    assert len(read_examples("qa", path, limit=0)) == len(read_examples("qa", path, limit=99)) == 60


def test_records_can_be_left_out(tmp_path: Path) -> None:
    rows = read_examples("qa", write_data(tmp_path, records=4), exclude=[1, 3])
    assert [row.id for row in rows] == ["qa-0-right", "qa-0-hallucinated", "qa-2-right", "qa-2-hallucinated"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("not json", "line 3: not JSON"),
        ("[1]", "line 3: knowledge, question, right_answer, hallucinated_answer must be texts"),
        ('{"knowledge": "k", "question": "q", "right_answer": 5, "hallucinated_answer": "h"}', "right_answer must be"),
        (
            '{"knowledge": "k", "question": "q", "right_answer": " ", "hallucinated_answer": "h"}',
            "line 3: generated: .*empty",
        ),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, said: str) -> None:
    path = write_data(tmp_path, records=2)
    path.write_text(path.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_examples("qa", path)


def test_line_separators_inside_a_text_are_no_lines(tmp_path: Path) -> None:
    path = tmp_path / "qa_data.json"
    path.write_text(
        '{"knowledge": "a\u2028b", "question": "q", "right_answer": "r", "hallucinated_answer": "h"}\n',
        encoding="utf-8",
    )
    assert read_examples("qa", path)[0].source == "a\u2028b"


def test_what_is_missing_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="halt-rag download-data --task qa"):
        read_examples("qa", tmp_path / "qa_data.json")
    with pytest.raises(UnknownNameError, match="Did you mean 'summarization'"):
        data_file("summarisation")


def test_git_blob_is_what_git_says(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"test content\n")
    assert git_blob(file) == ("d670460b4b4aece5915caf5c68d12f560a9fe3e4", 13)


@pytest.mark.skipif("HALT_RAG_HALUEVAL" not in os.environ, reason="HALT_RAG_HALUEVAL names no folder of HaluEval files")
@pytest.mark.parametrize("task", FILES)
def test_the_real_files(task: str) -> None:
    path = Path(os.environ["HALT_RAG_HALUEVAL"]) / FILES[task].name
    assert git_blob(path) == (FILES[task].blob, FILES[task].size)
    assert len(read_examples(task, path)) == 20_000
