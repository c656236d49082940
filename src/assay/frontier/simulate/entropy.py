"""How much all models together gain over the best single one, by how mixed the recorded workload is."""

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
    """Return the oracle's uplift (eq. 26) of workloads between all categories and each one alone.

    From the whole mixture, the observed one or with `even` equal shares, the shares move linearly to each
    category alone in so many `mixtures`. Prompts of a category count alike. Debiased figures are means over
    the posterior's draws, computed within each. Intervals at 95 %: of these prompts from the draws; over
    prompts from `repeats` workloads whose prompts are drawn anew within each category, each prompt at its
    mean over the draws (a draw's own spread would count a prompt's uncertainty twice), moved to the value.
    Small categories make resampled best means too lucky, so `rise` leans upwards. Prompts without an
    observation are left out.
    Raises InvalidInput without categories, with one alone, or for a posterior of another tensor.
    """
    wrong = [f"{mixtures} mixtures: give 2 or more"] if mixtures < 2 else []
    wrong += [f"{repeats} repeats: give 2 or more"] if repeats < 2 else []
    if posterior is not None and posterior.quality.shape[1:] != tensor.quality.shape[:2]:
        wrong.append(
            f"the posterior is of {posterior.quality.shape[1:]!r} prompts and models: fit this tensor"
        )
    if wrong:
        raise InvalidInput([Problem(text) for text in wrong])
    kept = np.flatnonzero(tensor.there.any(axis=1))
    names, category = _categories(tensor, kept)
    counts = np.bincount(category)
    shares = np.full(len(names), 1.0 / len(names)) if even else counts / counts.sum()
    paths = MixturePaths(shares, np.linspace(0.0, 1.0, mixtures))
    naive = _Uplifts.of(_observed(tensor, kept), category, paths, repeats, rng)
    truth = None
    if posterior is not None:
        truth = _Uplifts.of(_drawn(posterior, kept), category, paths, repeats, rng)
    left_out = tuple(tensor.prompts[place] for place in np.flatnonzero(~tensor.there.any(axis=1)))
    return EntropyUplift(
        tuple(map(CategoryShare, names, counts.tolist(), shares.tolist())),
        workloads=_workloads(names, paths, naive, truth),
        path=_path(paths, naive, truth),
        debiased_by=None if posterior is None else posterior.method,
        left_out=left_out,
        **_summary(paths, truth or naive),
    )


def _categories(tensor: Tensor, kept: IntArray) -> tuple[tuple[str, ...], IntArray]:
    if tensor.categories is None:
        raise InvalidInput(Problem("the prompts have no categories: name the column that holds them"))
    names, category = np.unique([tensor.categories[place] for place in kept], return_inverse=True)
    if len(names) < 2:
        told = (
            f"all prompts are of one category, {str(names[0])!r}" if len(names) else "no prompt is observed"
        )
        raise InvalidInput(Problem(f"{told}: topic entropy needs two categories or more"))
    return tuple(str(name) for name in names), category.reshape(-1).astype(np.int64)


def _observed(tensor: Tensor, kept: IntArray) -> TopicCells:
    means = tensor.mean_quality()[kept]
    return TopicCells(means[None], np.nanmax(means, axis=1)[None])


def _drawn(posterior: Posterior, kept: IntArray) -> TopicCells:
    quality = posterior.quality[:, kept]
    return TopicCells(quality, np.where(posterior.may_choose[kept], quality, -np.inf).max(axis=2))


@dataclass(frozen=True, slots=True)
class _Uplifts:
    """Uplifts of all mixtures: of the prompts as they are in each version, drawn anew, and by chance."""

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
        lines, once, middle = paths.mixtures, np.ones(len(category)), cells.averaged()
        plain = np.stack([cells.uplift(draw, category, once, lines) for draw in range(len(cells.quality))])
        moved = plain.mean(axis=0) - middle.uplift(0, category, once, lines)
        return cls(
            plain,
            np.stack([middle.redrawn(category, lines, rng) for _ in range(repeats)]) + moved,
            np.stack([cells.shuffled(category, lines, rng) for _ in range(repeats)]),
        )

    def estimates(self, figures: Callable[[FloatArray], FloatArray]) -> tuple[Estimate, ...]:
        """Return the estimates of the figures (.., K) that are computed from uplifts (.., P)."""
        columns = zip(figures(self.plain).T, figures(self.redrawn).T, strict=True)
        return tuple(_estimate(plain, redrawn) for plain, redrawn in columns)

    def estimate(self, figure: Callable[[FloatArray], FloatArray]) -> Estimate:
        """Return the estimate of one figure (..) that is computed from uplifts (.., P)."""
        return _estimate(figure(self.plain), figure(self.redrawn))


def _estimate(plain: FloatArray, redrawn: FloatArray) -> Estimate:
    there = plain[~np.isnan(plain)]
    return Estimate(
        float(there.mean()) if there.size else None,
        over_prompts=percentile(redrawn, LEVEL),
        these_prompts=percentile(plain, LEVEL) if len(plain) > 1 else None,
    )


def _workloads(
    names: tuple[str, ...], paths: MixturePaths, naive: _Uplifts, truth: _Uplifts | None
) -> tuple[Workload, ...]:
    steps = len(paths.weights)
    entropy, told = topic_entropy(paths.mixtures), naive.estimates(np.asarray)
    debiased = [None] * len(entropy) if truth is None else truth.estimates(np.asarray)
    return tuple(
        Workload(
            names[place // steps],
            Step(float(paths.weights[place % steps]), float(entropy[place]), told[place], debiased[place]),
        )
        for place in range(len(entropy))
    )


def _path(paths: MixturePaths, naive: _Uplifts, truth: _Uplifts | None) -> tuple[Step, ...]:
    entropy, told = paths.averaged(topic_entropy(paths.mixtures)), naive.estimates(paths.averaged)
    debiased = [None] * len(entropy) if truth is None else truth.estimates(paths.averaged)
    return tuple(
        Step(float(weight), float(entropy[place]), told[place], debiased[place])
        for place, weight in enumerate(paths.weights)
    )


def _summary(paths: MixturePaths, told: _Uplifts) -> dict[str, Any]:
    entropy, places = topic_entropy(paths.mixtures), paths.distinct
    rise, chance = told.estimate(paths.rise), paths.rise(told.chance)
    as_far = int(np.sum(chance >= (rise.value or 0.0) - ROUNDING))
    return {
        "rise": rise,
        "rise_by_chance": Estimate(float(chance.mean()), percentile(chance, LEVEL)),
        "p_value": (1 + as_far) / (1 + len(chance)),
        "rank_correlation": told.estimate(
            lambda uplifts: rank_correlations(entropy[places], uplifts[:, places])
        ),
    }
