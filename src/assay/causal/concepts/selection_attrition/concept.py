"""Selection and attrition: who came in, who was lost, and when those who are left can be compared."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.selection_attrition.analyst import analyst
from assay.causal.concepts.selection_attrition.base import base
from assay.causal.concepts.selection_attrition.numeric import numeric
from assay.causal.concepts.selection_attrition.scenes import SCENES
from assay.causal.concepts.selection_attrition.transfer import transfer
from assay.causal.concepts.selection_attrition.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "selection-attrition",
    "Selection and attrition",
    "When those who came in and stayed can be compared as they are, and when weights repair what was lost.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
