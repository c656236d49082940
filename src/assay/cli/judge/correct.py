"""`assay judge correct` and `assay judge plan`: few human marks that correct many judge marks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import typer

from assay.cli.judge.reference import with_reference
from assay.cli.out import write_study
from assay.cli.output import OutputFormat, notes, print_listed, print_rows, prints
from assay.cli.rank.source import OUT, print_source
from assay.ranking.corrected_marks import PanelMarks, panel_of
from assay.ranking.corrected_marks import correct as correct_means
from assay.ranking.marks_plan import plan_marks
from assay.ranking.reference_marks import ReferenceSource
from assay.report.rank.judges import corrected_page, plan_page
from assay.results.corrected_marks import (
    CORRECTED,
    CORRECTED_DIFFERENCES,
    PLANNED,
    STRATA,
    TAKE,
    CorrectedMarks,
    MarksPlan,
)

RANGE = typer.Option(
    None,
    "--range",
    metavar="LOW HIGH",
    help="Marks that become 0 and 100 points (default: the scale's ends).",
)


@prints("one row per model")
@with_reference
def correct(
    ctx: typer.Context,
    output: OutputFormat,
    read: ReferenceSource,
    ends: tuple[float, float] | None = RANGE,
    pairs: bool = typer.Option(False, "--pairs", help="Print the differences of models too."),
    out: Path | None = OUT,
) -> None:
    """Correct judges' means by the human marks on some answers.

    Shown are the judge's mean, the mean of the human marks alone, the corrected mean, and Rogan-Gladen's
    estimate, in points from 0 to 100.
    """
    panel = panel_of(read.marks, ends)
    found = correct_means(panel)
    result = CorrectedMarks(
        source=read.about,
        reference=str(ctx.params["reference"]),
        judge=_named(panel),
        random_sample_p=found.random_sample_p,
        same_errors_p=found.same_errors_p,
        models=found.models,
        differences=found.differences,
        remarks=found.remarks,
    )

    def show() -> None:
        print_rows(CORRECTED, result.models)
        if pairs and result.differences:
            typer.echo()
            print_rows(CORRECTED_DIFFERENCES, result.differences, "Differences")

    print_listed(CORRECTED, result.models, output, result=result, text=show)
    print_source(read.about)
    _print_remarks(result.judge, result.remarks)
    write_study(out, result, CORRECTED.records(result.models), corrected_page(result))


@prints("one row per model")
@with_reference
def plan(
    ctx: typer.Context,
    output: OutputFormat,
    read: ReferenceSource,
    half_width: float = typer.Option(
        2.0, "--half-width", metavar="POINTS", help="Wanted half-width of each model's interval, in points."
    ),
    ends: tuple[float, float] | None = RANGE,
    seed: int = typer.Option(0, "--seed", metavar="N", help="Seed that draws the answers to mark."),
    out: Path | None = typer.Option(
        None,
        "--out",
        metavar="FILE",
        help="Write the answers to mark (.csv, .parquet), a page (.html) or a document (.json).",
    ),
) -> None:
    """Plan how many human marks a wanted precision needs.

    The plan learns from the human marks that exist: about 50, on answers drawn at random, make a pilot. The
    file of --out has a row for each answer to mark, with a blank mark to fill in.
    """
    panel = panel_of(read.marks, ends)
    reference = str(ctx.params["reference"])
    planned = plan_marks(panel, half_width, reference, np.random.default_rng(seed))
    result = MarksPlan(
        source=read.about,
        reference=reference,
        judge=_named(panel),
        asked=half_width,
        further=len(planned.take),
        models=planned.models,
        strata=planned.strata,
        take=planned.take,
        remarks=planned.remarks,
    )

    def show() -> None:
        print_rows(PLANNED, result.models)
        typer.echo()
        print_rows(STRATA, result.strata, "By mark of the judge")

    print_listed(PLANNED, result.models, output, result=result, text=show)
    print_source(read.about)
    _print_remarks(result.judge, result.remarks)
    notes().print(f"{result.further:,} answers to mark" + ("" if out else "; --out marks.csv lists them"))
    write_study(out, result, TAKE.records(result.take), plan_page(result))


def _named(panel: PanelMarks) -> str:
    judges = panel.marks.judges
    return judges[0] if len(judges) == 1 else f"mean of {', '.join(judges)}"


def _print_remarks(judge: str, remarks: tuple[str, ...]) -> None:
    notes().print(f"  judge: {judge}")
    for remark in remarks:
        notes().print(f"  {remark}")
