"""`naive`: the oracle of the observed means (equation 5), which includes luck."""

from __future__ import annotations

from assay.frontier.methods.method import Method, SweepRequest
from assay.frontier.methods.value import MethodValue, OracleInputs, describe_ties, mean_over_prompts
from assay.frontier.posterior import Posterior
from assay.frontier.sweep import curve
from assay.frontier.sweep.curve import MethodCurve
from assay.frontier.sweep.decisions import sweep

VALUE_COST = "mean cost of the model with the greatest observed quality on each prompt (ties: the cheapest)"
SWEEP_COST = "mean recorded cost of the chosen cell, which was chosen partly by luck"


def _value(inputs: OracleInputs, posterior: Posterior | None) -> MethodValue:
    """Return equation 5 at all generations."""
    cost = None if inputs.cost is None else mean_over_prompts(inputs, inputs.cost[:, -1])
    return MethodValue(
        mean_over_prompts(inputs, inputs.quality[:, -1]),
        cost,
        VALUE_COST,
        (
            "equation 5 without a correction: it includes luck and overstates the oracle",
            *describe_ties(inputs),
        ),
    )


def _curve(request: SweepRequest) -> MethodCurve:
    """Return the biased oracle at every alpha."""
    tensor = request.tensor
    quality, cost = tensor.mean_quality()[None], tensor.mean_cost()
    views = request.views(quality, None if cost is None else cost[None], tensor.observed[None])
    swept = sweep(views, request.alphas, by_prompt=request.by_prompt)
    return MethodCurve(
        swept.quality,
        swept.cost,
        swept.share,
        swept.chosen,
        None if cost is None else SWEEP_COST,
        notes=curve.describe_ties(swept.tied, len(tensor.prompts)),
    )


NAIVE = Method("naive", VALUE_COST, _value, _curve, decides=True)
