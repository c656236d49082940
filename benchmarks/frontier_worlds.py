"""Errors of the frontier's default method in worlds with a known truth. Prints JSON.

A world is a way to simulate success rates of N prompts by L models. Fresh generations are drawn from the
rates, the method gets only these, and the truth is the mean over prompts of the greatest rate. There are two
halves of worlds: `tuned` were examined while the method was built, `reported` were not. Only the reported
figures are evidence. Errors are in points (per cent of prompts). `worst_world` is the greatest mean error of
a world, `half_width` is half the length of the 95 % interval for these prompts, `covers` the share of repeats
in which it covers the truth (`covers_90` for the 90 % interval), `claimed` the share in which a point
estimate was claimed (its error counts either way). `seconds` is processor time. `naive` is the error of the
naive oracle. Repeats alternate between the worlds, so that a run limited by --seconds has about as many of
each.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assay.frontier.mixture.fit import fit_mixture
from assay.frontier.tensor import Tensor, from_counts
from frontier_truth import LIVECODEBENCH, TERMINAL, recorded

Rates = npt.NDArray[np.float64]
Generator = np.random.Generator
PROMPTS, MODELS = 400, 20
World = Callable[[Generator], Rates]


def logistic(values: Rates) -> Rates:
    """Return the logistic function."""
    return np.asarray(1.0 / (1.0 + np.exp(-values)))


def additive(rng: Generator, *, ease: float = 2.0, skill: float = 1.0, cell: float = 0.0) -> Rates:
    """Return rates of ease and skill, with a normal part for each cell."""
    base = rng.normal(0.0, ease, (PROMPTS, 1)) + rng.normal(0.0, skill, MODELS)
    return logistic(base + cell * rng.normal(0.0, 1.0, (PROMPTS, MODELS)))


def capped(rng: Generator) -> Rates:
    """Return a cap by prompt times a free rate."""
    return np.asarray(rng.random((PROMPTS, 1)) * rng.random((PROMPTS, MODELS)))


def topics(rng: Generator, number: int = 6) -> Rates:
    """Return rates of the paper's graphical model: ease times aptitude for the topic."""
    aptitude, topic = rng.random((number, MODELS)), rng.integers(number, size=PROMPTS)
    return np.asarray((1.0 - rng.random((PROMPTS, 1))) * aptitude[topic])


def specialists(rng: Generator) -> Rates:
    """Return rates in which one random model can answer each prompt."""
    rates = rng.beta(1.0, 20.0, (PROMPTS, MODELS))
    rates[np.arange(PROMPTS), rng.integers(MODELS, size=PROMPTS)] = rng.beta(8.0, 2.0, PROMPTS)
    return np.asarray(rates)


def families(rng: Generator, *, number: int = 5, within: float = 0.1, between: float = 1.0) -> Rates:
    """Return families of near-equal models."""
    family = np.arange(MODELS) % number
    base = rng.normal(0.0, 2.0, (PROMPTS, 1)) + rng.normal(0.0, 0.7, number)
    base = base + between * rng.normal(0.0, 1.0, (PROMPTS, number))
    return logistic(base[:, family] + within * rng.normal(0.0, 1.0, MODELS))


def alike(rng: Generator) -> Rates:
    """Return models that are all equal on each prompt."""
    return np.repeat(rng.random((PROMPTS, 1)), MODELS, axis=1)


def logistic_topics(rng: Generator, number: int, spread: float = 1.5, ease: float = 1.5) -> Rates:
    """Return topics with a separate skill of each model, and with ease on the logistic scale."""
    skill, topic = rng.normal(0.0, spread, (number, MODELS)), rng.integers(number, size=PROMPTS)
    return logistic(rng.normal(0.0, ease, (PROMPTS, 1)) + skill[topic])


def half_specialists(rng: Generator) -> Rates:
    """Return prompts half of which are additive and half have one or two able models."""
    rates = additive(rng, ease=1.5)
    rows = np.flatnonzero(rng.random(PROMPTS) < 0.5)
    rates[rows] = rng.beta(1.0, 12.0, (len(rows), MODELS))
    for row in rows:
        able = rng.choice(MODELS, size=int(rng.integers(1, 3)), replace=False)
        rates[row, able] = rng.beta(6.0, 3.0, len(able))
    return rates


