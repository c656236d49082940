"""The settings and the result of a study of selection after the fact."""

from __future__ import annotations

from dataclasses import dataclass, replace

from assay.frontier.carriers.cheapest import KEPT
from assay.results.frontier import FrontierSource
from assay.results.frontier_selection import (
    AcceptanceRate,
    BreakEven,
    Carriers,
    Cheapest,
    JudgeMeasurement,
    JudgeSelection,
    Posthoc,
    PosthocResult,
    Scope,
    SelectionJudge,
    SelectionRule,
    Sequential,
)
from assay.stats.intervals import Interval
from assay.studies.frontier.posthoc_judges import NamedJudge

EACH = 20
"""The most first steps that are all shown."""


@dataclass(frozen=True, slots=True)
class PosthocOptions:
    """The settings of a study of selection, and of its intervals.

    `models` keeps only these models; empty keeps all. `most` is the largest number of answers of a model (by
    default as many as are recorded). `right` is the least quality of a right answer, None if quality is 0 or
    1 already. `share` is the share of the gain that the cheapest set keeps. `groups` has the group of each
    arm, or None.
    """

    rule: SelectionRule = "uniform"
    scope: Scope = "all_models"
    models: tuple[str, ...] = ()
    most: int | None = None
    right: float | None = None
    share: float = KEPT
    groups: dict[str, str] | None = None
    level: float = 0.95
    resamples: int = 500
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Selected:
    """Selection by one judge: from all answers, and one answer after the other until the judge accepts."""

    judge: NamedJudge
    posthoc: Posthoc
    sequential: Sequential


@dataclass(frozen=True, slots=True)
class PosthocStudy:
    """Selection after the fact on one source, by the perfect free judge first and then by other judges.

    `basis` is "counts" if the curves come from recorded counts, otherwise the method of the posterior.
    `break_even` has the judge's errors from which selection has no gain, for one answer of each model and for
    `most`. `carriers` and `cheapest` come from the posterior, if there is one. `groups` has the carriers
    among the groups of arms.
    """

    wish: PosthocOptions
    prompts: int
    models: tuple[str, ...]
    generations: int
    answers: int
    missing: int
    most: int
    basis: str
    selected: tuple[Selected, ...]
    break_even: tuple[BreakEven, ...]
    carriers: Carriers
    groups: Carriers | None
    cheapest: Cheapest
    notes: tuple[str, ...]
    caveats: tuple[str, ...]

    @property
    def main(self) -> Selected:
        """The results of the judge that was named, or of the perfect one."""
        return self.selected[0] if self.selected[-1].judge.kind == "example" else self.selected[-1]


def published(study: PosthocStudy, source: FrontierSource) -> PosthocResult:
    """Return the study as it is published, with only the steps of long sequences that tables show."""
    options = study.wish
    return PosthocResult(
        source=source,
        level=options.level,
        resamples=options.resamples,
        seed=options.seed,
        scope=options.scope,
        rule=options.rule,
        right=options.right,
        prompts=study.prompts,
        models=study.models,
        generations=study.generations,
        answers=study.answers,
        missing_cells=study.missing,
        most=study.most,
        basis=study.basis,
        judges=tuple(
            JudgeSelection(_judge(selection.judge), selection.posthoc, _shortened(selection.sequential))
            for selection in study.selected
        ),
        break_even=study.break_even,
        carriers=study.carriers,
        groups=study.groups,
        group_of=options.groups and {name: options.groups[name] for name in study.models},
        cheapest=study.cheapest,
        notes=study.notes,
        caveats=study.caveats,
    )


def _shortened(plan: Sequential) -> Sequential:
    return replace(plan, points=tuple(plan.points[step - 1] for step in shown_steps(len(plan.points))))


def _judge(named: NamedJudge) -> SelectionJudge:
    point, measured = named.point, None
    if named.rates is not None:
        rates, counted = named.rates, named.rates.measured
        measured = JudgeMeasurement(
            judge=rates.judge,
            metric=rates.metric,
            accept=rates.accept,
            right_from=rates.right,
            right=_rate(counted.right, counted.right_accepted, counted.true_positive, counted.right_worth),
            wrong=_rate(counted.wrong, counted.wrong_accepted, counted.false_positive, counted.wrong_worth),
            noise=rates.noise,
            price=rates.price,
            left_out=rates.left_out,
            problems=tuple(map(str, rates.problems)),
            notes=rates.notes,
        )
    return SelectionJudge(
        named.label, named.kind, point.true_positive, point.false_positive, point.price, measured
    )


def _rate(answers: int, accepted: int, ends: Interval, worth: float) -> AcceptanceRate:
    return AcceptanceRate(answers, accepted, ends.low, ends.high, worth)


def shown_steps(steps: int) -> tuple[int, ...]:
    """Return the steps to show: each one up to 20, then 1, 2 and 5 times each power of ten, and the last."""
    grid = [lead * 10**power for power in range(1, 6) for lead in (1, 2, 5)]
    shown = {*range(1, min(steps, EACH) + 1), *(step for step in grid if step < steps), steps}
    return tuple(sorted(shown))
