"""Which questions a trained attack learns from, and which it is then tested on."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from assay.causal.lint.design import IntArray

Split = tuple[IntArray, IntArray]


@dataclass(frozen=True, slots=True)
class Block:
    """Questions that a trained attack is confined to, by row, and how they are split, once a seed.

    A split has the rows within the block to train on, and those to test on.
    """

    rows: IntArray
    splits: tuple[Split, ...]


@dataclass(frozen=True, slots=True)
class Splits:
    """A way to split the questions; `description` says what is tested on."""

    name: str
    description: str
    blocks: tuple[Block, ...]


def by_bundle(concepts: Sequence[str], rng: np.random.Generator, seeds: int) -> Splits:
    """Train on half of the concepts, test on the other concepts."""
    return Splits("bundles", "the other concepts", _blocks([np.arange(len(concepts))], concepts, rng, seeds))


def by_form(forms: Sequence[Hashable], rng: np.random.Generator, seeds: int) -> Splits:
    """Train on half of the forms, test on the other forms: the same concepts in both."""
    return Splits("forms", "the other forms", _blocks([np.arange(len(forms))], forms, rng, seeds))


def by_cell(
    cells: Sequence[Hashable], forms: Sequence[Hashable], rng: np.random.Generator, seeds: int
) -> Splits:
    """Train within each cell (concept and variant) on half of its forms, test on the cell's other forms."""
    rows: dict[Hashable, list[int]] = {}
    for row, cell in enumerate(cells):
        rows.setdefault(cell, []).append(row)
    inside = [np.array(each, dtype=np.int64) for each in rows.values()]
    return Splits("cells", "the same cell in the other forms", _blocks(inside, forms, rng, seeds))


def _blocks(
    inside: Sequence[IntArray], groups: Sequence[Hashable], rng: np.random.Generator, seeds: int
) -> tuple[Block, ...]:
    """Split each block's groups at random, once a seed; blocks with a single group are left out."""
    made = []
    for rows in inside:
        here = [groups[row] for row in rows]
        if len(set(here)) > 1:
            made.append(Block(rows, tuple(_halves(here, rng) for _ in range(seeds))))
    return tuple(made)


def _halves(groups: Sequence[Hashable], rng: np.random.Generator) -> Split:
    """Train on a random half of the groups (the larger part of an odd number), test on the others."""
    names = list(dict.fromkeys(groups))
    order = rng.permutation(len(names))
    chosen = {names[place] for place in order[: (len(names) + 1) // 2]}
    taught = np.array([group in chosen for group in groups], dtype=bool)
    return np.flatnonzero(taught), np.flatnonzero(~taught)
