"""Cutting stock lengths by the rule of the prompt, and by trying everything."""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement


def by_rule(pieces: tuple[int, ...], capacity: int, most: int) -> int:
    """Return how many stock lengths the rule uses, with at most `most` pieces out of each."""
    left, used = sorted(pieces, reverse=True), 0
    while left:
        used += 1
        room = capacity - left.pop(0)
        for _ in range(most - 1):
            fits = next((piece for piece in left if piece <= room), None)
            if fits is not None:
                left.remove(fits)
                room -= fits
    return used


@cache
def fewest(pieces: tuple[int, ...], capacity: int, most: int) -> int:
    """Return the fewest stock lengths; the pieces are given in descending order."""
    if not pieces:
        return 0
    first, rest = pieces[0], pieces[1:]
    choices = (
        beside
        for number in range(most)
        for beside in combinations(range(len(rest)), number)
        if first + sum(rest[at] for at in beside) <= capacity
    )
    left = (tuple(piece for at, piece in enumerate(rest) if at not in beside) for beside in choices)
    return 1 + min(fewest(others, capacity, most) for others in left)


def losing(capacities: range, most: int, numbers: range) -> list[tuple[int, tuple[int, ...]]]:
    """Return every case in these ranges where the rule uses more stock lengths than needed."""
    return [
        (capacity, pieces)
        for number in numbers
        for capacity in capacities
        for pieces in combinations_with_replacement(range(capacity, 0, -1), number)
        if by_rule(pieces, capacity, most) != fewest(pieces, capacity, most)
    ]
