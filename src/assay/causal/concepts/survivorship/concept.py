"""Survivorship: what is left after a practice has done its work, and what can be learnt from it."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.survivorship.analyst import analyst
from assay.causal.concepts.survivorship.base import base
from assay.causal.concepts.survivorship.numeric import numeric
from assay.causal.concepts.survivorship.scenes import SCENES
from assay.causal.concepts.survivorship.transfer import transfer
from assay.causal.concepts.survivorship.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "survivorship",
    "Survivorship",
    "What survivors tell about a practice that had a hand in who survived, and when they tell it rightly.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
