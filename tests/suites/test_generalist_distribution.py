"""The generalist suite keeps to the published distribution, row by row."""

from __future__ import annotations

from collections import Counter

from every_row import every_row
from own_suites import own_suite

from assay.core.case import Case

SUITE = own_suite("generalist")
CASES = [case for use_case in SUITE.use_cases for case in use_case.cases]

# Subcategory, difficulty, check type, number of cases: the published distribution, row by row.
DISTRIBUTION = """
[behavioural]
appropriate_refusal medium refusal_check 2
hallucination hard behavioural 1
hallucination hard hallucination_api 1
hallucination medium acknowledges_nonexistence 1
sycophancy hard behavioural 1
sycophancy medium sycophancy_check 2
unsolicited_opinions medium behavioural 1
verbosity easy response_length 2
verbosity medium response_length 1
[coding]
algorithm_reasoning hard reasoning 1
architecture hard reasoning 1
bug_detection medium trap_no_bug 1
code_generation medium code_runnable 1
code_review medium checklist 1
concurrency hard reasoning 1
cross_language hard reasoning 1
debugging hard reasoning 1
debugging_reasoning hard reasoning 1
ml_implementation hard code_runnable 1
performance hard reasoning 1
refactoring medium code_runnable 1
security hard checklist 1
testing medium code_runnable 1
vague_spec medium ambiguity_check 1
[instruction_following]
ambiguity_handling easy ambiguity_check 1
conflicting_constraints hard code_runnable 1
creative_constraint medium banned_words 1
exact_format medium table_format 1
format_compliance medium json_valid 1
multi_constraint easy constraint_check 1
multi_step hard multi_step_verify 1
refusal_calibration easy refusal_check 1
[learning]
calibration medium reasoning 1
comparison medium comparison 1
concept_explanation medium reasoning 1
emerging hard reasoning 1
factual hard reasoning 1
factual_accuracy hard trap_common_error 1
methodology medium reasoning 1
nuanced_explanation hard reasoning 1
practical medium reasoning 1
practical_advice hard reasoning 1
trap hard sycophancy_check 2
[meta]
calibration hard calibration 1
honesty_under_pressure easy trap_wrong_claim 1
self_knowledge easy self_awareness 1
trap medium reasoning 1
uncertainty medium calibration 1
[reasoning]
causal_reasoning medium reasoning 1
estimation medium reasoning 2
ethical_tradeoff hard reasoning 1
evidence_evaluation hard analysis 1
expected_value medium reasoning 1
false_premise hard sycophancy_check 1
logic hard multi_step_verify 1
math_with_distractors hard multi_step_verify 1
software_tradeoffs medium reasoning 1
statistics hard statistical_significance 1
tradeoff_analysis medium reasoning 1
[research]
comparison hard comparison 1
contradictory_sources hard synthesis 1
crash_course medium reasoning 1
summarization_fidelity medium constraint_check 1
synthesis hard synthesis 1
technical_evaluation hard comparison 1
[writing]
anti_slop medium banned_words 1
argumentation hard reasoning 1
constraint_following easy format_check 1
documentation easy format_check 1
editing easy word_count_reduction 1
editing medium banned_words 1
email_drafting medium word_count 1
structured medium format_check 1
technical_writing medium word_count 1
tone_switching hard reasoning 1
"""
# The published table of automatic checks, and that of the types which only judges mark.
CHECKED = {
    "acknowledges_nonexistence": 1,
    "ambiguity_check": 2,
    "banned_words": 3,
    "code_runnable": 5,
    "constraint_check": 2,
    "hallucination_api": 1,
    "json_valid": 1,
    "multi_step_verify": 3,
    "refusal_check": 3,
    "response_length": 3,
    "self_awareness": 1,
    "statistical_significance": 1,
    "sycophancy_check": 5,
    "table_format": 1,
    "trap_common_error": 1,
    "trap_no_bug": 1,
    "trap_wrong_claim": 1,
    "word_count": 2,
    "word_count_reduction": 1,
}
JUDGED = {
    "analysis": 1,
    "behavioural": 3,
    "calibration": 2,
    "checklist": 2,
    "comparison": 3,
    "format_check": 3,
    "reasoning": 26,
    "synthesis": 2,
}


def _rows() -> Counter[tuple[str, str, str, str]]:
    found: Counter[tuple[str, str, str, str]] = Counter()
    category = ""
    for line in DISTRIBUTION.split("\n"):
        if line.startswith("["):
            category = line.strip("[]").replace("_", "-")
        elif line:
            subcategory, difficulty, check_type, number = line.split()
            found[category, subcategory, difficulty, check_type] += int(number)
    return found


def _kind(case: Case, key: str) -> str:
    return str(case.metadata[key])


def test_eighty_cases_in_the_published_distribution() -> None:
    """Category, subcategory, difficulty and check type agree with the published rows, with their numbers."""
    kinds = ("subcategory", "difficulty", "check_type")
    found = Counter((case.use_case, *(_kind(case, key) for key in kinds)) for case in CASES)
    assert found == _rows()
    assert found.total() == len(CASES) == 80


def test_difficulties() -> None:
    """Ten easy cases, 36 of medium difficulty, 34 hard ones."""
    assert Counter(_kind(case, "difficulty") for case in CASES) == {
        "easy": 10,
        "medium": 36,
        "hard": 34,
    }


def test_check_types() -> None:
    """38 cases are checked automatically and 42 by judges only, with the published number of each type."""
    assert Counter(_kind(case, "check_type") for case in CASES) == CHECKED | JUDGED
    assert (sum(CHECKED.values()), sum(JUDGED.values())) == (38, 42)


@every_row("case", CASES, ids=[case.id for case in CASES])
def test_a_check_where_the_type_has_one(case: Case) -> None:
    """A case carries an automatic check exactly where its type is one of the nineteen."""
    checks = [spec.name for spec in case.graders if not spec.judged]
    kind = _kind(case, "check_type")
    assert checks == ([kind] if kind in CHECKED else [])
