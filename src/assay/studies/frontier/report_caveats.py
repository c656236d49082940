"""What must stand beside the figures of every frontier's report, wherever they are shown."""

from __future__ import annotations

from assay.frontier.tensor import Tensor
from assay.studies.frontier.report_result import KShot

NO_ROUTER = (
    "an oracle is no router: it knows beforehand which model is best on each prompt, so its figures bound "
    "what routing can reach and are reached by nobody"
)
PERFECT_JUDGE = (
    "k-shot figures suppose a judge that never errs and costs nothing; the table of judges shows what is "
    "left when it errs"
)
TRAJECTORIES = (
    "agentic tasks are understated: where one generation is a whole trajectory, changing models from step to "
    "step could reach more, and is out of scope"
)
TAUGHT = (
    "models, prompts and categories are those of the source: nothing is said of others, nor of "
    "prompts that were in training data"
)


def caveats(tensor: Tensor, shots: tuple[KShot, ...], prices_date: str | None) -> tuple[str, ...]:
    """Return the caveats of a report, with the numbers that they are about."""
    told = [NO_ROUTER, PERFECT_JUDGE]
    if shots:
        last = shots[-1]
        paid = last.all_models.answers.value
        made = f"{last.k} x {len(tensor.models)} = {last.k * len(tensor.models):,}"
        uneven = (
            ""
            if paid is None or abs(paid - last.k * len(tensor.models)) < 0.5
            else f" ({paid:,.4g} on average, as many as are recorded)"
        )
        told.append(
            f"all models at k = {last.k} make and pay {made} generations a prompt{uneven}; the best model by "
            f"prompt pays k, and its oracle's knowledge is free"
        )
    told.append(TRAJECTORIES)
    if tensor.cost is None:
        told.append("no costs are known: nothing is said of savings")
    elif prices_date is None:
        told.append(
            "date of prices: not stated (--prices-date); costs are as the source recorded them, and prices "
            "fall quickly"
        )
    else:
        told.append(f"date of prices: {prices_date}; at other prices other models are chosen (--prices)")
    told.append(TAUGHT)
    return tuple(told)
