"""AlpacaEval's recorded preferences: published win rates, the Bradley-Terry order, the effect of length."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.ranking.comparison_ratings import RatingWish
from assay.ranking.comparisons import ComparisonSource
from assay.results.rank_comparisons import ComparisonRatings, Covariate
from assay.studies.rank.comparisons import (
    ComparisonOptions,
    rank_comparisons,
    read_comparisons,
)
from assay.studies.rank.source import SourceOptions, read_scores

pytestmark = [pytest.mark.real, pytest.mark.slow]

COLUMNS = {"b": "model", "length_a": "chars_1", "length_b": "chars_2"}
PUBLISHED = {
    "gpt4": (761, 12, 32),
    "llama-2-70b-chat-hf": (743, 4, 57),
    "claude-2": (734, 1, 69),
    "gpt-3.5-turbo-0301": (716, 5, 83),
    "llama-2-13b-chat-hf": (652, 0, 152),
    "wizardlm-13b": (601, 9, 194),
    "guanaco-65b": (578, 0, 227),
    "llama-2-7b-chat-hf": (574, 1, 230),
    "vicuna-13b": (566, 2, 237),
    "oasst-rlhf-llama-33b": (534, 3, 268),
    "falcon-40b-instruct": (366, 4, 435),
    "alpaca-farm-ppo-human": (328, 8, 469),
    "alpaca-7b": (205, 16, 584),
    "text_davinci_001": (112, 20, 672),
}
"""Wins, ties and losses against text_davinci_003 on AlpacaEval's first leaderboard, as published in 2023."""


@pytest.fixture(scope="module")
def source(shared_data: Path) -> ComparisonSource:
    """All 42,665 recorded preferences; 0 is AlpacaEval's older way to write a tie."""
    path = str(shared_data / "alpaca_eval_pairwise.parquet")
    options = ComparisonOptions(SourceOptions(columns=COLUMNS), tie=0.0)
    return read_comparisons([path], options, lambda: read_scores(path))


@pytest.fixture(scope="module")
def plain(source: ComparisonSource) -> ComparisonRatings:
    """The ratings without covariates."""
    return rank_comparisons(source, RatingWish()).ratings


def test_published_counts_are_reproduced(plain: ComparisonRatings) -> None:
    """Every win, tie and loss; the win rate of gpt4 is 95.28 %. Rows without a preference do not count."""
    records = {row.model: (row.wins, row.ties, row.losses) for row in plain.models}
    assert {model: records[model] for model in PUBLISHED} == PUBLISHED
    assert {row.model: round(100 * row.win_rate, 2) for row in plain.models}["gpt4"] == 95.28


def test_the_order_is_that_of_the_win_rates(plain: ComparisonRatings) -> None:
    """All models met the same opponent, so strengths are the log odds of the win rates."""
    against = [row for row in plain.models if row.model != "text_davinci_003"]
    assert len(against) == 53
    assert [row.model for row in against] == [
        row.model for row in sorted(against, key=lambda row: (-row.win_rate, row.model))
    ]


def test_longer_answers_win(source: ComparisonSource, plain: ComparisonRatings) -> None:
    """The effect is far from 0, and models with long answers lose rating when it is taken out."""
    adjusted = rank_comparisons(source, RatingWish(covariates=frozenset({Covariate.LENGTH}))).ratings
    (effect,) = adjusted.effects
    assert effect.effect_interval is not None
    assert effect.effect_interval.low > 0.9
    assert effect.chance == pytest.approx(0.76, abs=0.01)
    before = {row.model: row.rating for row in plain.models}
    after = {row.model: row.rating for row in adjusted.models}
    assert after["gpt4_1106_preview"] < before["gpt4_1106_preview"] - 0.2


def test_a_model_recorded_twice_is_noticed(shared_data: Path) -> None:
    """By generator_2 the rows of falcon-7b are falcon-40b's, with the same preferences: they count once."""
    path = str(shared_data / "alpaca_eval_pairwise.parquet")
    read = read_comparisons([path], ComparisonOptions(tie=0.0), lambda: read_scores(path))
    assert len(read.comparisons.models) == 53
    assert "805 of 42,665 rows repeat an earlier one and count once" in read.about.notes
