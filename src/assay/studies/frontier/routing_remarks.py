"""Notes, caveats and the verdict on measured routers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from assay.frontier.tensor import Tensor
from assay.results.frontier import Estimate
from assay.results.frontier_routing import Routing
from assay.studies.frontier.fitting import PRICES

HELD_OUT = (
    "every router is valued on prompts that were not used to train it, so its value is not too high by "
    "selection (no winner's curse)"
)
INTERVALS = (
    "intervals come from resampled prompts and repeats of the folds; those of gains are wider because the "
    "folds' training sets overlap (Nadeau and Bengio 2003)"
)
COSTS = "a router assumes that each model costs what it cost on average in training"
CAVEATS = (
    "the oracle knows which model is best on each prompt and no router does, so no router reaches 100 %",
    "one model answers a whole prompt: a change of model between steps of an agentic task is not considered",
    "routers are trained on the few prompts of the source: more prompts could make them better",
)
READS = "the verifier's errors are assumed to be independent, even on one prompt"


def remarks(
    tensor: Tensor, routers: Sequence[str], groups: npt.NDArray[np.int64], method: str
) -> tuple[str, ...]:
    """Return the notes on a tensor's routers. `groups` has each prompt's group of near-duplicates."""
    notes = [HELD_OUT, INTERVALS]
    learners = {"neighbours", "linear"} & set(routers)
    prompts = len(tensor.prompts)
    blank = prompts if tensor.texts is None else sum(not text.strip() for text in tensor.texts)
    if learners and blank == prompts:
        notes.append(
            "the prompts have no texts: routers on texts are left out (name the column of texts with "
            "--column text=NAME)"
        )
    elif learners and blank:
        notes.append(
            f"{blank} of {prompts} prompts have no text: they go to the model that is best on average"
        )
    if "category" in routers and (tensor.categories is None or len(set(tensor.categories)) < 2):
        notes.append("the prompts have fewer than two categories: the router by category is left out")
    duplicates = len(groups) - len(np.unique(groups))
    if duplicates:
        notes.append(f"{duplicates} prompts are near-duplicates of another prompt: they are in the same fold")
    if tensor.cost is None:
        notes.append("no costs were recorded: routers are compared without costs, and there is no cascade")
    else:
        notes.append(COSTS)
    empty = int((~tensor.observed).sum())
    if empty:
        notes.append(
            f"{empty} of {tensor.observed.size} cells are empty: on these a router takes its next choice, as "
            "the oracle does"
        )
    if method == "naive":
        notes.append(
            "no cell has two generations: the oracle is the biased one (equation 5), too high by an unknown "
            "amount, so shares of the gap are too small"
        )
    return tuple(notes)


def caveats(routing: Routing) -> tuple[str, ...]:
    """Return the caveats of measured routers."""
    prices = () if routing.random.cost is None else (PRICES,)
    reads = (READS,) if any(router.answers for router in routing.routers) else ()
    return (*CAVEATS, *prices, *reads)


def verdict(routing: Routing) -> str:
    """Return a sentence on the share of the gap that a router reaches.

    The router is the one whose type was chosen in training, so that the choice adds no bias.
    """
    base, gap = routing.router(routing.best_single), routing.oracle.gap
    if gap.value is None or gap.value <= 0.0:
        return (
            "There is no gap between the best single model and the oracle, so routing cannot gain anything."
        )
    points, level = (_points, _percent) if _bounded(routing) else (_plain, _plain)
    start = level(base.quality.value)
    text = f"Of the {points(gap.value)} between the best single model ({start}) and the oracle"
    if routing.nested == routing.best_single:
        return text + " no router was measured: the prompts have no features to learn from."
    router, share = routing.router(routing.nested), f"{100 * routing.level:g} %"
    text += (
        f" ({level(routing.oracle.quality.value)}), a router whose type is chosen in training reaches "
        f"{points(router.gain.value)} ({share} interval {_ends(router.gain, level)}), "
        f"{_percent(router.share.value)} of the gap ({_ends(router.share, _percent)})"
    )
    if [*router.settings] == [routing.best_single]:
        return (
            text + ": in no training set was a router better than the best single model by more than noise."
        )
    interval = router.gain.over_prompts
    if interval is not None and interval.low <= 0.0:
        return text + ": not significantly better than the best single model on these prompts."
    return text + "."


def _bounded(routing: Routing) -> bool:
    """Return true if the mean qualities are all between 0 and 1, so that they can be shown in per cent."""
    shown = [single.spot.quality for single in routing.models]
    return min(shown) >= 0.0 and max(*shown, routing.oracle.quality.value or 0.0) <= 1.0


def _points(value: float | None) -> str:
    return "? points" if value is None else f"{_hundred(value)} points"


def _percent(value: float | None) -> str:
    return "?" if value is None else f"{_hundred(value)} %"


def _plain(value: float | None) -> str:
    return "?" if value is None else f"{value:.4g}"


def _hundred(value: float) -> str:
    text = f"{100 * value:.1f}"
    return "0.0" if text == "-0.0" else text


def _ends(estimate: Estimate, spell: Callable[[float | None], str]) -> str:
    ends = estimate.over_prompts
    if ends is None:
        return "?"
    return f"{spell(ends.low).removesuffix(' %')} to {spell(ends.high).removesuffix(' %')}"
