"""Operating characteristics of a workspace's own suite, from its measured case variance or a stated one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.core.suite import Suite
from assay.core.verdict import UseCaseState
from assay.runs.verdicts import Verdicts, base_scores
from assay.store.suites import find_digest
from assay.watch.null import Profile, Shape, stated

STATED = (
    "stated: 10 % of deterministic cases flip now and then, judged quality carries noise of 0.12 a sample"
)

LEAST_DAYS = 7
"""Scored days that a model needs before its variance is taken for measured."""


@dataclass(frozen=True, slots=True)
class MeasuredProfile:
    """How a suite's cases vary on ordinary days, and where that was taken from."""

    profile: Profile
    source: str


def suite_profile(engine: Engine, suite: Suite, *, seed: int) -> MeasuredProfile:
    """Return the measured variance of a suite's cases; without enough days, a stated one that says so.

    Days on which a model was COOKED, or had not recovered from it, are left out, so that a real fall does
    not pass for noise; SUSPICIOUS days stay, since leaving bad luck out would make every rule look
    quieter than it is. Use cases that were never graded stay out of every simulation.
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
        profile = Profile.measure(Shape.of(verdicts.stored.suite), scores[enough])
    except (NotFound, InvalidInput):
        return MeasuredProfile(stated(np.random.default_rng(seed), 20), STATED)
    days = int((~np.isnan(scores)).any(axis=1).sum())
    return MeasuredProfile(
        profile, f"measured: {int(enough.sum())} models, {days} model-days of {suite.name} {suite.version}"
    )
