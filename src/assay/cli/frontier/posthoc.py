"""`assay frontier posthoc`: selection among many answers by a judge that makes errors and has a price."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer

from assay.cli.frontier.printing import print_listed_notes, print_report_table, print_wrapped
from assay.cli.frontier.source import print_source, progress, with_source
from assay.cli.options import LEVEL, RESAMPLES
from assay.cli.output import OutputFormat, notes, print_output, prints
from assay.cli.session import open_session
from assay.core.errors import InvalidInput, Problem
from assay.core.wording import counted
from assay.frontier.selection.judged import ErringJudge
from assay.report.frontier.posthoc_tables import break_even_lines, posthoc_tables
from assay.report.frontier.table import CellKind, csv_text, ends_text
from assay.studies.frontier.judge_rates import RIGHT, JudgeRates, run_judge_rates
from assay.studies.frontier.judge_table import table_judge_rates
from assay.studies.frontier.posthoc import posthoc_study
from assay.studies.frontier.posthoc_judges import groups_of, judges_of, stated_judge
from assay.studies.frontier.posthoc_result import PosthocOptions, PosthocStudy, Selected, published
from assay.studies.frontier.tensor_source import TensorSource

COMPLETE = ("selection", "sequences", "sets")
"""The tables of which all rows are printed."""


class RuleOption(StrEnum):
    """The accepted answer that is returned."""

    UNIFORM = "uniform"
    FIRST = "first"


class ScopeOption(StrEnum):
    """The models among whose answers the judge selects."""

    ALL_MODELS = "all_models"
    PER_PROMPT_BEST = "per_prompt_best"
    FIXED_BEST = "fixed_best"


@prints("one row per number of answers")
@with_source
def posthoc(
    ctx: typer.Context,
    output: OutputFormat,
    read: TensorSource,
    judge_error: float | None = typer.Option(
        None, "--judge-error", metavar="P", help="Error rate of the judge, on right and wrong answers alike."
    ),
    true_positive: float | None = typer.Option(
        None, "--true-positive", metavar="P", help="Share of right answers that the judge accepts."
    ),
    false_positive: float | None = typer.Option(
        None, "--false-positive", metavar="P", help="Share of wrong answers that the judge accepts."
    ),
    judge_run: int | None = typer.Option(
        None, "--judge-run", metavar="RUN", help="Run of the workspace whose marks measure the judge."
    ),
    judge_metric: str | None = typer.Option(
        None, "--judge-metric", metavar="M", help="Metric that the judge marked in that run."
    ),
    judged: Path | None = typer.Option(
        None,
        "--judged",
        metavar="FILE",
        help="Table that measures the judge, with columns prompt, quality, judged.",
    ),
    judge: str | None = typer.Option(None, "--judge", metavar="NAME", help="Judge in that run or table."),
    accept: float | None = typer.Option(
        None,
        "--accept",
        metavar="MARK",
        help="Lowest mark that means the judge accepts (default: 1 if all marks are 0 or 1).",
    ),
    judge_price: float | None = typer.Option(
        None, "--judge-price", metavar="USD", help="Price of one judgement, in the source's unit."
    ),
    rule: RuleOption = typer.Option(
        RuleOption.UNIFORM,
        "--rule",
        metavar="RULE",
        help="Choice among accepted answers: uniform (at random) or first.",
    ),
    scope: ScopeOption = typer.Option(
        ScopeOption.ALL_MODELS,
        "--scope",
        metavar="SCOPE",
        help="Models to ask: all_models, per_prompt_best or fixed_best.",
    ),
    model: list[str] = typer.Option(
        [], "--model", metavar="NAME", help="Model to include; repeatable (default: all)."
    ),
    most: int | None = typer.Option(
        None,
        "--most",
        metavar="N",
        help="Largest number of answers per model (default: as many as a tenth of the cells have).",
    ),
    right: float | None = typer.Option(
        None, "--right", metavar="QUALITY", help="Lowest quality of a right answer."
    ),
    share: float = typer.Option(
        0.95, "--share", metavar="SHARE", help="Share of the gain that the cheapest set of models must keep."
    ),
    group_by: str | None = typer.Option(
        None, "--group-by", metavar="COLUMN", help="One of the --arm columns by which to group contributions."
    ),
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Seed of the bootstrap and of draws."),
    out: Path | None = typer.Option(None, "--out", metavar="DIR", help="Folder for JSON, tables and charts."),
) -> None:
    """Estimate what a judge that selects among answers achieves.

    Shows quality and cost by the number of answers, the judge's error rate at which selection stops
    paying, sequential prompting with early stopping, the contribution of each model, and the cheapest set
    of models. Without a judge, assumes a perfect free one and also shows error rates of 1, 5, 10 and 20 %.
    """
    stated = stated_judge(judge_error, true_positive, false_positive, judge_price)
    _check_judge_options(stated, judge_run, judged, judge, judge_metric, accept)
    rates = _rates(ctx, judge_run, judged, judge, judge_metric, accept, right, judge_price, level)
    options = PosthocOptions(
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
    print_source(read)
    study = posthoc_study(
        read.tensor, judges_of(stated, rates, judge_price), options, price=judge_price, progress=progress()
    )
    result = published(study, read.summary)
    print_output(
        output,
        result=result,
        csv=lambda: typer.echo(csv_text(posthoc_tables(study)[0]), nl=False),
        text=lambda: print_posthoc(study),
    )
    if out is not None:
        from assay.report.frontier.posthoc import write_posthoc

        notes().print(write_posthoc(study, result, read.source, out))


def _check_judge_options(
    stated: ErringJudge | None,
    run: int | None,
    table: Path | None,
    judge: str | None,
    metric: str | None,
    accept: float | None,
) -> None:
    """Raise InvalidInput if several options describe the judge, or if one needs another that is missing."""
    ways = {"rates (--judge-error, --true-positive)": stated, "--judge-run": run, "--judged": table}
    used = [name for name, value in ways.items() if value is not None]
    problems = []
    if len(used) > 1:
        problems.append(
            Problem(f"{' and '.join(used)} both state how often the judge errs: give one of them")
        )
    if run is None and metric is not None:
        problems.append(
            Problem(f"--judge-metric {metric!r} belongs to --judge-run: give --judge-run as well")
        )
    if run is None and table is None:
        for option, value in (("--judge", judge), ("--accept", accept)):
            if value is not None:
                problems.append(
                    Problem(f"{option} {value!r} belongs to --judge-run or --judged: give one of them")
                )
    if problems:
        raise InvalidInput(problems)


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
    """Return the measured judge if a run or a table is named; rows that cannot be read are printed."""
    least = RIGHT if right is None else right
    if run is not None:
        engine = open_session(ctx, existing=True).engine
        return run_judge_rates(
            engine, run, judge=judge, metric=metric, accept=accept, right=least, price=price, level=level
        )
    if table is None:
        return None
    rates = table_judge_rates(table, judge=judge, accept=accept, right=least, price=price, level=level)
    for problem in rates.problems:
        notes().print(f"  {problem}")
    return rates


def _groups(ctx: typer.Context, read: TensorSource, column: str) -> dict[str, str]:
    """Return the group of each arm, by the arm's name."""
    return groups_of(read.tensor.models, tuple(ctx.params.get("arm") or ()), column)


