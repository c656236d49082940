"""`assay demo`: 30 simulated days of the daily suite, the verdicts, and whether they were right."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import typer
from rich.text import Text

from assay.cli.app import new_app
from assay.cli.outcome import told_counts
from assay.cli.output import notes, print_json, print_table
from assay.cli.verdicts import COLOURS, SIMULATED
from assay.core.errors import InvalidInput
from assay.core.verdict import ModelState
from assay.runs.daily import WatchDay
from assay.runs.demo import DEMO_JUDGE, Finding, demo_work, simulate_days
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
    days: int = typer.Option(30, min=6, max=365, help="How many days to simulate."),
    folder: Path = typer.Option(Path("demo"), help="Where the database and the page go."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Watch simulated models for a month, over real HTTP, and compare the verdicts with the truth."""
    work = demo_work(folder)
    start = time.monotonic()
    notes().print(f"Assay demonstration: {days} days of the daily suite. {SIMULATED} {MARKED}")

    def told(ended: WatchDay) -> None:
        counts = ended.outcome.counts
        notes().print(
            f"{ended.day}  {told_counts(counts)}  {len(ended.topped)} re-run at full count  "
            f"{time.monotonic() - start:.0f} s"
        )

    findings = asyncio.run(simulate_days(work, days=days, last=work.today(), told=told))
    page = _page(work, folder)
    if as_json:
        notes().print(page)
        first = work.today() - timedelta(days=days - 1)
        models = [_document(each, first) for each in findings]
        print_json({"simulated": True, "days": days, "models": models})
        return
    print_table(
        "Verdicts by day (c calibrating, . ok, s suspicious, C cooked, - gap)",
        ("model", "day 1 to " + str(days), "simulated to"),
        [(f"simulated/{each.model.name}", _strip(each), each.model.about) for each in findings],
    )
    typer.echo("")
    for each in findings:
        if each.fell_on is not None:
            typer.echo(_told(each))
    cleared = [each for each in findings if each.fell_on is None]
    wrong = [each.model.name for each in cleared if each.cooked_on is not None]
    names = ", ".join(each.model.name for each in cleared)
    typer.echo(
        f"Not simulated to fall: {names}; "
        + (f"called COOKED all the same: {', '.join(wrong)}" if wrong else "none was ever called COOKED")
    )
    typer.echo(f"Look closer: assay --database {folder}/demo.db verdict simulated/degrading")
    typer.echo(page)
    typer.echo(f"{SIMULATED} {MARKED}")


def _page(work: Work, folder: Path) -> str:
    """Write the page of the verdicts and say where it is, or why there is none."""
    from assay.report.save import save_verdicts

    try:
        address = save_verdicts(work.verdicts(), folder / "report.html", made=datetime.now(UTC))
    except InvalidInput as error:
        return f"No page was written: {error}"
    return f"See it in a browser: {address}"


def _strip(each: Finding) -> Text:
    return Text.assemble(*((LETTERS[state], COLOURS[state.value]) for state in each.states))


def _told(each: Finding) -> str:
    seen = [
        f"{name} on {day} (day {(day - each.fell_on).days + 1} of the fall)"
        for name, day in (
            ("SUSPICIOUS", each.suspected_on),
            ("COOKED", each.cooked_on),
            ("sequential alarm", each.alarmed_on),
        )
        if day is not None and each.fell_on is not None
    ]
    found = "".join(f"\n  {line}" for line in seen) if seen else " not found"
    return f"simulated/{each.model.name} was simulated to fall from {each.fell_on}:{found}"


def _document(each: Finding, first: date) -> dict[str, object]:
    return {
        "model": f"simulated/{each.model.name}",
        "about": each.model.about,
        "fell_on": each.fell_on,
        "suspected_on": each.suspected_on,
        "cooked_on": each.cooked_on,
        "alarmed_on": each.alarmed_on,
        "states": [
            {"day": first + timedelta(days=number), "state": state.value}
            for number, state in enumerate(each.states)
        ],
    }
