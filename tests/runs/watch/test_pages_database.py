"""The simulated database of the pages' benchmark is one that the watch can judge."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import func, select

from assay.core.verdict import UseCaseState as State
from assay.runs.watch.verdicts import Verdicts
from assay.store.engine import open_database
from assay.store.samples import read_sample
from assay.store.schema import conditions, samples
from pages_database import make


@pytest.mark.slow
def test_a_small_one_has_verdicts_and_readable_samples(tmp_path: Path) -> None:
    """Four models, 14 days, two cases beyond those of the daily suite; one model falls on the twelfth day."""
    path = tmp_path / "pages.db"
    made = make(path, count=4, days=14, cases=52, seed=61, issued=2)
    assert (made["rows"]["samples"], made["rows"]["calls"]) == (4 * 14 * 52, 4 * 14 * 52)
    assert made["rows"]["issued_verdicts"] == 8
    engine = open_database(str(path))
    verdicts = Verdicts(engine, made["digest"])
    states = verdicts.judgement.states
    assert (states[:, :5] == State.CALIBRATING).all()
    assert np.mean(states[:3, 5:] == State.OK) > 0.5
    assert (states[3, 11:] >= State.SUSPICIOUS).any()
    report = verdicts.day(3, verdicts.last_day)
    assert report.issued is not None
    assert report.issued.differs == ()
    with engine.connect() as connection:
        known = select(conditions.c.id)
        lost = samples.c.conditions.is_not(None) & samples.c.conditions.not_in(known)
        assert connection.execute(select(func.count()).where(lost)).scalar_one() == 0
    assert read_sample(engine, 1, 0).row.case_ordinal == 0
    engine.dispose()
