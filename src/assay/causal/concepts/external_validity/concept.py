"""External validity: one population, and the sample of it that took part."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.external_validity.analyst import analyst
from assay.causal.concepts.external_validity.base import base
from assay.causal.concepts.external_validity.numeric import numeric
from assay.causal.concepts.external_validity.scenes import SCENES
from assay.causal.concepts.external_validity.transfer import transfer
from assay.causal.concepts.external_validity.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "external-validity",
    "External validity",
    "When those who took part speak for the others, on which scale, and apart from internal validity.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
