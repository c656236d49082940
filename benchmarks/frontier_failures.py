"""Cases in which the frontier's estimators fail, with figures. Prints JSON; all data are simulated.

`populations`: success rates that violate a method's assumptions, with fresh generations, and each method's
error in points (per cent of prompts). `covers` is the share of repeats in which the interval these_prompts
(90 %) covers the truth; for the bracket, whether the truth lies between its ends. `others`: single failures
of single forms; their keys state the name and the unit. `docs/methodology/frontier.md` and its neighbours
quote these figures.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from assay.frontier.biased.exact import biased_curve
from assay.frontier.biased.forms import bernoulli_oracle
from assay.frontier.capability import frontier
from assay.frontier.methods.bracket import cross_fitted
from assay.frontier.methods.extrapolation import POWER, SMOOTH
from assay.frontier.mixture.fit import fit_mixture
from assay.frontier.reliability import expected_reliability
from assay.frontier.selection.judged import ErringJudge
from assay.frontier.selection.posthoc import posthoc
from assay.frontier.sweep.decisions import default_alphas
from assay.frontier.tensor import Tensor, from_counts

Rates = npt.NDArray[np.float64]
PROMPTS, MODELS = 400, 10
TOPICS = 6


def logistic(values: Rates) -> Rates:
    """Return the logistic function."""
    return np.asarray(1.0 / (1.0 + np.exp(-values)))


def _alike(rng: np.random.Generator, prompts: int, models: int) -> Rates:
    ease, skill = rng.normal(0.0, 2.0, (prompts, 1)), rng.normal(0.0, 1.0, models)
    return logistic(ease + skill + rng.normal(0.0, 1.0, (prompts, models)))


def _logistic(rng: np.random.Generator, prompts: int, models: int) -> Rates:
    return logistic(rng.normal(0.0, 2.0, (prompts, 1)) + rng.normal(0.0, 1.0, models))


def _capped(rng: np.random.Generator, prompts: int, models: int) -> Rates:
    return np.asarray(rng.random((prompts, 1)) * rng.random((prompts, models)))


def _topics(rng: np.random.Generator, prompts: int, models: int) -> Rates:
    aptitude, topic = rng.random((TOPICS, models)), rng.integers(TOPICS, size=prompts)
    return np.asarray((1.0 - rng.random((prompts, 1))) * aptitude[topic])


def _alone(rng: np.random.Generator, prompts: int, models: int) -> Rates:
    rates = rng.beta(1.0, 20.0, (prompts, models))
    rates[np.arange(prompts), rng.integers(models, size=prompts)] = rng.beta(8.0, 2.0, prompts)
    return np.asarray(rates)


def _equal(rng: np.random.Generator, prompts: int, models: int) -> Rates:
    return np.repeat(rng.random((prompts, 1)), models, axis=1)


POPULATIONS: dict[str, Callable[[np.random.Generator, int, int], Rates]] = {
    "logistic, with the cell's own part": _alike,
    "logistic in ease and skill alone": _logistic,
    "a cap by prompt times a free rate": _capped,
    "graphical model, six topics": _topics,
    "one able model a prompt, any of them": _alone,
    "all models alike on each prompt": _equal,
}


def named(rates: Rates, generations: int, seed: int) -> Tensor:
    """Return fresh counts with this number of generations in each cell as a tensor."""
    right = np.random.default_rng([seed, 2]).binomial(generations, rates)
    prompts, models = (tuple(str(one) for one in range(number)) for number in rates.shape)
    return from_counts(prompts, models, right, np.full_like(right, generations))


def errors(rates: Rates, generations: int, seed: int, *, pgm: bool) -> dict[str, list[float]]:
    """Return each method's error in points, and whether its interval covers the truth."""
    tensor, truth = named(rates, generations, seed), float(rates.max(axis=1).mean())
    curve = biased_curve(tensor.correct, tensor.answers)
    lower = float(np.nanmean(cross_fitted(tensor).lower))
    told = {
        "naive": [100.0 * (float(curve[-1]) - truth)],
        "power": [100.0 * (POWER.fit(curve).limit - truth)],
        "smooth": [100.0 * (SMOOTH.fit(curve).limit - truth)] if generations >= 5 else [float("nan")],
        "bracket, lower end": [100.0 * (lower - truth), float(lower <= truth <= float(curve[-1]))],
    }
    fitted = {"mixture": fit_mixture(tensor, seed=seed)}
    if pgm:
        from assay.frontier.graphical import fit_pgm

        fitted["pgm"] = fit_pgm(tensor, seed=seed).posterior
        fitted["pgm, cells follow the link"] = fit_pgm(tensor, seed=seed, spread=False).posterior
    for name, posterior in fitted.items():
        draws = posterior.quality.max(axis=2).mean(axis=1)
        low, high = np.quantile(draws, [0.05, 0.95])
        told[name] = [100.0 * (float(draws.mean()) - truth), float(low <= truth <= high)]
    return told


def populations(generations: int, repeats: int, *, pgm: bool) -> dict[str, dict[str, dict[str, float]]]:
    """Return mean errors by population and method."""
    found = {}
    for name, make in POPULATIONS.items():
        rows = [
            errors(make(np.random.default_rng([seed, 1]), PROMPTS, MODELS), generations, seed, pgm=pgm)
            for seed in range(repeats)
        ]
        found[name] = {
            method: {
                "bias": round(float(np.mean([row[method][0] for row in rows])), 2),
                "mean_absolute_error": round(float(np.mean([abs(row[method][0]) for row in rows])), 2),
                **(
                    {"covers": round(float(np.mean([row[method][1] for row in rows])), 2)}
                    if len(rows[0][method]) > 1
                    else {}
                ),
            }
            for method in rows[0]
        }
    return found


