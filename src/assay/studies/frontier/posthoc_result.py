"""What a study of selection after the fact holds."""

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
"""So many steps are shown one by one."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a study of selection is asked for; the intervals' settings among it.

    `models` keeps these, none keeps all. `most` answers a model are had at most, by default as many as are
    recorded. `right`: quality of so much or more is right, None for quality that is 0 or 1 already. `share`
    of the gain is what the cheapest set keeps. `groups` gives an arm's group, one for each model that it
    names; None without.
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
    """What one judge's selection reaches: all answers made, and one after the other until it accepts."""

    judge: NamedJudge
    posthoc: Posthoc
    sequential: Sequential


@dataclass(frozen=True, slots=True)
class PosthocStudy:
    """Selection after the fact on one source, for the perfect free judge first and others beside it.

    Curves are made of recorded counts, `basis` "counts", or of a posterior's draws. `break_even` holds the
    judge's error at which one answer a model, and `most`, stop paying. `carriers` and `cheapest` are of the
    posterior where there is one; `groups` has the groups of arms as players of their own.
    """

    wish: Wish
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
        """The judge that is meant: the one that was named, or the perfect one."""
        return self.selected[0] if self.selected[-1].judge.kind == "example" else self.selected[-1]


def published(study: PosthocStudy, source: FrontierSource) -> PosthocResult:
    """Return the study as it is published; of long sequences the budgets that tables show."""
    wish = study.wish
    return PosthocResult(
        source=source,
        level=wish.level,
        resamples=wish.resamples,
        seed=wish.seed,
        scope=wish.scope,
        rule=wish.rule,
        right=wish.right,
        prompts=study.prompts,
        models=study.models,
        generations=study.generations,
        answers=study.answers,
        missing_cells=study.missing,
        most=study.most,
        basis=study.basis,
        judges=tuple(
            JudgeSelection(_judge(each.judge), each.posthoc, _shortened(each.sequential))
            for each in study.selected
        ),
        break_even=study.break_even,
        carriers=study.carriers,
        groups=study.groups,
        group_of=wish.groups and {name: wish.groups[name] for name in study.models},
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
    """Return each step to 20, then 1, 2 and 5 of each power of ten, and the last."""
    grid = [lead * 10**power for power in range(1, 6) for lead in (1, 2, 5)]
    kept = {*range(1, min(steps, EACH) + 1), *(each for each in grid if each < steps), steps}
    return tuple(sorted(kept))
