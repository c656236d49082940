"""Simpson's paradox over three groups: when the total is right and when the groups are."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.simpson.analyst import analyst
from assay.causal.concepts.simpson.base import base
from assay.causal.concepts.simpson.numeric import numeric
from assay.causal.concepts.simpson.scenes import SCENES
from assay.causal.concepts.simpson.transfer import transfer
from assay.causal.concepts.simpson.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "simpson",
    "Simpson's paradox",
    "When the total is right and when the groups are, by the causal story and by whom the question is about.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
