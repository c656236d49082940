"""The one entry: whole histories, the order of models, and what later days may change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay.core.case import Grading
from assay.core.errors import InvalidInput
from assay.core.suite import Thresholds
from assay.core.verdict import ModelState
from assay.core.verdict import UseCaseState as State
from assay.stats.p_values import at_least
from assay.watch.history import (
    DayRun,
    History,
    JudgeCheck,
    SampleRows,
    UseCaseSeries,
    WatchedModel,
    of_scores,
)
from assay.watch.judgement import (
    Judgement,
    Recovery,
    Rerun,
    fresh_falls,
    judge,
    model_down,
    notes_on_providers,
    powered,
    recovery,
)
from assay.watch.same_cases import CaseTable, match_window
from assay.watch.scores import pool
from assay.watch.verdict import BoundColumns, StateEvidence, evaluate

GRADINGS = [Grading.DETERMINISTIC, Grading.HYBRID, Grading.JUDGE]
cubes = arrays(
    np.float64,
    st.tuples(st.integers(2, 4), st.just(3), st.integers(6, 30)),
    elements=st.sampled_from([np.nan, 20.0, 55.0, 70.0, 78.0, 80.0, 80.0, 82.0, 100.0]),
)
THRESHOLDS = Thresholds()
NONE = float("nan")
BEFORE = [80.0] * 7
FIVE = ("a", "b", "c", "d", "e")


def falling(score: float = 40.0) -> Judgement:
    """Ten days at 90, then a fall of all three use cases."""
    cube = np.full((1, 3, 14), 90.0)
    cube[:, :, 10:] = score
    return judge(of_scores(cube, GRADINGS), Thresholds())


def test_a_model_that_collapses_is_cooked() -> None:
    """A model whose use cases all collapse is COOKED that day, and was OK before."""
    judged = falling()
    assert [judged.state(0, day) for day in (3, 9, 10)] == [
        ModelState.CALIBRATING,
        ModelState.OK,
        ModelState.COOKED,
    ]


def test_the_worked_example_of_the_methodology_page() -> None:
    """The table of docs/methodology/verdict.md: days 11 to 13, as it rounds them."""
    coding = [90, 95, 90, 85, 90, 95, 90, 90, 85, 90, 65, 70, 90]
    maths = [80, 80, 85, 80, 75, 80, 80, 85, 80, 80, 60, 60, 80]
    writing = [85, 85, 90, 85, 85, 80, 85, 85, 90, 85, 85, 85, 85]
    judged = judge(of_scores(np.array([[coding, maths, writing]], float), GRADINGS[:1] * 3), Thresholds())
    shown = (judged.baseline.mean, judged.baseline.spread, judged.evidence.z, 100 * judged.evidence.drop)
    rows = np.stack(shown, axis=-1)[0, :, 10:]
    wanted = [
        [(90.00, 3.33, -7.5, 27.8), (87.73, 8.17, -2.2, 20.2), (86.25, 9.32, 0.4, -4.3)],
        [(80.50, 2.84, -7.2, 25.5), (78.64, 6.74, -2.8, 23.7), (77.08, 8.38, 0.3, -3.8)],
        [(85.50, 2.84, -0.2, 0.6), (85.45, 2.70, -0.2, 0.5), (85.42, 2.57, -0.2, 0.5)],
    ]
    assert rows == pytest.approx(np.array(wanted), abs=0.051)
    states = [ModelState.SUSPICIOUS, ModelState.COOKED, ModelState.OK]
    assert [judged.state(0, day) for day in (10, 11, 12)] == states


def test_the_golden_baseline_shows_slow_drift() -> None:
    """A drift of a tenth of a point a day stays OK by the rolling baseline and falls by the golden one.

    Base samples are enough for that: a slow drift never asks for a re-run.
    """
    history = of_scores(np.full((1, 1, 200), 90.0) - 0.1 * np.arange(200), [Grading.DETERMINISTIC])
    judged = judge(replace(history, use_cases=(replace(history.use_cases[0], full=3),)), Thresholds())
    assert set(judged.evidence.state[0, 0, 5:].tolist()) == {State.OK}
    assert judged.golden_evidence.state[0, 0, -1] == State.COOKED


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(cubes)
def test_the_order_of_models_changes_nothing(cube: np.ndarray) -> None:
    """Every model reads the same wherever it stands."""
    order = np.random.default_rng(cube.shape[2]).permutation(len(cube))
    before = judge(of_scores(cube, GRADINGS), Thresholds())
    after = judge(of_scores(cube[order], GRADINGS), Thresholds())
    np.testing.assert_array_equal(after.states, before.states[order])
    np.testing.assert_array_equal(after.recovery.down, before.recovery.down[order])


@settings(max_examples=40, deadline=None)
@given(cubes)
def test_the_order_of_rows_changes_nothing(cube: np.ndarray) -> None:
    """Rows may come in any order."""
    history = of_scores(cube, GRADINGS)
    order = np.random.default_rng(1).permutation(len(history.rows.run))
    names = [name for name in SampleRows.__slots__ if name != "conditions"]
    shuffled = SampleRows(**{name: getattr(history.rows, name)[order] for name in names})
    before, after = judge(history, Thresholds()), judge(replace(history, rows=shuffled), Thresholds())
    np.testing.assert_array_equal(after.states, before.states)


@settings(max_examples=40, deadline=None)
@given(cubes)
def test_today_reads_as_it_will_in_the_history(cube: np.ndarray) -> None:
    """The verdict of the last day is the same when later days are known: watch and history agree."""
    part, whole = (judge(of_scores(days, GRADINGS), Thresholds()) for days in (cube[..., :-3], cube))
    np.testing.assert_array_equal(whole.states[:, :-3], part.states)
    np.testing.assert_array_equal(whole.recovery.down[..., :-3], part.recovery.down)
    np.testing.assert_array_equal(whole.golden_evidence.state[..., :-3], part.golden_evidence.state)


def test_answers_from_elsewhere_blame_nobody() -> None:
    """Days on which all answers came from elsewhere are gaps, however low those answers score."""
    history = of_scores(np.array([[[90.0] * 8 + [10.0, 10.0]]]), [Grading.DETERMINISTIC])
    elsewhere = (history.rows.total == 10.0).astype(np.int64)
    own = history.rows.total * (1 - elsewhere)
    rows = replace(history.rows, elsewhere=elsewhere, ok=1 - elsewhere, total=own)
    judged = judge(replace(history, rows=rows), Thresholds())
    assert judged.states[0].tolist() == [State.CALIBRATING] * 5 + [State.OK] * 3 + [State.GAP] * 2


def test_one_answer_from_elsewhere_does_not_blind_the_watch() -> None:
    """A fall to a tenth is COOKED although one answer of every day came from another provider."""
    cube = np.full((1, 3, 10), 90.0)
    cube[:, :, 7:] = 9.0
    history = of_scores(cube, GRADINGS)
    one = (history.rows.case == 0).astype(np.int64)
    judged = judge(replace(history, rows=replace(history.rows, elsewhere=one)), Thresholds())
    assert judged.states[0, 7:].tolist() == [State.COOKED] * 3
    assert not judged.evidence.held.any()


def test_a_state_that_is_carried_over_is_marked() -> None:
    """While the judge has moved, judged use cases show the state from before as held, others do not."""
    cube = np.full((1, 3, 9), 90.0)
    cube[:, :, 7] = 20.0
    history = of_scores(cube, GRADINGS)
    runs = tuple(
        DayRun(run.id, run.day, "judge", (JudgeCheck(0.5 if run.day == 7 else 0.1),) * 3)
        for run in history.runs
    )
    held = judge(replace(history, runs=runs), Thresholds()).evidence.held
    assert np.argwhere(held).tolist() == [[0, 1, 7], [0, 2, 7]]


def test_judge_drift_bars_judged_use_cases_only() -> None:
    """With a moved judge a checked use case may fall, judged and hybrid ones keep their state."""
    cube = np.full((1, 3, 8), 90.0)
    cube[:, :, 7] = 20.0
    history = of_scores(cube, GRADINGS)
    runs = tuple(
        DayRun(run.id, run.day, "judge", (JudgeCheck(0.5 if run.day == 7 else 0.1),) * 3)
        for run in history.runs
    )
    judged = judge(replace(history, runs=runs), Thresholds())
    assert judged.evidence.state[0, :, 7].tolist() == [State.COOKED, State.OK, State.OK]


def test_misfits_are_refused(history: Callable[..., History]) -> None:
    """Rows that do not fit are refused before anything is judged."""
    with pytest.raises(InvalidInput):
        judge(history([{"case": 5}], runs=[DayRun(1, 0)]), Thresholds())


@pytest.mark.parametrize("models", [0, 2])
def test_nothing_measured(models: int) -> None:
    """A history without a sample is all gaps."""
    judged = judge(of_scores(np.full((models, 3, 4), np.nan), GRADINGS), Thresholds())
    assert judged.states.tolist() == [[State.GAP] * 4] * models


O, S, X, G, C = State.OK, State.SUSPICIOUS, State.COOKED, State.GAP, State.CALIBRATING  # noqa: E741


def models(*providers: str | None, days: int) -> History:
    made = of_scores(np.zeros((len(providers), 1, days)), [Grading.DETERMINISTIC])
    subjects = tuple(WatchedModel(f"m{index}", name) for index, name in enumerate(providers))
    return History(made.suite, made.version, subjects, made.use_cases, made.first, days, made.runs, made.rows)


def test_a_fall_is_leaving_ok() -> None:
    """Only the first day out of OK is a fall; gaps between are skipped; held days are no evidence."""
    states = np.array([[C, O, S, X, O, G, S, O, X]], dtype=np.int8)
    counted = np.array([[True] * 8 + [False]])
    fell, at_risk = fresh_falls(states, counted)
    assert np.nonzero(fell[0])[0].tolist() == [2, 6]
    assert np.nonzero(at_risk[0])[0].tolist() == [2, 6]


def test_two_quiet_models_falling_together() -> None:
    """Two models of one provider falling on one day after forty quiet ones is noted, with its chance."""
    states = np.full((4, 42), O, dtype=np.int8)
    states[[0, 1], 41] = S
    fell, at_risk = fresh_falls(states, np.ones(states.shape, dtype=bool))
    found = notes_on_providers(models("a", "a", "b", None, days=42), fell, at_risk)
    assert len(found) == 1
    note = found[0]
    assert (note.provider, note.day, note.fell, note.at_risk) == ("a", 41, (0, 1), 2)
    assert (note.elsewhere_fell, note.elsewhere_at_risk) == (0, 2)
    assert note.chance == pytest.approx(at_least(2, [0.5 / 41, 0.5 / 41]))


def test_models_of_different_providers() -> None:
    """Falls behind different providers, or behind none that is named, make no note."""
    states = np.full((4, 42), O, dtype=np.int8)
    states[:, 41] = S
    fell, at_risk = fresh_falls(states, np.ones(states.shape, dtype=bool))
    assert notes_on_providers(models("a", "b", None, None, days=42), fell, at_risk) == ()


def test_restless_models() -> None:
    """Models that fall often anyway make no note when they happen to fall together."""
    states = np.full((2, 41), O, dtype=np.int8)
    states[:, ::2] = S
    fell, at_risk = fresh_falls(states, np.ones(states.shape, dtype=bool))
    late = [note for note in notes_on_providers(models("a", "a", days=41), fell, at_risk) if note.day > 6]
    assert late == []


def test_a_models_own_future_is_not_used() -> None:
    """A note on a day is the same when later days are known."""
    rng = np.random.default_rng(5)
    states = np.where(rng.random((6, 200)) < 0.05, S, O).astype(np.int8)
    states[:3, 100] = S
    every = np.ones(states.shape, dtype=bool)
    history = models("a", "a", "a", "b", "b", "b", days=200)
    whole = notes_on_providers(history, *fresh_falls(states, every))
    part = notes_on_providers(history, *fresh_falls(states[:, :150], every[:, :150]))
    assert [note for note in whole if note.day < 150] == list(part)
    assert 100 in [note.day for note in part]


def test_independent_models_are_rarely_noted() -> None:
    """Of days with independent falls at 2 %, at most 1 % are noted once a month of history exists."""
    rng = np.random.default_rng(8)
    states = np.where(rng.random((8, 3000)) < 0.02, S, O).astype(np.int8)
    found = notes_on_providers(
        models(*["a"] * 8, days=3000), *fresh_falls(states, np.ones(states.shape, dtype=bool))
    )
    assert sum(note.day >= 30 for note in found) / 2970 <= 0.01


def follow(days: list[float], *, fit: list[bool] | None = None) -> tuple[Recovery, StateEvidence]:
    scores = np.array(days)[np.newaxis, np.newaxis, :]
    bounds = BoundColumns.of(THRESHOLDS, np.array([False]))
    usable = ~np.isnan(scores) & (True if fit is None else np.array(fit))
    table = CaseTable.of(scores / 100.0, scores, usable, (0, 1))
    matched = match_window(table, bounds.floor[:, 0], THRESHOLDS)
    every = np.ones(scores.shape, dtype=bool)
    evidence = evaluate(scores, matched.baseline, bounds, THRESHOLDS, fit=usable, powered=every)
    return recovery(matched, evidence, bounds, THRESHOLDS, table), evidence


def down(days: list[float], **masks: list[bool]) -> list[int]:
    """Return the days on which the use case is down, counted from the end of `BEFORE`."""
    found, _ = follow([*BEFORE, *days], **masks)
    return [int(day) - len(BEFORE) for day in np.nonzero(found.down[0, 0])[0]]


def test_ends_on_the_third_day_back() -> None:
    """A collapse is down until the third day within the band, on which it ends."""
    assert down([40.0, 80.0, 80.0, 80.0, 80.0]) == [0, 1, 2]


def test_begins_with_the_cooked_day() -> None:
    """A sustained fall is down from its second day, and counted from its first."""
    found, _ = follow([*BEFORE, 70.0, 60.0, 80.0])
    assert np.nonzero(found.down[0, 0])[0].tolist() == [8, 9]
    assert found.since[0, 0, 8] == 7


def test_judged_against_the_baseline_from_before() -> None:
    """A fall that the rolling baseline absorbs stays down while the seed's verdict says OK."""
    found, evidence = follow([*BEFORE, *[60.0] * 20])
    assert evidence.state[0, 0, -1] == State.OK
    assert found.down[0, 0, -1]
    assert (found.mean[0, 0, -1], found.spread[0, 0, -1]) == (80.0, 2.0)


