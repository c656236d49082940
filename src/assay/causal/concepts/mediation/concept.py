"""Mediation: direct and indirect effects, natural and controlled, and when they can be told apart."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.mediation.analyst import analyst
from assay.causal.concepts.mediation.base import base
from assay.causal.concepts.mediation.numeric import numeric
from assay.causal.concepts.mediation.scenes import SCENES
from assay.causal.concepts.mediation.transfer import transfer
from assay.causal.concepts.mediation.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "mediation",
    "Mediation",
    "Natural and controlled effects: what they are, when the data give them, and how they add up.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
