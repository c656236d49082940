"""The front door: an effect found through what carries it, and when the door is shut."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.front_door.analyst import analyst
from assay.causal.concepts.front_door.base import base
from assay.causal.concepts.front_door.numeric import numeric
from assay.causal.concepts.front_door.scenes import SCENES
from assay.causal.concepts.front_door.transfer import transfer
from assay.causal.concepts.front_door.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "front-door",
    "The front door",
    "When a mediator gives an effect that a hidden common cause keeps from plain sight.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