@pytest.mark.parametrize(("back", "over"), [(76.01, True), (76.0, False)])
def test_band(back: float, over: bool) -> None:
    """The band ends where suspicion begins."""
    found, _ = follow([*BEFORE, 40.0, back, back, back])
    assert found.down[0, 0, -1] != over


def test_a_bad_day_starts_the_count_anew() -> None:
    """The three days must follow one another."""
    assert down([40.0, 80.0, 80.0, 60.0, 80.0, 80.0, 80.0]) == [0, 1, 2, 3, 4, 5]


def test_gaps_neither_count_nor_break() -> None:
    """Gaps between the three days change nothing."""
    assert down([40.0, 80.0, NONE, 80.0, NONE, 80.0]) == [0, 1, 2, 3, 4]


def test_uncounted_days_do_not_count() -> None:
    """A good day that measured another provider is none of the three."""
    fit = [True] * 8 + [False, True, True, True]
    assert down([40.0, 80.0, 80.0, 80.0, 80.0], fit=fit) == [0, 1, 2, 3]


def test_recovered_is_remembered() -> None:
    """The day on which a fall ended stays on record."""
    found, _ = follow([*BEFORE, 40.0, 80.0, 80.0, 80.0, 80.0])
    assert found.recovered[0, 0].tolist() == [-1] * 10 + [10, 10]
    assert found.within[0, 0].tolist()[7:10] == [0, 1, 2]


