"""Number extraction against the verdicts recorded for GSM8K solutions."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import duckdb
import pytest
import zstandard

from assay.core.case import Case, GraderSpec
from assay.grading.number import number

pytestmark = pytest.mark.real

CASE = Case("gsm8k", "math", (), ())

KNOWN: dict[tuple[int, str], str] = {}
"""Disagreements by (item, model), with who is right. None: every recorded verdict is met."""


def recorded(folder: Path) -> list[tuple[int, str, str, str, bool]]:
    """Item, model, gold solution, recorded solution, recorded verdict."""
    table = folder / "gsm8k_model_solutions.parquet"
    query = f"select item, model, ground_truth, solution, is_correct from '{table}' order by item, model"
    return duckdb.sql(query).fetchall()


def gold(solution: str) -> str:
    """The value after the last `A:` of a reference solution, as the dataset's authors wrote it."""
    return solution.rpartition("A:")[2].strip()


def grade(expect: str, answer: str, **parameters: object) -> float:
    """The mark of one solution; fails on parameters that the grader refuses."""
    spec = GraderSpec("number", {"expect": expect, **parameters})
    grader = number
    assert grader.problems(spec) == ()
    value = grader.read(CASE, spec, answer, ()).value
    assert value is not None
    return value


def test_grades_agree_with_the_recorded_verdicts(shared_data: Path) -> None:
    """At least 99.5 % of 2,638 recorded verdicts are met, and every other one is known by name."""
    rows = recorded(shared_data)
    wrong = {
        (item, model): f"recorded {verdict}, graded {not verdict}: {solution[-80:]!r}"
        for item, model, truth, solution, verdict in rows
        if (grade(gold(truth), solution, marker="A:") == 1) is not verdict
    }
    print(f"{len(rows) - len(wrong)} of {len(rows)} agree; disagreements: {wrong}")
    assert len(rows) == 2638
    assert wrong.keys() == KNOWN.keys()
    assert len(wrong) <= 0.005 * len(rows)


def test_grades_agree_where_no_marker_is_declared(shared_data: Path) -> None:
    """Without the marker, the final line alone leads to at least 99.5 % of the recorded verdicts."""
    rows = recorded(shared_data)
    agree = sum((grade(gold(truth), solution) == 1) is verdict for _, _, truth, solution, verdict in rows)
    assert agree >= 0.995 * len(rows)


def test_every_reference_solution_is_right_by_its_own_key(shared_data: Path) -> None:
    """The 1,319 reference solutions, which end in `#### n`, all grade 1 against their own n."""
    packed = (shared_data / "gsm8k_test.jsonl.zst").read_bytes()
    text = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(packed)).read().decode()
    answers = [json.loads(line)["answer"] for line in text.split("\n") if line]
    wrong = [answer[-40:] for answer in answers if grade(answer.rpartition("####")[2].strip(), answer) != 1]
    assert len(answers) == 1319
    assert wrong == []


def test_reference_solutions_in_other_dress_are_right(shared_data: Path) -> None:
    """The same answers as LaTeX, bold, with units and in foreign grouping still grade 1."""
    packed = (shared_data / "gsm8k_test.jsonl.zst").read_bytes()
    text = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(packed)).read().decode()
    keys = [json.loads(line)["answer"].rpartition("####")[2].strip() for line in text.split("\n") if line]
    dresses = (
        "Step 1: 3 + 4 = 7.\nSo the final answer is $\\boxed{%s}$. I hope it is correct.",
        "After 12 days we get:\n\n**ANSWER: $%s**",
        "ANSWER: \\(%s\\,\\text{dollars}\\)",
        "Therefore she has **%s** left.",
    )
    wrong = []
    for key in keys:
        for dress in dresses:
            written = key.replace(",", "{,}") if "\\(" in dress else key
            if grade(key, dress % written) != 1:
                wrong.append((key, dress))
    assert wrong == []


def test_a_number_one_off_is_wrong(shared_data: Path) -> None:
    """No reference solution grades 1 against a key that is one more than its own."""
    packed = (shared_data / "gsm8k_test.jsonl.zst").read_bytes()
    text = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(packed)).read().decode()
    answers = [json.loads(line)["answer"] for line in text.split("\n") if line]
    keys = [int(re.sub(r"\D", "", answer.rpartition("####")[2])) for answer in answers]
    assert not any(grade(str(key + 1), answer) for key, answer in zip(keys, answers, strict=True))
