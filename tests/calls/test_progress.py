"""A run's counts: costs of subjects and judges, and a bounded number of reasons."""

from __future__ import annotations

from collections import Counter

import pytest
from judged import Court, JudgedRun, always, loaded
from sqlalchemy import Engine

from assay.calls.progress import LONGEST_REASON, MOST_REASONS, OTHER, Progress, add_reason, missing_marks
from assay.runs.regrading import regrade
from assay.store.marks import read_marks


def test_reasons_that_all_differ_are_kept_to_a_number_and_a_length() -> None:
    """An endpoint that numbers its refusals does not fill the memory, and every mark is counted."""
    reasons: Counter[str] = Counter()
    for number in range(3 * MOST_REASONS):
        add_reason(reasons, f"refused, request {number}: " + "x" * 10_000)
    assert len(reasons) == MOST_REASONS + 1
    assert reasons.total() == 3 * MOST_REASONS
    assert reasons[OTHER] == 2 * MOST_REASONS
    assert max(map(len, reasons)) <= LONGEST_REASON


def test_less_frequent_reasons_share_one_line() -> None:
    """The lines add up to all missing marks."""
    lines = missing_marks(Counter({str(number): number for number in range(1, 10)}))
    assert lines[0] == "marks missing (9): 9"
    assert lines[-1] == "marks missing (6): for less frequent reasons"


def test_costs_are_those_of_subjects_and_judges(sqlite: Engine) -> None:
    """Four answers and four marks at a tenth of a cent each; grading again costs nothing."""
    run = JudgedRun(sqlite, Court({"kind": always(5)}), suite=loaded())
    progress = Progress(0)
    run.execute(progress=progress)
    assert (progress.calls, progress.unknown_costs) == (8, 0)
    assert progress.known_cost == pytest.approx(0.008)
    again = Progress(0)
    run.grade(progress=again)
    assert (again.done, again.calls, again.known_cost) == (4, 0, 0.0)


def test_marks_missing_from_several_parts_are_reported_as_one_sum(
    sqlite: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers are graded again in parts; a judge that fails in all of them is reported once."""
    monkeypatch.setattr(regrade, "AT_ONCE", 2)
    run = JudgedRun(
        sqlite, Court({"kind": always(5), "mute": lambda body, before: "no"}), suite=loaded(cases=6)
    )
    run.execute()
    (remark,) = run.grade().remarks
    assert remark.startswith("marks missing (6): test/mute")


def test_grading_again_does_not_change_stored_marks(engine: Engine) -> None:
    """A paid mark is not marked as reused and keeps its time."""
    run = JudgedRun(engine, Court({"kind": always(5)}), suite=loaded())
    run.execute()
    before = read_marks(engine, [run.run.id])
    run.grade()
    assert read_marks(engine, [run.run.id]) == before
    assert {mark.row.reused for mark in before} == {0}
