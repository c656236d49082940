"""`assay frontier posthoc`: selection among many answers, by a judge that errs and costs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from textwrap import wrap

import typer

from assay.cli.frontier.source import progress, tell_source, with_source
from assay.cli.output import OutputFormat, console, notes, print_output, print_table, prints
from assay.cli.session import open_session
from assay.core.errors import InvalidInput, Problem
from assay.core.wording import counted
from assay.frontier.selection.judged import ErringJudge
from assay.report.frontier.posthoc_tables import break_even_lines, posthoc_tables
from assay.report.frontier.table import CellKind, ReportTable, cell_text, csv_text, ends_text, value_text
from assay.report.numerals import NOTHING
from assay.studies.frontier.judge_rates import RIGHT, JudgeRates, run_judge_rates
from assay.studies.frontier.judge_table import table_judge_rates
from assay.studies.frontier.posthoc import posthoc_study
from assay.studies.frontier.posthoc_judges import groups_of, judges_of, stated_judge
from assay.studies.frontier.posthoc_result import PosthocStudy, Selected, Wish, published
from assay.studies.frontier.read import Read

SHOWN = 12
"""At most so many rows of a table are printed; all are in --json and --out."""
WHOLE = ("selection", "sequences", "sets")


class RuleOption(StrEnum):
    """Which of the accepted answers is returned."""

    UNIFORM = "uniform"
    FIRST = "first"


class ScopeOption(StrEnum):
    """Whose answers are selected among."""

    ALL_MODELS = "all_models"
    PER_PROMPT_BEST = "per_prompt_best"
    FIXED_BEST = "fixed_best"


@prints("one row per number of answers")
@with_source
def posthoc(
    ctx: typer.Context,
    output: OutputFormat,
    read: Read,
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
        None, "--judge-run", metavar="RUN", help="Judged run of the workspace on which to measure the judge."
    ),
    judge_metric: str | None = typer.Option(None, "--judge-metric", metavar="M", help="Metric of that run."),
    judged: Path | None = typer.Option(
        None, "--judged", metavar="FILE", help="Table on which to measure the judge: prompt, quality, judged."
    ),
    judge: str | None = typer.Option(None, "--judge", metavar="NAME", help="Judge in that run or table."),
    accept: float | None = typer.Option(
        None,
        "--accept",
        metavar="MARK",
        help="Mark from which the judge accepts (default: 1 if all marks are 0 or 1).",
    ),
    judge_price: float | None = typer.Option(
        None, "--judge-price", metavar="USD", help="Cost of one judgement, in the source's unit."
    ),
    rule: RuleOption = typer.Option(
        RuleOption.UNIFORM, "--rule", metavar="RULE", help="Choice among accepted answers: uniform or first."
    ),
    scope: ScopeOption = typer.Option(
        ScopeOption.ALL_MODELS, "--scope", metavar="SCOPE", help="all_models, per_prompt_best or fixed_best."
    ),
    model: list[str] = typer.Option(
        [], "--model", metavar="NAME", help="Model to include; repeatable (default: all)."
    ),
    most: int | None = typer.Option(
        None, "--most", metavar="N", help="Largest number of answers per model (default: all recorded)."
    ),
    right: float | None = typer.Option(
        None, "--right", metavar="QUALITY", help="Quality from which an answer is right."
    ),
    share: float = typer.Option(
        0.95, "--share", metavar="SHARE", help="Share of the gain that the cheapest set must reach."
    ),
    group_by: str | None = typer.Option(
        None, "--group-by", metavar="COLUMN", help="One of the --arm columns by which to group contributions."
    ),
    level: float = typer.Option(0.95, min=0.5, max=0.999, metavar="SHARE", help="Level of the intervals."),
    resamples: int = typer.Option(500, min=0, metavar="N", help="Number of bootstrap replicates."),
    seed: int = typer.Option(0, min=0, metavar="SEED", help="Seed of the bootstrap and of draws."),
    out: Path | None = typer.Option(None, "--out", metavar="DIR", help="Folder for JSON, tables and charts."),
) -> None:
    """Estimate what a judge that selects among answers achieves.

    Shows quality and cost by the number of answers, the judge's error at which selection stops paying,
    asking models in turn with early stopping, which models contribute, and the cheapest set. Without a
    judge, assumes a perfect free one, and shows errors of 1, 5, 10 and 20 % beside it.
    """
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
        read.tensor, judges_of(stated, rates, judge_price), wish, price=judge_price, tell=progress()
    )
    result = published(found, read.summary)
    print_output(
        output,
        result=result,
        csv=lambda: typer.echo(csv_text(posthoc_tables(found)[0]), nl=False),
        text=lambda: print_posthoc(found),
    )
    if out is not None:
        from assay.report.frontier.posthoc import write_posthoc

        notes().print(write_posthoc(found, result, read.source, out))


def _one_way(
    stated: ErringJudge | None,
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
    return groups_of(read.tensor.models, tuple(ctx.params.get("arm") or ()), column)


def print_posthoc(study: PosthocStudy) -> None:
    """Print denominators, the judges, every table, break-even errors, notes and caveats."""
    cells = study.prompts * len(study.models)
    typer.echo(
        f"{counted(study.prompts, 'prompt')} x {counted(len(study.models), 'model')} x "
        f"{counted(study.generations, 'generation')}: {counted(study.answers, 'answer')}, "
        f"{study.missing:,} of {cells:,} cells missing"
    )
    typer.echo(f"In parentheses: {100 * study.wish.level:g} % intervals over other prompts of the same kind.")
    for each in study.selected:
        _print_judge(each)
    tables = posthoc_tables(study)
    _print(tables[0])
    for line in break_even_lines(study):
        _wrapped(line)
    for table in tables[1:]:
        _print(table)
    for title, lines in (
        ("What to know of these data", study.notes),
        ("What to know of all such figures", study.caveats),
    ):
        if lines:
            typer.echo(f"\n{title}")
            for line in lines:
                _wrapped(f"- {line}")


def _print_judge(found: Selected) -> None:
    """Say how a judge was measured, with denominators."""
    rates = found.judge.rates
    if rates is None:
        return
    measured = rates.measured
    parts = []
    for name, hits, number, ends, worth in (
        ("right", measured.right_accepted, measured.right, measured.true_positive, measured.right_worth),
        ("wrong", measured.wrong_accepted, measured.wrong, measured.false_positive, measured.wrong_worth),
    ):
        share = hits / number if number else 0.0
        parts.append(
            f"accepts {hits:,} of {number:,} {name} answers, {100 * share:.1f} % "
            f"({ends_text(ends, CellKind.SHARE)}; worth {worth:,.0f} independent ones)"
        )
    price = "at an unknown price" if rates.price is None else f"for {rates.price:.3g} each"
    _wrapped(f"The judge {rates.judge} {'; '.join(parts)}; {price}.")
    left = ", ".join(f"{count:,} {reason}" for reason, count in rates.left_out.items())
    if left:
        _wrapped(f"  not counted: {left}")


def _print(table: ReportTable) -> None:
    places = [
        place
        for place, column in enumerate(table.columns)
        if any(value_text(row[place], column.kind) != NOTHING for row in table.rows)
    ]
    columns = [table.columns[place] for place in places]
    shown = table.rows if table.key in WHOLE else table.rows[:SHOWN]
    typer.echo("")
    print_table(
        table.title,
        [column.title for column in columns],
        [[cell_text(row[place], table.columns[place].kind) for place in places] for row in shown],
        right=[column.title for column in columns if column.kind is not CellKind.TEXT],
    )
    if len(table.rows) > len(shown):
        typer.echo(f"and {len(table.rows) - len(shown)} more: --json or --out")
    for note in table.notes:
        _wrapped(note)


def _wrapped(text: str) -> None:
    for line in wrap(text, console().width, subsequent_indent="  " if text.startswith("- ") else ""):
        typer.echo(line)
