"""Results of the seed-002 project: every wrong row is told with its place, every good one is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from workbench_files import (
    attempt,
    causal_attempt,
    causal_row,
    layout,
    row,
    rows,
    write_layout,
    write_rows,
)

from assay.core.errors import InvalidInput
from assay.files.workbench import GivenAnswer, Workbench
from assay.files.workbench_file import read_workbench


def of_rows(folder: Path, *lines: Any) -> Workbench:
    """Read rows."""
    return read_workbench(write_rows(folder / "results.jsonl", lines))


def of_layout(folder: Path, content: Any) -> Workbench:
    """Read one model's own layout."""
    return read_workbench(write_layout(folder / "m-1.json", content))


def essence(answer: GivenAnswer) -> tuple[Any, ...]:
    """Return what both layouts tell of an answer."""
    marks = [(mark.by, mark.value) for mark in (*answer.marks, *answer.geval)]
    return answer.model, answer.prompt.id, answer.prompt.category, answer.text, answer.latency, marks


def balanced(found: Workbench) -> bool:
    """Return whether every row is in exactly one count."""
    return found.rows == len(found.answers) + len(found.choices) + found.earlier + found.refused


def test_a_row_becomes_an_answer_with_its_marks(tmp_path: Path) -> None:
    """Text, tokens, latency, flags, judges, G-Eval, and what kind of prompt it was."""
    (answer,) = of_rows(tmp_path, row(flags=["TOO_LONG: 9 words"], judges={"j-1": 4, "j-2": None})).answers
    assert (answer.model, answer.text, answer.latency) == ("m-1", "m-1 answers C01.", 1.5)
    assert (answer.prompt_tokens, answer.completion_tokens, answer.flags) == (10, 20, ("TOO_LONG: 9 words",))
    assert [(mark.by, mark.value) for mark in answer.marks] == [("j-1", 4), ("j-2", None)]
    assert [mark.by for mark in answer.geval] == ["correctness", "coherence", "instruction_following"]
    prompt = answer.prompt
    assert (prompt.category, prompt.subcategory, prompt.check_type) == (
        "coding",
        "bug_detection",
        "trap_no_bug",
    )


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ("{broken", "invalid JSON at line 1, column 2: correct it"),
        ([], "the value is []: write a mapping"),
        ({"model": "x"}, "'prompt_id' is missing: add it; 'category' is missing: add it; "),
        (row(judges={"j-1": 7}), "'judges.j-1' is 7: write a number of at most 5"),
        (row(judges={"j-1": "four"}), "'judges.j-1' is 'four': write a number"),
        (row(geval={"taste": 1}), "'geval.taste' is 'taste': write 'correctness', 'coherence' or"),
        (row(geval={"coherence": 1.2}), "'geval.coherence' is 1.2: write a number of at most 1"),
        (row(latency_s=None), "'latency_s' is None: write a number"),
        (row(output_tokens=-1), "'output_tokens' is -1: write a number of at least 0"),
        (row(difficulty="insane"), "'difficulty' is 'insane': write 'easy', 'medium' or 'hard'"),
        (row(prompt="../C01"), "'prompt_id' is '../C01': write text that matches"),
        (row(response=None), "'response' is None: write text"),
        (row("m-2"), "second answer of 'm-2' to 'C01': remove one (the first, at line 1, counts)"),
        (
            row("m-1", "C01", difficulty="hard"),
            "prompt 'C01' has another category, difficulty or check at",
        ),
    ],
)
def test_a_wrong_row_is_told_with_its_line(wrong: Any, expected: str, tmp_path: Path) -> None:
    """And with all that is wrong with it; the others are kept, and the totals balance."""
    found = of_rows(tmp_path, row("m-2"), "", wrong, row("m-3"))
    (problem,) = found.problems
    assert (problem.file, problem.line) == (str(tmp_path / "results.jsonl"), 3)
    assert problem.text.startswith(expected)
    assert [answer.model for answer in found.answers] == ["m-2", "m-3"]
    assert (found.rows, balanced(found)) == (3, True)


def test_the_last_attempt_counts(tmp_path: Path) -> None:
    """An earlier attempt lacks judges; it is counted, of causal questions too."""
    early = attempt(
        judge_scores={"old-judge": {"score": None, "rationale": "Judge error: 400"}}, content="Old."
    )
    content = layout(C01=[early, attempt()], B01_Q1=[causal_attempt("A"), causal_attempt("B")])
    found = of_layout(tmp_path, content)
    assert (found.rows, found.earlier, len(found.answers), len(found.choices)) == (6, 2, 3, 1)
    assert found.judges == ("j-1", "j-2")
    assert found.answers[0].text == "m-1 answers C01."
    assert found.choices[0].text == "B"
    assert balanced(found)


