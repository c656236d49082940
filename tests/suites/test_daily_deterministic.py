"""The five deterministic use cases of the daily suite: gold answers, exemplars and prompts."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from every_row import every_row
from own_suites import own_suite

from assay.core.ask import CodeAsk, CodeReply
from assay.core.case import Case, Exemplar, GraderSpec, Grading
from assay.core.grade import Grade
from assay.core.suite import Suite
from assay.grading import registry
from assay.grading.composite import sample_score
from assay.sandbox.sandbox import Unusable
from assay.sandbox.wasm import Wasm

NAMES = (
    "structured-extraction",
    "math-reasoning",
    "code-generation",
    "instruction-following",
    "report-analysis",
)
SEED_ORDER = (
    "Structured Extraction",
    "Math & Reasoning",
    "Code Generation",
    "Instruction Following",
    "Report Analysis",
    "Summarization",
    "Customer Service",
    "Web Design",
    "Game Design",
    "Creative Writing",
)


def _derivations(name: str) -> ModuleType:
    path = Path(__file__).parent / "derivations" / f"{name.replace('-', '_')}.py"
    spec = importlib.util.spec_from_file_location(f"derivations_{path.stem}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SUITE = own_suite("daily")
CASES = {case.id: case for name in NAMES for case in SUITE.use_case(name).cases}
EXEMPLARS = [(case.id, position) for case in CASES.values() for position in range(len(case.exemplars))]
EXTRACTION = {
    "extract-messy-invoice": _derivations("extraction-invoice").invoice,
    "extract-offsite-thread": _derivations("extraction-thread").offsite,
    "extract-referral-letter": _derivations("extraction-letter").referral,
    "extract-shipping-manifest": _derivations("extraction-manifest").manifest,
    "extract-job-log": _derivations("extraction-log").job_log,
}
MATH = _derivations("math-reasoning").DERIVATIONS
REPORTS = _derivations("report-analysis").DERIVATIONS
RULES = _derivations("instruction-following").PREDICATES


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Wasm]:
    """The WebAssembly sandbox; a test that needs it is skipped where it was not built."""
    try:
        box = Wasm()
    except Unusable as reason:
        pytest.skip(str(reason))
    yield box
    box.close()


def _grade(case: Case, spec: GraderSpec, answer: str, run: Callable[[CodeAsk], CodeReply]) -> Grade:
    grader = registry.grader(spec.name)
    replies: list[CodeReply] = []
    for ask in grader.asks(case, spec, answer):
        assert isinstance(ask, CodeAsk)
        replies.append(run(ask))
    while True:
        outcome = grader.read(case, spec, answer, tuple(replies))
        if isinstance(outcome, Grade):
            return outcome
        assert isinstance(outcome, CodeAsk)
        replies.append(run(outcome))


def _never(ask: CodeAsk) -> CodeReply:
    raise AssertionError("only code cases ask for a sandbox")


def _scored(
    suite: Suite, case: Case, exemplar: Exemplar, run: Callable[[CodeAsk], CodeReply]
) -> float | None:
    grades = [_grade(case, spec, exemplar.answer, run) for spec in case.graders]
    score = sample_score(suite.use_case(case.use_case), case, grades)
    return None if score is None else score / 100


def _prompt(case: Case) -> str:
    return case.messages[-1].content


def test_suite_lists_the_seed_use_cases_in_order() -> None:
    """The manifest holds the ten use cases of the seed, in its order and with its sample counts."""
    counts = [(1, 3)] * 5 + [(3, 5)] * 5
    assert [(u.title, (u.base, u.full)) for u in SUITE.use_cases] == list(
        zip(SEED_ORDER, counts, strict=True)
    )


def test_suite_asks_as_the_seed_says() -> None:
    """Every call is at temperature 0 with low reasoning effort, and the judge is the seed's dated one."""
    assert SUITE.parameters == {"temperature": 0, "reasoning": {"effort": "low"}}
    assert SUITE.judge == "openrouter/openai/gpt-4o-mini-2024-07-18"


@pytest.mark.parametrize("name", NAMES)
def test_use_case_has_five_deterministic_cases(name: str) -> None:
    """Each of the five use cases is deterministic and has five cases."""
    use_case = SUITE.use_case(name)
    assert (use_case.grading, len(use_case.cases)) == (Grading.DETERMINISTIC, 5)


