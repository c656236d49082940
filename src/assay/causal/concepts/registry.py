"""The twenty concepts, in the order in which a form shows them."""

from __future__ import annotations

from assay.causal.concept import Concept
from assay.causal.concepts.adjustment_sets.concept import CONCEPT as ADJUSTMENT_SETS
from assay.causal.concepts.collider_selection.concept import CONCEPT as COLLIDER_SELECTION
from assay.causal.concepts.confounding.concept import CONCEPT as CONFOUNDING
from assay.causal.concepts.ecological_fallacy.concept import CONCEPT as ECOLOGICAL_FALLACY
from assay.causal.concepts.external_validity.concept import CONCEPT as EXTERNAL_VALIDITY
from assay.causal.concepts.front_door.concept import CONCEPT as FRONT_DOOR
from assay.causal.concepts.immortal_time.concept import CONCEPT as IMMORTAL_TIME
from assay.causal.concepts.instruments.concept import CONCEPT as INSTRUMENTS
from assay.causal.concepts.interference.concept import CONCEPT as INTERFERENCE
from assay.causal.concepts.m_bias.concept import CONCEPT as M_BIAS
from assay.causal.concepts.measurement_error.concept import CONCEPT as MEASUREMENT_ERROR
from assay.causal.concepts.mediation.concept import CONCEPT as MEDIATION
from assay.causal.concepts.mediators.concept import CONCEPT as MEDIATORS
from assay.causal.concepts.missing_data.concept import CONCEPT as MISSING_DATA
from assay.causal.concepts.regression_to_the_mean.concept import CONCEPT as REGRESSION_TO_THE_MEAN
from assay.causal.concepts.selection_attrition.concept import CONCEPT as SELECTION_ATTRITION
from assay.causal.concepts.simpson.concept import CONCEPT as SIMPSON
from assay.causal.concepts.survivorship.concept import CONCEPT as SURVIVORSHIP
from assay.causal.concepts.time_varying_confounding.concept import CONCEPT as TIME_VARYING_CONFOUNDING
from assay.causal.concepts.transportability.concept import CONCEPT as TRANSPORTABILITY

CONCEPTS: tuple[Concept, ...] = (
    CONFOUNDING,
    COLLIDER_SELECTION,
    MEDIATORS,
    SELECTION_ATTRITION,
    TIME_VARYING_CONFOUNDING,
    TRANSPORTABILITY,
    M_BIAS,
    FRONT_DOOR,
    INSTRUMENTS,
    INTERFERENCE,
    MEASUREMENT_ERROR,
    IMMORTAL_TIME,
    SIMPSON,
    REGRESSION_TO_THE_MEAN,
    ECOLOGICAL_FALLACY,
    EXTERNAL_VALIDITY,
    ADJUSTMENT_SETS,
    MISSING_DATA,
    MEDIATION,
    SURVIVORSHIP,
)
