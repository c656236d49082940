"""Interference: one unit's treatment reaches another's outcome, or only seems to."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.interference.analyst import analyst
from assay.causal.concepts.interference.base import base
from assay.causal.concepts.interference.numeric import numeric
from assay.causal.concepts.interference.scenes import SCENES
from assay.causal.concepts.interference.transfer import transfer
from assay.causal.concepts.interference.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "interference",
    "Interference",
    "What a comparison of treated and untreated tells when the treatment of one may reach the other.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
