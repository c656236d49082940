"""Measurement error: what a faulty record does to an effect, and what it does not."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.measurement_error.analyst import analyst
from assay.causal.concepts.measurement_error.base import base
from assay.causal.concepts.measurement_error.numeric import numeric
from assay.causal.concepts.measurement_error.scenes import SCENES
from assay.causal.concepts.measurement_error.transfer import transfer
from assay.causal.concepts.measurement_error.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "measurement-error",
    "Measurement error",
    "How errors in exposure, outcome or confounder change a result, when they do, and how to undo it.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
