"""Competing adjustment sets: which of several sets are valid, minimal, or usable when a variable is "
"missing."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.adjustment_sets.analyst import analyst
from assay.causal.concepts.adjustment_sets.base import base
from assay.causal.concepts.adjustment_sets.numeric import numeric
from assay.causal.concepts.adjustment_sets.scenes import SCENES
from assay.causal.concepts.adjustment_sets.transfer import transfer
from assay.causal.concepts.adjustment_sets.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "adjustment-sets",
    "Competing adjustment sets",
    "Which sets of covariates are valid, which of them minimal, and which one still does.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
