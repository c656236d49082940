"""Two stored runs compared: which samples count, what is refused, and what is remarked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from small_suite import make_suite
from sqlalchemy import Engine

from assay.core.case import GraderSpec
from assay.core.errors import InvalidInput, NotFound
from assay.core.model import Model
from assay.core.suite import Suite
from assay.results.compare import RunComparison
from assay.results.runs import StatusCounts
from assay.runs.compare_runs import read_comparison
from assay.store.rows import Batch, SampleRow
from assay.store.runs import StoredRun, end_run, keep_models, new_run, read_run
from assay.store.suites import keep_suite
from assay.store.writer import LedgerWriter

Scores = Sequence[float | str | None]
"""A case's samples: a score of 0-100, None for an ungraded one, or a status."""


def store(
    engine: Engine,
    *models: dict[int, Scores],
    suite: Suite | None = None,
    names: Sequence[str] = ("a", "b"),
    kind: str = "run",
    judges: Sequence[Model] = (),
    elsewhere: int = 0,
    parameters: dict[str, float] | None = None,
) -> StoredRun:
    """Store a run of models with the scores of their samples by case; epochs in their order."""
    suite = suite or make_suite()
    keep_suite(engine, suite, clock=lambda: 0.0)
    subjects = [
        Model("test", name, parameters=parameters or {}) for name, _ in zip(names, models, strict=False)
    ]
    seated = [row for row, _ in keep_models(engine, judges)]
    run = new_run(
        engine,
        kind=kind,
        suite=suite.digest,
        subjects=subjects,
        plan={"judges": seated},
        day=None,
        simulated=False,
        clock=lambda: 0.0,
    )
    batch = Batch()
    position = 0
    for (row, _), cases in zip(run.models, models, strict=True):
        for case, given in cases.items():
            for epoch, score in enumerate(given):
                status = score if isinstance(score, str) else "ok"
                value = 0.0 if score == "invalid" else None if isinstance(score, str) else score
                batch.samples.append(
                    SampleRow(run.id, position, row, case, epoch, status, value, elsewhere, 0.0)
                )
                position += 1
    writer = LedgerWriter(engine)
    writer.commit(batch)
    writer.close()
    end_run(engine, run.id, status="finished", reason=None, clock=lambda: 0.0)
    return read_run(engine, run.id)


def compared(engine: Engine, a: dict[int, Scores], b: dict[int, Scores]) -> RunComparison:
    """Compare two runs of one model."""
    return read_comparison(engine, store(engine, a).id, store(engine, b).id)


def test_by_hand(engine: Engine) -> None:
    """Five of ten cases fall from 100 to 0: -0.5, sign flips and McNemar both 2/32, the fallen by name."""
    found = compared(
        engine,
        {case: [100.0] for case in range(10)},
        {case: [0.0 if case < 5 else 100.0] for case in range(10)},
    )
    assert (found.difference, found.p, found.p_flips) == (-50, 2 / 32, 2 / 32)
    assert [flip.name.case for flip in found.fell] == [f"case-0-{index}" for index in range(5)]


def test_epochs_are_averaged_whatever_their_number(engine: Engine) -> None:
    """One epoch of 50 against three of 100, 100 and 40: 50 and 80."""
    found = compared(engine, {0: [50.0]}, {0: [100.0, 100.0, 40.0]})
    assert [(case.name.case, case.a, case.b) for case in found.scores] == [("case-0-0", 50, 80)]


def test_invalid_counts_0_and_what_has_no_score_is_left_out_and_counted(engine: Engine) -> None:
    """100 and an invalid answer make 50; an error and an ungraded answer change nothing."""
    found = compared(engine, {0: [100.0]}, {0: [100.0, "invalid", "error", None]})
    assert [(case.a, case.b) for case in found.scores] == [(100, 50)]
    assert found.b.counts == StatusCounts(ok=1, invalid=1, error=1, ungraded=1)


def test_a_case_that_only_errored_is_in_no_pair(engine: Engine) -> None:
    """It is named as scored in the other run only, and the difference is over the common case."""
    found = compared(engine, {0: [100.0], 1: [100.0]}, {0: [100.0], 1: ["error"]})
    assert (found.cases, found.difference, [case.case for case in found.only_a]) == (1, 0.0, ["case-0-1"])


