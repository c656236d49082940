"""Time-varying confounding: measures taken twice, and a reading in between that both follows and leads."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.time_varying_confounding.analyst import analyst
from assay.causal.concepts.time_varying_confounding.base import base
from assay.causal.concepts.time_varying_confounding.numeric import numeric
from assay.causal.concepts.time_varying_confounding.scenes import SCENES
from assay.causal.concepts.time_varying_confounding.transfer import transfer
from assay.causal.concepts.time_varying_confounding.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "time-varying-confounding",
    "Time-varying confounding",
    "Why neither adjusting nor leaving out works when a confounder follows earlier treatment, and what does.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
