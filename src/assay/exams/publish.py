"""What is made of results: comparisons of prompting and of draw sizes, and what an organisation may see."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Engine

from assay.core.exam import Prompting
from assay.exams.results import ModelResult, Results, read_results
from assay.ranking.exam.spread import variance


@dataclass(frozen=True, slots=True)
class PromptingRow:
    """A model's S under each prompting (seed 003, tables 2 and 8): `variance` divides by their number.

    A prompting without a sitting that counts is absent; `mean` and `variance` are None until all three are
    there. `draws` counts the question sets behind the figures: 1 where all sat one named draw.
    """

    model: str
    organisation: str
    simulated: bool
    scores: dict[Prompting, float]
    mean: float | None
    variance: float | None
    draws: int


@dataclass(frozen=True, slots=True)
class Trial:
    """One sitting of a comparison: how many questions its draw had, and its R."""

    session: str
    n: int
    relative: float
    basis: str


@dataclass(frozen=True, slots=True)
class DrawSizeRow:
    """A model's R by the size of the draw (seed 003, table 9): `variance` divides by their number less 1."""

    model: str
    organisation: str
    prompting: Prompting
    simulated: bool
    trials: tuple[Trial, ...]
    mean: float | None
    variance: float | None


def by_prompting(results: Results) -> list[PromptingRow]:
    """Return each model's S under the three promptings with mean and population variance."""
    groups: dict[tuple[str, str, bool], list[ModelResult]] = defaultdict(list)
    for one in results.models:
        if one.score is not None:
            groups[one.model, one.organisation, one.simulated].append(one)
    found = []
    for (model, organisation, simulated), rows in groups.items():
        scores = {one.prompting: one.score.mean for one in rows if one.score is not None}
        whole = list(scores.values()) if len(scores) == len(Prompting) else []
        draws = {each.sitting.draw for one in rows for each in one.sittings if each.counts}
        found.append(
            PromptingRow(
                model,
                organisation,
                simulated,
                {each: scores[each] for each in Prompting if each in scores},
                sum(whole) / len(whole) if whole else None,
                variance(whole, "population"),
                len(draws),
            )
        )
    return found


def by_draw_size(results: Results) -> list[DrawSizeRow]:
    """Return each model's R in all its sittings, by the number of questions, with the sample variance."""
    found = []
    for one in results.models:
        trials = sorted(
            (
                Trial(each.sitting.session, each.sitting.n, each.relative.value, each.relative.basis.value)
                for each in one.sittings
                if each.counts and each.relative is not None
            ),
            key=lambda trial: trial.n,
        )
        values = [trial.relative for trial in trials]
        found.append(
            DrawSizeRow(
                one.model,
                one.organisation,
                one.prompting,
                one.simulated,
                tuple(trials),
                sum(values) / len(values) if values else None,
                variance(values, "sample"),
            )
        )
    return found


def published(
    engine: Engine, organisation: int, judge: str, *, reference: str | None = None
) -> Sequence[ModelResult]:
    """Return an organisation's own published results; R may rest on the reference of another one."""
    results = read_results(engine, judge, reference=reference)
    return [one for one in results.models if one.organisation_id == organisation and one.published]
