"""Missing data: what left the gaps, and what complete records, whole or weighted, still show."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.missing_data.analyst import analyst
from assay.causal.concepts.missing_data.base import base
from assay.causal.concepts.missing_data.numeric import numeric
from assay.causal.concepts.missing_data.scenes import SCENES
from assay.causal.concepts.missing_data.transfer import transfer
from assay.causal.concepts.missing_data.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "missing-data",
    "Missing data",
    "From the causes of gaps, which quantities complete records give, as they are or weighted, and which "
    "not.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
