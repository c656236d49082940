"""The board of the recorded seed-002 evaluation (24 models, 80 prompts, four judges), as published."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from workbench import measured, published, rows

from assay.ranking.board.judged import Board, board
from assay.ranking.board.measured import MeasuredEpoch
from assay.results.board_judged import Standing
from assay.stats.agreement import krippendorff_alpha

pytestmark = pytest.mark.real

Row = tuple[Standing, dict[str, str]]


@pytest.fixture(scope="module")
def recorded(shared_data: Path) -> MeasuredEpoch:
    """The recording as a board's input."""
    return measured(rows(shared_data))


@pytest.fixture(scope="module")
def computed(recorded: MeasuredEpoch) -> Board:
    """The board of the recording."""
    return board(recorded, np.random.default_rng(2))


@pytest.fixture(scope="module")
def pairs(computed: Board, shared_data: Path) -> list[Row]:
    """Each standing with its published row."""
    printed = published(shared_data)
    assert {each.model for each in computed.standings} == set(printed)
    return [(each, printed[each.model]) for each in computed.standings]


def _differing(found: dict[str, float | int | None], pairs: list[Row], column: str) -> dict[str, object]:
    return {
        each.model: (found[each.model], row[column])
        for each, row in pairs
        if found[each.model] != float(row[column])
    }


def test_every_composite_is_as_printed(pairs: list[Row]) -> None:
    """All 24 composites, rounded to 4 decimals, are the published ones to the last digit."""
    found = {each.model: round(each.score.composite or 0.0, 4) for each, _ in pairs}
    assert _differing(found, pairs, "composite") == {}


def test_every_judge_mean_is_as_printed(pairs: list[Row]) -> None:
    """All 24 means over the judges, rounded to 2 decimals, are the published scores."""
    found = {each.model: round(each.score.judge_mean or 0.0, 2) for each, _ in pairs}
    assert _differing(found, pairs, "score") == {}


def test_every_geval_mean_is_as_printed(pairs: list[Row]) -> None:
    """All 24 G-Eval means have the published 4 decimals."""
    assert _differing({each.model: each.score.geval_mean for each, _ in pairs}, pairs, "deepeval") == {}


def test_flags_count_flagged_answers(pairs: list[Row]) -> None:
    """The published `flags` is the number of answers with at least one flag."""
    assert _differing({each.model: each.flags.flagged for each, _ in pairs}, pairs, "flags") == {}


def test_errors_are_failed_calls_and_not_empty_answers(pairs: list[Row]) -> None:
    """The published `errors` counts no empty answer: it is 0 for both models that have some."""
    assert _differing({each.model: each.samples.error for each, _ in pairs}, pairs, "errors") == {}


def test_invalid_answers_are_the_truncated_ones(pairs: list[Row]) -> None:
    """Four answers of gpt-5.5 and two of o4-mini are empty, all with the whole budget spent."""
    found = {each.model: each.samples.truncated for each, _ in pairs if each.samples.invalid}
    assert found == {"gpt-5.5": 4, "o4-mini": 2}


@pytest.mark.parametrize(("column", "digits"), [("latency", 1), ("tokens", 0)])
def test_means_over_all_answers_are_as_printed(pairs: list[Row], column: str, digits: int) -> None:
    """Latency (1 decimal) and output tokens (whole) are means over all 80 answers, empty ones included."""
    found = {each.model: round(getattr(each.usage, column).value, digits) for each, _ in pairs}
    assert _differing(found, pairs, column) == {}


def test_a_judge_that_left_one_answer_out_does_not_count(computed: Board) -> None:
    """gemini-2.5-flash marked 79 of 80 answers of claude-opus-4.7, and is left out of its mean."""
    standing = next(each for each in computed.standings if each.model == "claude-opus-4.7")
    judge = next(each for each in standing.judges if each.judge == "gemini-2.5-flash")
    assert (judge.marked, judge.asked, judge.counts, standing.score.judged) == (79, 80, False, 3)


def test_metric_means_first_give_other_figures(recorded: MeasuredEpoch, pairs: list[Row]) -> None:
    """Averaging each metric over prompts and then the metrics misses every model with a missing metric."""
    first = dict(zip(recorded.models, np.nanmean(recorded.geval, axis=1).mean(axis=1).round(4), strict=True))
    missed = {each.model for each, row in pairs if abs(first[each.model] - float(row["deepeval"])) > 5e-5}
    assert missed == {"claude-opus-4.5", "glm-5", "grok-4.1-fast", "qwen3-coder-30b"}


def test_invalid_answers_as_zero_lower_two_composites(computed: Board) -> None:
    """With G-Eval 0 for empty answers gpt-5.5 loses 5 % of its G-Eval half, o4-mini 2.5 %, others nothing."""
    lost = {
        each.model: round((each.score.composite or 0.0) - (each.score.composite_invalid_zero or 0.0), 4)
        for each in computed.standings
    }
    assert {model: loss for model, loss in lost.items() if loss} == {"gpt-5.5": 0.024, "o4-mini": 0.0118}


def test_rank_ranges_are_wide(computed: Board) -> None:
    """80 prompts separate good models from poor ones and not the first ten from each other."""
    ranges = {each.model: (each.ranks.low, each.ranks.high) for each in computed.standings if each.ranks}
    assert all(ranges[each.model][0] == 1 for each in computed.standings[:8])
    assert ranges["llama3.2-vision-11b"][0] >= 20


def test_significant_pairs_may_have_overlapping_rank_ranges(computed: Board) -> None:
    """Overlapping ranges do not mean that two models are alike."""
    ranges = {each.model: each.ranks for each in computed.standings if each.ranks}
    found = computed.comparisons
    significant = [
        (ranges[found.models[row]], ranges[found.models[column]])
        for row, column in np.argwhere(np.triu(found.significant(0.05), 1)).tolist()
    ]
    overlapping = [
        pair for pair in significant if pair[0].low <= pair[1].high and pair[1].low <= pair[0].high
    ]
    assert len(overlapping) > len(significant) / 4


def test_ranks_bracket_the_published_order(computed: Board) -> None:
    """Each model's place by composite lies within its rank range."""
    by_composite = sorted(computed.standings, key=lambda each: -(each.score.composite or 0.0))
    for place, each in enumerate(by_composite, start=1):
        assert each.ranks is not None
        assert each.ranks.low <= place <= each.ranks.high


def test_leniency_adjustment_needs_no_complete_coverage(computed: Board) -> None:
    """Every model has an adjusted mean over 80 prompts, the partly marked one too."""
    assert {each.adjusted.judge_mean.n for each in computed.standings} == {80}


def test_judges_of_the_recording_agree_moderately(recorded: MeasuredEpoch) -> None:
    """Krippendorff's ordinal alpha of the four judges over 1,920 answers is between 0.5 and 0.8."""
    found = krippendorff_alpha(recorded.marks.reshape(-1, 4).T, "ordinal").value
    assert found is not None
    assert 0.5 < found < 0.8


def test_a_second_epoch_with_the_same_marks_changes_no_score(
    recorded: MeasuredEpoch, computed: Board
) -> None:
    """Two equal epochs give the composites of one, and twice the counts."""
    twice = board([recorded, dataclasses.replace(recorded)], np.random.default_rng(2), replicates=50)
    assert {each.model: each.score for each in twice.standings} == {
        each.model: each.score for each in computed.standings
    }
    assert {each.samples.n for each in twice.standings} == {160}
