"""Immortal time: waiting during which nobody can fail and still be counted as treated, and how to count."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.immortal_time.analyst import analyst
from assay.causal.concepts.immortal_time.base import base
from assay.causal.concepts.immortal_time.numeric import numeric
from assay.causal.concepts.immortal_time.scenes import SCENES
from assay.causal.concepts.immortal_time.transfer import transfer
from assay.causal.concepts.immortal_time.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "immortal-time",
    "Immortal time",
    "When a wait is credited to what came after it, and which clock or landmark puts that right.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
