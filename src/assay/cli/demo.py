"""`assay demo`: 30 simulated days of the daily suite, with verdicts that are compared with the truth."""

from __future__ import annotations

import asyncio
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import typer
from rich.text import Text

from assay.cli.app import new_app
from assay.cli.outcome import describe_counts
from assay.cli.output import notes, print_result, print_table
from assay.cli.serve import serve_pages
from assay.cli.watch.verdicts import COLOURS, SIMULATED
from assay.core.errors import InvalidInput
from assay.core.verdict import ModelState
from assay.core.wording import counted
from assay.report.watch.page import save_verdicts
from assay.results.demo import DemoFinding, Demonstration
from assay.results.watch import WatchDay
from assay.runs.demo import DEMO_JUDGE, demo_work, simulate_days
from assay.runs.work import Work

app = new_app()
MARKED = f"Judged use cases were marked by {DEMO_JUDGE.name}, which knows the exemplars' marks."
LETTERS = {
    ModelState.GAP: "-",
    ModelState.CALIBRATING: "c",
    ModelState.OK: ".",
    ModelState.SUSPICIOUS: "s",
    ModelState.COOKED: "C",
}


@app.command()
def demo(
    days: int = typer.Option(30, min=6, max=365, help="Number of days to simulate."),
    out: Path = typer.Option(Path("demo"), metavar="FOLDER", help="Folder for the database and the page."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
    serve: bool = typer.Option(False, "--serve", help="Serve the live pages afterwards, until Ctrl-C."),
    port: int = typer.Option(8080, metavar="PORT", help="Port of the live pages; 0 picks a free one."),
) -> None:
    """Watch simulated models for a month over real HTTP, and compare the verdicts with the truth."""
    work = demo_work(out)
    start = time.monotonic()
    notes().print(f"Assay demonstration: {days} days of the daily suite. {SIMULATED} {MARKED}")

    def show(ended: WatchDay) -> None:
        counts = ended.outcome.counts
        notes().print(
            f"{ended.day}  {describe_counts(counts)}  {counted(len(ended.topped), 'top-up')}  "
            f"{time.monotonic() - start:.0f} s"
        )

    findings = asyncio.run(simulate_days(work, days=days, last=work.today(), on_day=show))
    page = _page(work, out)
    if as_json:
        notes().print(page)
        print_result(Demonstration(True, days, tuple(findings)))
        return
    print_table(
        "Verdicts by day (c calibrating, . ok, s suspicious, C cooked, - gap)",
        ("model", "day 1 to " + str(days), "simulated to"),
        [(finding.model, _strip(finding), finding.about) for finding in findings],
    )
    typer.echo("")
    for finding in findings:
        if finding.fell_on is not None:
            typer.echo(_fall(finding))
    cleared = [finding for finding in findings if finding.fell_on is None]
    wrong = [_name(finding) for finding in cleared if finding.cooked_on is not None]
    names = ", ".join(map(_name, cleared))
    typer.echo(
        f"Not simulated to fall: {names}; "
        + (f"COOKED by a false alarm: {', '.join(wrong)}" if wrong else "none was ever COOKED")
    )
    typer.echo(f"Show the evidence: assay --database {out}/demo.db verdict simulated/degrading")
    typer.echo(page)
    typer.echo(f"{SIMULATED} {MARKED}")
    command = f"assay --database {out}/demo.db serve"
    if serve and sys.stdout.isatty():
        work.engine.dispose()
        serve_pages(work.workspace.database, port)
    else:
        typer.echo(f"See every answer on live pages: {command}")


def _page(work: Work, folder: Path) -> str:
    """Write the page of the verdicts and return a line with its address, or with why there is none."""
    try:
        address = save_verdicts(work.verdicts(), folder / "report.html", made=datetime.now(UTC))
    except InvalidInput as error:
        return f"No page was written: {error}"
    return f"See it in a browser: {address}"


def _name(finding: DemoFinding) -> str:
    return finding.model.removeprefix("simulated/")


def _strip(finding: DemoFinding) -> Text:
    return Text.assemble(*((LETTERS[day.state], COLOURS[day.state.value]) for day in finding.states))


def _fall(finding: DemoFinding) -> str:
    alarms = [
        f"{name} on {day} (day {(day - finding.fell_on).days + 1} of the fall)"
        for name, day in (
            ("SUSPICIOUS", finding.suspected_on),
            ("COOKED", finding.cooked_on),
            ("sequential alarm", finding.alarmed_on),
        )
        if day is not None and finding.fell_on is not None
    ]
    when = "".join(f"\n  {line}" for line in alarms) if alarms else " not found"
    return f"{finding.model} was simulated to fall from {finding.fell_on}:{when}"