def equation_10() -> dict[str, float]:
    """Return E[max Y / G] for ten models of rate 1/2 and ten generations: exact, printed, and simulated."""
    right = float(bernoulli_oracle([0.5], 10, 10)[0])
    drawn = np.random.default_rng(0).binomial(10, 0.5, (200_000, 10)).max(axis=1).mean() / 10
    return {"from_0": right, "as_printed": right - (1 - 0.5**100) / 10, "simulated": float(drawn)}


def uneven() -> dict[str, float]:
    """Return errors in points where half of ten equal models have 2 generations and the others 10."""
    rates = _equal(np.random.default_rng(1), 2_000, 10)
    given = np.where(np.arange(10) < 5, 10, 2) + np.zeros(rates.shape, dtype=np.int64)
    right, truth = np.random.default_rng(2).binomial(given, rates), float(rates.mean())
    curve = biased_curve(right, given)
    return {
        "at_g_2": 100 * (curve[1] - truth),
        "at_g_10": 100 * (curve[9] - truth),
        "power": 100 * (POWER.fit(curve).limit - truth),
    }


def normal_on_counts() -> dict[str, float]:
    """Return errors in points on 0/1 quality, and on the same values times 0.999999, modelled as normal."""
    rates = _alike(np.random.default_rng([0, 1]), PROMPTS, MODELS)
    tensor, truth = named(rates, 10, 0), float(rates.max(axis=1).mean())
    scaled = Tensor(tensor.prompts, tensor.models, tensor.quality * 0.999999)
    found = [fit_mixture(each).quality.max(axis=2).mean() for each in (tensor, scaled)]
    naive = float(tensor.mean_quality().max(axis=1).mean())
    return {
        "naive": 100 * (naive - truth),
        "as_0_or_1": 100 * (found[0] - truth),
        "as_normal": 100 * (found[1] - truth),
    }


def best_of_equals() -> dict[str, float]:
    """Return the excess in points of the best of this number of equal models over 100 prompts, with G = 1."""
    rng, told = np.random.default_rng(3), {}
    for models in (5, 20, 50):
        shares = rng.binomial(100, 0.5, (2_000, models)).max(axis=1) / 100
        told[f"models_{models}"] = 100 * (float(shares.mean()) - 0.5)
    return told


def judge_by_prompt() -> dict[str, float]:
    """Return the quality in per cent of selection if the judge errs by prompt, or by answer.

    Five models have five answers each, of which 40 % are right. Either the judge accepts every wrong answer
    to a tenth of the prompts and none to the others, or each wrong answer with probability 0.1, as the closed
    form assumes.
    """
    rates = np.full((2_000, 5), 0.4)
    tensor = named(rates, 5, 4)
    alone = posthoc(tensor, ErringJudge(1.0, 0.1), resamples=0).points[-1].quality.value
    perfect, fooled = (
        posthoc(tensor, ErringJudge(1.0, each), resamples=0).points[-1].quality.value for each in (0.0, 1.0)
    )
    assert alone is not None and perfect is not None and fooled is not None
    return {"errors_independent": 100 * alone, "errors_by_prompt": 100 * (0.9 * perfect + 0.1 * fooled)}


def even_alphas() -> dict[str, float]:
    """Return the saving in per cent at the best single's quality, with the default alphas and 41 even ones.

    Costs are log-normal over models, prompts and answers, so the most expensive answer is far from the
    typical.
    """
    rng = np.random.default_rng(5)
    price = np.geomspace(0.001, 0.1, 8)
    skill = np.linspace(-1.5, 1.0, 8)
    rates = logistic(rng.normal(0.0, 2.0, (400, 1)) + skill + rng.normal(0.0, 1.0, (400, 8)))
    tensor = named(rates, 5, 6)
    cost = price[:, None] * np.exp(rng.normal(0.0, 1.5, (400, 1, 1)) + rng.normal(0.0, 0.5, (400, 8, 5)))
    costed = Tensor(tensor.prompts, tensor.models, tensor.quality, cost=cost)
    told = {}
    for name, alphas in (("default", default_alphas()), ("even", np.linspace(0.0, 1.0, 41))):
        found = frontier(costed, "naive", alphas=alphas, resamples=0)
        told[name] = 100 * (found.gains.saving.estimate.value or np.nan)
        told[f"{name}_corners"] = float(len(found.hull))
    return told


def main() -> None:
    """Simulate and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--repeats", type=int, default=10)
    options.add_argument("--generations", type=int, nargs="+", default=[5, 10])
    options.add_argument("--pgm", action="store_true", help="the graphical model too; minutes a population")
    given = options.parse_args()
    reliable = {
        f"{rate:g} at G = {size}": float(expected_reliability(rate, size)) - 2 * abs(rate - 0.5)
        for rate in (0.5, 0.75, 0.9)
        for size in (1, 5, 10)
    }
    print(
        json.dumps(
            {
                "benchmark": "frontier_failures",
                "repeats": given.repeats,
                "shape": [PROMPTS, MODELS],
                "populations": {
                    str(size): populations(size, given.repeats, pgm=given.pgm) for size in given.generations
                },
                "others": {
                    "equation_10": equation_10(),
                    "uneven_generations_points": uneven(),
                    "quality_as_normal_points": normal_on_counts(),
                    "best_of_equals_points": best_of_equals(),
                    "judge_per_cent": judge_by_prompt(),
                    "alphas_per_cent": even_alphas(),
                    "reliability_bias": reliable,
                },
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
