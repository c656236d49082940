"""`assay frontier posthoc`: selection among many answers, by a judge that errs and costs."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from assay.cli.frontiers.source import source_document, tell_source, with_source
from assay.cli.output import notes, print_json
from assay.cli.session import open_session
from assay.core.errors import InvalidInput, Problem

if TYPE_CHECKING:
    from assay.frontier.selection.judged import Judge
    from assay.studies.frontier.judge_rates import JudgeRates
    from assay.studies.frontier.read import Read

QUIET_SECONDS = 2.0
"""Progress is told from here on: what is over sooner needs none."""


class Rule(StrEnum):
    """Which of the accepted answers is returned."""

    UNIFORM = "uniform"
    FIRST = "first"


class Scope(StrEnum):
    """Whose answers are selected among."""

    ALL_MODELS = "all_models"
    PER_PROMPT_BEST = "per_prompt_best"
    FIXED_BEST = "fixed_best"


@with_source
def posthoc(
    ctx: typer.Context,
    read: Read,
    judge_error: float | None = typer.Option(
        None, "--judge-error", metavar="P", help="How often the judge errs, on right and wrong alike."
    ),
    true_positive: float | None = typer.Option(
        None, "--true-positive", metavar="P", help="How often it accepts a right answer."
    ),
    false_positive: float | None = typer.Option(
        None, "--false-positive", metavar="P", help="How often it accepts a wrong one."
    ),
    judge_run: int | None = typer.Option(
        None, "--judge-run", metavar="RUN", help="Measure it on this judged run of the workspace."
    ),
    judge_metric: str | None = typer.Option(
        None, "--judge-metric", metavar="M", help="Of that run: the metric that it marked."
    ),
    judged: Path | None = typer.Option(
        None, "--judged", metavar="FILE", help="Measure it on a table: prompt, quality, judged."
    ),
    judge: str | None = typer.Option(
        None, "--judge", metavar="NAME", help="Of that run or table: which judge."
    ),
    accept: float | None = typer.Option(
        None, "--accept", metavar="MARK", help="From which mark on it accepts; 1 where all are 0 or 1."
    ),
    judge_price: float | None = typer.Option(
        None, "--judge-price", metavar="USD", help="What one judgement costs, in the source's unit."
    ),
    rule: Rule = typer.Option(
        Rule.UNIFORM, "--rule", metavar="RULE", help="uniform: one of the accepted; first."
    ),
    scope: Scope = typer.Option(
        Scope.ALL_MODELS, "--scope", metavar="SCOPE", help="all_models, per_prompt_best or fixed_best."
    ),
    model: list[str] = typer.Option([], "--model", metavar="NAME", help="Keep these models only; several."),
    most: int | None = typer.Option(
        None, "--most", metavar="N", help="Answers a model; as many as are recorded unless given."
    ),
    right: float | None = typer.Option(
        None, "--right", metavar="QUALITY", help="From which quality on an answer is right."
    ),
    share: float = typer.Option(0.95, "--share", metavar="SHARE", help="Of the gain, for the cheapest set."),
    group_by: str | None = typer.Option(
        None, "--group-by", metavar="COLUMN", help="One of the --arm columns: who carries, by its groups too."
    ),
    level: float = typer.Option(0.9, min=0.5, max=0.999, metavar="SHARE", help="Level of the intervals."),
    resamples: int = typer.Option(500, min=0, metavar="N", help="Bootstrap replicates of the prompts."),
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Seed of replicates and draws."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
    out: Path | None = typer.Option(None, "--out", metavar="DIR", help="Write JSON, tables and charts here."),
) -> None:
    """Select the best of many answers, with a judge that errs.

    Quality and cost by the number of answers, the judge's error at which selection stops paying, asking one
    model after the other with early return, who carries the frontier, and the cheapest set of models. Without
    a judge: the perfect free one, and beside it what errors of 1, 5, 10 and 20 % would do.
    """
    from assay.report.frontier.posthoc_document import posthoc_document
    from assay.studies.frontier.posthoc import posthoc_study
    from assay.studies.frontier.posthoc_judges import judges_of, stated_judge
    from assay.studies.frontier.posthoc_result import Wish

    stated = stated_judge(judge_error, true_positive, false_positive, judge_price)
    _one_way(stated, judge_run, judged, judge, judge_metric, accept)
    rates = _rates(ctx, judge_run, judged, judge, judge_metric, accept, right, judge_price, level)
    wish = Wish(
        rule=rule.value,
        scope=scope.value,
        models=tuple(model),
        most=most,
        right=right,
        share=share,
        groups=None if group_by is None else _groups(ctx, read, group_by),
        level=level,
        resamples=resamples,
        seed=seed,
    )
    tell_source(read)
    found = posthoc_study(
        read.tensor, judges_of(stated, rates, judge_price), wish, price=judge_price, tell=_progress()
    )
    document = posthoc_document(found, source_document(read))
    if as_json:
        print_json(document)
    else:
        from assay.cli.frontiers.shown_posthoc import print_posthoc

        print_posthoc(found)
    if out is not None:
        from assay.report.frontier.posthoc import write_posthoc

        notes().print(write_posthoc(found, document, read.source, out))


def _one_way(
    stated: Judge | None,
    run: int | None,
    table: Path | None,
    judge: str | None,
    metric: str | None,
    accept: float | None,
) -> None:
    """Refuse a judge that is described in several ways, or options that belong to one that is not."""
    ways = {"rates (--judge-error, --true-positive)": stated, "--judge-run": run, "--judged": table}
    given = [name for name, value in ways.items() if value is not None]
    wrong = []
    if len(given) > 1:
        wrong.append(Problem(f"{' and '.join(given)} both say how the judge errs: give one"))
    if run is None and metric is not None:
        wrong.append(Problem(f"--judge-metric {metric!r} belongs to --judge-run: give the run as well"))
    if run is None and table is None:
        for option, value in (("--judge", judge), ("--accept", accept)):
            if value is not None:
                wrong.append(
                    Problem(f"{option} {value!r} belongs to --judge-run or --judged: give one of them")
                )
    if wrong:
        raise InvalidInput(wrong)


def _rates(
    ctx: typer.Context,
    run: int | None,
    table: Path | None,
    judge: str | None,
    metric: str | None,
    accept: float | None,
    right: float | None,
    price: float | None,
    level: float,
) -> JudgeRates | None:
    """Measure the judge where a run or a table is named, and tell of rows that cannot be read."""
    from assay.studies.frontier.judge_rates import RIGHT, run_judge_rates
    from assay.studies.frontier.judge_table import table_judge_rates

    least = RIGHT if right is None else right
    if run is not None:
        engine = open_session(ctx, existing=True).engine
        return run_judge_rates(
            engine, run, judge=judge, metric=metric, accept=accept, right=least, price=price, level=level
        )
    if table is None:
        return None
    found = table_judge_rates(table, judge=judge, accept=accept, right=least, price=price, level=level)
    for problem in found.problems:
        notes().print(f"  {problem}")
    return found


def _groups(ctx: typer.Context, read: Read, column: str) -> dict[str, str]:
    """Return each arm's group by name."""
    from assay.studies.frontier.posthoc_arms import groups_of

    return groups_of(read.tensor.models, tuple(ctx.params.get("arm") or ()), column)


def _progress() -> Callable[[str], None]:
    """Return what tells a step on stderr, from two seconds after now on."""
    begun = time.monotonic()

    def tell(text: str) -> None:
        if time.monotonic() - begun >= QUIET_SECONDS:
            notes().print(f"  {text}")

    return tell
