"""A suite's check tells its digest, what refuses it and what weakens it."""

from __future__ import annotations

import pytest

from assay.files.suite_lint import check_suite


def test_a_refused_suite(write_suite, graders) -> None:
    """Problems come with places and leave no suite."""
    found = check_suite(write_suite(("maths.yaml", "exact", "exat")), graders=graders)
    assert (found.good, [problem.line for problem in found.problems]) == (False, [10])


def test_the_small_suite_is_good_with_warnings(write_suite, graders) -> None:
    """All that weakens the small suite is told at once."""
    found = check_suite(write_suite(), graders=graders)
    assert (found.good, [str(warning) for warning in found.warnings]) == (
        True,
        [
            "no `canary`: without one, training-data filters cannot find the suite",
            "no `judge` and no `panel`, which letters need",
            "maths: 1 cases: below 5, so one flip weighs much",
            "sum: fewer than 2 bad exemplars: add answers as a failing model would give them",
            "letters: 1 cases: below 5, so one flip weighs much",
            "letters: 2 exemplars with marks: give 10",
            "thanks: fewer than 2 bad exemplars: add answers as a failing model would give them",
        ],
    )


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (("suite.yaml", "temperature: 0", "temperature: 1"), "`parameters.temperature` is not 0"),
        (("suite.yaml", ", letters.yaml", ""), "1 use cases: COOKED needs 2"),
        (("suite.yaml", ", letters.yaml", ""), "letters.yaml: not listed in suite.yaml"),
        (
            ("letters.yaml", "rubric: |", "weights: {checks: 0, judge: 1}\nrubric: |"),
            "all weight is on the judge",
        ),
        (("letters.yaml", "hybrid", "judge"), "thanks: `exact` in a use case graded by the judge"),
        (("letters.yaml", "rubric: {crit", "exact: {crit"), "thanks: no judged grader in a hybrid use case"),
        (("letters.yaml", "exact: {expect: Dear aunt}", "rubric: {}"), "thanks: no mechanical grader"),
        (("letters.yaml", "marks: 5", "marks: 3"), "thanks: no good exemplar"),
        (("maths.yaml", "score: 1.0", "score: 0.9"), "sum: no good exemplar"),
        (
            (
                "maths.yaml",
                "",
                '  - id: again\n    prompt: What is 2 + 2?\n    graders: [{exact: {expect: "4"}}]\n',
            ),
            "again: asks the same as sum",
        ),
        (
            ("maths.yaml", "", "  - id: bare\n    prompt: x\n    graders: [{exact: {}}]\n"),
            "bare: no exemplars",
        ),
    ],
)
def test_what_is_warned_of(edit: tuple[str, str, str], expected: str, write_suite, graders) -> None:
    """Each weakness has its own line that names the place."""
    warnings = [str(warning) for warning in check_suite(write_suite(edit), graders=graders).warnings]
    assert any(warning.find(expected) >= 0 for warning in warnings), warnings
