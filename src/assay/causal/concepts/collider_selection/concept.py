"""Collider selection: data kept or split by a common effect, told from data kept by what does no harm."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.collider_selection.analyst import analyst
from assay.causal.concepts.collider_selection.base import base
from assay.causal.concepts.collider_selection.numeric import numeric
from assay.causal.concepts.collider_selection.scenes import SCENES
from assay.causal.concepts.collider_selection.transfer import transfer
from assay.causal.concepts.collider_selection.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "collider-selection",
    "Collider selection",
    "When being in the data depends on two things, and whether that ties them together.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
