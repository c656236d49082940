"""The twenty concepts, in the order in which a form shows them."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.confounding.concept import CONCEPT as CONFOUNDING
from assay.causal.concepts.instruments.concept import CONCEPT as INSTRUMENTS
from assay.causal.concepts.mediators.concept import CONCEPT as MEDIATORS
from assay.causal.concepts.selection_attrition.concept import CONCEPT as SELECTION_ATTRITION
from assay.causal.concepts.transportability.concept import CONCEPT as TRANSPORTABILITY

CONCEPTS: tuple[Concept, ...] = (
    CONFOUNDING,
    MEDIATORS,
    SELECTION_ATTRITION,
    TRANSPORTABILITY,
    INSTRUMENTS,
)
