"""Uplift by topic entropy of a source: its tensor debiased, its categories mixed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from assay.frontier.posterior import Posterior
from assay.frontier.simulated.entropy import EntropyUplift, uplift_by_entropy
from assay.frontier.tensor import Tensor
from assay.studies.frontier.read import Read

ONE_EACH = "one generation a cell: luck cannot be told from skill, so these figures are naive"


@dataclass(frozen=True, slots=True)
class RecordedUplift:
    """The uplift of recorded prompts by topic entropy, where they come from, and what to know of both."""

    source: str
    uplift: EntropyUplift
    notes: tuple[str, ...]


def recorded_uplift(
    read: Read,
    *,
    fit: Callable[[Tensor], Posterior] | None = None,
    mixtures: int = 11,
    repeats: int = 200,
    seed: int = 0,
    tell: Callable[[str], None] = lambda text: None,
) -> RecordedUplift:
    """Return the uplift of a source's workloads, naive and debiased by the posterior that `fit` makes.

    Without `fit`, and where no cell has two generations, it stays naive.

    `tell` hears what is being done. Raises InvalidInput where prompts have fewer than two categories.
    """
    posterior: Posterior | None = None
    notes: tuple[str, ...] = ()
    if fit is not None and read.tensor.generations < 2:
        notes = (ONE_EACH,)
    elif fit is not None:
        tell("debiasing the recorded tensor")
        posterior = fit(read.tensor)
        notes = posterior.notes
    tell("mixing the recorded categories")
    rng = np.random.default_rng(seed)
    found = uplift_by_entropy(read.tensor, posterior, mixtures=mixtures, repeats=repeats, rng=rng)
    return RecordedUplift(read.source, found, notes)
