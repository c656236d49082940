"""`assay show`: a run, or one sample with its answer, grades and calls."""

from __future__ import annotations

import re
from enum import StrEnum

import typer

from assay.cli.app import new_app
from assay.cli.output import print_json
from assay.cli.session import open_session
from assay.cli.shown_run import print_run, run_page, shown_document
from assay.cli.shown_sample import print_sample, read_page, sample_document
from assay.core.errors import InvalidInput

app = new_app()
NAMED = re.compile(r"(\d{1,9})(?:\.(\d{1,18}))?")


class Only(StrEnum):
    """Which samples are listed."""

    OK = "ok"
    INVALID = "invalid"
    ERROR = "error"
    UNGRADED = "ungraded"


@app.command()
def show(
    ctx: typer.Context,
    what: str = typer.Argument(metavar="RUN[.POSITION]", help="A run, as 12, or a sample of it, as 12.345."),
    only: Only | None = typer.Option(
        None, metavar="ok|invalid|error|ungraded", help="List only samples of this status."
    ),
    limit: int = typer.Option(50, min=0, metavar="N", help="List at most N samples; 0 for all."),
    reveal: bool = typer.Option(False, "--reveal", help="Print prompts and answers of a private suite too."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Show a run with its plan, scores and samples, or one sample with everything known of it."""
    named = NAMED.fullmatch(what.strip())
    if named is None:
        raise InvalidInput(f"{what!r} is no run or sample: write 12 for run 12, or 12.345 for its sample 345")
    work = open_session(ctx, existing=True)
    run = int(named[1])
    if named[2] is None:
        page = run_page(work, run, only=None if only is None else only.value, limit=limit or None)
        if as_json:
            print_json(shown_document(page))
        else:
            print_run(page)
        return
    sample = read_page(work, run, int(named[2]), reveal=reveal)
    if as_json:
        print_json(sample_document(sample))
    else:
        print_sample(sample)
