"""`assay exam results`: scores of sittings and models, and comparisons of prompting and draw sizes."""

from __future__ import annotations

from enum import StrEnum

import typer

from assay.core.exam import EXAM_JUDGE


class By(StrEnum):
    """What is compared instead of listing models."""

    PROMPTING = "prompting"
    DRAW_SIZE = "draw-size"


def results(
    ctx: typer.Context,
    judge: str = typer.Option(EXAM_JUDGE, "--judge", metavar="PROVIDER/MODEL", help="Whose marks count."),
    reference: str | None = typer.Option(
        None, "--reference", metavar="MODEL", help="The model that R divides by; else the best published one."
    ),
    draw: str | None = typer.Option(None, "--draw", metavar="NAME", help="Only sittings of this named draw."),
    by: By | None = typer.Option(
        None, "--by", help="Compare prompting (variance over n) or draw sizes (over n - 1)."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Show S, R and subject scores of every model that sat.

    A model is published with three finished, fully marked sittings under one prompting; the others stand
    below with what is missing.
    """
    from assay.cli.examining.results_document import (
        draw_sizes_document,
        promptings_document,
        results_document,
    )
    from assay.cli.examining.results_shown import print_draw_sizes, print_promptings, print_results
    from assay.cli.output import print_json
    from assay.cli.session import open_session
    from assay.exams.publish import by_draw_size, by_prompting
    from assay.exams.results import read_results

    work = open_session(ctx, existing=True)
    found = read_results(
        work.engine,
        judge,
        reference=reference,
        draw=draw,
        simulated_judge=judge.partition("/")[0] in work.simulated,
    )
    if by is By.PROMPTING:
        rows = by_prompting(found)
        print_json(promptings_document(found, rows)) if as_json else print_promptings(found, rows)
    elif by is By.DRAW_SIZE:
        sizes = by_draw_size(found)
        print_json(draw_sizes_document(found, sizes)) if as_json else print_draw_sizes(found, sizes)
    else:
        print_json(results_document(found)) if as_json else print_results(found)
