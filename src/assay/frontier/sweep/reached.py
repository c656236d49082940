"""What a method says that decisions along alpha reach and cost, ready for the bootstrap over prompts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.biased.swept import DRAWS, swept_curves
from assay.frontier.oracles.extrapolate import FormName, limits, warnings
from assay.frontier.posterior import Posterior
from assay.frontier.sweep.crossed import crossed
from assay.frontier.sweep.decisions import Rule, Views, sweep
from assay.frontier.sweep.prices import Change
from assay.frontier.tensor import Tensor
from assay.frontier.weighed import Weighed

FloatArray = npt.NDArray[np.float64]
FITTED = 100
"""At most so many replicates are extrapolated: each fits two curves an alpha."""

PLUG_IN = "mean recorded cost of the chosen cell, whose luck helped to choose it"
EQUATION = {"power": "equation 11", "smooth": "equation 12"}


@dataclass(frozen=True, slots=True)
class Draws:
    """What S draws of the truth on these prompts reach: `quality` and `cost` (S, A).

    `alone_quality` and `alone_cost` (S, L) are each model's means in the same draws. `shared_quality` and
    `shared_cost` (A,), 0-1, are the part of a draw's departure from the mean over draws that is not each
    prompt's own but the fitted model's, which errs for all prompts alike. The costs are None without costs.
    """

    quality: FloatArray
    cost: FloatArray | None
    alone_quality: FloatArray
    alone_cost: FloatArray | None
    shared_quality: FloatArray
    shared_cost: FloatArray | None


@dataclass(frozen=True, slots=True)
class Reached:
    """Quality and cost of one method at A alphas, prompt by prompt: `quality` and `cost` (N, A).

    Their means over prompts are the estimates. With a `form` they are (N, A, G), and the form's limit of the
    mean curve is. `draws` is None for methods without a model of the generations. `share` (A, L) is the share
    of the prompts each model is chosen on, `chosen` (A, N, L) the same prompt by prompt, None unless asked
    for. `cost_estimator` says in words how the costs were estimated; the costs are None without costs.
    """

    quality: FloatArray
    cost: FloatArray | None
    share: FloatArray
    chosen: FloatArray | None
    cost_estimator: str | None
    form: FormName | None = None
    draws: Draws | None = None
    notes: tuple[str, ...] = ()

    def estimate(self) -> tuple[FloatArray, FloatArray | None]:
        """Return quality and cost: shape (1, A)."""
        prompts = len(self.quality)
        whole = Weighed(np.full((1, prompts), 1.0 / prompts), 1.0)
        quality = _estimated(self.quality, self.form, whole)
        return quality, None if self.cost is None else _spent(self.cost, self.form, whole)

    def replicated(self, weighed: Weighed) -> tuple[FloatArray, FloatArray | None]:
        """Return quality and cost in each replicate of the prompts: shape (R, A).

        Each prompt's mean over draws varies as prompts do and as the luck of its few generations does, so a
        bootstrap of those means holds both. What the fitted model gets wrong for all prompts is added:
        replicate r takes the shared part of draw r's departure, of quality and cost together.
        """
        quality = _estimated(self.quality, self.form, weighed)
        cost = None if self.cost is None else _spent(self.cost, self.form, weighed)
        if self.draws is not None:
            turn = np.arange(len(quality)) % len(self.draws.quality)
            quality = quality + _departures(self.draws.quality, self.draws.shared_quality)[turn]
            if cost is not None and self.draws.cost is not None and self.draws.shared_cost is not None:
                cost = cost + _departures(self.draws.cost, self.draws.shared_cost)[turn]
                cost = np.maximum(cost, 0.0)
        return quality, cost


def _departures(draws: FloatArray, shared: FloatArray) -> FloatArray:
    return np.asarray((draws - draws.mean(axis=0)) * shared, dtype=np.float64)


def _shared(draws: FloatArray, within: FloatArray, prompts: int) -> FloatArray:
    """Return the part of the draws' standard deviation that prompts do not have for themselves: (A,)."""
    whole = draws.var(axis=0)
    own = np.divide(within / prompts, whole, out=np.ones_like(whole), where=whole > 0.0)
    return np.asarray(np.sqrt(np.clip(1.0 - own, 0.0, 1.0)), dtype=np.float64)


def _spent(table: FloatArray, form: FormName | None, weighed: Weighed) -> FloatArray:
    return np.asarray(np.maximum(_estimated(table, form, weighed), 0.0), dtype=np.float64)


def _estimated(table: FloatArray, form: FormName | None, weighed: Weighed) -> FloatArray:
    if form is None:
        return weighed.means(table)
    few = Weighed(weighed.weights[:FITTED], weighed.level)
    curves = few.means(table.reshape(len(table), -1)).reshape(-1, table.shape[2])
    if not len(curves):
        return np.zeros((0, table.shape[1]))
    return limits(form, curves).reshape(-1, table.shape[1])


