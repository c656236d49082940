"""What is known of a prompt before any model is asked: its category, its wording, its embedding."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
Kind = Literal["none", "category", "text", "embedding"]


@dataclass(frozen=True, slots=True)
class Features:
    """N prompts: `categories` (N,) numbers, `words` (N, V) counts of terms, sparse, `vectors` (N, D).

    None where the prompts have none. A row of `words` without any count has no wording.
    """

    number: int
    categories: IntArray | None = None
    words: Any = None
    vectors: npt.NDArray[np.float64] | None = None

    def take(self, rows: IntArray) -> Self:
        """Return the features of these prompts, in that order."""
        return replace(
            self,
            number=len(rows),
            categories=None if self.categories is None else self.categories[rows],
            words=None if self.words is None else self.words[rows],
            vectors=None if self.vectors is None else self.vectors[rows],
        )

    def has(self, kind: Kind) -> bool:
        """Return whether prompts have features of this kind."""
        return {
            "none": True,
            "category": self.categories is not None,
            "text": self.words is not None,
            "embedding": self.vectors is not None,
        }[kind]
