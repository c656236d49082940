"""The rows of a report's tables: all prompts, and each category that has enough of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from assay.frontier.capability import frontier
from assay.frontier.per_prompt import thinned
from assay.frontier.posterior import Posterior
from assay.frontier.prepared import prepare
from assay.frontier.tensor import Tensor
from assay.results.frontier_report import Denominators, Frontier, FrontierGroup, Generations, ReportSettings
from assay.studies.frontier.report_shots import k_shots

DRAWS = 50
"""Categories are of at most so many of the posterior's draws."""
LEAST = 20
"""A category with fewer prompts than this has no row of its own."""


def counted(tensor: Tensor) -> Denominators:
    """Return a tensor's denominators."""
    given = tensor.given
    return Denominators(
        prompts=len(tensor.prompts),
        models=len(tensor.models),
        generations=Generations(
            int(given[given > 0].min(initial=given.max(initial=0))), int(given.max(initial=0))
        ),
        cells=int(given.size),
        missing=int((given == 0).sum()),
        answers=int(given.sum()),
    )


def group(
    tensor: Tensor,
    posterior: Posterior | None,
    found: Frontier,
    settings: ReportSettings,
    name: str | None = None,
) -> FrontierGroup:
    """Return one row: all prompts, at every k, or a category, at k = 1 and the most."""
    ks = settings.ks if name is None else tuple(sorted({1, *settings.ks[-1:]}))
    shots = k_shots(
        tensor, posterior, ks, level=settings.level, resamples=settings.resamples, seed=settings.seed
    )
    return FrontierGroup(name, counted(tensor), found, shots)


def groups_of(
    tensor: Tensor, posterior: Posterior | None, settings: ReportSettings, tell: Callable[[str], None]
) -> tuple[tuple[FrontierGroup, ...], dict[str, int]]:
    """Return a row for each category of enough prompts, in order of name, and the others with their prompts.

    The posterior is the whole source's: a category's prompts borrow from all of them; some of its draws are
    enough for them. The best single model
    is each category's own.
    """
    sizes = Counter(tensor.categories or ())
    if len(sizes) < 2 or tensor.categories is None:
        return (), {}
    labels = np.array(tensor.categories)
    some = None if posterior is None else thinned(posterior, DRAWS)
    found = []
    for name in sorted(each for each, number in sizes.items() if number >= LEAST):
        tell(f"category {name}")
        rows = np.flatnonzero(labels == name)
        part, draws = _part(tensor, some, rows)
        swept = frontier(
            part,
            settings.method,
            posterior=draws,
            level=settings.level,
            resamples=settings.resamples,
            seed=settings.seed,
        )
        found.append(group(part, draws, swept, settings, name))
    few = sorted((name, number) for name, number in sizes.items() if number < LEAST)
    return tuple(found), dict(few)


def _part(
    tensor: Tensor, posterior: Posterior | None, rows: npt.NDArray[np.int64]
) -> tuple[Tensor, Posterior | None]:
    """Return a category's prompts with the models that have any of them."""
    prepared = prepare(tensor.take(rows))
    if posterior is None:
        return prepared.tensor, None
    at = rows[prepared.prompts]
    cost = None if posterior.cost is None else posterior.cost[:, at][:, :, prepared.models]
    draws = Posterior(
        posterior.method,
        posterior.quality[:, at][:, :, prepared.models],
        cost,
        posterior.may_choose[at][:, prepared.models],
    )
    return prepared.tensor, draws
