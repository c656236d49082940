"""The blend of public results, by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.ranking.board.bench_score import WEIGHTS, bench_score
from assay.results.bench import EloScale

WHOLE = {
    "lmarena_elo": 1300.0,
    "mmlu_pro": 0.8,
    "gpqa_diamond": 0.6,
    "swe_bench_verified": 0.5,
    "aime": 0.9,
}


def test_all_five_parts_are_blended_by_their_weights() -> None:
    """0.3 * 0.4 + 0.2 * (0.8 + 0.6 + 0.5) + 0.1 * 0.9 = 0.12 + 0.38 + 0.09 = 0.59."""
    found = bench_score(WHOLE)
    assert found.score == pytest.approx(59.0)
    assert found.coverage == 1.0


def test_missing_parts_rescale_the_weights() -> None:
    """Without Elo and AIME: 0.2 * (0.8 + 0.6 + 0.5) / 0.6 = 0.6333, coverage 0.6."""
    found = bench_score({name: WHOLE[name] for name in ("mmlu_pro", "gpqa_diamond", "swe_bench_verified")})
    assert found.score == pytest.approx(63.3333333)
    assert found.coverage == pytest.approx(0.6)
    assert [part.benchmark for part in found.parts if part.share is None] == ["lmarena_elo", "aime"]


def test_without_any_result_there_is_no_score() -> None:
    """Never a zero."""
    found = bench_score({})
    assert (found.score, found.coverage) == (None, 0.0)


@pytest.mark.parametrize(
    ("elo", "share"), [(500, 0.0), (499, 0.0), (1500, 0.5), (2500, 1.0), (2600, 1.0), (1362.66, 0.43133)]
)
def test_an_elo_becomes_a_share_between_its_bounds(elo: float, share: float) -> None:
    """(elo - 500) / 2000, kept within 0 to 1."""
    assert EloScale().share(elo) == pytest.approx(share)


def test_another_scale_may_be_declared() -> None:
    """Low 1000, span 1000: an Elo of 1300 is 0.3."""
    found = bench_score({"lmarena_elo": 1300.0}, EloScale("2", 1000.0, 1000.0))
    assert found.score == pytest.approx(30.0)


@pytest.mark.parametrize("results", [{"mmlu": 0.5}, {"mmlu_pro": 84.0}, {"aime": -0.1}, {"aime": math.nan}])
def test_unknown_benchmarks_and_percentages_are_refused(results: dict[str, float]) -> None:
    """A value that is no share would be blended silently."""
    with pytest.raises(ValueError, match=r"unknown benchmarks|give a share from 0 to 1"):
        bench_score(results)


@given(st.sets(st.sampled_from(sorted(WEIGHTS)), min_size=1))
def test_equal_shares_give_that_share_whatever_is_missing(present: set[str]) -> None:
    """An average of equal parts is the part."""
    results = {name: 1500.0 if name == "lmarena_elo" else 0.5 for name in present}
    assert bench_score(results).score == pytest.approx(50.0)
