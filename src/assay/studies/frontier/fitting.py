"""Values the oracle of one tensor by several methods, telling what is being done."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assay.core.errors import InvalidInput
from assay.frontier.methods.registry import METHODS, check_names, installed
from assay.frontier.oracle import gather, value_by, without_value
from assay.frontier.tensor import Tensor
from assay.results.frontier import BestSingleModel, FrontierFit, OracleEstimate
from assay.studies.frontier.read import Read

ALL = "all"
CAVEATS = (
    "the oracle knows beforehand which model is best on each prompt: it bounds what routing can reach, and "
    "is itself no router",
    "one model answers a whole prompt: in agentic tasks changing models from step to step could reach more",
)
PRICES = "costs are as the source recorded them: prices are of that day"


def wanted(names: Sequence[str]) -> tuple[str, ...]:
    """Return the methods named, each once, in the order of METHODS; `all` is every one that is installed.

    InvalidInput names those that do not exist.
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
    tell: Callable[[str], None],
) -> tuple[OracleEstimate, ...]:
    """Return the oracle's value by each method, over the same replicates of the prompts.

    A method that this tensor cannot be given to raises InvalidInput where it is the only one; among several
    it has no value, and its notes say why.
    """
    tell(f"the biased oracle at every number of generations, {resamples:,} bootstrap replicates")
    gathered = gather(tensor, level=level, resamples=resamples, seed=seed)
    found = []
    for method in methods:
        tell(f"method {method}")
        try:
            found.append(value_by(gathered, method, progress=tell))
        except InvalidInput as error:
            if len(methods) == 1:
                raise
            found.append(without_value(gathered, method, "; ".join(str(each) for each in error.problems)))
    return tuple(found)


def caveats(tensor: Tensor) -> tuple[str, ...]:
    """Return what must stand beside every value of an oracle."""
    return CAVEATS if tensor.cost is None else (*CAVEATS, PRICES)


def fitted(
    read: Read, values: Sequence[OracleEstimate], *, level: float, resamples: int, seed: int
) -> FrontierFit:
    """Return the values of one source's oracle as they are published."""
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
