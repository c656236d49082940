"""The groups of a frontier's report: all prompts, and each category with enough prompts."""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from assay.frontier.capability import frontier
from assay.frontier.methods.method import ProgressCallback
from assay.frontier.per_prompt import thinned
from assay.frontier.posterior import Posterior
from assay.frontier.prepared import prepare
from assay.frontier.tensor import Tensor
from assay.results.frontier_report import Denominators, Frontier, FrontierGroup, Generations, ReportSettings
from assay.studies.frontier.report_shots import k_shots

DRAWS = 50
"""The most draws of the posterior that are used for a category."""
LEAST = 20
"""The least prompts of a category that is shown."""


def counted(tensor: Tensor) -> Denominators:
    """Return the denominators of a tensor."""
    answers = tensor.answers
    return Denominators(
        prompts=len(tensor.prompts),
        models=len(tensor.models),
        generations=Generations(
            int(answers[answers > 0].min(initial=answers.max(initial=0))), int(answers.max(initial=0))
        ),
        cells=int(answers.size),
        missing=int((answers == 0).sum()),
        answers=int(answers.sum()),
    )


def group(
    tensor: Tensor,
    posterior: Posterior | None,
    curve: Frontier,
    settings: ReportSettings,
    name: str | None = None,
) -> FrontierGroup:
    """Return one group: all prompts with every k, or a category (`name`) with k = 1 and the largest k."""
    ks = settings.ks if name is None else tuple(sorted({1, *settings.ks[-1:]}))
    shots = k_shots(
        tensor, posterior, ks, level=settings.level, resamples=settings.resamples, seed=settings.seed
    )
    return FrontierGroup(name, counted(tensor), curve, shots)


def groups_of(
    tensor: Tensor, posterior: Posterior | None, settings: ReportSettings, progress: ProgressCallback
) -> tuple[tuple[FrontierGroup, ...], dict[str, int]]:
    """Return the groups of categories with enough prompts, by name, and the sizes of the other categories.

    The posterior is that of the whole source, so a category's estimates use all prompts. The best single
    model is that of the category.
    """
    sizes = Counter(tensor.categories or ())
    if len(sizes) < 2 or tensor.categories is None:
        return (), {}
    labels = np.array(tensor.categories)
    some = None if posterior is None else thinned(posterior, DRAWS)
    groups = []
    for name in sorted(category for category, size in sizes.items() if size >= LEAST):
        progress(f"category {name}")
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
        groups.append(group(part, draws, swept, settings, name))
    few = sorted((category, size) for category, size in sizes.items() if size < LEAST)
    return tuple(groups), dict(few)


def _part(
    tensor: Tensor, posterior: Posterior | None, rows: npt.NDArray[np.int64]
) -> tuple[Tensor, Posterior | None]:
    """Return the tensor of a category's prompts and the models that answered any, with its posterior."""
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
