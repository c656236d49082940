"""A judge's liking for length, net of the other judges'."""

import numpy as np
import pytest

from assay.stats.ratio import Draws
from assay.stats.verbosity import verbosity

NAN = np.nan


def _simulated(rng: np.random.Generator, liking: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return marks (3 judges, 40 prompts x 6 models), lengths and prompts; better answers are longer."""
    prompts = np.repeat(np.arange(40), 6)
    quality = rng.normal(0, 0.7, 240)
    doublings = rng.normal(8, 1, 40)[prompts] + 0.5 * quality + rng.normal(0, 0.8, 240)
    marks = 3.0 + quality + rng.normal(0, 0.4, (3, 240))
    marks[0] += liking * (doublings - 8)
    return marks, 2.0**doublings, prompts


def test_by_hand() -> None:
    """One prompt; answers of 100 and 400 words; the judge gives 3 and 5 where the other gives 4 and 4."""
    found = verbosity([[3, 5], [4, 4]], [100, 400], ["p", "p"])
    assert [each.slope.value for each in found] == pytest.approx([1.0, -1.0])


def test_long_prompts_do_not_count() -> None:
    """Length that differs between prompts only gives no slope."""
    found = verbosity([[3, 3, 5, 5], [4, 4, 4, 4]], [100, 100, 400, 400], [0, 0, 1, 1])
    assert (found[0].slope.value, found[0].partial) == (None, None)


def test_unknown_lengths_and_marks_take_no_part() -> None:
    """Three of five answers are left."""
    marks = [[3, 5, 4, NAN, 2], [4, 4, 4, 4, 3]]
    assert verbosity(marks, [100, 400, 200, 100, 0], ["p"] * 5)[0].slope.n == 3


@pytest.mark.parametrize("liking", [0.0, 0.3])
def test_a_known_liking_is_covered(liking: float) -> None:
    """Simulated 0 and 0.3 marks a doubling, though better answers are longer: covered in 90 to 99 %."""
    rng = np.random.default_rng(6)
    hits = 0
    for _ in range(200):
        interval = verbosity(*_simulated(rng, liking), Draws(rng, 300))[0].slope.interval
        hits += interval is not None and interval.low <= liking <= interval.high
    assert 0.90 <= hits / 200 <= 0.99


def test_the_partial_correlation_is_that_of_residuals() -> None:
    """The same as correlating what is left of mark and log length after regressing both on the panel."""
    marks, lengths, prompts = _simulated(np.random.default_rng(7), 0.3)
    columns = np.column_stack([marks[0], np.log2(lengths), marks[1:].mean(axis=0)])
    centred = columns - np.array([columns[prompts == each].mean(axis=0) for each in prompts])
    mark, log, panel = centred.T
    left = [each - panel * (each @ panel) / (panel @ panel) for each in (mark, log)]
    found = verbosity(marks, lengths, prompts, Draws(np.random.default_rng(1), 50))[0]
    assert found.partial == pytest.approx(np.corrcoef(*left)[0, 1])
    assert found.partial_interval is not None
