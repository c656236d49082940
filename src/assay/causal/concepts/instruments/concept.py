"""Instruments and noncompliance: an offer that moves some, and whose effect can be had from it."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.instruments.analyst import analyst
from assay.causal.concepts.instruments.base import base
from assay.causal.concepts.instruments.numeric import numeric
from assay.causal.concepts.instruments.scenes import SCENES
from assay.causal.concepts.instruments.transfer import transfer
from assay.causal.concepts.instruments.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "instruments",
    "Instruments and noncompliance",
    "When an offer that people may refuse gives an effect of what was offered, whose effect, and by which "
    "comparison.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
