"""Mediators and post-treatment control: what holding fixed a consequence of the treatment does."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.mediators.analyst import analyst
from assay.causal.concepts.mediators.base import base
from assay.causal.concepts.mediators.numeric import numeric
from assay.causal.concepts.mediators.scenes import SCENES
from assay.causal.concepts.mediators.transfer import transfer
from assay.causal.concepts.mediators.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "mediators",
    "Mediators and post-treatment control",
    "What controlling something downstream of the treatment does to a total effect.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