def test_scores_that_add_up_to_a_hair_over_100_are_100(engine: Engine) -> None:
    """Means of 100 by rounding error do not count as out of range."""
    found = compared(engine, {0: [100.00000000000001] * 3}, {0: [100.0]})
    assert found.mean_a == 100


def test_one_model_each_may_differ(engine: Engine) -> None:
    """A run of one model against a run of another."""
    a = store(engine, {0: [100.0]}, names=["a"])
    b = store(engine, {0: [0.0]}, names=["b"])
    found = read_comparison(engine, a.id, b.id)
    assert (found.a.model, found.b.model) == ("test/a", "test/b")


def test_two_models_of_one_run(engine: Engine) -> None:
    """Named each, they compare; `imported/` need not be written."""
    run = store(engine, {0: [100.0]}, {0: [0.0]})
    found = read_comparison(engine, run.id, run.id, model_a="test/a", model_b="test/b")
    assert found.difference == -100


def test_other_suites_and_versions_are_refused(engine: Engine) -> None:
    """The message names both."""
    first = store(engine, {0: [100.0]})
    newer = store(engine, {0: [100.0]}, suite=make_suite(version="2"))
    other = store(engine, {0: [100.0]}, suite=replace(make_suite(version="3"), name="other"))
    with pytest.raises(InvalidInput, match="run 1 is of small 1, run 2 of small 2: cases or graders changed"):
        read_comparison(engine, first.id, newer.id)
    with pytest.raises(InvalidInput, match="run 1 is of suite 'small', run 3 of 'other'"):
        read_comparison(engine, first.id, other.id)


def test_an_unclear_choice_of_models_is_refused(engine: Engine) -> None:
    """Several models without a name, a name that is not there, a run against itself."""
    two, one = store(engine, {0: [100.0]}, {0: [0.0]}), store(engine, {0: [100.0]})
    with pytest.raises(
        InvalidInput, match="run 1 has 2 models \\(test/a, test/b\\): choose one with --model"
    ):
        read_comparison(engine, two.id, one.id)
    with pytest.raises(InvalidInput, match="run 2 has no model 'test/c': use one of test/a"):
        read_comparison(engine, two.id, one.id, model_a="test/a", model_b="test/c")
    with pytest.raises(InvalidInput, match="run 2 cannot be compared with itself"):
        read_comparison(engine, one.id, one.id)


def test_calibrations_and_runs_that_are_not_there_are_refused(engine: Engine) -> None:
    """The first have no answers of a model."""
    run, judged = store(engine, {0: [100.0]}), store(engine, {0: [100.0]}, kind="calibrate")
    with pytest.raises(InvalidInput, match="run 2 calibrated a judge"):
        read_comparison(engine, run.id, judged.id)
    with pytest.raises(NotFound, match="no run 9"):
        read_comparison(engine, run.id, 9)


def test_no_common_case_is_told(engine: Engine) -> None:
    """There is no difference, and a remark says why."""
    found = compared(engine, {0: [100.0]}, {1: [100.0]})
    assert found.difference is None
    assert found.remarks == ("no case has a score in both runs",)


def test_what_else_may_have_made_the_difference_is_told(engine: Engine) -> None:
    """A run that stopped, answers from elsewhere, other parameters, other judges of judged cases."""
    suite = make_suite(version="4")
    case = replace(suite.cases[0], graders=(GraderSpec("rubric", judged=True),))
    use_case = replace(suite.use_cases[0], cases=(case,))
    suite = replace(suite, use_cases=(use_case,))
    a = store(engine, {0: [100.0]}, suite=suite, judges=[Model("test", "j")])
    b = store(
        engine,
        {0: [100.0]},
        suite=suite,
        judges=[Model("test", "k")],
        elsewhere=1,
        parameters={"temperature": 1.0},
    )
    end_run(engine, b.id, status="stopped", reason="interrupted", clock=lambda: 0.0)
    assert read_comparison(engine, a.id, b.id).remarks == (
        "run 2 stopped (interrupted): only its finished samples are compared",
        "1 of 1 answers of run 2 came from another provider than the pin",
        "test/a was asked with another pin or other parameters in run 2",
        "judged by different models (run 1: test/j; run 2: test/k): the difference may be due to the judges",
    )
