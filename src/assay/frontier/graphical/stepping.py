"""Steps of stochastic variational inference with numpyro, compiled in blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assay.frontier.graphical.settings import Settings

START_SCALE = 0.1


def compiled(
    model: Callable[[Any], None], guide: Callable[[Any], None], settings: Settings
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return (begin, block): `begin(seed, data)` makes a state, `block(state, data)` goes on for a block.

    A block returns the new state, its mean loss (the negative bound), and the parameters' mean over its
    second half. `begin` must be called before `block`: numpyro learns there what the parameters are.
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
    """Sample `site` of a guide from independent normals; their parameters are `name` and `name`_scale."""
    from jax import numpy as jnp
    from numpyro import distributions as dist
    from numpyro import param, sample

    location = param(name, start)
    wide = jnp.full(jnp.shape(start), START_SCALE)
    scale = param(f"{name}_scale", wide, constraint=dist.constraints.positive)
    sample(site, dist.Normal(location, scale).to_event())
