"""M-bias: a covariate measured beforehand that must be left alone, told from one that must be used."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.m_bias.analyst import analyst
from assay.causal.concepts.m_bias.base import base
from assay.causal.concepts.m_bias.numeric import numeric
from assay.causal.concepts.m_bias.scenes import SCENES
from assay.causal.concepts.m_bias.transfer import transfer
from assay.causal.concepts.m_bias.trap import trap
from assay.causal.item import Variant

CONCEPT = Concept(
    "m-bias",
    "M-bias",
    "When a covariate from before the treatment opens a path, and when it closes one.",
    SCENES,
    {
        Variant.BASE: base,
        Variant.TRAP: trap,
        Variant.TRANSFER: transfer,
        Variant.NUMERIC: numeric,
        Variant.ANALYST: analyst,
    },
)
