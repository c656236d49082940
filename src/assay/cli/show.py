"""`assay show`: a run, or one sample with its answer, grades and calls."""

from __future__ import annotations

import re

import typer

from assay.cli.app import new_app
from assay.cli.output import OutputFormat, print_listed, print_result, prints
from assay.cli.session import open_session
from assay.cli.shown_run import print_run
from assay.cli.shown_sample import print_sample
from assay.core.case import SampleStatus
from assay.core.errors import InvalidInput
from assay.results.run_pages import SAMPLES
from assay.runs.run_pages import run_page, sample_page

app = new_app()
NAMED = re.compile(r"(\d{1,9})(?:\.(\d{1,18}))?")


@app.command()
@prints("one row per sample of a run")
def show(
    ctx: typer.Context,
    output: OutputFormat,
    what: str = typer.Argument(
        metavar="RUN[.POSITION]", help="Run number, such as 12, or a sample of it, such as 12.345."
    ),
    only: SampleStatus | None = typer.Option(
        None, metavar="ok|invalid|error|ungraded", help="Status of the samples to list."
    ),
    limit: int = typer.Option(50, min=0, metavar="N", help="Largest number of samples to list; 0 lists all."),
    reveal: bool = typer.Option(False, "--reveal", help="Also print prompts and answers of a private suite."),
) -> None:
    """Show a run with its plan, scores and samples, or one sample in full."""
    named = NAMED.fullmatch(what.strip())
    if named is None:
        raise InvalidInput(
            f"invalid run or sample {what!r}: write 12 for run 12, or 12.345 for its sample 345"
        )
    work = open_session(ctx, existing=True)
    run = int(named[1])
    if named[2] is None:
        page = run_page(work.engine, run, only=None if only is None else only.value, limit=limit or None)
        print_listed(SAMPLES, page.samples, output, result=page, text=lambda: print_run(page))
        return
    if output is OutputFormat.CSV:
        raise InvalidInput(f"--csv prints the samples of a run, and {what!r} is one sample: use --json")
    sample = sample_page(work.engine, work.workspace.providers, run, int(named[2]), reveal=reveal)
    if output is OutputFormat.JSON:
        print_result(sample)
    else:
        print_sample(sample)
