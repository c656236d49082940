"""Whether an effect can be computed from what is measured, from numbers: models that look alike and differ.

An effect is not identifiable if a model can be changed so that the distribution of the measured variables
stays as it is and the effect does not. At a random model this is a question of linear algebra: do the
effect's derivatives by the mechanisms' parameters depend linearly on those of the distribution? Where the
effect is a function of the distribution they always do. Where they do not, two such models are found. All is
computed in a finite field, so that ranks are exact (as in `generic`). Measured variables are binary; hidden
ones have up to `SIZES[-1]` levels, because with few levels an effect can be identifiable that in general is
not.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from assay.causal.proof.counted.generic import PRIME, Field
from assay.causal.scm import Dag
from assay.core.errors import InvalidInput

SIZES = (2, 4, 8)
SPARE = 4
"""Derivatives taken for each kind beyond as many as can be independent."""


def identifiable(dag: Dag, treatment: str, outcome: str, also: Collection[str] = ()) -> bool:
    """Return whether no change of the mechanisms shows in the effect without showing in the distribution.

    InvalidInput where treatment or outcome is not measured.
    """
    hidden = dag.hidden - set(also)
    if {treatment, outcome} & hidden:
        raise InvalidInput(
            f"{treatment!r} and {outcome!r} are not both measured: ask about measured variables"
        )
    parents = _upstream(dag, outcome)
    hidden &= parents.keys()
    if treatment not in parents or not hidden:
        return True  # nothing happens to the outcome, or every mechanism is known
    return not any(_Model(parents, hidden, size).ambiguous(treatment, outcome) for size in SIZES)


def _upstream(dag: Dag, name: str) -> dict[str, tuple[str, ...]]:
    needed = {name}
    for each in reversed(dag.names):
        if each in needed:
            needed.update(dag.parents[each])
    return {each: dag.parents[each] for each in dag.names if each in needed}


class _Model:
    """Random mechanisms. Every array has an axis for each variable, of length 1 where it does not vary."""

    def __init__(self, parents: Mapping[str, Sequence[str]], hidden: Collection[str], size: int) -> None:
        self.names, self.parents, self.hidden = list(parents), parents, hidden
        self.draws = random.Random(size)
        self.size = {name: size if name in hidden else 2 for name in self.names}
        self.tables = [self._table(name) for name in self.names]
        self.states = 2 ** (len(self.names) - len(hidden))

    def _shape(self, varying: Collection[str]) -> tuple[int, ...]:
        return tuple(self.size[name] if name in varying else 1 for name in self.names)

    def _table(self, name: str) -> Field:
        """Return random chances of a variable's levels, which sum to 1, for all levels of its parents."""
        shape = self._shape({name, *self.parents[name]})
        numbers = [self.draws.randrange(2, PRIME - 1) for _ in range(math.prod(shape))]
        table = np.array(numbers, dtype=np.uint64).reshape(shape)
        axis = self.names.index(name)
        rest = table.take(range(1, self.size[name]), axis).sum(axis=axis, keepdims=True) % PRIME
        return np.concatenate([(PRIME + 1 - rest) % PRIME, table.take(range(1, self.size[name]), axis)], axis)

    def ambiguous(self, treatment: str, outcome: str) -> bool:
        """Return whether the derivatives of the effect are independent of those of the distribution."""
        ones: Field = np.ones((1,) * len(self.names), dtype=np.uint64)
        acted = [
            ones if name == treatment else table for name, table in zip(self.names, self.tables, strict=True)
        ]
        blocks = []
        for name, seen, made in zip(self.names, _others(self.tables), _others(acted), strict=True):
            columns = self._columns(name)
            effects = self._derivatives(name, made, columns) if name != treatment else None
            blocks.append(self._stacked(self._derivatives(name, seen, columns), effects, treatment, outcome))
        rows = np.concatenate(blocks, axis=1)
        return _rank(rows[: self.states]) < _rank(rows)

    def _columns(self, name: str) -> list[int]:
        """Draw the levels of hidden variables in a mechanism at which it is changed."""
        known = [each for each in (name, *self.parents[name]) if each not in self.hidden]
        unknown = math.prod(self.size[each] for each in (name, *self.parents[name]) if each in self.hidden)
        wanted = self.states // 2 ** len(known) * 2 + SPARE
        return sorted(self.draws.sample(range(unknown), min(wanted, unknown)))

    def _derivatives(self, name: str, others: Field, columns: Sequence[int]) -> Field:
        """Return the derivatives of all measured levels' chances by the parameters of one mechanism.

        Rows are levels of the measured variables; a column is a change at one combination of the parents.
        """
        family = {name, *self.parents[name]}
        full: Field = np.broadcast_to(others, self._shape(self.names))
        away = tuple(a for a, each in enumerate(self.names) if each in self.hidden and each not in family)
        left = full.sum(axis=away, keepdims=True) % PRIME
        axis = self.names.index(name)
        if name in self.hidden:  # level 0 gains what another level loses
            left = (left + PRIME - left.take([0], axis)) % PRIME
        elif self.size[name] == 2:
            sign = np.array([PRIME - 1, 1], dtype=np.uint64)
            left = left * sign.reshape([2 if a == axis else 1 for a in range(len(self.names))]) % PRIME
        order = [a for a, each in enumerate(self.names) if each not in self.hidden]
        order += [a for a in range(len(self.names)) if a not in order]
        flat = left.transpose(order).reshape(self.states, -1)[:, columns]
        known = [self.names[a] for a in order if self.names[a] not in self.hidden]
        place = np.zeros(self.states, dtype=np.int64)
        for each in self.parents[name]:
            if each in known:
                bit = len(known) - 1 - known.index(each)
                place = 2 * place + (np.arange(self.states) >> bit & 1)
        masks = [(place == case).astype(np.uint64)[:, None] for case in range(int(place.max()) + 1)]
        return np.concatenate([flat * mask for mask in masks], axis=1)

    def _stacked(self, seen: Field, made: Field | None, treatment: str, outcome: str) -> Field:
        """Return the derivatives of the distribution, and below them those of the effect."""
        known = [name for name in self.names if name not in self.hidden]
        if made is None:
            return np.concatenate([seen, np.zeros((2, seen.shape[1]), dtype=np.uint64)])
        bits = {
            name: np.arange(self.states) >> (len(known) - 1 - place) & 1 for place, name in enumerate(known)
        }
        sums = [
            made[(bits[treatment] == level) & (bits[outcome] == 1)].sum(axis=0) % PRIME for level in (0, 1)
        ]
        return np.concatenate([seen, np.stack(sums)])


def _others(tables: Sequence[Field]) -> list[Field]:
    """Return for each table the product of all others."""
    one: Field = np.ones_like(tables[0].ravel()[:1]).reshape((1,) * tables[0].ndim)
    before, after = [one], [one]
    for table in tables[:-1]:
        before.append(before[-1] * table % PRIME)
    for table in tables[:0:-1]:
        after.append(after[-1] * table % PRIME)
    return [left * right % PRIME for left, right in zip(before, reversed(after), strict=True)]


def _rank(matrix: Field) -> int:
    """Return the rank over the field, by elimination."""
    left = matrix[:, matrix.any(axis=0)].copy()
    rank = 0
    while left.size:
        row = left[0]
        places = np.flatnonzero(row)
        if len(places):
            rank += 1
            pivot = places[0]
            scaled = left[:, pivot] * np.uint64(pow(int(row[pivot]), -1, PRIME)) % PRIME
            left = (left + (PRIME - scaled)[:, None] * row[None, :] % PRIME) % PRIME
        left = left[1:]
    return rank
