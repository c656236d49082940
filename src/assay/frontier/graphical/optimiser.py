"""Stochastic variational inference with numpyro: settings, compiled steps and the stopping rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class PgmSettings:
    """Priors of the model and limits of its fit; the default priors are uniform, as in the paper.

    `difficulty` and `aptitude` are (a, b) of the Beta priors of D_n and A_tl, and `topic` is the parameter of
    the Dirichlet prior. `spread` is for cells that may differ from the link: the median and the log
    standard deviation of the log-normal prior of the concentration at the middle difficulty, and the standard
    deviation of the two coefficients by which its logarithm changes with difficulty. `nodes` is the number of
    Gauss-Jacobi quadrature points for a prompt's difficulty. `hidden` is the width of the neural link's two
    layers; `stiffness` is the standard deviation of the normal priors of its weights around their start, at
    which the link is multiplicative.

    Adam runs at learning rate `rate` in blocks of `block` steps. It stops when the mean ELBO of a block
    improves on the best earlier block by less than the share `tolerance`, twice in a row, or at `most_steps`.
    `held_out` is the share of a cell's generations by which the number of topics is chosen, and `grid` are
    the numbers to try.
    """

    difficulty: tuple[float, float] = (1.0, 1.0)
    aptitude: tuple[float, float] = (1.0, 1.0)
    topic: float = 1.0
    spread: tuple[float, float, float] = (30.0, 3.0, 1.5)
    nodes: int = 24
    hidden: int = 8
    stiffness: float = 1.0
    rate: float = 0.06
    block: int = 25
    tolerance: float = 5e-4
    most_steps: int = 1500
    held_out: float = 0.25
    grid: tuple[int, ...] = (1, 2, 4, 8, 16)


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """A rule that stops after two blocks that improve the best by less than a share of it (or of `floor`)."""

    tolerance: float
    floor: float = 0.0
    best: float = -np.inf
    idle: int = 0

    @property
    def settled(self) -> bool:
        """Whether the bound has stopped rising."""
        return self.idle >= 2

    def after(self, elbo: float) -> StoppingRule:
        """Return the rule after another block's mean ELBO."""
        rise = elbo - self.best
        small = np.isfinite(self.best) and rise < self.tolerance * max(abs(self.best), self.floor)
        return StoppingRule(self.tolerance, self.floor, max(self.best, elbo), self.idle + 1 if small else 0)


START_SCALE = 0.1


def compiled(
    model: Callable[[Any], None], guide: Callable[[Any], None], settings: PgmSettings
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return (begin, block): `begin(seed, data)` makes a state, `block(state, data)` runs a block of steps.

    A block returns the new state, its mean loss (the negative bound), and the mean of the parameters over
    its second half. `begin` must be called before `block`, because numpyro finds the parameters there.
    """
    import jax
    from jax import numpy as jnp
    from numpyro.infer import SVI, Trace_ELBO
    from numpyro.optim import Adam

    svi = SVI(model, guide, Adam(settings.rate), Trace_ELBO())

    def begin(seed: Any, data: Any) -> Any:
        return svi.init(jax.random.PRNGKey(seed), data)

    def block(state: Any, data: Any) -> Any:
        def step(carry: Any, _: None) -> Any:
            now, loss = svi.update(carry, data)
            return now, (loss, svi.get_params(now))

        state, (losses, params) = jax.lax.scan(step, state, None, length=settings.block)
        half = settings.block // 2
        return state, jnp.mean(losses), jax.tree.map(lambda leaf: jnp.mean(leaf[half:], axis=0), params)

    return jax.jit(begin), jax.jit(block)


def normal_site(site: str, name: str, start: Any) -> None:
    """Sample `site` of a guide from independent normals with the parameters `name` and `name`_scale."""
    from jax import numpy as jnp
    from numpyro import distributions as dist
    from numpyro import param, sample

    location = param(name, start)
    wide = jnp.full(jnp.shape(start), START_SCALE)
    scale = param(f"{name}_scale", wide, constraint=dist.constraints.positive)
    sample(site, dist.Normal(location, scale).to_event())


@contextmanager
def float32() -> Iterator[Callable[[Any], Any]]:
    """Yield a function that converts a tree of arrays to float32; 64-bit jax is off within the block."""
    import jax
    from jax import numpy as jnp

    with jax.enable_x64(False):
        yield lambda tree: jax.tree.map(lambda leaf: jnp.asarray(leaf, dtype=jnp.float32), tree)
