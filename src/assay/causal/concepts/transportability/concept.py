"""Transportability: an effect found in one population, carried to another."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.transportability.analyst import analyst
from assay.causal.concepts.transportability.base import base
from assay.causal.concepts.transportability.numeric import numeric
from assay.causal.concepts.transportability.scenes import SCENES
from assay.causal.concepts.transportability.transfer import transfer
from assay.causal.concepts.transportability.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "transportability",
    "Transportability",
    "Which differences between two populations matter for an effect, and which can be made good by "
    "weighting.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
