"""The input of a board: marks, G-Eval, statuses and costs of models on the same prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


class Status(IntEnum):
    """The status of one sample.

    OK: answered. INVALID: success without a visible answer. ERROR: no answer after retries. UNGRADED:
    answered, but not graded. ABSENT: never asked.
    """

    ABSENT = 0
    OK = 1
    INVALID = 2
    ERROR = 3
    UNGRADED = 4


@dataclass(frozen=True, slots=True)
class PromptKind:
    """A prompt with its groups."""

    id: str
    category: str
    subcategory: str
    difficulty: str


@dataclass(frozen=True, slots=True)
class MeasuredEpoch:
    """One epoch of M models on P prompts, marked by J judges and K G-Eval metrics.

    `marks` (M, P, J) 1-5 and `geval` (M, P, K) 0-1 are NaN for missing ones; `status` (M, P) is a `Status`;
    `truncated` (M, P) is true if the budget of an invalid answer was used for hidden reasoning; `tokens`
    (output tokens), `latency` (s) and `cost` (USD) have shape (M, P), NaN if unknown; `flags` (M, P) is the
    number of auto-check flags; `own` (M, J) is true if the judge may not mark the model (itself, or its
    family). A mark may be an average over epochs; then the counts are of cells. Raises InvalidInput for
    unequal shapes, repeated names and values out of range.
    """

    models: tuple[str, ...]
    prompts: tuple[PromptKind, ...]
    judges: tuple[str, ...]
    metrics: tuple[str, ...]
    marks: FloatArray
    geval: FloatArray
    status: IntArray
    truncated: BoolArray
    tokens: FloatArray
    latency: FloatArray
    cost: FloatArray
    flags: IntArray
    own: BoolArray

    def __post_init__(self) -> None:
        cells = (len(self.models), len(self.prompts))
        shapes = {
            "marks": (*cells, len(self.judges)),
            "geval": (*cells, len(self.metrics)),
            "own": (len(self.models), len(self.judges)),
            **dict.fromkeys(("status", "truncated", "tokens", "latency", "cost", "flags"), cells),
        }
        names = {
            "model": self.models,
            "prompt": tuple(prompt.id for prompt in self.prompts),
            "judge": self.judges,
            "metric": self.metrics,
        }
        problems = [*find_wrong_shapes(self, shapes), *find_repeated_names(names)] or self._out_of_range()
        if problems:
            raise InvalidInput([Problem(text) for text in problems])

    def _out_of_range(self) -> list[str]:
        bounds = {"marks": (1.0, 5.0), "geval": (0.0, 1.0), "flags": (0, np.inf), "tokens": (0, np.inf)}
        problems = []
        for name, (low, high) in bounds.items():
            values = getattr(self, name)
            outside = values[(values < low) | (values > high)]
            if outside.size:
                problems.append(f"{name} has the value {outside[0].item()!r}: give {low} to {high}")
        return problems


def find_wrong_shapes(arrays: object, shapes: Mapping[str, tuple[int, ...]]) -> list[str]:
    """Return a message for each of the named arrays that does not have the given shape."""
    return [
        f"{name} has shape {getattr(arrays, name).shape!r}: give {shape!r}"
        for name, shape in shapes.items()
        if getattr(arrays, name).shape != shape
    ]


def find_repeated_names(names_of: Mapping[str, Sequence[str]]) -> list[str]:
    """Return a message for each repeated name, by kind."""
    return [
        f"{kind} {name!r} is given {names.count(name)} times: give each once"
        for kind, names in names_of.items()
        for name in sorted({name for name in names if names.count(name) > 1})
    ]
