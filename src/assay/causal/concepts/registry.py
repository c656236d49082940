"""The twenty concepts, in the order in which a form shows them."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.confounding.concept import CONCEPT as CONFOUNDING

CONCEPTS: tuple[Concept, ...] = (CONFOUNDING,)
