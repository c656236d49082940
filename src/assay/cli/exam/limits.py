"""`assay exam limits`: quotas of organisations and the largest exposure of each question."""

from __future__ import annotations

import typer

from assay.cli.output import OutputFormat, print_figures, print_listed, prints
from assay.cli.session import open_session
from assay.core.errors import InvalidInput
from assay.exam.exposure import change_limits, change_quota
from assay.results.exam_service import LIMITS


@prints("one row with the limits")
def limits(
    ctx: typer.Context,
    output: OutputFormat,
    exposure_rate: float | None = typer.Option(
        None, metavar="SHARE", help="Largest share of exams that may contain a question, 0-1."
    ),
    quota: int | None = typer.Option(
        None, metavar="N", help="Number of questions that an organisation may receive in a period."
    ),
    days: int | None = typer.Option(None, metavar="DAYS", help="Length of the period, in days."),
    drain_share: float | None = typer.Option(
        None, metavar="SHARE", help="Share of a discipline that an organisation may see before an alarm, 0-1."
    ),
    organisation: str | None = typer.Option(
        None, metavar="NAME", help="Organisation for which --quota is set."
    ),
    common: bool = typer.Option(
        False, "--common", help="Remove the own quota of --organisation, so that the common one applies."
    ),
) -> None:
    """Show or change the limits under which sessions are opened.

    The operator's own sittings have no limits.
    """
    engine = open_session(ctx, existing=True).engine
    if organisation is not None:
        if (quota is None) == (not common):
            raise InvalidInput("--organisation needs either --quota N or --common: give one of them")
        change_quota(engine, organisation, quota)
    elif common:
        raise InvalidInput("--common needs --organisation NAME: name the organisation")
    current = change_limits(
        engine,
        exposure_rate=exposure_rate,
        quota=None if organisation is not None else quota,
        period_days=days,
        drain_share=drain_share,
    )
    print_listed(LIMITS, [current], output, result=current, text=lambda: print_figures(current))
