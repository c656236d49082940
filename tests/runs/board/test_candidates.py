"""Which runs a board ranks: complete ones with the judges and conditions that most models share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from judged import Court, JudgedRun, always, judged_suite, mark
from sqlalchemy import Engine

from assay.core.case import GraderSpec
from assay.core.errors import InvalidInput, NotFound
from assay.core.judging import Panel
from assay.core.suite import Suite
from assay.runs.board.stored import BoardRequest, StoredBoard, read_board
from assay.store.runs import keep_plan

CASES = 6


def board(engine: Engine, **options: Any) -> StoredBoard:
    """Read the judged board."""
    found = read_board(engine, BoardRequest("judged", **options), replicates=50)
    assert isinstance(found, StoredBoard)
    return found


def measured(
    engine: Engine,
    subject: str,
    *,
    grade: int = 4,
    judges: tuple[str, ...] = ("kind", "stern"),
    cases: tuple[int, ...] | None = None,
    **options: Any,
) -> int:
    """Run one model, and return the run's number; `cases` keeps these cases, as `--limit` does."""
    court = Court({name: always(grade) for name in judges})
    run = JudgedRun(engine, court, subjects=(subject,), suite=judged_suite(cases=CASES), **options)
    if cases is not None:
        run.plan = replace(run.plan, chosen=cases)
        keep_plan(engine, run.run.id, run.plan.described())
    run.execute()
    return run.run.id


def ranked(found: StoredBoard) -> dict[str, tuple[int, int] | None]:
    """Return the rank ranges by model."""
    return {
        each.model: None if each.ranks is None else (each.ranks.low, each.ranks.high)
        for each in found.board.standings
    }


def reasons(found: StoredBoard) -> dict[str, list[tuple[str, str]]]:
    """Return why models are not ranked, and what to type."""
    return {each.model: [(lack.reason, lack.command) for lack in each.reasons] for each in found.not_ranked}  # type: ignore[misc]


def test_a_smoke_run_does_not_replace_a_full_one(engine: Engine) -> None:
    """Two prompts of the newest run leave the model with its full run; the newer one is mentioned."""
    measured(engine, "good", grade=4)
    measured(engine, "poor", grade=2)
    measured(engine, "poor", grade=5, cases=(0, 1))
    found = board(engine)
    assert ranked(found).keys() == {"test/good", "test/poor"}
    assert {each.samples.n for each in found.board.standings} == {CASES}
    assert found.runs == (1, 2)
    assert "test/poor: run 3 is newer and does not count: run 3 asked for 2 of 6 cases" in found.missing


def test_a_model_with_a_smoke_run_alone_is_listed_apart(sqlite: Engine) -> None:
    """It has no rank; the reason and the command stand beside it."""
    measured(sqlite, "good")
    measured(sqlite, "quick", grade=5, cases=(0, 1))
    found = board(sqlite)
    assert ranked(found) == {"test/good": (1, 1)}
    assert reasons(found) == {
        "test/quick": [("run 2 asked for 2 of 6 cases", "assay run judged --model test/quick")]
    }


def test_nothing_complete_is_an_error_that_says_what_to_type(sqlite: Engine) -> None:
    """A board of smoke runs alone ranks nothing."""
    measured(sqlite, "quick", cases=(0,))
    with pytest.raises(NotFound, match=r"asked for 1 of 6 cases \(`assay run judged --model test/quick`\)"):
        board(sqlite)


def test_most_errors_are_not_ranked(sqlite: Engine) -> None:
    """Two of six samples errored: what the four say is no measure of six."""
    measured(sqlite, "good")
    court = Court(
        {"kind": always(5), "stern": always(5)},
        answer=lambda body: 400 if body["messages"][-1]["content"] in ("Write 0.", "Write 1.") else "text",
    )
    JudgedRun(sqlite, court, subjects=("flaky",), suite=judged_suite(cases=CASES)).execute()
    assert reasons(board(sqlite)) == {"test/flaky": [("2 of 6 samples of run 2 errored", "assay resume 2")]}


def test_another_panel_is_listed_apart(sqlite: Engine) -> None:
    """Two models have both judges, one has kind alone; the command asks the lacking judge."""
    for subject in ("a", "b"):
        measured(sqlite, subject)
    measured(sqlite, "c", judges=("kind",))
    found = board(sqlite)
    assert set(ranked(found)) == {"test/a", "test/b"}
    assert reasons(found) == {
        "test/c": [("test/stern marked 0 of 6 answers of run 3", "assay grade 3 --judge test/stern")]
    }


