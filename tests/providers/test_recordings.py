"""Recordings are read row by row: bad rows are reported with their place, the others are kept."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from assay.core.errors import InvalidInput, NotFound
from assay.providers.recordings import Recordings, read_recordings

ANSWER = {"kind": "answer", "model": "m", "case": "c", "text": "Hello", "latency": 1.5}
MARK = {"kind": "mark", "judge": "j", "model": "m", "case": "c", "metric": "rubric", "value": 4}


def recorded(folder: Path, *lines: Any) -> Recordings:
    """Read recordings with these lines; what is no text is written as JSON."""
    path = folder / "replay.jsonl"
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return read_recordings(path)


def test_answers_and_marks_are_found_by_what_they_belong_to(tmp_path: Path) -> None:
    """Answers by model and case in order of epoch, marks by judge, model, case, metric and epoch."""
    found = recorded(tmp_path, {**ANSWER, "epoch": 1, "text": "Later"}, ANSWER, MARK)
    assert [answer.text for answer in found.answers["m", "c"]] == ["Hello", "Later"]
    assert found.marks["j", "m", "c", "rubric", 0].value == 4
    assert (found.problems, found.rows, found.models) == ((), 3, ("j", "m"))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{broken", "invalid JSON at line 1, column 2: correct it"),
        ("[]", "the value is not valid: write a mapping"),
        ({"kind": "other"}, 'its "kind" must be "answer" or "mark"'),
        ({"model": "m"}, 'its "kind" must be "answer" or "mark"'),
        ({**ANSWER, "latency": -1}, "'latency' is not valid: write a number of at least 0"),
        ({**ANSWER, "prompt_tokens": 1.5}, "'prompt_tokens' is not valid: write a whole number"),
        ({**ANSWER, "status": "fine"}, "'status' is not valid: write 'ok', 'invalid' or 'error'"),
        ({**ANSWER, "colour": "red"}, "unknown field 'colour': remove it"),
        ({**MARK, "value": "four"}, "'value' is not valid: write a number"),
        (
            {"kind": "mark", "judge": "j", "model": "m", "case": "c"},
            "'metric' is missing: add it; 'value' is missing: add it",
        ),
        (json.dumps(ANSWER).replace("1.5", "NaN"), "'latency' is not valid: write a finite number"),
    ],
)
def test_a_wrong_row_is_told_with_its_line_and_the_others_are_kept(
    line: Any, expected: str, tmp_path: Path
) -> None:
    """File, line, what is wrong; blank lines are passed over and counted as lines."""
    found = recorded(tmp_path, ANSWER, "", line, MARK)
    (problem,) = found.problems
    assert (problem.file, problem.line) == (str(tmp_path / "replay.jsonl"), 3)
    assert expected in problem.text
    assert (len(found.answers), len(found.marks), found.rows) == (1, 1, 3)


def test_of_two_equal_rows_the_first_counts(tmp_path: Path) -> None:
    """The second is reported with the line of the first, and they are not averaged."""
    found = recorded(tmp_path, MARK, {**MARK, "value": 1}, {**MARK, "value": 2, "epoch": 1})
    assert found.marks["j", "m", "c", "rubric", 0].value == 4
    (problem,) = found.problems
    assert "line 1 has the same mark" in problem.text


def test_a_packed_file_is_read_too(tmp_path: Path) -> None:
    """`.jsonl.gz` holds the same."""
    path = tmp_path / "replay.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(ANSWER).encode()))
    assert read_recordings(path).answers["m", "c"][0].text == "Hello"


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """Missing, no gzip, cut short: each says so."""
    with pytest.raises(NotFound, match="no recordings"):
        read_recordings(tmp_path / "none.jsonl")
    for content in (b"plain", gzip.compress(json.dumps(ANSWER).encode() * 50)[:-20]):
        path = tmp_path / "cut.jsonl.gz"
        path.write_bytes(content)
        with pytest.raises(InvalidInput, match="cannot read"):
            read_recordings(path)
