"""What a board is made from: marks, G-Eval, statuses and costs of models on the same prompts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


class Status(IntEnum):
    """What became of one sample.

    OK answered; INVALID success without a visible answer; ERROR no answer after retries; UNGRADED
    answered, but not graded as it should have been; ABSENT never asked.
    """

    ABSENT = 0
    OK = 1
    INVALID = 2
    ERROR = 3
    UNGRADED = 4


@dataclass(frozen=True, slots=True)
class PromptKind:
    """Where a prompt belongs."""

    id: str
    category: str
    subcategory: str
    difficulty: str


@dataclass(frozen=True, slots=True)
class Measured:
    """One epoch of M models on P prompts, marked by J judges and K G-Eval metrics.

    `marks` (M, P, J) 1-5 and `geval` (M, P, K) 0-1, NaN where none was given; `status` (M, P) of
    `Status`; `truncated` (M, P) True where an invalid answer's budget went into hidden reasoning;
    `tokens` (output tokens), `latency` (s) and `cost` (USD) of shape (M, P), NaN where unknown; `flags`
    (M, P) the number of auto-check flags; `own` (M, J) True where the judge may not mark that model
    (itself, or its family). A mark may be an average over epochs already; then the counts are of cells.
    InvalidInput when shapes disagree, a name stands twice, or a value is out of range.
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
        problems = [Problem(text) for text in (*self._misshapen(), *self._repeated())]
        if not problems:
            problems = [Problem(text) for text in self._out_of_range()]
        if problems:
            raise InvalidInput(problems)

    def _misshapen(self) -> list[str]:
        models, prompts = len(self.models), len(self.prompts)
        cells = (models, prompts)
        wanted = {
            "marks": (*cells, len(self.judges)),
            "geval": (*cells, len(self.metrics)),
            "own": (models, len(self.judges)),
            **dict.fromkeys(("status", "truncated", "tokens", "latency", "cost", "flags"), cells),
        }
        return [
            f"{name} has shape {getattr(self, name).shape!r}: give {shape!r}"
            for name, shape in wanted.items()
            if getattr(self, name).shape != shape
        ]

    def _repeated(self) -> list[str]:
        named = {
            "model": self.models,
            "prompt": tuple(prompt.id for prompt in self.prompts),
            "judge": self.judges,
            "metric": self.metrics,
        }
        return [
            f"{kind} {name!r} stands {names.count(name)} times: give each once"
            for kind, names in named.items()
            for name in sorted({each for each in names if names.count(each) > 1})
        ]

    def _out_of_range(self) -> list[str]:
        bounds = {"marks": (1.0, 5.0), "geval": (0.0, 1.0), "flags": (0, np.inf), "tokens": (0, np.inf)}
        found = []
        for name, (low, high) in bounds.items():
            values = getattr(self, name)
            wrong = values[(values < low) | (values > high)]
            if wrong.size:
                found.append(f"{name} holds {wrong[0].item()!r}: give values from {low} to {high}")
        return found
