"""Agreement statistics on recorded judges: equal to what was published or recomputed, and what is refused."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.stats.agreement import cohen_kappa, krippendorff_alpha
from assay.stats.judge_bias import position_bias

pytestmark = pytest.mark.real

Key = tuple[str, str, str]
BOTH = ("1", "2")
UNREADABLE = 44
"""Rows of the LLMBar statistics with at least one verdict that could not be read."""
PUBLISHED_PI = {
    ("mistral-7B", "Contains"): 67.24533245987553,
    ("mistral-7B", "EM"): 72.84848484848484,
    ("mistral-7B", "JudgeLM"): 59.60257670051314,
    ("mistral-7B", "Llama3-70B"): 89.3114532493968,
    ("mistral-7B", "Mistral-7B"): 76.46591134963228,
    ("llama2-70b-chat", "Contains"): 70.52915458987567,
    ("llama2-70b-chat", "EM"): 27.476014202613886,
    ("llama2-70b-chat", "JudgeLM"): 58.147029485417725,
    ("llama2-70b-chat", "Llama3-70B"): 79.86509614416593,
    ("llama2-70b-chat", "Mistral-7B"): 71.42833412237641,
    ("llama2-13b-chat", "Contains"): 77.48297149719474,
    ("llama2-13b-chat", "EM"): -38.38595843808384,
    ("llama2-13b-chat", "JudgeLM"): 43.31410061747138,
    ("llama2-13b-chat", "Llama3-70B"): 71.2,
    ("llama2-13b-chat", "Mistral-7B"): 66.35491558688643,
}
"""Scott's pi (in percent) against humans by answering model and judge, as its authors published it for those
models whose human labels did not change between their two releases."""


def _rows(path: Path, columns: str) -> list[tuple[Any, ...]]:
    return duckdb.sql(f"select {columns} from read_parquet('{path}') order by all").fetchall()


@pytest.fixture(scope="module")
def verdicts(shared_data: Path) -> dict[Key, list[tuple[str, str | None, str | None]]]:
    """LLMBar: gold label, winner, and winner with the answers swapped (naming the same answer), by judge."""
    found = defaultdict(list)
    columns = "subset, judge, strategy, item, label::varchar, winner, winner_swapped"
    for row in _rows(shared_data / "llmbar_judge_verdicts.parquet", columns):
        found[row[:3]].append(row[4:])
    return dict(found)


@pytest.fixture(scope="module")
def expected(shared_data: Path) -> dict[Key, dict[str, Any]]:
    """LLMBar: the recomputed and the published statistics, by judge."""
    columns = (
        "n, n_null, n_null_swapped, equal, kappa_vs_gold_true, kappa_swap_true, published_kappa_agreement"
    )
    names = [name.strip() for name in columns.split(",")]
    rows = _rows(shared_data / "llmbar_expected_statistics.parquet", f"subset, judge, strategy, {columns}")
    return {row[:3]: dict(zip(names, row[3:], strict=True)) for row in rows}


def test_kappa_against_gold(verdicts: dict[Key, Any], expected: dict[Key, dict[str, Any]]) -> None:
    """All 215 kappas of verdict and gold label, over the items read in both orders, are as recomputed."""
    found = {}
    for key, rows in verdicts.items():
        read = [row for row in rows if row[1] and row[2]]
        found[key] = cohen_kappa([row[0] for row in read], [row[1] for row in read], categories=BOTH).value
    assert found == pytest.approx({key: row["kappa_vs_gold_true"] for key, row in expected.items()})


def test_kappa_of_the_two_orders(verdicts: dict[Key, Any], expected: dict[Key, dict[str, Any]]) -> None:
    """All 215 kappas between the two orders, over the items read in both, are as recomputed."""
    found = {
        key: cohen_kappa([r[1] for r in rows], [r[2] for r in rows], categories=BOTH).value
        for key, rows in verdicts.items()
    }
    assert found == pytest.approx({key: row["kappa_swap_true"] for key, row in expected.items()})


def test_published_kappa_counts_unreadable_verdicts_as_second(
    verdicts: dict[Key, Any], expected: dict[Key, dict[str, Any]]
) -> None:
    """All 215 published kappas between orders come out when a verdict that was not read is taken for '2'."""
    found = {
        key: cohen_kappa([r[1] or "2" for r in rows], [r[2] or "2" for r in rows], categories=BOTH).value
        for key, rows in verdicts.items()
    }
    assert found == pytest.approx({key: row["published_kappa_agreement"] for key, row in expected.items()})


def test_dropping_unreadable_verdicts_changes_only_those_rows(
    verdicts: dict[Key, Any], expected: dict[Key, dict[str, Any]]
) -> None:
    """Without that reading the published figure is met in the 171 rows where everything was read."""
    agree = [
        key
        for key, rows in verdicts.items()
        if cohen_kappa([r[1] for r in rows], [r[2] for r in rows], categories=BOTH).value
        == pytest.approx(expected[key]["published_kappa_agreement"])
    ]
    everything_read = [key for key, row in expected.items() if not row["n_null"] + row["n_null_swapped"]]
    assert len(everything_read) == 215 - UNREADABLE
    assert set(everything_read) <= set(agree)


@pytest.mark.parametrize(
    ("categories", "says"),
    [(None, "two codings"), (BOTH, "not among the declared")],
    ids=["none", "declared"],
)
def test_labels_of_another_coding_are_refused(
    verdicts: dict[Key, Any], categories: tuple[str, str] | None, says: str
) -> None:
    """Gold {1, 2} against 'the first one won' {0, 1}, as in the upstream kappa, is refused.

    For 13 judges the first one always won: no 0 shows the other coding, and kappa is 0 in either.
    """
    values = {}
    for key, rows in verdicts.items():
        try:
            values[key] = cohen_kappa(
                [int(row[0]) for row in rows], [int(row[1] == "1") for row in rows], categories=categories
            ).value
        except InvalidInput as error:
            assert says in str(error)
    assert list(values.values()) == pytest.approx([0.0] * 13)


def test_flips_are_what_is_not_equal(verdicts: dict[Key, Any], expected: dict[Key, dict[str, Any]]) -> None:
    """Where everything was read, items less flips is the published number of equal verdicts."""
    place = {"1": "first", "2": "second"}
    turned = {"1": "second", "2": "first"}
    found, wanted = {}, {}
    for key, rows in verdicts.items():
        bias = position_bias(
            [place.get(row[1] or "") for row in rows], [turned.get(row[2] or "") for row in rows]
        )
        if not bias.unreadable:
            found[key], wanted[key] = bias.items - bias.flips, expected[key]["equal"]
    assert len(found) == 215 - UNREADABLE
    assert found == wanted


@pytest.fixture(scope="module")
def trivia(shared_data: Path) -> dict[tuple[str, str], list[tuple[bool, bool | None]]]:
    """TriviaQA: human label and verdict by answering model and judge."""
    found = defaultdict(list)
    for taker, judge, row, human, verdict in _rows(
        shared_data / "triviaqa_judges_vs_human.parquet", "exam_taker, judge, row, human, verdict"
    ):
        assert row >= 0
        found[taker, judge].append((human, verdict))
    return dict(found)


def test_alpha_of_two_raters_follows_from_published_pi(trivia: dict[tuple[str, str], Any]) -> None:
    """Alpha of the same pairs is 1 - (1 - pi)(2n - 1)/(2n), for fifteen published values of Scott's pi."""
    found, wanted = {}, {}
    for key, pi in PUBLISHED_PI.items():
        table = np.array(trivia[key], dtype=float).T
        found[key] = krippendorff_alpha(table).value
        wanted[key] = 1.0 - (1.0 - pi / 100.0) * (2 * table.shape[1] - 1) / (2 * table.shape[1])
    assert found == pytest.approx(wanted, rel=1e-10)


def test_kappa_against_humans(trivia: dict[tuple[str, str], Any]) -> None:
    """Each judge's kappa over all 3,600 answers is that of its four counts, missing verdicts left out."""
    found, wanted = {}, {}
    for judge in sorted({judge for _, judge in trivia}):
        pairs = [pair for (_, name), each in sorted(trivia.items()) if name == judge for pair in each]
        found[judge] = cohen_kappa([h for h, _ in pairs], [v for _, v in pairs]).value
        cell = Counter(pair for pair in pairs if pair[1] is not None)
        a, b, c, d = (cell[pair] for pair in ((True, True), (True, False), (False, True), (False, False)))
        wanted[judge] = 2 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d))
    assert len(found) == 11
    assert found == pytest.approx(wanted)


def test_a_missing_verdict_is_not_a_wrong_one(trivia: dict[tuple[str, str], Any]) -> None:
    """130 verdicts of one judge on one model are missing; they are left out and counted."""
    pairs = trivia["llama2-13b-base", "Llama-70B"]
    assert cohen_kappa([h for h, _ in pairs], [v for _, v in pairs]).n == 400 - 130
