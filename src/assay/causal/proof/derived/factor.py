"""Tables of whole numbers over finite variables, multiplied and summed out: variable elimination.

A mechanism's chances are written as whole numbers over the variable's common denominator; whoever asks
divides by the denominators at the end, so that everything between is exact and fast.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableFactor:
    """A table over `scope`; combinations of levels that are absent have the value 0."""

    scope: tuple[str, ...]
    table: Mapping[tuple[int, ...], int]


def reduced(factor: TableFactor, levels: Mapping[str, int]) -> TableFactor:
    """Keep the rows that agree with these levels, and drop those variables from the scope."""
    fixed = [(place, levels[name]) for place, name in enumerate(factor.scope) if name in levels]
    if not fixed:
        return factor
    kept = [place for place, name in enumerate(factor.scope) if name not in levels]
    table = {
        tuple(key[place] for place in kept): value
        for key, value in factor.table.items()
        if all(key[place] == level for place, level in fixed)
    }
    return TableFactor(tuple(factor.scope[place] for place in kept), table)


def product(left: TableFactor, right: TableFactor) -> TableFactor:
    """Multiply two tables; the scope is the union."""
    shared = [name for name in left.scope if name in right.scope]
    at_left = [left.scope.index(name) for name in shared]
    at_right = [right.scope.index(name) for name in shared]
    new = [place for place, name in enumerate(right.scope) if name not in shared]
    by_shared: dict[tuple[int, ...], list[tuple[tuple[int, ...], int]]] = {}
    for key, value in right.table.items():
        rest = tuple(key[place] for place in new)
        by_shared.setdefault(tuple(key[place] for place in at_right), []).append((rest, value))
    table = {
        key + rest: value * other
        for key, value in left.table.items()
        for rest, other in by_shared.get(tuple(key[place] for place in at_left), ())
    }
    return TableFactor(left.scope + tuple(right.scope[place] for place in new), table)


def without(factor: TableFactor, name: str) -> TableFactor:
    """Sum a variable out."""
    place = factor.scope.index(name)
    table: dict[tuple[int, ...], int] = {}
    for key, value in factor.table.items():
        rest = key[:place] + key[place + 1 :]
        table[rest] = table[rest] + value if rest in table else value
    return TableFactor(factor.scope[:place] + factor.scope[place + 1 :], table)


def eliminated(factors: Sequence[TableFactor], keep: Collection[str]) -> TableFactor:
    """Multiply all tables and sum out all variables but `keep`, the cheapest to remove first."""
    left = list(factors)
    while True:
        scopes = [set(factor.scope) for factor in left]
        names = sorted(set(itertools.chain.from_iterable(scopes)) - set(keep))
        if not names:
            break
        name = min(names, key=lambda n: len(set().union(*(s for s in scopes if n in s))))
        touching = [factor for factor in left if name in factor.scope]
        left = [factor for factor in left if name not in factor.scope]
        left.append(without(_all(touching), name))
    return _all(left)


def _all(factors: Sequence[TableFactor]) -> TableFactor:
    found = TableFactor((), {(): 1})
    for factor in sorted(factors, key=lambda each: len(each.table)):
        found = product(found, factor)
    return found