def print_posthoc(study: PosthocStudy) -> None:
    """Print the denominators, the judges, all tables, the break-even errors, the notes and the caveats."""
    cells = study.prompts * len(study.models)
    typer.echo(
        f"{counted(study.prompts, 'prompt')} x {counted(len(study.models), 'model')} x "
        f"{counted(study.generations, 'generation')}: {counted(study.answers, 'answer')}, "
        f"{study.missing:,} of {cells:,} cells missing"
    )
    typer.echo(f"In parentheses: {100 * study.wish.level:g} % intervals over other prompts of the same kind.")
    for selected in study.selected:
        _print_judge(selected)
    for place, table in enumerate(posthoc_tables(study)):
        print_report_table(table, complete=table.key in COMPLETE)
        for line in (*table.notes, *(break_even_lines(study) if place == 0 else ())):
            print_wrapped(line)
    print_listed_notes("Notes on these data", study.notes)
    print_listed_notes("Caveats", study.caveats)


def _print_judge(selected: Selected) -> None:
    """Print how a judge was measured, with denominators."""
    rates = selected.judge.rates
    if rates is None:
        return
    measured = rates.measured
    parts = []
    for name, hits, number, ends, independent in (
        ("right", measured.right_accepted, measured.right, measured.true_positive, measured.right_worth),
        ("wrong", measured.wrong_accepted, measured.wrong, measured.false_positive, measured.wrong_worth),
    ):
        share = hits / number if number else 0.0
        parts.append(
            f"accepts {hits:,} of {number:,} {name} answers, {100 * share:.1f} % "
            f"({ends_text(ends, CellKind.SHARE)}; equivalent to {independent:,.0f} independent answers)"
        )
    price = "at an unknown price" if rates.price is None else f"for {rates.price:.3g} each"
    print_wrapped(f"The judge {rates.judge} {'; '.join(parts)}; {price}.")
    left_out = ", ".join(f"{count:,} {reason}" for reason, count in rates.left_out.items())
    if left_out:
        print_wrapped(f"  not counted: {left_out}")