def abilities(rng: Generator) -> Rates:
    """Return three abilities that prompts need in different shares, so that there are no topics."""
    asks = rng.dirichlet(np.full(3, 0.7), PROMPTS)
    able = rng.normal(0.0, 1.5, (3, MODELS))
    return logistic(rng.normal(0.0, 1.5, (PROMPTS, 1)) + asks @ able)


def slopes(rng: Generator) -> Rates:
    """Return lines of different slopes and ceilings, one for each model."""
    ease, steep = rng.normal(0.0, 2.0, (PROMPTS, 1)), np.exp(rng.normal(0.0, 0.4, MODELS))
    return np.asarray(rng.uniform(0.8, 1.0, MODELS) * logistic(rng.normal(0.0, 1.0, MODELS) + steep * ease))


def tailed(rng: Generator) -> Rates:
    """Return ease and skill with a heavy-tailed part for each cell (t with 2 degrees of freedom)."""
    base = rng.normal(0.0, 1.5, (PROMPTS, 1)) + rng.normal(0.0, 1.0, MODELS)
    return logistic(base + 0.5 * rng.standard_t(2.0, (PROMPTS, MODELS)))


def softly_capped(rng: Generator) -> Rates:
    """Return an additive rate under a ceiling for each prompt between 0.5 and 1."""
    return np.asarray(rng.uniform(0.5, 1.0, (PROMPTS, 1)) * additive(rng, ease=1.5))


def bimodal(rng: Generator) -> Rates:
    """Return cells that are nearly 0 or nearly 1, with a probability that depends on ease and skill."""
    chance = additive(rng, ease=1.5)
    return np.where(rng.random(chance.shape) < chance, rng.beta(20.0, 1.0, chance.shape), 0.02)


def family_topics(rng: Generator) -> Rates:
    """Return three families of sizes 2, 6 and 12, each with its own strength in each of four topics."""
    family, topic = np.repeat([0, 1, 2], [2, 6, 12]), rng.integers(4, size=PROMPTS)
    skill = rng.normal(0.0, 1.5, (4, 3))[topic]
    return logistic(rng.normal(0.0, 1.5, (PROMPTS, 1)) + skill[:, family] + rng.normal(0.0, 0.1, MODELS))


class Recorded:
    """Rates around recorded counts: the recorded share itself, or a draw from Beta(c + w, n - c + w)."""

    def __init__(self, folder: Path) -> None:
        self.code = recorded(LIVECODEBENCH, folder)
        self.terminal = recorded(TERMINAL, folder)
        self.order = np.argsort(-self.code[0].sum(axis=0))

    def coding(self, start: int, step: int, number: int, weight: float) -> World:
        """Return every `step`-th model by rank from `start`, `number` of them."""
        columns = self.order[start::step][:number]
        return self._around(self.code[0][:, columns], self.code[1][:, columns], weight)

    def agents(self, weight: float) -> World:
        """Return the seven systems of Terminal-Bench."""
        return self._around(*self.terminal, weight)

    def smoothed(self) -> World:
        """Return coding rates shrunk half-way to ease and skill on the logistic scale."""
        right, given = self.code[0][:, self.order[1::2]], self.code[1][:, self.order[1::2]]
        logit = np.log((right + 0.5) / (given - right + 0.5))
        line = logit.mean(axis=1, keepdims=True) + logit.mean(axis=0) - logit.mean()
        return lambda rng: logistic(line + 0.5 * (logit - line))

    @staticmethod
    def _around(right: Rates, given: Rates, weight: float) -> World:
        if weight == 0.0:
            return lambda rng: np.asarray(right / given)
        return lambda rng: rng.beta(right + weight, given - right + weight)


