"""Single precision for a while, whatever precision the user has set jax to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def float32() -> Iterator[Callable[[Any], Any]]:
    """Give what turns a tree of arrays to float32; jax's own setting is as before when the block ends."""
    import jax
    from jax import numpy as jnp

    with jax.enable_x64(False):
        yield lambda tree: jax.tree.map(lambda leaf: jnp.asarray(leaf, dtype=jnp.float32), tree)
