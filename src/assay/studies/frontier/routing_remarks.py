"""What a reader must know of measured routers: what was left out, what the figures are, the verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.selection.judged import ErringJudge
from assay.frontier.tensor import Tensor
from assay.results.frontier import Estimate
from assay.results.frontier_routing import Routing

HELD_OUT = (
    "every router is valued on prompts that it was not trained on: their answers took no part in its "
    "choices, so its value has no winner's curse"
)
INTERVALS = (
    "intervals draw prompts and repeats of the folds anew; those of gains are widened because the folds' "
    "training sets overlap (Nadeau and Bengio 2003)"
)
COSTS = "a router expects each model to cost what it cost on average in training"
CAVEATS = (
    "the oracle knows which model is best on each prompt; no router does: a share of 100 % is out of reach",
    "one model answers a whole prompt: choosing anew at each step of an agentic task is out of scope here",
    "routers are trained on as few prompts as there are: more prompts of the kind could teach them more",
)
PRICES = "costs are as the source recorded them: prices are of that day"
READS = "the verifier's errors are taken to be independent of each other, also on one prompt"


@dataclass(frozen=True, slots=True)
class RoutingRequest:
    """What was asked for, as far as remarks depend on it."""

    texts: tuple[str, ...] | None
    embeddings: bool
    routers: tuple[str, ...]
    judge: ErringJudge | None
    groups: npt.NDArray[np.int64]


def remarks(tensor: Tensor, asked: RoutingRequest, method: str) -> tuple[str, ...]:
    """Return the notes on one tensor's routers."""
    notes = [HELD_OUT, INTERVALS]
    learnt = {"neighbours", "linear"} & set(asked.routers)
    blank = len(tensor.prompts) if asked.texts is None else sum(not each.strip() for each in asked.texts)
    if learnt and blank == len(tensor.prompts):
        notes.append(
            "the prompts have no texts: routers on texts are left out (a column of texts: --column text=NAME)"
        )
    elif learnt and blank:
        notes.append(f"{blank} of {len(tensor.prompts)} prompts have no text: they go where most do")
    if "category" in asked.routers and (tensor.categories is None or len(set(tensor.categories)) < 2):
        notes.append("the prompts have no two categories: the router by category is left out")
    doubled = len(asked.groups) - len(np.unique(asked.groups))
    if doubled:
        notes.append(f"{doubled} prompts read much like another one: they share its fold")
    if tensor.cost is None:
        notes.append("no costs were recorded: routers are compared at any cost, and there is no cascade")
    else:
        notes.append(COSTS)
    empty = int((~tensor.there).sum())
    if empty:
        notes.append(
            f"{empty} of {tensor.there.size} cells are empty: there a router takes its next choice, as the "
            "oracle does"
        )
    if method == "naive":
        notes.append(
            "no cell has two generations: the oracle is the biased one (eq. 5), too high by an unknown "
            "amount, so shares of the gap are too small"
        )
    return tuple(notes)


def caveats(routing: Routing) -> tuple[str, ...]:
    """Return what must stand beside every measured router."""
    prices = () if routing.random.cost is None else (PRICES,)
    reads = (READS,) if any(each.answers for each in routing.routers) else ()
    return (*CAVEATS, *prices, *reads)


def verdict(routing: Routing) -> str:
    """Return how much of the gap is reachable today, in one sentence, without a second winner's curse."""
    base, gap = routing.router(routing.best_single), routing.oracle.gap
    if gap.value is None or gap.value <= 0.0:
        return "There is no gap between the best single model and the oracle here: nothing to route for."
    points, level = (_points, _percent) if _bounded(routing) else (_plain, _plain)
    start = level(base.quality.value)
    said = f"Of the {points(gap.value)} between the best single model ({start}) and the oracle"
    if routing.nested == routing.best_single:
        return said + " no router was measured: the prompts have no features to learn from."
    found, share = routing.router(routing.nested), f"{100 * routing.level:g} %"
    said += (
        f" ({level(routing.oracle.quality.value)}), a router whose type is chosen in training reaches "
        f"{points(found.gain.value)} ({share}: {_ends(found.gain, level)}), {_percent(found.share.value)} of "
        f"the gap ({_ends(found.share, _percent)})"
    )
    if [*found.settings] == [routing.best_single]:
        return said + ": in no training set did a router show more than luck over the best single model."
    interval = found.gain.over_prompts
    if interval is not None and interval.low <= 0.0:
        return said + ": no more than the best single model, as far as these prompts can show."
    return said + "."


def _bounded(routing: Routing) -> bool:
    """Return whether qualities can be told in per cent, as far as their means show."""
    shown = [single.spot.quality for single in routing.models]
    return min(shown) >= 0.0 and max(*shown, routing.oracle.quality.value or 0.0) <= 1.0


def _points(value: float | None) -> str:
    return "? points" if value is None else f"{_hundred(value)} points"


def _percent(value: float | None) -> str:
    return "?" if value is None else f"{_hundred(value)} %"


def _plain(value: float | None) -> str:
    return "?" if value is None else f"{value:.4g}"


def _hundred(value: float) -> str:
    told = f"{100 * value:.1f}"
    return "0.0" if told == "-0.0" else told


def _ends(estimate: Estimate, spelled: Callable[[float | None], str]) -> str:
    ends = estimate.over_prompts
    return (
        "?"
        if ends is None
        else f"{spelled(ends.low).removesuffix(' %')} to {spelled(ends.high).removesuffix(' %')}"
    )
