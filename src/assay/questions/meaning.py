"""Pairs of texts with similar meaning, from embeddings: vectors that a model gives to texts."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput

Vectors = npt.NDArray[np.float32]
LEAST: Final = 0.6
"""The least cosine of two texts that are listed. Models differ: docs/methodology/near-duplicates.md."""
MOST_PAIRS: Final = 100_000
ROWS: Final = 512
"""Vectors compared at a time, which bounds the memory."""


class AlikePair(NamedTuple):
    """The positions of two texts, the first one in the first list, and their similarity, 0-1."""

    first: int
    other: int
    similarity: float


def unit_vectors(vectors: npt.ArrayLike, texts: int) -> Vectors:
    """Return the vectors of `texts` texts with length 1, (texts, D).

    Raises InvalidInput for another shape, numbers that are not finite, and vectors of length 0.
    """
    try:
        array = np.asarray(vectors, dtype=np.float32)
    except (TypeError, ValueError):
        raise InvalidInput("the embedding model returned no table of numbers: check the model") from None
    if array.ndim != 2 or len(array) != texts or not array.shape[1]:
        raise InvalidInput(
            f"the embedding model returned the shape {array.shape!r} for {texts} texts: "
            "it must return one vector a text"
        )
    lengths = np.linalg.norm(array, axis=1, keepdims=True)
    if not (np.isfinite(lengths).all() and (lengths > 0).all()):
        raise InvalidInput(
            "the embedding model returned a vector that is zero or not finite: check the model"
        )
    unit: Vectors = array / lengths
    return unit


def alike_pairs(first: Vectors, other: Vectors | None, least: float) -> list[AlikePair]:
    """Return the pairs with a cosine of at least `least`, the greatest first.

    `first` is (M, D) and `other` (N, D), with rows of length 1. Without `other` the pairs are within `first`,
    each once. Raises InvalidInput for more than `MOST_PAIRS` pairs.
    """
    second = first if other is None else other
    pairs: list[AlikePair] = []
    for start in range(0, len(first), ROWS):
        cosines = first[start : start + ROWS] @ second.T
        if other is None:
            cosines[np.tri(len(cosines), len(second), start, np.bool_)] = -2.0
        rows, columns = np.nonzero(cosines >= least)
        if len(pairs) + len(rows) > MOST_PAIRS:
            raise InvalidInput(
                f"more than {MOST_PAIRS:,} pairs with a similarity of {least:g}: raise --least"
            )
        values = np.minimum(1.0, cosines[rows, columns]).tolist()
        pairs += map(AlikePair, (rows + start).tolist(), columns.tolist(), values)
    return sorted(pairs, key=lambda pair: (-pair.similarity, pair.first, pair.other))