def worlds(folder: Path) -> dict[str, dict[str, World]]:
    """Return the worlds of both halves by name."""
    source = Recorded(folder)
    return {
        "tuned": {
            "coding, 10 models, raw": source.coding(0, 4, 10, 0.0),
            "coding, best 20, w 0.5": source.coding(0, 1, 20, 0.5),
            "agents, w 0.5": source.agents(0.5),
            "topics of the graphical model, 6": topics,
            "specialists": specialists,
            "families of 4": families,
            "alike": alike,
            "coins": lambda rng: np.full((PROMPTS, MODELS), 0.5),
            "additive": additive,
            "additive, cells of their own": lambda rng: additive(rng, cell=1.0),
            "capped": capped,
        },
        "reported": {
            "coding, 22 models, raw": source.coding(1, 2, 22, 0.0),
            "coding, 43 models, w 0.1": source.coding(0, 1, 43, 0.1),
            "coding, best 5, w 0.5": source.coding(0, 1, 5, 0.5),
            "coding, 21 models, pulled to a line": source.smoothed(),
            "agents, raw": source.agents(0.0),
            "logistic topics, 3": lambda rng: logistic_topics(rng, 3),
            "logistic topics, 10": lambda rng: logistic_topics(rng, 10),
            "half specialists": half_specialists,
            "families with topics": family_topics,
            "families of 10, far apart": lambda rng: families(rng, number=2, within=0.05, between=1.5),
            "alike, easy": lambda rng: np.repeat(rng.beta(5.0, 1.5, (PROMPTS, 1)), MODELS, axis=1),
            "coins of 0.8": lambda rng: np.full((PROMPTS, MODELS), 0.8),
            "slopes and ceilings": slopes,
            "cells with heavy tails": tailed,
            "three abilities": abilities,
            "softly capped": softly_capped,
            "bimodal cells": bimodal,
        },
    }


def observed(rates: Rates, generations: int, seed: int) -> Tensor:
    """Return fresh counts as a tensor."""
    right = np.random.default_rng([seed, 2]).binomial(generations, rates)
    prompts, models = (tuple(str(place) for place in range(number)) for number in rates.shape)
    return from_counts(prompts, models, right, np.full_like(right, generations))


def tried(make: World, generations: int, seed: int) -> dict[str, float]:
    """Return the error and the other figures of one repeat."""
    rates = make(np.random.default_rng([seed, 1]))
    truth = float(rates.max(axis=1).mean())
    tensor = observed(rates, generations, seed)
    begun = time.process_time()
    posterior = fit_mixture(tensor, draws=100, seed=seed)
    spent = time.process_time() - begun
    oracle = posterior.quality.max(axis=2).mean(axis=1)
    low, high = np.quantile(oracle, [0.025, 0.975])
    low90, high90 = np.quantile(oracle, [0.05, 0.95])
    return {
        "error": 100.0 * (float(oracle.mean()) - truth),
        "naive": 100.0 * (float(tensor.mean_quality().max(axis=1).mean()) - truth),
        "covers": float(low <= truth <= high),
        "covers_90": float(low90 <= truth <= high90),
        "half_width": 50.0 * float(high - low),
        "claimed": float(posterior.claims_point),
        "seconds": spent,
    }


def summed(rows: list[dict[str, float]]) -> dict[str, float]:
    """Return the summary of one world, or of all worlds."""
    mean = {key: round(float(np.mean([row[key] for row in rows])), 3) for key in rows[0]}
    errors = np.abs([row["error"] for row in rows])
    return {
        "repeats": len(rows),
        "bias": mean.pop("error"),
        "mean_error": round(float(errors.mean()), 3),
        "greatest_error": round(float(errors.max()), 3),
        **mean,
    }


def main() -> None:
    """Try every world of the chosen halves and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--generations", type=int, nargs="+", default=[5, 10])
    parser.add_argument("--halves", nargs="+", default=["tuned", "reported"])
    parser.add_argument("--only", default="", help="worlds whose name holds this")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no repeat after so many")
    given = parser.parse_args()
    found: dict[tuple[str, int, str], list[dict[str, float]]] = {}
    begun = time.monotonic()
    for seed in range(given.repeats):
        for half, made in worlds(given.data).items():
            for size in given.generations:
                for name, make in made.items():
                    late = time.monotonic() - begun > given.seconds
                    if half in given.halves and given.only in name and not late:
                        found.setdefault((half, size, name), []).append(tried(make, size, seed))
    halves: dict[str, dict[str, object]] = {}
    for half, size in dict.fromkeys((half, size) for half, size, _ in found):
        own = {name: rows for (a, b, name), rows in found.items() if (a, b) == (half, size)}
        by_world = {name: summed(rows) for name, rows in own.items()}
        worst = max(by_world, key=lambda name: by_world[name]["mean_error"])
        halves.setdefault(half, {})[f"G = {size}"] = {
            "pooled": summed([row for rows in own.values() for row in rows]),
            "worst_world": {worst: by_world[worst]["mean_error"]},
            "least_covers": min(world["covers"] for world in by_world.values()),
            "least_covers_90": min(world["covers_90"] for world in by_world.values()),
            "worlds": by_world,
        }
    print(json.dumps({"benchmark": "frontier_worlds", "simulated": True, **halves}, indent=2))


if __name__ == "__main__":
    main()
