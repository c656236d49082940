"""The oracle's uplift over the best single model by the topic entropy of recorded prompts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.posterior import Posterior
from assay.frontier.simulate.mixtures import MixturePaths, TopicCells, rank_correlations, topic_entropy
from assay.frontier.tensor import Tensor
from assay.results.frontier import Estimate
from assay.results.frontier_uplift import CategoryShare, EntropyUplift, Step, Workload
from assay.stats.resample import percentile

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
LEVEL = 0.95
ROUNDING = 1e-12


def uplift_by_entropy(
    tensor: Tensor,
    posterior: Posterior | None = None,
    *,
    mixtures: int = 11,
    repeats: int = 200,
    rng: np.random.Generator,
    even: bool = False,
) -> EntropyUplift:
    """Return the oracle's uplift (eq. 26) in workloads between all categories and each category alone.

    The shares start at those observed, or with `even` at equal shares, and move linearly to each category
    alone in a number of `mixtures`. Prompts of a category have equal weights. Debiased figures are means over
    the posterior's draws, computed within each draw. Intervals are at 95 %. For these prompts they come from
    the draws. Over prompts they come from `repeats` workloads whose prompts are drawn again within each
    category, with each prompt at its mean over the draws (the spread of a draw would count a prompt's
    uncertainty twice), and are centred at the value. In small categories the best of resampled means is too
    high, so that `rise` is biased upwards. Prompts without an observation are left out. Raises InvalidInput
    without categories, with only one, or for a posterior of another tensor.
    """
    wrong = [f"{mixtures} mixtures: give 2 or more"] if mixtures < 2 else []
    wrong += [f"{repeats} repeats: give 2 or more"] if repeats < 2 else []
    if posterior is not None and posterior.quality.shape[1:] != tensor.quality.shape[:2]:
        wrong.append(f"the posterior has {posterior.quality.shape[1:]!r} prompts and models: fit this tensor")
    if wrong:
        raise InvalidInput([Problem(text) for text in wrong])
    observed = np.flatnonzero(tensor.observed.any(axis=1))
    names, category = _categories(tensor, observed)
    counts = np.bincount(category)
    shares = np.full(len(names), 1.0 / len(names)) if even else counts / counts.sum()
    paths = MixturePaths(shares, np.linspace(0.0, 1.0, mixtures))
    naive = _Uplifts.of(_observed_cells(tensor, observed), category, paths, repeats, rng)
    truth = None
    if posterior is not None:
        truth = _Uplifts.of(_drawn_cells(posterior, observed), category, paths, repeats, rng)
    left_out = tuple(tensor.prompts[place] for place in np.flatnonzero(~tensor.observed.any(axis=1)))
    return EntropyUplift(
        tuple(map(CategoryShare, names, counts.tolist(), shares.tolist())),
        workloads=_workloads(names, paths, naive, truth),
        path=_path(paths, naive, truth),
        debiased_by=None if posterior is None else posterior.method,
        left_out=left_out,
        **_summary(paths, truth or naive),
    )


def _categories(tensor: Tensor, prompts: IntArray) -> tuple[tuple[str, ...], IntArray]:
    if tensor.categories is None:
        raise InvalidInput(Problem("the prompts have no categories: name the column with the categories"))
    names, category = np.unique([tensor.categories[prompt] for prompt in prompts], return_inverse=True)
    if len(names) < 2:
        text = f"all prompts have the category {str(names[0])!r}" if len(names) else "no prompt was observed"
        raise InvalidInput(Problem(f"{text}: topic entropy needs two categories or more"))
    return tuple(str(name) for name in names), category.reshape(-1).astype(np.int64)


def _observed_cells(tensor: Tensor, prompts: IntArray) -> TopicCells:
    means = tensor.mean_quality()[prompts]
    return TopicCells(means[None], np.nanmax(means, axis=1)[None])


def _drawn_cells(posterior: Posterior, prompts: IntArray) -> TopicCells:
    quality = posterior.quality[:, prompts]
    return TopicCells(quality, np.where(posterior.may_choose[prompts], quality, -np.inf).max(axis=2))


@dataclass(frozen=True, slots=True)
class _Uplifts:
    """Uplifts of all mixtures: `plain` by draw, with prompts `redrawn`, and with categories by `chance`."""

    plain: FloatArray
    redrawn: FloatArray
    chance: FloatArray

    @classmethod
    def of(
        cls,
        cells: TopicCells,
        category: IntArray,
        paths: MixturePaths,
        repeats: int,
        rng: np.random.Generator,
    ) -> _Uplifts:
        mixtures, once, mean_cells = paths.mixtures, np.ones(len(category)), cells.averaged()
        plain = np.stack([cells.uplift(draw, category, once, mixtures) for draw in range(len(cells.quality))])
        shift = plain.mean(axis=0) - mean_cells.uplift(0, category, once, mixtures)
        return cls(
            plain,
            np.stack([mean_cells.redrawn(category, mixtures, rng) for _ in range(repeats)]) + shift,
            np.stack([cells.shuffled(category, mixtures, rng) for _ in range(repeats)]),
        )

    def estimates(self, figures: Callable[[FloatArray], FloatArray]) -> tuple[Estimate, ...]:
        """Return estimates of figures (.., K) of the uplifts (.., P)."""
        columns = zip(figures(self.plain).T, figures(self.redrawn).T, strict=True)
        return tuple(_estimate(plain, redrawn) for plain, redrawn in columns)

    def estimate(self, figure: Callable[[FloatArray], FloatArray]) -> Estimate:
        """Return the estimate of one figure (..) of the uplifts (.., P)."""
        return _estimate(figure(self.plain), figure(self.redrawn))


def _estimate(plain: FloatArray, redrawn: FloatArray) -> Estimate:
    known = plain[~np.isnan(plain)]
    return Estimate(
        float(known.mean()) if known.size else None,
        over_prompts=percentile(redrawn, LEVEL),
        these_prompts=percentile(plain, LEVEL) if len(plain) > 1 else None,
    )


def _workloads(
    names: tuple[str, ...], paths: MixturePaths, naive: _Uplifts, truth: _Uplifts | None
) -> tuple[Workload, ...]:
    steps = len(paths.weights)
    entropy, values = topic_entropy(paths.mixtures), naive.estimates(np.asarray)
    debiased = [None] * len(entropy) if truth is None else truth.estimates(np.asarray)
    return tuple(
        Workload(
            names[place // steps],
            Step(float(paths.weights[place % steps]), float(entropy[place]), values[place], debiased[place]),
        )
        for place in range(len(entropy))
    )


def _path(paths: MixturePaths, naive: _Uplifts, truth: _Uplifts | None) -> tuple[Step, ...]:
    entropy, values = paths.averaged(topic_entropy(paths.mixtures)), naive.estimates(paths.averaged)
    debiased = [None] * len(entropy) if truth is None else truth.estimates(paths.averaged)
    return tuple(
        Step(float(weight), float(entropy[place]), values[place], debiased[place])
        for place, weight in enumerate(paths.weights)
    )


def _summary(paths: MixturePaths, uplifts: _Uplifts) -> dict[str, Any]:
    entropy, places = topic_entropy(paths.mixtures), paths.distinct
    rise, chance = uplifts.estimate(paths.rise), paths.rise(uplifts.chance)
    as_far = int(np.sum(chance >= (rise.value or 0.0) - ROUNDING))
    return {
        "rise": rise,
        "rise_by_chance": Estimate(float(chance.mean()), percentile(chance, LEVEL)),
        "p_value": (1 + as_far) / (1 + len(chance)),
        "rank_correlation": uplifts.estimate(
            lambda values: rank_correlations(entropy[places], values[:, places])
        ),
    }
