"""Notes on models that fall together behind one provider."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.case import Grading
from assay.core.verdict import UseCaseState as State
from assay.stats.poisson_binomial import at_least
from assay.watch.history import History, Subject, of_scores
from assay.watch.outage import fresh_falls, notes

O, S, X, G, C = State.OK, State.SUSPICIOUS, State.COOKED, State.GAP, State.CALIBRATING  # noqa: E741


def models(*providers: str | None, days: int) -> History:
    made = of_scores(np.zeros((len(providers), 1, days)), [Grading.DETERMINISTIC])
    subjects = tuple(Subject(f"m{index}", name) for index, name in enumerate(providers))
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
    found = notes(models("a", "a", "b", None, days=42), fell, at_risk)
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
    assert notes(models("a", "b", None, None, days=42), fell, at_risk) == ()


def test_restless_models() -> None:
    """Models that fall often anyway make no note when they happen to fall together."""
    states = np.full((2, 41), O, dtype=np.int8)
    states[:, ::2] = S
    fell, at_risk = fresh_falls(states, np.ones(states.shape, dtype=bool))
    late = [note for note in notes(models("a", "a", days=41), fell, at_risk) if note.day > 6]
    assert late == []


def test_a_models_own_future_is_not_used() -> None:
    """A note on a day is the same when later days are known."""
    rng = np.random.default_rng(5)
    states = np.where(rng.random((6, 200)) < 0.05, S, O).astype(np.int8)
    states[:3, 100] = S
    every = np.ones(states.shape, dtype=bool)
    history = models("a", "a", "a", "b", "b", "b", days=200)
    whole = notes(history, *fresh_falls(states, every))
    part = notes(history, *fresh_falls(states[:, :150], every[:, :150]))
    assert [note for note in whole if note.day < 150] == list(part)
    assert 100 in [note.day for note in part]


def test_independent_models_are_rarely_noted() -> None:
    """Of days with independent falls at 2 %, at most 1 % are noted once a month of history exists."""
    rng = np.random.default_rng(8)
    states = np.where(rng.random((8, 3000)) < 0.02, S, O).astype(np.int8)
    found = notes(models(*["a"] * 8, days=3000), *fresh_falls(states, np.ones(states.shape, dtype=bool)))
    assert sum(note.day >= 30 for note in found) / 2970 <= 0.01