def test_both_layouts_say_the_same_of_a_causal_answer(tmp_path: Path) -> None:
    """Text, key, recorded letter, tokens, latency; only one of them has the tokens of the prompt."""
    (row_,) = of_rows(tmp_path, causal_row(response="C it is")).choices
    (attempt_,) = of_layout(tmp_path, layout(B01_Q1=[causal_attempt("C it is")])).choices
    assert (row_.question, row_.text, row_.key, row_.recorded) == ("B01_Q1", "C it is", "B", "B")
    told = [
        (each.model, each.question, each.text, each.key, each.recorded, each.completion_tokens, each.latency)
        for each in (row_, attempt_)
    ]
    assert told[0] == told[1]
    assert (row_.prompt_tokens, attempt_.prompt_tokens) == (None, 10)


def test_a_layout_may_lack_key_and_recorded_letter(tmp_path: Path) -> None:
    """They are then not told."""
    bare = causal_attempt("A", auto_checks={"flags": [], "auto_scores": {}})
    (choice,) = of_layout(tmp_path, layout(B01_Q1=[bare])).choices
    assert (choice.key, choice.recorded) == (None, None)


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        (causal_row(question_id="B1_Q1"), "'question_id' is 'B1_Q1'"),
        (causal_row(key="E"), "'key' is 'E': write 'A', 'B', 'C' or 'D'"),
        (causal_row(latency_s=-1), "'latency_s' is -1"),
        (causal_row("m-1"), "second answer of 'm-1' to 'B01_Q1': remove one (the first, at line 1, counts)"),
        (causal_row("m-2", key="C"), "the key of 'B01_Q1' is 'C', but 'B' at line 1"),
    ],
)
def test_a_wrong_causal_row_is_told(wrong: dict[str, Any], expected: str, tmp_path: Path) -> None:
    """With what is wrong; the others are kept."""
    found = of_rows(tmp_path, causal_row(), wrong, causal_row("m-3"))
    (problem,) = found.problems
    assert problem.line == 2
    assert problem.text.startswith(expected)
    assert (len(found.choices), balanced(found)) == (2, True)


def test_a_judge_that_failed_is_a_mark_without_value_and_with_the_reason(tmp_path: Path) -> None:
    """The project wrote the error where the rationale stands."""
    failed = {"score": None, "rationale": "Judge error: Client error '400 Bad Request'"}
    content = layout(C01=[attempt(judge_scores={"j-1": failed, "j-2": {"score": 5, "rationale": "Fine."}})])
    first, second = of_layout(tmp_path, content).answers[0].marks
    assert (first.value, first.rationale, first.reason) == (None, "", failed["rationale"])
    assert (second.value, second.rationale, second.reason) == (5, "Fine.", None)


def test_both_layouts_say_the_same(tmp_path: Path) -> None:
    """Answers, marks and categories agree; the layout knows rationales and times, the rows the kinds."""
    ours, theirs = of_rows(tmp_path, *rows("m-1")), of_layout(tmp_path, layout("m-1"))
    assert [essence(answer) for answer in ours.answers] == [essence(answer) for answer in theirs.answers]
    assert theirs.answers[0].at == pytest.approx(1_770_478_070.107825)
    assert theirs.answers[0].prompt.subcategory is None


@pytest.mark.parametrize(
    ("prompt", "attempts", "expected"),
    [
        ("C02", "none", "C02: the attempts are 'none': write a list with at least one"),
        ("C02", [], "C02: the attempts are []"),
        ("Z01", [attempt()], "Z01, attempt 1: invalid prompt 'Z01': write a letter (B, C, I, L, M, R, S, W)"),
        (
            "C02",
            [attempt(), {"content": 5}],
            "C02, attempt 2: 'timestamp' is missing: add it; 'content' is 5: write",
        ),
        (
            "C02",
            [attempt(timestamp="yesterday at noon")],
            "C02, attempt 1: 'timestamp' is 'yesterday at noon'",
        ),
        (
            "C02",
            [attempt(judge_scores={"j": {"score": 6}})],
            "C02, attempt 1: 'judge_scores.j.score' is 6: write",
        ),
        ("C02", [attempt(auto_checks=None)], "C02, attempt 1: 'auto_checks' is None: write"),
        ("C02", [7], "C02, attempt 1: the value is 7: write a mapping"),
    ],
)
def test_a_wrong_attempt_is_told_with_its_prompt_and_number(
    prompt: str, attempts: Any, expected: str, tmp_path: Path
) -> None:
    """The other prompts are kept, and the totals balance."""
    found = of_layout(tmp_path, layout(**{prompt: attempts}))
    (problem,) = found.problems
    assert problem.text.startswith(expected)
    assert {answer.prompt.id for answer in found.answers} == {"C01", "C02", "W01"} - {prompt}
    assert balanced(found)


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("m.json", "{\n  broken", "invalid JSON"),
        ("m.json", "[]", "write `model_name` and `runs`"),
        ("m.json", json.dumps({"model_name": "", "runs": {}}), "write `model_name` and `runs`"),
        ("m.csv", "", "give rows as .jsonl, or a model's own .json"),
    ],
)
def test_a_file_that_is_no_results_file_is_refused(
    name: str, content: str, expected: str, tmp_path: Path
) -> None:
    """With what is needed."""
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InvalidInput, match=expected):
        read_workbench(path)