def test_a_second_fall_has_its_own_baseline() -> None:
    """A fall after a recovery is measured from the baseline before itself."""
    found, _ = follow([*BEFORE, 40.0, *[80.0] * 16, 90.0, 90.0, 40.0])
    assert found.since[0, 0, -1] == 26
    assert found.mean[0, 0, -1] == pytest.approx((12 * 80 + 2 * 90) / 14)


def test_a_model_is_down_until_all_have_recovered() -> None:
    """A COOKED model is down as long as any use case of it is, and not for a single one that fell alone."""
    cooked, suspicious, fine = State.COOKED, State.SUSPICIOUS, State.OK
    states = np.array([[suspicious, cooked, fine, fine, fine], [suspicious, fine, fine, fine, fine]])
    falls = np.array(
        [
            [[True, True, True, False, False], [False, True, True, True, False]],
            [[True, True, False, False, False], [False] * 5],
        ]
    )
    found = model_down(states.astype(np.int8), falls)
    assert found.tolist() == [[False, True, True, True, False], [False] * 5]


MakeHistory = Callable[..., History]


@pytest.mark.parametrize(("scored", "enough"), [(15, True), (12, True), (11, False), (5, False)])
def test_full_power(history: MakeHistory, scored: int, enough: bool) -> None:
    """Full power is at least 80 % of the full count, scored."""
    made = history(
        [{"ok": scored - 4, "total": 100.0}, {"case": 1, "invalid": 4, "error": 3}],
        runs=[DayRun(1, 0)],
        use_cases=[UseCaseSeries("u", Grading.DETERMINISTIC, FIVE, full=3)],
    )
    assert powered(made, pool(made, Thresholds(gap_share=0.5)), 0.2)[0, 0, 0] == enough


