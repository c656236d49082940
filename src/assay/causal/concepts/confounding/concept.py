"""Confounding: a common cause of choice and outcome, told from what the choice itself changed."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.confounding.analyst import analyst
from assay.causal.concepts.confounding.base import base
from assay.causal.concepts.confounding.numeric import numeric
from assay.causal.concepts.confounding.scenes import SCENES
from assay.causal.concepts.confounding.transfer import transfer
from assay.causal.concepts.confounding.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "confounding",
    "Confounding",
    "Which covariates are common causes to be held fixed, and which only look like it.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
