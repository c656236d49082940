"""Candidate structures: the classes of the prompts, and the line that each model follows in each class.

A line gives a model's success rate as a function of the prompt's ease.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
FAR = 7.0
FINE, COARSE = 43, 25
CAPS = (1.0, 0.92, 0.8, 0.65, 0.48, 0.32, 0.18, 0.08)


class StructureKind(Enum):
    """The ways in which models may differ from topic to topic."""

    EQUAL = "all models follow one line"
    ADDITIVE = "each model follows its own line"
    SPECIALISTS = "each model has a topic in which only this model is able"
    TOPICS = "each model follows its own line in each topic"


@dataclass(frozen=True, slots=True)
class Structure:
    """T topics by U levels of ease, and the line of each of L models in each topic.

    `line` (T, L) is the number of the line, `cap` (T,) bounds all rates of a topic, and `ease` (U,) are the
    levels. Lines with the same `kin` (lines,) share a prior mean.
    """

    name: str
    kind: StructureKind
    line: IntArray
    cap: FloatArray
    ease: FloatArray
    kin: IntArray

    @property
    def lines(self) -> int:
        """The number of different lines."""
        return int(self.line.max()) + 1

    @property
    def topics(self) -> int:
        """The number of topics, T."""
        return len(self.line)

    @property
    def capped(self) -> bool:
        """Whether each topic is repeated under every cap of `CAPS`."""
        return bool(self.cap.min() < 1.0)


def _plain(name: str, kind: StructureKind, line: IntArray, ease: int, kin: IntArray) -> Structure:
    return Structure(name, kind, line, np.ones(len(line)), np.linspace(-FAR, FAR, ease), kin)


def _under_caps(name: str, plain: Structure) -> Structure:
    """Return a structure with every topic repeated under each cap."""
    line, cap = np.tile(plain.line, (len(CAPS), 1)), np.repeat(np.array(CAPS), plain.topics)
    return Structure(name, plain.kind, line, cap, np.linspace(-FAR, FAR, COARSE), plain.kin)


def equal(models: int) -> Structure:
    """Return one line for all models."""
    return _plain(
        "equal", StructureKind.EQUAL, np.zeros((1, models), dtype=np.int64), FINE, np.zeros(1, dtype=np.int64)
    )


def additive(models: int) -> Structure:
    """Return one line for each model."""
    return _plain(
        "additive", StructureKind.ADDITIVE, np.arange(models)[None], FINE, np.zeros(models, dtype=np.int64)
    )


def by_topic(models: int, topics: int) -> Structure:
    """Return a line for each model in each topic."""
    line = np.arange(topics * models).reshape(topics, models)
    return _plain(f"{topics} topics", StructureKind.TOPICS, line, COARSE, np.tile(np.arange(models), topics))


def specialists(models: int) -> Structure:
    """Return a general topic, and for each model a topic in which only it is able, with one line for all."""
    line = np.tile(np.arange(models), (models + 1, 1))
    line[np.arange(models) + 1, np.arange(models)] = models
    kin = np.zeros(models + 1, dtype=np.int64)
    kin[-1] = 1
    return _plain("specialists", StructureKind.SPECIALISTS, line, COARSE, kin)


def equal_capped(models: int) -> Structure:
    """Return one line for all models under a cap by prompt."""
    return _under_caps("equal under a cap", equal(models))


def capped(models: int) -> Structure:
    """Return one line for each model under a cap by prompt."""
    return _under_caps("capped", additive(models))


def topics_capped(models: int, topics: int) -> Structure:
    """Return a line for each model in each topic, under a cap by prompt."""
    return _under_caps(f"{topics} topics under a cap", by_topic(models, topics))
