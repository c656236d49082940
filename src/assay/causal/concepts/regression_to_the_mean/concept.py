"""Regression to the mean: what becomes of the extreme without anybody doing anything."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.regression_to_the_mean.analyst import analyst
from assay.causal.concepts.regression_to_the_mean.base import base
from assay.causal.concepts.regression_to_the_mean.numeric import numeric
from assay.causal.concepts.regression_to_the_mean.scenes import SCENES
from assay.causal.concepts.regression_to_the_mean.transfer import transfer
from assay.causal.concepts.regression_to_the_mean.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "regression-to-the-mean",
    "Regression to the mean",
    "What is to be expected next of units picked for an extreme score, and what of it an action can claim.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
