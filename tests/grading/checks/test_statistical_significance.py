"""Conclusions about significance."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.statistical_significance import StatisticalSignificance

PARAMETERS_1: dict[str, Any] = {"significant": False, "must": ["0\\.0?5|multiple|power|sample"]}
PARAMETERS_2: dict[str, Any] = {"significant": True}
PARAMETERS_3: dict[str, Any] = {"significant": False}
PASSING = [
    (PARAMETERS_1, "No, the difference is not statistically significant (p = 0.12 > 0.05)."),
    (PARAMETERS_1, "We fail to reject the null hypothesis at 0.05."),
    (PARAMETERS_1, "With a p-value above 0.05, the result isn't significant. It could be due to chance."),
    (
        PARAMETERS_1,
        (
            "While p = 0.04 looks significant in isolation, after correcting for multiple comparisons it "
            "is not significant."
        ),
    ),
    (
        PARAMETERS_1,
        (
            "At first glance the test is significant. However, with 20 multiple tests, we cannot "
            "conclude that the effect is real."
        ),
    ),
    (PARAMETERS_1, "The sample is too small to conclude anything."),
    (PARAMETERS_1, "**Not significant.** p = 0.08; to be significant, it would need p < 0.05."),
    (PARAMETERS_1, "The confidence interval includes 0, so there's no significant difference (alpha 0.05)."),
    (PARAMETERS_2, "Yes, it's statistically significant."),
    (PARAMETERS_2, "The result is statistically significant, but not practically significant."),
    (PARAMETERS_2, "We can reject the null hypothesis."),
    (PARAMETERS_2, "This is significant at 5% although not at 1%."),
    (PARAMETERS_2, "p = 0.001, so it is very unlikely to be due to chance."),
    (PARAMETERS_2, "Significant? Yes. The z-score of 3.1 makes the difference significant."),
    (
        PARAMETERS_3,
        (
            "A p-value under 0.05 is typically considered statistically significant. Here p = 0.07, so "
            "the result is not significant."
        ),
    ),
    (PARAMETERS_3, "**Verdict: don't ship.** There isn't enough evidence that B beats A."),
    (
        PARAMETERS_3,
        (
            "No. Testing 20 metrics means about one false positive at p < 0.05, so this could easily be "
            "due to chance."
        ),
    ),
    (PARAMETERS_3, "It is not statistically significant; the lift could be noise."),
    (
        PARAMETERS_3,
        (
            "p = 0.049 is below 0.05 and might be called significant, but since you peeked daily, you "
            "can't claim it is a real effect."
        ),
    ),
]
FLAGGED = [
    (PARAMETERS_1, "Yes, the result is statistically significant (p = 0.03 < 0.05).", "OPPOSITE_CONCLUSION"),
    (PARAMETERS_1, "The difference is significant at the 0.05 level.", "OPPOSITE_CONCLUSION"),
    (PARAMETERS_1, "We reject the null hypothesis: p < 0.05.", "OPPOSITE_CONCLUSION"),
    (PARAMETERS_1, "p is 0.05.", "NO_CONCLUSION"),
    (PARAMETERS_1, "It's not significant.", "MISSING"),
    (PARAMETERS_1, "Conversion rose 12%, a significant improvement for this sample.", "OPPOSITE_CONCLUSION"),
    (PARAMETERS_2, "Not significant.", "OPPOSITE_CONCLUSION"),
    (PARAMETERS_2, "We fail to reject H0.", "OPPOSITE_CONCLUSION"),
    (PARAMETERS_2, "It's a 3% lift.", "NO_CONCLUSION"),
    (
        PARAMETERS_3,
        "Yes! Since p = 0.03 is below 0.05, we can conclude the difference is statistically significant.",
        "OPPOSITE_CONCLUSION",
    ),
    (PARAMETERS_3, "The result is significant, so ship it.", "OPPOSITE_CONCLUSION"),
    (
        PARAMETERS_3,
        "With 95% confidence the improvement is statistically significant. There is no need for more data.",
        "OPPOSITE_CONCLUSION",
    ),
]


def grade(answer: str, parameters: dict[str, Any]) -> Grade:
    """Grade one answer after checking that the parameters are sound."""
    spec = GraderSpec("statistical_significance", parameters)
    assert StatisticalSignificance().problems(spec) == ()
    return StatisticalSignificance().read(Case("case", "checks", (), ()), spec, answer, ())


@pytest.mark.parametrize(("parameters", "answer"), PASSING, ids=range(len(PASSING)))
def test_no_flag(parameters: dict[str, Any], answer: str) -> None:
    """An answer that draws the right conclusion passes."""
    found = grade(answer, parameters)
    assert (found.value, found.evidence["flags"]) == (1.0, [])


@pytest.mark.parametrize(("parameters", "answer", "code"), FLAGGED, ids=range(len(FLAGGED)))
def test_a_flag(parameters: dict[str, Any], answer: str, code: str) -> None:
    """An answer that concludes the opposite, or nothing, is flagged."""
    found = grade(answer, parameters)
    assert found.value == 0.0
    assert code in [each["code"] for each in found.evidence["flags"]]