def naive(
    tensor: Tensor, rule: Rule, alphas: FloatArray, *, by_prompt: bool = False, prices: Change | None = None
) -> Reached:
    """Return the plug-in: cell means decide and are counted (the biased oracle, eq. 5, at every alpha).

    `prices` count what was decided at other prices.
    """
    quality, cost = tensor.mean_quality()[None], tensor.mean_cost()
    costs = None if cost is None else cost[None]
    seen = _views(rule, quality, costs, tensor.there[None], prices)
    swept = sweep(seen, alphas, by_prompt=by_prompt)
    told = None if cost is None else PLUG_IN
    return Reached(swept.quality, swept.cost, swept.share, swept.chosen, told)


def from_posterior(
    posterior: Posterior,
    rule: Rule,
    alphas: FloatArray,
    *,
    by_prompt: bool = False,
    prices: Change | None = None,
) -> Reached:
    """Return the mean over draws of what the truth's own best decisions reach within each draw.

    `prices` count what was decided at other prices.
    """
    may_choose = np.broadcast_to(posterior.may_choose, posterior.quality.shape)
    seen = _views(rule, posterior.quality, posterior.cost, may_choose, prices)
    swept = sweep(seen, alphas, by_prompt=by_prompt)
    told, prompts = None, posterior.quality.shape[1]
    alone_cost, shared_cost = None, None
    if seen.cost is not None and swept.cost_of_view is not None and swept.within_cost is not None:
        told = f"mean over {posterior.method}'s draws of the chosen cell's expected cost in the draw"
        alone_cost = seen.cost.mean(axis=1)
        shared_cost = _shared(swept.cost_of_view, swept.within_cost, prompts)
    draws = Draws(
        swept.quality_of_view,
        swept.cost_of_view,
        posterior.quality.mean(axis=1),
        alone_cost,
        _shared(swept.quality_of_view, swept.within_quality, prompts),
        shared_cost,
    )
    return Reached(
        swept.quality, swept.cost, swept.share, swept.chosen, told, draws=draws, notes=posterior.notes
    )


def reached_by(quality: FloatArray, cost: FloatArray | None) -> Reached:
    """Return what draws (S, N) of one choice a prompt reach and cost: the frontier of one point."""
    prompts = quality.shape[1]

    def shared(values: FloatArray) -> FloatArray:
        return _shared(values.mean(axis=1)[:, None], np.array([values.var(axis=0).mean()]), prompts)

    of_draw, nobody = quality.mean(axis=1)[:, None], np.zeros((len(quality), 0))
    costs = None if cost is None else cost.mean(axis=1)[:, None]
    shares = shared(quality), None if cost is None else shared(cost)
    return Reached(
        quality.mean(axis=0)[:, None],
        None if cost is None else cost.mean(axis=0)[:, None],
        np.zeros((1, 0)),
        None,
        None,
        draws=Draws(of_draw, costs, nobody, None, *shares),
    )


def extrapolated(
    tensor: Tensor, rule: Rule, alphas: FloatArray, form: FormName, rng: np.random.Generator
) -> Reached:
    """Return the limits of the biased frontier's curves over g, quality and cost apart, at every alpha.

    Raises InvalidInput where G is smaller than the form's number of parameters.
    """
    limits(form, np.zeros((1, tensor.generations)))
    curves = swept_curves(tensor, rule, alphas, rng)
    told = None if curves.cost is None else f"{EQUATION[form]} fitted to the cost of the choices at g = 1..G"
    notes = [
        *warnings(form, tensor.generations),
        f"intervals of extrapolations rest on at most {FITTED} replicates",
    ]
    if curves.error > 0.0:
        notes.append(
            f"curves below alpha = 1 are means over {DRAWS} orders of the generations: Monte-Carlo standard "
            f"error of a mean quality at most {curves.error:.1e}, before extrapolation"
        )
    return Reached(curves.quality, curves.cost, curves.share, None, told, form=form, notes=tuple(notes))


def bracketed(tensor: Tensor, rule: Rule, alphas: FloatArray, rng: np.random.Generator) -> Reached:
    """Return the lower side of the bracket: cross-fitted decisions; the naive ones are the upper side.

    With one generation in every cell nothing can be left out, and the lower side says nothing.
    """
    found = crossed(tensor, rule, alphas, rng)
    told = "cost of the answer left out, of the model chosen by the others: what such a choice pays"
    estimator = None if found.cost is None else told
    return Reached(found.quality, found.cost, found.share, None, estimator, notes=found.notes)


def _views(
    rule: Rule,
    quality: FloatArray,
    cost: FloatArray | None,
    may_choose: npt.NDArray[np.bool_],
    prices: Change | None,
) -> Views:
    """Return views (S, N, L) that decide by what is recorded and count it, at other prices where given."""
    counted = cost if prices is None or cost is None else prices.of(cost, models=2)
    return rule.views(quality, cost, may_choose, quality, counted)
