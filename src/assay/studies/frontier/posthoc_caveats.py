"""What must stand beside every figure of selection after the fact."""

from __future__ import annotations

from assay.frontier.selection.posthoc import Posthoc, Scope
from assay.frontier.tensor import Tensor

INDEPENDENT = (
    "a judge's errors are taken to be independent, even on answers to one prompt: a judge that is fooled by "
    "the same mistake of every model does worse, and more answers help it less"
)
AGENTIC = (
    "agentic tasks are understated: where one answer is a whole trajectory, changing models from step to "
    "step could reach more, and is out of scope"
)


def caveats(tensor: Tensor, curve: Posthoc, most: int, scope: Scope, costed: bool) -> tuple[str, ...]:
    """Return the caveats with the numbers that they are about."""
    paid = curve.points[-1].answers.value or 0.0
    told = [INDEPENDENT]
    if scope == "all_models":
        count = len(tensor.models)
        uneven = "" if abs(paid - most * count) < 0.5 else f", {paid:,.4g} on average as many as are recorded"
        told.append(
            f"selection makes and pays every answer: {most} x {count} = {most * count:,} a prompt at k = "
            f"{most}{uneven}; asking one model after the other pays what was made until one is accepted"
        )
    elif scope == "per_prompt_best":
        told.append(
            "the best model for each prompt is known by an oracle, for free, and no router knows it; its "
            f"k = 1 to {most} answers are all paid"
        )
    else:
        told.append(f"all k answers are made and paid: {most} a prompt at k = {most}")
    told += [AGENTIC]
    told.append(
        "costs are as the source recorded them: prices are of that day"
        if costed
        else "no costs are recorded: answers are counted, whatever their model's price"
    )
    return tuple(told)
