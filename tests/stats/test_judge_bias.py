"""Pairwise verdicts in both orders."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.errors import InvalidInput
from assay.stats.judge_bias import above_others, own_preference, position_bias, verbosity
from assay.stats.resample import BootstrapDraws
from assay.stats.two_way import rater_effects

NAN = np.nan
OWN = [[True, False, False], [False, False, False], [False, False, False]]


def test_position_by_hand() -> None:
    """Ten pairs: three steady, four first both times, one second both times, one to a tie, one unread."""
    shown = ["first", "first", "second"] + ["first"] * 4 + ["second", "first", None]
    swapped = ["second", "second", "first"] + ["first"] * 4 + ["second", "tie", "first"]
    found = position_bias(shown, swapped)
    assert (found.items, found.unreadable, found.flips) == (9, 1, 6)
    assert (found.kept_first, found.kept_second, found.first_share) == (4, 1, 0.8)
    assert found.p == pytest.approx(2 * (5 + 1) / 32)


def test_a_steady_judge_has_no_flip() -> None:
    """The same answer wins in both orders, and ties stay ties."""
    found = position_bias(["first", "second", "tie"], ["second", "first", "tie"])
    assert (found.flips, found.first_share, found.p) == (0, None, 1.0)


def test_one_who_always_takes_the_first_flips_always() -> None:
    """Ten flips of ten, all to the first: p is 2/1024."""
    found = position_bias(["first"] * 10, ["first"] * 10)
    assert (found.flip_share, found.first_share, found.p) == (1.0, 1.0, 2 / 1024)


def test_nothing_read() -> None:
    """No share of nothing."""
    found = position_bias([None], ["first"])
    assert (found.items, found.flip_share, found.flip_interval) == (0, None, None)


def test_unknown_verdicts_are_refused() -> None:
    """'A' does not say which position won."""
    with pytest.raises(InvalidInput, match="verdict 'A'"):
        position_bias(["A"], ["first"])


def test_both_orders_are_needed() -> None:
    """A verdict without its partner is refused."""
    with pytest.raises(InvalidInput, match="1 verdicts against 0"):
        position_bias(["first"], [])


def _simulated(rng: np.random.Generator, liking: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return marks (3 judges, 40 prompts x 6 models), lengths and prompts; better answers are longer."""
    prompts = np.repeat(np.arange(40), 6)
    quality = rng.normal(0, 0.7, 240)
    doublings = rng.normal(8, 1, 40)[prompts] + 0.5 * quality + rng.normal(0, 0.8, 240)
    marks = 3.0 + quality + rng.normal(0, 0.4, (3, 240))
    marks[0] += liking * (doublings - 8)
    return marks, 2.0**doublings, prompts


def test_verbosity_by_hand() -> None:
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


@pytest.mark.slow
@pytest.mark.parametrize("liking", [0.0, 0.3])
def test_a_known_liking_is_covered(liking: float) -> None:
    """Simulated 0 and 0.3 marks a doubling, though better answers are longer: covered in 90 to 99 %."""
    rng = np.random.default_rng(6)
    hits = 0
    for _ in range(200):
        interval = verbosity(*_simulated(rng, liking), BootstrapDraws(rng, 300))[0].slope.interval
        hits += interval is not None and interval.low <= liking <= interval.high
    assert 0.90 <= hits / 200 <= 0.99


def test_the_partial_correlation_is_that_of_residuals() -> None:
    """The same as correlating what is left of mark and log length after regressing both on the panel."""
    marks, lengths, prompts = _simulated(np.random.default_rng(7), 0.3)
    columns = np.column_stack([marks[0], np.log2(lengths), marks[1:].mean(axis=0)])
    centred = columns - np.array([columns[prompts == each].mean(axis=0) for each in prompts])
    mark, log, panel = centred.T
    left = [each - panel * (each @ panel) / (panel @ panel) for each in (mark, log)]
    found = verbosity(marks, lengths, prompts, BootstrapDraws(np.random.default_rng(1), 50))[0]
    assert found.partial == pytest.approx(np.corrcoef(*left)[0, 1])
    assert found.partial_interval is not None


