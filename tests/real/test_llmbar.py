"""LLMBar's and FairEval's recorded verdicts: the published accuracies in both orders, all 215 of them."""

from __future__ import annotations

import io
import json
import re
from collections import Counter, defaultdict
from pathlib import Path

import duckdb
import pytest
import zstandard

from assay.ranking.comparison_ratings import RatingWish
from assay.stats.judge_bias import OrderAccuracy, order_accuracy
from assay.studies.judges import file_agreement
from assay.studies.rank.comparisons import rank_comparisons, read_comparisons

pytestmark = pytest.mark.real

Setting = tuple[str, str, str]
SHARE = re.compile(r"(\d+) / (\d+) = ([\d.]+)%")


@pytest.fixture(scope="module")
def accuracies(shared_data: Path) -> dict[Setting, OrderAccuracy]:
    """The accuracy of each judge with each strategy on each subset."""
    path = shared_data / "llmbar_judge_verdicts.parquet"
    rows = duckdb.sql(
        f"select subset, judge, strategy, label::varchar, winner, winner_swapped from '{path}' order by item"
    ).fetchall()
    settings: dict[Setting, list[tuple[str, str | None, str | None]]] = defaultdict(list)
    for subset, judge, strategy, *verdicts in rows:
        settings[subset, judge, strategy].append(tuple(verdicts))  # type: ignore[arg-type]
    return {
        setting: order_accuracy(*(list(column) for column in zip(*verdicts, strict=True)))  # type: ignore[arg-type]
        for setting, verdicts in settings.items()
    }


def expected(shared_data: Path, *columns: str) -> dict[Setting, tuple[object, ...]]:
    """Return columns of the recorded statistics by setting."""
    path = shared_data / "llmbar_expected_statistics.parquet"
    rows = duckdb.sql(f"select subset, judge, strategy, {', '.join(columns)} from '{path}'").fetchall()
    return {tuple(row[:3]): tuple(row[3:]) for row in rows}


def test_every_count_is_the_recorded_one(shared_data: Path, accuracies: dict[Setting, OrderAccuracy]) -> None:
    """Pairs, right in each order, right in both, and equal, in 215 settings."""
    recorded = expected(shared_data, "n", "correct", "correct_swapped", "correct_both", '"equal"')
    ours = {
        setting: (own.n, own.right, own.swapped, own.both, own.equal) for setting, own in accuracies.items()
    }
    assert len(recorded) == 215
    assert {setting: ours[setting] for setting in recorded} == recorded


def test_every_published_share_is_reproduced(
    shared_data: Path, accuracies: dict[Setting, OrderAccuracy]
) -> None:
    """As the authors print them: `28 / 54 = 51.85%`."""
    names = ("published_correct_False", "published_correct_True", "published_correct_both", "published_equal")
    for setting, texts in expected(shared_data, *names).items():
        own = accuracies[setting]
        for text, count in zip(texts, (own.right, own.swapped, own.both, own.equal), strict=True):
            published = SHARE.fullmatch(str(text))
            assert published is not None
            assert (int(published[1]), int(published[2])) == (count, own.n)
            assert float(published[3]) == pytest.approx(100 * count / own.n)


def test_every_kappa_is_the_recomputed_one(
    shared_data: Path, accuracies: dict[Setting, OrderAccuracy]
) -> None:
    """Against the labels and between the orders. The authors' own kappa against labels mixes two codings."""
    for setting, kappas in expected(shared_data, "kappa_vs_gold_true", "kappa_swap_true").items():
        own = accuracies[setting]
        assert (own.kappa, own.kappa_swapped) == (pytest.approx(kappas[0]), pytest.approx(kappas[1]))


def test_the_command_reads_the_same_from_a_table(
    shared_data: Path, tmp_path: Path, accuracies: dict[Setting, OrderAccuracy]
) -> None:
    """`assay judge agreement --reference gold` on one subset, with position bias beside it."""
    path = shared_data / "llmbar_judge_verdicts.parquet"
    sides = "case {} when '1' then 'A' when '2' then 'B' end"
    duckdb.sql(
        f"copy (with v as (from '{path}' where subset = 'LLMBar/Natural' and strategy = 'Vanilla') "
        f"select item, judge, 'AB' as \"order\", {sides.format('winner')} as verdict from v union all "
        f"select item, judge, 'BA', {sides.format('winner_swapped')} from v union all "
        f"select distinct item, 'gold', 'AB', {sides.format('label::varchar')} from v) "
        f"to '{tmp_path / 'natural.csv'}'"
    )
    agreement = file_agreement(tmp_path / "natural.csv", reference="gold")
    read = {judge.judge: judge.accuracy for judge in agreement.figures.judges if judge.accuracy is not None}
    settings = {
        setting[1]: own
        for setting, own in accuracies.items()
        if setting[0::2] == ("LLMBar/Natural", "Vanilla")
    }
    assert read.keys() == settings.keys()
    for judge, own in settings.items():
        figures = read[judge]
        assert (figures.right, figures.swapped, figures.both) == (own.right, own.swapped, own.both)


def test_fair_eval_s_people(shared_data: Path, tmp_path: Path) -> None:
    """Of 80 pairs ChatGPT wins 41, Vicuna 25, and 14 are ties: a win rate of 60 %."""
    sides = {"CHATGPT": "a", "VICUNA13B": "b", "TIE": "tie"}
    with zstandard.open(shared_data / "faireval_human.jsonl.zst", "rb") as packed:
        rows = [json.loads(line) for line in io.TextIOWrapper(packed, "utf-8", newline="\n")]
    verdicts = [sides[row["human_verdict_gpt35_vs_vicuna13b"]] for row in rows]
    assert Counter(verdicts) == {"a": 41, "b": 25, "tie": 14}
    lines = [
        f"{row['question_id']},gpt35,vicuna-13b,{side}" for row, side in zip(rows, verdicts, strict=True)
    ]
    table = tmp_path / "people.csv"
    table.write_text("item,a,b,winner\n" + "\n".join(lines) + "\n")
    ratings = rank_comparisons(read_comparisons([str(table)]), RatingWish()).ratings
    first = ratings.models[0]
    assert (first.model, first.wins, first.ties, first.losses) == ("gpt35", 41, 14, 25)
    assert first.win_rate == pytest.approx(0.6)
