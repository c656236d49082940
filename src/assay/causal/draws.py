"""Drawing worlds: options are laid out first, then a world is sought in which the intended one is true.

That order is what keeps a key out of the options: their words and numbers are drawn before, or without regard
to, which of them will be right.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from assay.core.errors import AssayError

Found = TypeVar("Found")
TRIES = 5_000


class Undrawable(AssayError):
    """No world was found that fits: the conditions are too narrow."""


def until(make: Callable[[], Found | None], tries: int = TRIES) -> Found:
    """Return the first thing made that is not None. Undrawable when none is among so many tries."""
    for _ in range(tries):
        if (found := make()) is not None:
            return found
    raise Undrawable(f"nothing fitting in {tries} tries: widen what is drawn, or what is accepted")


def cycle(rng: random.Random, names: Sequence[Found]) -> Iterator[Found]:
    """Yield all names in random order, over and over, each round in another order; nothing without names."""
    while names:
        yield from rng.sample(list(names), len(names))