def test_preference_by_hand() -> None:
    """Own model: judge 5, others 4 and 4 (+1); the two other models: judge 3, others 4 (-1): excess 2."""
    marks = [[[5, 4, 4]], [[3, 4, 4]], [[3, 4, 4]]]
    found = own_preference(marks, OWN, 0)
    assert (found.own.value, found.other.value, found.excess.value) == (1.0, -1.0, 2.0)
    assert (found.above, found.models) == (0, 2)


def test_a_strict_judge_is_no_preferring_one() -> None:
    """One mark below the panel everywhere is leniency, not preference."""
    marks = np.full((3, 4, 3), 4.0)
    marks[:, :, 0] = 3.0
    assert own_preference(marks, OWN, 0).excess.value == 0.0


def test_others_own_marks_are_left_out_of_the_panel() -> None:
    """The third judge's 5 for its own model does not raise the panel's mean."""
    own = [[True, False, True], [False, False, False]]
    marks = [[[4, 3, 5]], [[3, 3, 3]]]
    assert own_preference(marks, own, 0).own.value == 1.0


def test_no_own_mark_shows_nothing() -> None:
    """Where the judge never marked its own model there is no excess."""
    marks = [[[NAN, 4, 4]], [[3, 4, 4]], [[3, 4, 4]]]
    found = own_preference(marks, OWN, 0, BootstrapDraws(np.random.default_rng(1), 20))
    assert (found.excess.value, found.excess.interval, found.own.value) == (None, None, None)


def test_the_placebo_counts_other_models() -> None:
    """The judge also exceeds the panel on model 1, by as much: one other model is as high."""
    marks = [[[5, 4, 4]], [[5, 4, 4]], [[3, 4, 4]], [[3, 4, 4]]]
    own = [[True, False, False]] + [[False] * 3] * 3
    found = own_preference(marks, own, 0)
    assert (found.above, found.models) == (1, 3)


@pytest.mark.slow
@pytest.mark.parametrize("favour", [0.0, 0.6])
def test_a_known_favour_is_covered(favour: float) -> None:
    """Simulated favour of 0 and 0.6 marks, 40 prompts, 200 times: covered in 90 to 99 %."""
    rng = np.random.default_rng(4)
    own = np.zeros((5, 3), dtype=bool)
    own[0, 0] = True
    hits = 0
    for _ in range(200):
        marks = rng.normal(3, 0.8, (5, 40, 1)) + rng.normal(0, 0.5, (5, 40, 3)) + [0.3, 0.0, -0.2]
        marks[0, :, 0] += favour
        interval = own_preference(marks, own, 0, BootstrapDraws(rng, 300)).excess.interval
        hits += interval is not None and interval.low <= favour <= interval.high
    assert 0.90 <= hits / 200 <= 0.99


def test_above_others_by_hand() -> None:
    """5, 4, 3 on one item: +1.5, 0, -1.5 against the mean of the two others."""
    assert [each.value for each in above_others([[5.0], [4.0], [3.0]])] == [1.5, 0.0, -1.5]


def test_an_item_marked_by_one_judge_tells_nothing() -> None:
    """It is not counted."""
    found = above_others([[5.0, 5.0], [NAN, 4.0]])
    assert [(each.value, each.n) for each in found] == [(1.0, 1), (-1.0, 1)]


def test_alone_has_no_leniency() -> None:
    """A single judge has nobody to be compared with."""
    assert above_others([[5.0, 4.0]])[0].value is None


@given(st.integers(0, 10_000))
def test_a_full_table_is_the_effect_times_judges_over_others(seed: int) -> None:
    """With three judges and no gap it is 3/2 of the least-squares effect."""
    table = np.random.default_rng(seed).integers(1, 6, (3, 9)).astype(float)
    found = [each.value for each in above_others(table)]
    assert found == pytest.approx((1.5 * rater_effects(table.T)).tolist(), abs=1e-9)


@pytest.mark.slow
def test_the_interval_covers_a_known_leniency() -> None:
    """A judge 0.5 above two others, 60 items, 200 times: covered in 91 to 99 %."""
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(200):
        table = rng.normal(3, 1, (1, 60)) + np.array([[0.5], [0.0], [0.0]]) + rng.normal(0, 0.5, (3, 60))
        interval = above_others(table, BootstrapDraws(rng, 300))[0].interval
        hits += interval is not None and interval.low <= 0.5 <= interval.high
    assert 0.91 <= hits / 200 <= 0.99