def test_imported_histories_are_full_power(history: MakeHistory) -> None:
    """Where no re-run is known every scored day counts."""
    made = history([{"ok": 1, "total": 10.0}], runs=[DayRun(1, 0)])
    assert powered(made, pool(made, Thresholds()), 0.2)[0, 0, 0]


def days(history: MakeHistory, last: float, *, again: float | None = None, errors: int = 0) -> History:
    """Return six days at 80 and a last one, judged and checked use cases alike, one sample a case."""
    use_cases = [
        UseCaseSeries("u", Grading.DETERMINISTIC, FIVE, 3),
        UseCaseSeries("v", Grading.JUDGE, ("f", "g", "h", "i", "j"), 3),
    ]
    rows: list[dict[str, float]] = [
        {"run": day, "case": case, "ok": 1, "total": 80.0 if day < 6 else last}
        for day in range(7)
        for case in range(10)
    ]
    runs = [DayRun(day, day) for day in range(7)]
    if again is not None or errors:
        rows += [
            {"run": 7, "case": case, "ok": 2 - errors, "error": errors, "total": (2 - errors) * (again or 0)}
            for case in range(10)
        ]
        runs.append(DayRun(7, 6))
    return history(rows, runs=runs, use_cases=use_cases, days=7)


def test_a_suspicious_provisional_score_asks_for_a_rerun(history: MakeHistory) -> None:
    """A provisional score beyond the bounds asks for the full count; the state waits for it."""
    made = days(history, 71.0)
    judged = judge(made, Thresholds())
    assert judged.reruns(made.date_of(6)) == (Rerun(0, 0),)
    assert judged.evidence.state[0, :, 6].tolist() == [State.OK, State.OK]