@every_row("case_id", CASES)
def test_prompt_is_a_task_and_says_how_to_answer(case_id: str) -> None:
    """A prompt is at least ninety words long, and its last part states the form of the answer."""
    prompt = _prompt(CASES[case_id])
    form = r"ANSWER|Return one JSON|Reply with one Python|alone|Write nothing else"
    assert len(prompt.split()) >= 90 and re.search(form, prompt[len(prompt) // 2 :])


@every_row("case_id", CASES)
def test_case_has_one_right_and_several_wrong_exemplars(case_id: str) -> None:
    """One exemplar is wholly right, and two at least are wrong, each to its own degree."""
    scores = [exemplar.score for exemplar in CASES[case_id].exemplars]
    assert scores.count(1.0) == 1 and len(scores) >= 3 and len(set(scores)) == len(scores)


@every_row("case_id", CASES)
def test_case_tells_how_its_gold_answer_was_checked(case_id: str) -> None:
    """Each case records its second derivation."""
    assert len(CASES[case_id].metadata["derivation"]) > 60


@every_row("case_id, position", [e for e in EXEMPLARS if not e[0].startswith("code-")])
def test_exemplar_scores_what_it_declares(case_id: str, position: int) -> None:
    """The graders give each exemplar exactly the score that it declares."""
    exemplar = CASES[case_id].exemplars[position]
    assert _scored(SUITE, CASES[case_id], exemplar, _never) == pytest.approx(exemplar.score, abs=6e-5)


@pytest.mark.slow
@pytest.mark.parametrize(("case_id", "position"), [e for e in EXEMPLARS if e[0].startswith("code-")])
def test_code_exemplar_scores_what_it_declares(case_id: str, position: int, sandbox: Wasm) -> None:
    """The unit tests in the sandbox give each code exemplar exactly the score that it declares."""
    exemplar = CASES[case_id].exemplars[position]
    assert _scored(SUITE, CASES[case_id], exemplar, sandbox.run) == pytest.approx(exemplar.score, abs=6e-5)


@pytest.mark.parametrize("case_id", EXTRACTION)
def test_extraction_gold_is_derived_twice(case_id: str) -> None:
    """Parsing the document in the prompt and recomputing gives every field of the gold answer."""
    fields = CASES[case_id].graders[0].parameters["fields"]
    derived = EXTRACTION[case_id](_prompt(CASES[case_id]))
    differing = {
        name: (field["expect"], derived.get(name))
        for name, field in fields.items()
        if not _same(field, derived.get(name))
    }
    assert (differing, set(derived) - set(fields)) == ({}, set())


def _same(field: dict[str, Any], derived: object) -> bool:
    expect = field["expect"]
    if field["type"] == "text" and isinstance(expect, list):
        return derived in expect
    if field["type"] == "list" and not field.get("ordered", True):
        return isinstance(derived, list) and sorted(derived) == sorted(expect)
    return bool(derived == expect)


@pytest.mark.parametrize("case_id", MATH)
def test_math_gold_is_derived_twice(case_id: str) -> None:
    """Enumeration, integer arithmetic or the calendar give the three gold numbers."""
    golds = {spec.parameters["marker"][-2]: spec.parameters["expect"] for spec in CASES[case_id].graders}
    assert MATH[case_id](_prompt(CASES[case_id])) == golds


@pytest.mark.parametrize("case_id", REPORTS)
def test_report_gold_is_derived_twice(case_id: str) -> None:
    """Parsing tables and notes and recomputing gives each gold figure, rounded as the prompt asks."""
    fields = CASES[case_id].graders[0].parameters["fields"]
    derived = REPORTS[case_id](_prompt(CASES[case_id]))
    rounded = {name: round(derived[name], _places(field)) for name, field in fields.items()}
    assert rounded == {name: field["expect"] for name, field in fields.items()}


@pytest.mark.parametrize("case_id", REPORTS)
def test_report_gold_is_far_from_a_rounding_edge(case_id: str) -> None:
    """A figure given unrounded is within the tolerance of the rounded gold one."""
    fields = CASES[case_id].graders[0].parameters["fields"]
    derived = REPORTS[case_id](_prompt(CASES[case_id]))
    off = {
        n: derived[n]
        for n, f in fields.items()
        if abs(derived[n] - f["expect"]) > f.get("tolerance", 0) + 1e-9
    }
    assert off == {}


def _places(field: dict[str, Any]) -> int:
    """Return how many decimals a field asks for: its tolerance is half a unit of the last one."""
    return {0.5: 0, 0.05: 1, 0.005: 2, 0.0005: 3}.get(field.get("tolerance", 0.5), 0)


@pytest.mark.parametrize("case_id", [case_id for case_id in CASES if case_id in REPORTS])
def test_report_does_not_state_its_answers(case_id: str) -> None:
    """No computed figure with a decimal stands in the report itself."""
    report = _prompt(CASES[case_id]).split("--- End of the report ---")[0]
    fields = CASES[case_id].graders[0].parameters["fields"]
    golds = {str(abs(f["expect"])) for f in fields.values() if isinstance(f["expect"], float)}
    assert {
        gold for gold in golds if re.search(rf"(?<![\d.,]){re.escape(gold)}(?![\d,]|\.\d)", report)
    } == set()


@pytest.mark.parametrize("case_id", MATH)
def test_math_prompt_does_not_state_its_answers(case_id: str) -> None:
    """None of the three gold numbers stands in the problem."""
    prompt = _prompt(CASES[case_id])
    golds = [str(spec.parameters["expect"]) for spec in CASES[case_id].graders]
    assert [gold for gold in golds if re.search(rf"(?<![\d.,]){re.escape(gold)}(?![\d,])", prompt)] == []


@every_row("case_id, position", [e for e in EXEMPLARS if e[0] in RULES])
def test_rules_agree_with_plain_predicates(case_id: str, position: int) -> None:
    """The constraint grader follows the same rules as predicates written without it."""
    case = CASES[case_id]
    answer = case.exemplars[position].answer
    evidence = _grade(case, case.graders[0], answer, _never).evidence["constraints"]
    assert [each["followed"] for each in evidence] == RULES[case_id](answer)
