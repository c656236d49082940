"""Effective votes of recorded judges against people, and a panel that beats the vote of all."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pytest

from assay.ranking.panel import Independence, independence, panel_study
from assay.ranking.panel_choice import cheaper_panels
from assay.ranking.reference_marks import ReferencedAnswer, ReferenceMarks

pytestmark = pytest.mark.real

SIX = ("GPT-4", "Llama3-70B", "Llama-70B", "Mistral-7B", "Llama-7B", "Llama3-8B")
"""The six LLM judges that gave 1.91 effective votes: all of release v1 but the three least accurate."""


@pytest.fixture(scope="module")
def marks(shared_data: Path) -> ReferenceMarks:
    """All judges of release v1 on the answers of nine models to the same questions."""
    path = shared_data / "triviaqa_judges_vs_human.parquet"
    rows = duckdb.sql(
        'select exam_taker, "row", question, judge, verdict, human '
        f"from read_parquet('{path}') where release = 'v1' order by all"
    ).fetchall()
    judges = tuple(sorted({row[3] for row in rows}))
    answers: dict[tuple[str, int], int] = {}
    named: list[ReferencedAnswer] = []
    for taker, number, question, *_ in rows:
        if (taker, number) not in answers:
            answers[taker, number] = len(named)
            named.append(ReferencedAnswer(question, taker, number))
    table, human = np.full((len(judges), len(named)), np.nan), np.full(len(named), np.nan)
    for taker, number, _, judge, verdict, reference in rows:
        column = answers[taker, number]
        human[column] = reference
        if verdict is not None:
            table[judges.index(judge), column] = verdict
    return ReferenceMarks(
        judges, tuple(named), table, human, (0.0, 1.0), ("false", "true"), True, np.ones(len(named))
    )


def of(marks: ReferenceMarks, judges: tuple[str, ...]) -> ReferenceMarks:
    """Return the marks of some judges."""
    rows = [marks.judges.index(judge) for judge in judges]
    return ReferenceMarks(
        judges,
        marks.answers,
        marks.marks[rows],
        marks.reference,
        marks.categories,
        marks.names,
        marks.ordered,
        marks.weights,
    )


@pytest.fixture(scope="module")
def six(marks: ReferenceMarks) -> Independence:
    """The independence of the six LLM judges."""
    return independence(panel_study(of(marks, SIX), "human"), np.random.default_rng(0))


def test_six_judges_give_two_votes(six: Independence) -> None:
    """1.91 effective votes on the 3,465 answers that all six judges marked."""
    effective = six.figures.effective
    assert (effective.n, effective.judges) == (3465, 6)
    assert effective.votes == pytest.approx(1.91, abs=0.005)
    assert effective.interval is not None
    assert 1.7 < effective.interval.low < 1.91 < effective.interval.high < 2.1


def test_the_best_judge_is_as_good_as_the_vote(six: Independence) -> None:
    """Llama3-70B 0.926, the vote 0.920 with ties as half; the difference is not significant."""
    best = six.figures.best
    assert best is not None and best.gain_interval is not None
    assert (best.best, best.ties) == ("Llama3-70B", 93)
    assert best.best_value == pytest.approx(0.926, abs=0.0005)
    assert best.panel_value == pytest.approx(0.920, abs=0.0005)
    assert best.gain_interval.low < 0.0 < best.gain_interval.high


def test_without_people_the_figure_is_lower(marks: ReferenceMarks) -> None:
    """Agreement on what is right counts as shared error then: 1.5 votes instead of 1.9."""
    free = independence(panel_study(of(marks, SIX), None), np.random.default_rng(0)).figures.effective
    assert free.votes == pytest.approx(1.54, abs=0.03)


@pytest.mark.slow
def test_two_llm_judges_and_a_mechanical_one_are_found(marks: ReferenceMarks) -> None:
    """Nested cross-validation over all eleven judges chooses them in every fold; held out: 0.952."""
    result = cheaper_panels(panel_study(marks, "human"), np.random.default_rng(0), 3)
    three = result.sizes[2]
    assert three.members == ("Contains", "GPT-4", "Llama3-70B")
    assert (three.rule, three.stability) == ("majority", 1.0)
    assert three.value == pytest.approx(0.952, abs=0.0005)
    assert result.sizes[-1].value == pytest.approx(0.943, abs=0.002)
