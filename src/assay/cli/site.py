"""`assay site`: write the pages of results as files for any web host."""

from __future__ import annotations

from pathlib import Path

import typer

from assay.cli.app import new_app
from assay.cli.output import notes, print_result
from assay.cli.session import open_session
from assay.core.wording import counted
from assay.exam.results import results_of_main_judge
from assay.report.site.export import write_site
from assay.report.site.static import DAYS
from assay.runs.site.source import SiteSource

app = new_app()


@app.command()
def site(
    ctx: typer.Context,
    folder: Path = typer.Argument(
        ..., metavar="FOLDER", help="New or empty folder, or one with an earlier export."
    ),
    days: int = typer.Option(
        DAYS, min=1, metavar="DAYS", help="Number of last days whose cases and answers have pages."
    ),
    address: str | None = typer.Option(
        None, metavar="URL", help="Address of the site, which feeds need for their links."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Write the pages of results as a static site.

    The site can be put on any web host. It has the pages that `assay serve` shows, without texts of
    private suites. A second export into the same folder writes only files that changed.
    """
    source = SiteSource(open_session(ctx, existing=True), results_of_main_judge)
    exported = write_site(source, folder, days=days, address=address, progress=notes().print)
    if as_json:
        print_result(exported)
        return
    typer.echo(
        f"{counted(exported.files, 'file')}: {exported.written:,} written, "
        f"{exported.files - exported.written:,} unchanged, {exported.removed:,} removed"
    )
    typer.echo((folder / "index.html").resolve().as_uri())