def test_an_older_run_with_the_boards_panel_stands(sqlite: Engine) -> None:
    """A model measured again with fewer judges keeps its run with the board's panel."""
    for subject in ("a", "b", "c"):
        measured(sqlite, subject)
    measured(sqlite, "c", grade=5, judges=("kind",))
    found = board(sqlite)
    assert found.runs == (1, 2, 3)
    assert any(line.startswith("test/c: run 4 is newer and does not count") for line in found.missing)


def test_of_two_panels_of_as_many_models_the_newest_counts(sqlite: Engine) -> None:
    """One model each: the newer run's panel is the board's, unless judges are named."""
    measured(sqlite, "old", judges=("kind",))
    measured(sqlite, "new", judges=("stern",))
    assert set(ranked(board(sqlite))) == {"test/new"}
    assert set(ranked(board(sqlite, judges=["test/kind"]))) == {"test/old"}


def test_further_judges_do_not_keep_a_run_out(sqlite: Engine) -> None:
    """Each judge marks alone: the marks of one that the others lack are left out, and said to be."""
    for subject in ("a", "b"):
        measured(sqlite, subject, judges=("kind",))
    measured(sqlite, "c", judges=("kind", "stern"))
    found = board(sqlite)
    assert len(ranked(found)) == 3
    assert [each.judge for each in found.board.judges] == ["test/kind"]
    assert "marks by test/stern are left out: it is not on the board's panel" in found.missing


def test_a_judge_that_failed_throughout_is_not_on_the_panel(sqlite: Engine) -> None:
    """The model is listed apart with the command that asks again."""
    for subject in ("a", "b"):
        measured(sqlite, subject)
    court = Court({"kind": always(4), "stern": lambda body, before: "no mark"})
    JudgedRun(sqlite, court, subjects=("c",), suite=judged_suite(cases=CASES)).execute()
    assert reasons(board(sqlite)) == {
        "test/c": [("test/stern marked 0 of 6 answers of run 3", "assay grade 3 --only ungraded")]
    }


def test_other_sampling_is_listed_apart(sqlite: Engine) -> None:
    """Answers at the provider's own temperature are not ranked beside those at the suite's."""
    for subject in ("a", "b"):
        measured(sqlite, subject)
    court = Court({"kind": always(4), "stern": always(4)})
    run = JudgedRun(sqlite, court, subjects=("c",), suite=judged_suite(cases=CASES))
    run.plan = replace(run.plan, sampling="provider-default")
    keep_plan(sqlite, run.run.id, run.plan.described())
    run.execute()
    ((reason, command),) = reasons(board(sqlite))["test/c"]
    assert (
        reason == "run 3 was sampled with provider-default parameters, the board's runs with suite parameters"
    )
    assert command == "assay run judged --model test/c"


def with_geval() -> Suite:
    """Return a suite whose cases G-Eval marks too, for one metric."""
    suite = judged_suite(cases=CASES)
    (use_case,) = suite.use_cases
    geval = GraderSpec("geval", {"metrics": ["coherence"]}, judged=True)
    cases = tuple(replace(each, graders=(*each.graders, geval)) for each in use_case.cases)
    return replace(suite, use_cases=(replace(use_case, cases=cases),), digest="f" * 64)


def metered(engine: Engine, subject: str, by: str) -> None:
    """Run one model that `kind` and, for G-Eval, `by` mark."""

    def judge(body: dict[str, Any], before: int) -> str:
        return '{"reason": "because", "score": 8}'

    panel = Panel(("test/kind",), f"test/{by}")
    court = Court({"kind": lambda body, before: mark(4, body), by: judge})
    JudgedRun(engine, court, subjects=(subject,), panel=panel, suite=with_geval()).execute()


def test_one_models_other_geval_judge_strips_nobody(sqlite: Engine) -> None:
    """Two models have G-Eval by one judge and keep it; the newest, by another, is listed apart."""
    metered(sqlite, "a", "meter")
    metered(sqlite, "b", "meter")
    metered(sqlite, "c", "other")
    found = board(sqlite)
    assert {each.model: each.score.geval_mean for each in found.board.standings} == {
        "test/a": 0.8,
        "test/b": 0.8,
    }
    assert reasons(found) == {
        "test/c": [
            (
                "the G-Eval of run 3 is by test/other, the board's is by test/meter",
                "assay grade 3 --geval-judge test/meter",
            )
        ]
    }
    assert set(ranked(board(sqlite, geval="test/other"))) == {"test/c"}
    with pytest.raises(InvalidInput, match="gave no G-Eval here: use one of test/meter, test/other"):
        board(sqlite, geval="test/nobody")
