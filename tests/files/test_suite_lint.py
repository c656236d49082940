"""A suite's check tells its digest, what refuses it and what weakens it."""

from __future__ import annotations

import pytest

from assay.files.suite_lint import check_suite


def test_a_refused_suite(write_suite, graders) -> None:
    """Problems come with places and leave no suite."""
    found = check_suite(write_suite(("maths.yaml", "exact", "exat")), graders=graders)
    assert (found.good, [problem.line for problem in found.problems]) == (False, [10])


def test_the_small_suite_is_good_with_warnings(write_suite, graders) -> None:
    """All that weakens the small suite is reported at once."""
    found = check_suite(write_suite(), graders=graders)
    assert (found.good, [str(warning) for warning in found.warnings]) == (
        True,
        [
            "no `canary`: write one, so that data filters can find the suite",
            "no `judge` and no `panel`, but letters need one: add it",
            "maths: only 1 case, so one changed answer weighs much: write at least 5",
            "sum: fewer than 2 bad exemplars: add answers of a failing model",
            "letters: only 1 case, so one changed answer weighs much: write at least 5",
            "letters: only 2 exemplars with marks to calibrate the judge: add up to 10",
            "thanks: fewer than 2 bad exemplars: add answers of a failing model",
        ],
    )


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (("suite.yaml", "temperature: 0", "temperature: 1"), "`parameters.temperature` is not 0"),
        (("suite.yaml", ", letters.yaml", ""), "1 use case, but the verdict COOKED needs 2"),
        (("suite.yaml", ", letters.yaml", ""), "letters.yaml: the file is not read: list it in suite.yaml"),
        (
            ("letters.yaml", "rubric: |", "weights: {checks: 0, judge: 1}\nrubric: |"),
            "the whole weight is on the judge",
        ),
        (
            ("letters.yaml", "hybrid", "judge"),
            "thanks: `exact` is mechanical in a use case graded by the judge",
        ),
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
            "again: the prompt is the same as that of sum",
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
