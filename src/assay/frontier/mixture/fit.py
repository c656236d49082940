"""The `mixture` model: draws of each cell's true quality and cost, by a mixture over classes of prompts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.mixture.adjustment import adjust_oracle
from assay.frontier.mixture.random_effects import draw_costs, draw_means
from assay.frontier.mixture.rates import DrawnRates, draw_rates
from assay.frontier.posterior import Posterior
from assay.frontier.tensor import Tensor

FloatArray = npt.NDArray[np.float64]
MOST_NUMBERS = 40_000_000
LEAST_DRAWS = 20
FEW = 5
TOO_FEW = f"most cells have fewer than {FEW} generations: no value is claimed, and the bracket is the result"
ONE_GENERATION = (
    "no cell has two generations, so luck cannot be estimated: use the method 'naive', which reports how far "
    "it may mislead, or generate at least 2 answers for each cell (better 5 or 10)"
)


def fit_mixture(tensor: Tensor, *, draws: int = 200, seed: int = 0) -> Posterior:
    """Return draws of every cell's expected quality and cost, given the whole tensor.

    Quality of 0 and 1 is modelled by success rates, averaged over structures and spreads (`rates`). Any other
    quality is normal with effects of prompt and model (`random_effects`); its draws are within 0-1 if every
    recorded quality is. Costs are log-normal (`random_effects`). If the draws would hold over 40 million
    numbers, fewer are made, and a note says so. The same seed gives the same draws. Raises InvalidInput if no
    cell has two generations.
    """
    answers = tensor.answers
    if int(answers.max(initial=0)) < 2:
        raise InvalidInput(Problem(ONE_GENERATION))
    notes = []
    most = max(LEAST_DRAWS, MOST_NUMBERS // max(answers.size, 1))
    if draws > most:
        notes.append(f"{most} draws instead of {draws}: {answers.size:,} cells would need too much memory")
        draws = most
    repeated = float((answers >= 2).sum() / max(int((answers >= 1).sum()), 1))
    if repeated < 0.5:
        notes.append(
            f"only {100 * repeated:.0f} % of the cells have two generations; the rest borrow from them"
        )
    claims_point = 2 * int((answers >= FEW).sum()) >= int((answers >= 1).sum())
    if not claims_point:
        notes.append(TOO_FEW)
    rng = np.random.default_rng(seed)
    if tensor.binary:
        rates = draw_rates(tensor.correct, answers, draws, rng)
        quality = adjust_oracle(rates.draws, tensor.observed, rates.oracle, rng)
        notes += _structure_notes(rates)
        claims_point = claims_point and not rates.disagree
    else:
        quality, quality_note = _graded_quality(tensor.quality, draws, rng)
        notes.append(quality_note)
    cost, cost_notes = draw_costs(tensor, draws, rng)
    return Posterior("mixture", quality, cost, tensor.observed, (*notes, *cost_notes), claims_point)


def _structure_notes(rates: DrawnRates) -> list[str]:
    """Return notes on the averaged structures and on their disagreement."""
    shares = zip(rates.choice.kept, rates.choice.shares, strict=True)
    notes = [
        "structures of the prompts: "
        + ", ".join(f"{candidate.name} ({share:.0%})" for candidate, share in shares)
    ]
    if rates.disagree:
        values = ", ".join(f"{name} {100 * value[0]:.1f} %" for name, value in rates.by_structure.items())
        notes.append(
            f"structures that fit about equally well disagree beyond their intervals ({values}): no value is "
            "claimed, and the bracket is the result"
        )
    return notes


def _graded_quality(quality: FloatArray, draws: int, rng: np.random.Generator) -> tuple[FloatArray, str]:
    """Return draws of expected quality other than 0 and 1, and a note on them."""
    drawn = draw_means(quality, draws, rng).mean
    note = "quality is not 0/1: it is modelled as normal, with effects of prompt and model"
    if not (np.nanmin(quality) >= 0.0 and np.nanmax(quality) <= 1.0):
        return drawn, note
    note += "; draws beyond 0 and 1 are set to 0 and 1, and intervals are too narrow"
    return np.clip(drawn, 0.0, 1.0), note
