"""The spread of repeated marks, and the two variances of the seed's tables."""

from __future__ import annotations

import pytest

from assay.ranking.exam.spread import spread, variance

TABLE_8 = {
    "DeepSeek-R1": ((91.23, 89.33, 88.43), 89.67, 1.36),
    "DeepSeek-V3": ((90.37, 86.60, 88.40), 88.46, 2.37),
    "Qwen-3-235B": ((90.33, 84.97, 87.27), 87.52, 4.83),
    "Qwen-3-32B": ((86.37, 80.27, 85.37), 84.00, 7.14),
    "Doubao-1.5-Thinking-Pro": ((93.67, 90.63, 91.73), 92.01, 1.57),
    "Gemini-2.5-Pro": ((91.07, 87.57, 90.60), 89.74, 2.41),
    "Gemini-2.5-Pro-Thinking": ((91.00, 87.87, 90.23), 89.70, 1.78),
    "Doubao-1.5-Pro": ((89.63, 86.43, 87.30), 87.79, 1.83),
    "Claude-Sonnet-4-Thinking": ((85.27, 85.60, 86.87), 85.91, 0.48),
    "Claude-Sonnet-4": ((85.23, 84.77, 86.23), 85.41, 0.37),
    "GPT-4o": ((82.50, 80.13, 83.30), 81.98, 1.81),
    "o1": ((87.43, 86.07, 86.87), 86.79, 0.31),
    "o3-mini": ((78.80, 76.97, 79.67), 78.48, 1.27),
}
TABLE_9 = {
    "Doubao-1.5-Thinking-Pro": ((100.0, 100.0, 100.0, 100.0, 100.0), 100.0, 0.00),
    "DeepSeek-V3": ((96.48, 96.87, 98.10, 98.02, 97.53), 97.40, 0.51),
    "Qwen-3-32B": ((92.21, 92.58, 93.93, 94.15, 93.45), 93.26, 0.71),
    "GPT-4o": ((88.08, 90.21, 91.50, 90.69, 90.48), 90.19, 1.63),
    "o3-mini": ((84.13, 85.31, 86.69, 85.56, 86.18), 85.57, 0.95),
}
IN_THE_TEXT = {"DeepSeek-V3": 1.68, "o3-mini": 0.25}
"""Section 3.4 gives these variances for two question samples, and no numbers that they come from."""


@pytest.mark.parametrize("model", TABLE_8)
def test_table_8_divides_by_n(model: str) -> None:
    """Mean and population variance of the three promptings are the published ones, within their rounding."""
    values, mean, published = TABLE_8[model]
    found = variance(values, "population")
    assert found == pytest.approx(published, abs=0.012)
    assert sum(values) / 3 == pytest.approx(mean, abs=0.011)
    assert variance(values, "sample") != pytest.approx(published, abs=0.1)


@pytest.mark.parametrize("model", TABLE_9)
def test_table_9_divides_by_n_less_1(model: str) -> None:
    """Mean and sample variance of the five trials are the published ones, within their rounding."""
    values, mean, published = TABLE_9[model]
    assert variance(values, "sample") == pytest.approx(published, abs=0.012)
    assert sum(values) / 5 == pytest.approx(mean, abs=0.006)


@pytest.mark.parametrize("model", IN_THE_TEXT)
def test_the_variances_in_the_text_are_of_no_row(model: str) -> None:
    """1.68 and 0.25 come from no choice of trials in table 9 and neither definition."""
    values, published = TABLE_9[model][0], IN_THE_TEXT[model]
    chosen = [values[:2], values[1:3], (values[0], values[2]), values[:3], values[2:], values]
    for name in ("population", "sample"):
        assert all(variance(each, name) != pytest.approx(published, abs=0.02) for each in chosen)


def test_three_sittings_by_hand() -> None:
    """90, 92, 94: mean 92, sd 2, and t(2) = 4.3027 times 2/sqrt 3 on either side."""
    found = spread([90.0, 94.0, 92.0])
    assert found is not None
    assert found.interval is not None
    assert (found.n, found.mean, found.sd, found.least, found.most) == (3, 92.0, 2.0, 90.0, 94.0)
    assert found.interval.high - found.mean == pytest.approx(4.96827, abs=1e-4)


def test_one_sitting_has_no_spread() -> None:
    """One value says nothing about how marks spread; no value has no mean."""
    found = spread([90.0])
    assert found is not None
    assert (found.sd, found.interval) == (None, None)
    assert spread([]) is None
    assert (variance([], "population"), variance([1.0], "sample")) == (None, None)
