"""The case variance of a workspace's suite, measured or assumed, for its operating characteristics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.core.suite import Suite
from assay.core.verdict import UseCaseState
from assay.runs.watch.verdicts import Verdicts, base_scores
from assay.store.suites import find_digest
from assay.watch.null import Profile, SuiteShape, stated

STATED = (
    "stated: 10 % of deterministic cases flip now and then, judged quality carries noise of 0.12 a sample"
)

LEAST_DAYS = 7
"""Scored days that a model needs for its variance to be measured."""


@dataclass(frozen=True, slots=True)
class MeasuredProfile:
    """The variation of a suite's cases on ordinary days, and its source."""

    profile: Profile
    source: str


def suite_profile(engine: Engine, suite: Suite, *, seed: int) -> MeasuredProfile:
    """Return the measured variance of a suite's cases, or a stated one if there are too few days.

    Days on which a model was COOKED, or had not recovered, are left out, so that a real fall does not count
    as noise. SUSPICIOUS days stay, since without bad luck every rule would seem to have fewer false alarms
    than it has. Use cases that were never graded are left out of the simulation.
    """
    try:
        verdicts = Verdicts(engine, find_digest(engine, suite.name, suite.version))
        scores = base_scores(verdicts.stored, verdicts.judgement)
        judged = verdicts.judgement
        fallen = (judged.states == UseCaseState.COOKED) | judged.down
        scores = np.where(fallen[:, None, :], np.nan, scores)
        enough = ((~np.isnan(scores)).sum(axis=2) >= LEAST_DAYS).any(axis=1)
        if not enough.any():
            raise InvalidInput(f"no model has {LEAST_DAYS} scored days")
        profile = Profile.measure(SuiteShape.of(verdicts.stored.suite), scores[enough])
    except (NotFound, InvalidInput):
        return MeasuredProfile(stated(np.random.default_rng(seed), 20), STATED)
    days = int((~np.isnan(scores)).any(axis=1).sum())
    return MeasuredProfile(
        profile, f"measured: {int(enough.sum())} models, {days} model-days of {suite.name} {suite.version}"
    )
