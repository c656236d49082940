"""Ecological fallacy: averages of groups, effects on units, and effects on whole groups."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.ecological_fallacy.analyst import analyst
from assay.causal.concepts.ecological_fallacy.base import base
from assay.causal.concepts.ecological_fallacy.numeric import numeric
from assay.causal.concepts.ecological_fallacy.scenes import SCENES
from assay.causal.concepts.ecological_fallacy.transfer import transfer
from assay.causal.concepts.ecological_fallacy.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "ecological-fallacy",
    "Ecological fallacy",
    "What averages of groups tell about units, what units tell about groups, and when either is right.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
