"""Boards read from the store: whose run counts, which marks, and what is said to be missing."""

from __future__ import annotations

from typing import Any

import pytest
from judged import Court, JudgedRun, always, judged_suite, mark
from small_suite import make_suite
from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.core.judging import Panel
from assay.runs.board.stored import BoardRequest, read_board
from assay.store.suites import keep_suite


def test_a_board_of_two_models(engine: Engine) -> None:
    """Two judges give 5 and 3 to one model, 3 and 1 to the other: composites 0.75 and 0.25."""

    def judge(better: int, worse: int) -> Any:
        return lambda body, before: mark(
            better if "good on Write" in body["messages"][-1]["content"] else worse, body
        )

    court = Court({"kind": judge(5, 3), "stern": judge(3, 1)})
    JudgedRun(engine, court, subjects=("good", "poor"), suite=judged_suite(cases=6)).execute()
    found = read_board(engine, BoardRequest("judged"))
    standings = found.board.standings
    assert [(each.model, each.score.composite) for each in standings] == [
        ("test/good", 0.75),
        ("test/poor", 0.25),
    ]
    assert {each.score.basis for each in standings} == {"judges only"}
    assert [(each.judge, each.leniency) for each in found.board.judges] == [
        ("test/kind", pytest.approx(1.0)),
        ("test/stern", pytest.approx(-1.0)),
    ]
    assert (standings[0].ranks.low, standings[0].ranks.high) == (1, 1)  # type: ignore[union-attr]
    assert found.missing == ()


def test_a_models_newest_run_counts(sqlite: Engine) -> None:
    """An earlier run of the same model is not mixed in; `among` brings it back."""
    JudgedRun(sqlite, Court({"kind": always(5)})).execute()
    court = Court({"kind": always(2)}, answer=lambda body: "something else")
    JudgedRun(sqlite, court).execute()
    assert read_board(sqlite, BoardRequest("judged")).board.standings[0].score.judge_mean == 2.0
    assert read_board(sqlite, BoardRequest("judged", runs=[1])).board.standings[0].score.judge_mean == 5.0


def test_a_judge_with_a_gap_does_not_count(sqlite: Engine) -> None:
    """One mark missing of six: the judge's mean is shown, and left out of the composite."""

    def odd(body: dict[str, Any], before: int) -> str:
        return "?" if "\nWrite 0.\n" in body["messages"][-1]["content"] else mark(1, body)

    JudgedRun(sqlite, Court({"kind": always(5), "odd": odd}), suite=judged_suite(cases=6)).execute()
    found = read_board(sqlite, BoardRequest("judged"))
    (standing,) = found.board.standings
    assert {each.judge: each.counts for each in standing.judges} == {"test/kind": True, "test/odd": False}
    assert standing.score.composite == 1.0
    assert any("test/odd gave no readable mark" in line for line in found.missing)


def test_an_invalid_answer_gets_the_lowest_mark(sqlite: Engine) -> None:
    """Half of the answers are empty: their marks are 1 by rule, and they are counted as invalid."""
    court = Court(
        {"kind": always(5)},
        answer=lambda body: "" if body["messages"][-1]["content"] in ("Write 0.", "Write 1.") else "text",
    )
    JudgedRun(sqlite, court).execute()
    (standing,) = read_board(sqlite, BoardRequest("judged")).board.standings
    assert (standing.score.judge_mean, standing.samples.invalid, standing.samples.ok) == (3.0, 2, 2)


def test_chosen_judges_alone(sqlite: Engine) -> None:
    """`judges` keeps those judges' marks; a judge without any is told."""
    JudgedRun(sqlite, Court({"kind": always(5), "stern": always(1)})).execute()
    assert (
        read_board(sqlite, BoardRequest("judged", judges=["test/stern"])).board.standings[0].score.composite
        == 0.0
    )
    with pytest.raises(InvalidInput, match="gave no marks here: use one of test/kind, test/stern"):
        read_board(sqlite, BoardRequest("judged", judges=["test/nobody"]))


def test_without_a_judge_there_is_a_board_without_composites(sqlite: Engine) -> None:
    """Answers, tokens and latency are shown; what is missing is said."""
    JudgedRun(sqlite, Court({}), panel=Panel()).execute()
    found = read_board(sqlite, BoardRequest("judged"))
    assert found.board.standings[0].score.composite is None
    assert "no judge has marked anything" in found.missing


def test_what_is_no_board_is_told(sqlite: Engine) -> None:
    """A suite that was never run, one that no judge marks, and a run of another suite."""
    with pytest.raises(NotFound, match="nowhere"):
        read_board(sqlite, BoardRequest("nowhere"))
    keep_suite(sqlite, make_suite(), clock=lambda: 0.0)
    with pytest.raises(InvalidInput, match="no judge marks any case"):
        read_board(sqlite, BoardRequest("small"))
    JudgedRun(sqlite, Court({"kind": always(5)})).execute()
    JudgedRun(sqlite, Court({"kind": always(5)}), suite=judged_suite(version="2")).execute()
    with pytest.raises(InvalidInput, match="run 1 is not of suite 'judged' 2"):
        read_board(sqlite, BoardRequest("judged", "2", runs=[1]))
