"""The oracle of one tensor by several methods."""

from __future__ import annotations

from collections.abc import Sequence

from assay.core.errors import InvalidInput
from assay.frontier.methods.method import ProgressCallback
from assay.frontier.methods.registry import METHODS, check_names, installed
from assay.frontier.oracle import gather, value_by, without_value
from assay.frontier.tensor import Tensor
from assay.results.frontier import BestSingleModel, FrontierFit, OracleEstimate
from assay.studies.frontier.tensor_source import TensorSource

ALL = "all"
CAVEATS = (
    "the oracle is not a router: it knows in advance which model is best on each prompt, so it is an upper "
    "bound for routers",
    "one model answers a whole prompt: in agentic tasks a change of model between steps could reach more",
)
PRICES = "costs are as the source recorded them, at the prices of that day"


def choose_methods(names: Sequence[str]) -> tuple[str, ...]:
    """Return the named methods, each once, in the order of METHODS. `all` means every installed method.

    Raises InvalidInput with all unknown names.
    """
    check_names(name for name in names if name != ALL)
    named = {*names, *(installed() if ALL in names else ())}
    return tuple(method for method in METHODS if method in named)


def fit(
    tensor: Tensor,
    methods: Sequence[str],
    *,
    level: float = 0.95,
    resamples: int = 500,
    seed: int = 0,
    progress: ProgressCallback,
) -> tuple[OracleEstimate, ...]:
    """Return the oracle's value by each method, over the same replicates of the prompts.

    If a method cannot be used for this tensor, its estimate has no value, and its notes have the reason.
    Raises InvalidInput if it is the only method.
    """
    progress(f"the biased oracle at every number of generations, {resamples:,} bootstrap replicates")
    gathered = gather(tensor, level=level, resamples=resamples, seed=seed)
    estimates = []
    for method in methods:
        progress(f"method {method}")
        try:
            estimates.append(value_by(gathered, method, progress=progress))
        except InvalidInput as error:
            if len(methods) == 1:
                raise
            estimates.append(without_value(gathered, method, "; ".join(map(str, error.problems))))
    return tuple(estimates)


def caveats(tensor: Tensor) -> tuple[str, ...]:
    """Return the caveats of the oracle's values."""
    return CAVEATS if tensor.cost is None else (*CAVEATS, PRICES)


def fitted(
    read: TensorSource, values: Sequence[OracleEstimate], *, level: float, resamples: int, seed: int
) -> FrontierFit:
    """Return the values of a source's oracle as they are published."""
    first = values[0]
    return FrontierFit(
        source=read.summary,
        level=level,
        resamples=resamples,
        seed=seed,
        prompts=first.prompts,
        best_single=BestSingleModel(first.best_model, first.best_single),
        curve=first.points,
        unit=None if first.cost_curve is None else first.unit,
        paper_cost=first.paper_cost,
        methods=tuple(values),
        caveats=caveats(read.tensor),
    )
