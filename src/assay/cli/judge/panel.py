"""`assay judge panel`: how independent judges are, and which cheaper panel does as well."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import typer

from assay.cli.judge.reference import NONE, with_optional_reference
from assay.cli.out import write_study
from assay.cli.output import OutputFormat, notes, print_listed, print_rows, prints
from assay.cli.rank.source import OUT, print_source
from assay.core.people import HUMAN
from assay.ranking.panel import independence, panel_study
from assay.ranking.panel_choice import MOST, cheaper_panels
from assay.ranking.reference_marks import ReferenceSource
from assay.report.rank.panel import panel_page
from assay.results.judge_panel import JudgePanel, panel_judges_table, panel_sentences, panels_table
from assay.studies.judges import SEED


@prints("one row per judge")
@with_optional_reference
def panel(
    ctx: typer.Context,
    output: OutputFormat,
    read: ReferenceSource,
    most: int = typer.Option(
        MOST, "--most", metavar="N", help="Largest number of judges of a cheaper panel."
    ),
    out: Path | None = OUT,
) -> None:
    """Measure how many independent votes a panel gives.

    With marks of people, the best single judge is compared with the vote of all judges, and cheaper panels
    are chosen and evaluated by nested cross-validation.
    """
    chosen = ctx.params["reference"] or HUMAN
    reference = None if chosen == NONE or np.isnan(read.marks.reference).all() else str(chosen)
    study = panel_study(read.marks, reference)
    measured = independence(study, np.random.default_rng(SEED))
    choices = cheaper_panels(study, np.random.default_rng(SEED), most)
    result = JudgePanel(
        source=read.about,
        independence=measured.figures,
        judges=measured.judges,
        correlations=measured.correlations,
        sizes=choices.sizes,
        chosen=choices.chosen,
        remarks=(*measured.remarks, *choices.remarks),
    )
    table = panel_judges_table(result.judges)
    print_listed(table, result.judges, output, result=result, text=lambda: _print(result))
    print_source(read.about)
    for remark in result.remarks:
        notes().print(f"  {remark}")
    write_study(out, result, table.records(result.judges), panel_page(result))


def _print(result: JudgePanel) -> None:
    for sentence in panel_sentences(result.independence):
        typer.echo(sentence)
    typer.echo()
    print_rows(panel_judges_table(result.judges), result.judges)
    if not result.sizes:
        return
    typer.echo()
    print_rows(
        panels_table(result.sizes),
        result.sizes,
        "Panels by size, on answers that had no part in choosing them",
    )
    chosen = result.chosen
    if chosen is not None:
        typer.echo(
            f"Chosen: {', '.join(chosen.members)} ({chosen.rule}). A panel chosen in this way has "
            f"{result.independence.measure} {chosen.value:.3f}, {chosen.gain:+.3f} against all judges."
        )
