"""HumanEval's solutions and recorded ones of a live product: code verdicts equal the recorded verdicts."""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard

from assay.core.ask import CodeAsk, CodeReply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.code_tests import CodeTests
from assay.sandbox.choose import open_sandbox
from assay.sandbox.sandbox import Sandbox

pytestmark = pytest.mark.real

GRADER = CodeTests()


def rows(path: Path) -> list[dict[str, Any]]:
    with path.open("rb") as file:
        text = zstandard.ZstdDecompressor().stream_reader(file).read().decode()
    return [json.loads(line) for line in text.split("\n") if line]


@pytest.fixture(scope="module")
def problems(shared_data: Path) -> dict[str, dict[str, Any]]:
    """HumanEval's 164 problems by their task id."""
    return {row["task_id"]: row for row in rows(shared_data / "humaneval.jsonl.zst")}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """The default sandbox; skipped where it was not built, missed in CI."""
    found = open_sandbox(["wasm"])
    reason = found.unfit(CodeAsk(""))
    if reason is not None:
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    yield found
    found.close()


def passes(sandbox: Sandbox, problem: dict[str, Any], answer: str) -> bool:
    """Return the verdict on an answer, graded as a run would grade it."""
    entry = problem["entry_point"]
    tests = f"{problem['test']}\n\ndef test_all():\n    check({entry})\n"
    spec = GraderSpec("code_tests", {"entry": entry, "tests": tests})
    assert not GRADER.problems(spec)
    case = Case(problem["task_id"].replace("/", "-"), "code", (), (spec,))
    (ask,) = GRADER.asks(case, spec, answer)
    assert isinstance(ask, CodeAsk)
    reply = sandbox.run(ask)
    assert isinstance(reply, CodeReply)
    grade = GRADER.read(case, spec, answer, (reply,))
    assert isinstance(grade, Grade) and grade.value is not None, grade
    return grade.value == 1


def test_every_canonical_solution_passes(sandbox: Sandbox, problems: dict[str, dict[str, Any]]) -> None:
    """All 164 canonical solutions pass their tests."""
    failed = [
        name
        for name, problem in problems.items()
        if not passes(sandbox, problem, f"```python\n{problem['prompt']}{problem['canonical_solution']}\n```")
    ]
    assert (len(problems), failed) == (164, [])


def test_no_empty_solution_passes(sandbox: Sandbox, problems: dict[str, dict[str, Any]]) -> None:
    """A function of the right name that returns None passes none of the 164."""
    passed = [
        name
        for name, problem in problems.items()
        if passes(sandbox, problem, f"def {problem['entry_point']}(*arguments): return None")
    ]
    assert passed == []


def test_recorded_verdicts_are_met(
    sandbox: Sandbox, problems: dict[str, dict[str, Any]], shared_data: Path
) -> None:
    """Each of the 392 recorded solutions gets the recorded verdict of the base tests."""
    recorded = rows(shared_data / "isclaudedumb_solutions_opus46_unique.jsonl.zst")
    found = [(row["task_id"], passes(sandbox, problems[row["task_id"]], row["solution"])) for row in recorded]
    expected = [(row["task_id"], bool(row["passed_base"])) for row in recorded]
    differences = [(ours, theirs) for ours, theirs in zip(found, expected, strict=True) if ours != theirs]
    assert (len(recorded), differences) == (392, [])


def test_a_spoiled_solution_fails(sandbox: Sandbox, problems: dict[str, dict[str, Any]]) -> None:
    """Canonical solutions that wrap what they return in a list pass none of the 164."""
    passed = []
    for name, problem in problems.items():
        tree = ast.parse(problem["prompt"] + problem["canonical_solution"])
        entry = next(
            node
            for node in tree.body
            if isinstance(node, ast.FunctionDef) and node.name == problem["entry_point"]
        )
        for node in ast.walk(entry):
            if isinstance(node, ast.Return) and node.value is not None:
                node.value = ast.List([node.value], ast.Load())
        if passes(sandbox, problem, ast.unparse(tree)):
            passed.append(name)
    assert passed == []