def test_an_ordinary_score_asks_for_nothing(history: MakeHistory) -> None:
    """A provisional score within the bounds stands."""
    made = days(history, 79.0)
    assert judge(made, Thresholds()).reruns(made.date_of(6)) == ()


@pytest.mark.parametrize(("again", "state"), [(71.0, State.SUSPICIOUS), (90.0, State.OK)])
def test_the_top_up_decides(history: MakeHistory, again: float, state: int) -> None:
    """After the top-up the pooled samples decide, and nothing more is asked for."""
    made = days(history, 71.0, again=again)
    judged = judge(made, Thresholds())
    assert judged.evidence.state[0, 0, 6] == state
    assert judged.reruns(made.date_of(6)) == ()
    expected = (71.0 + 2 * again) / 3
    assert judged.daily.scores[0, 0, 6] == pytest.approx(expected)


def test_a_failed_rerun_leaves_the_state(history: MakeHistory) -> None:
    """A top-up of which half errored is left out, and the state stays as it was."""
    made = days(history, 40.0, again=40.0, errors=1)
    judged = judge(made, Thresholds())
    assert judged.evidence.state[0, :, 6].tolist() == [State.OK, State.OK]
    assert judged.evidence.reading[0, :, 6].tolist() == [State.COOKED, State.COOKED]


def test_nothing_to_top_up(history: MakeHistory) -> None:
    """Days that cannot change a state ask for no re-run."""
    made = days(history, 40.0)
    moved = tuple(
        DayRun(run.id, run.day, "judge", (JudgeCheck(0.5),) * len(made.use_cases) if run.day == 6 else ())
        for run in made.runs
    )
    barred = History(
        made.suite, made.version, made.subjects, made.use_cases, made.first, made.days, moved, made.rows
    )
    assert judge(barred, Thresholds()).reruns(made.date_of(6)) == (Rerun(0, 0),)
