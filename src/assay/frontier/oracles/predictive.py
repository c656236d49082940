"""Whether a model's draws would show what was recorded: the naive oracle of fresh generations beside it."""

from __future__ import annotations

import numpy as np

from assay.frontier.per_prompt import thinned
from assay.frontier.posterior import Posterior
from assay.frontier.tensor import Tensor

DRAWS = 40
FAR = 2.5
"""So many standard deviations off is said: models that fit stay within 2, one able model a prompt, 3 to 4."""


def misfit(posterior: Posterior, tensor: Tensor, rng: np.random.Generator) -> tuple[str, ...]:
    """Return a note where the draws do not give back the naive oracle (eq. 5), nothing where they do.

    Each draw's success rates answer every cell as often as was recorded; the mean over prompts of the
    greatest share right should scatter about the recorded one. Where it does not, the rates of different
    models on one prompt hang together in another way than the model says. Nothing is said of quality other
    than 0 and 1.
    Source: A. Gelman, X.-L. Meng and H. Stern, Statistica Sinica 6 (1996) 733-807.
    """
    there = posterior.may_choose & tensor.there
    if not tensor.binary or not there.any(axis=1).all():
        return ()
    given = np.maximum(tensor.given, 1)
    rates = np.clip(thinned(posterior, DRAWS).quality, 0.0, 1.0)
    if np.isnan(rates).any():
        return ()
    shares = np.where(there, rng.binomial(given, rates) / given, 0.0)
    shown = shares.max(axis=2).mean(axis=1)
    recorded = float(np.where(there, tensor.correct / given, 0.0).max(axis=1).mean())
    middle, spread = float(shown.mean()), float(shown.std())
    if abs(middle - recorded) <= FAR * spread or len(shown) < DRAWS:
        return ()
    way = "too low" if middle < recorded else "too high"
    return (
        f"the model does not fit: fresh answers of its draws show a naive oracle of {middle:.4g} +- "
        f"{spread:.2g}, recorded is {recorded:.4g}; the value is likely {way}, by more than its intervals "
        "say (too low where each prompt has one model that alone can do it): rely on the bracket",
    )
