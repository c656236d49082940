"""A frontier's report in a folder: one document, tables, charts, and the page that holds them all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import orjson

from assay.core.errors import InvalidInput
from assay.files.atomic import write_whole
from assay.report.frontier.charts import report_charts
from assay.report.frontier.headline import cautions, denominators, headline
from assay.report.frontier.more_tables import more_tables
from assay.report.frontier.page import report_page
from assay.report.frontier.table import Table, csv_text, markdown_text
from assay.report.frontier.tables import paper_tables
from assay.report.save import save_chart
from assay.studies.frontier.report_result import FrontierReport


def write_report(
    report: FrontierReport,
    document: dict[str, Any],
    folder: Path,
    *,
    made: datetime | None = None,
    tell: Callable[[str], None] = lambda text: None,
) -> tuple[str, ...]:
    """Write the report's files and return what to tell of them.

    `index.html` holds everything and needs no network. `report.json` is the document, `report.md` all tables
    with the headline, notes and caveats; each table is also a file of its own, as CSV and Markdown, and each
    chart as HTML, SVG and PNG, the latter two where the extra `images` is installed. `made` is now unless
    given.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"cannot write a report to {str(folder)!r}: {error.strerror}") from None
    write_whole(folder / "report.json", orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n")
    tables = (*paper_tables(report), *more_tables(report))
    for table in tables:
        write_whole(folder / f"{table.key}.csv", csv_text(table).encode())
        write_whole(folder / f"{table.key}.md", markdown_text(table).encode())
    write_whole(folder / "report.md", _whole(report, tables).encode())
    charts = report_charts(report)
    specs = {name: chart.to_dict() for name, chart in charts.items()}
    page = report_page(report, tables, specs, made=made or datetime.now(UTC))
    write_whole(folder / "index.html", page.encode())
    kinds = [".html", ".svg", ".png"] if find_spec("vl_convert") is not None else [".html"]
    for name, chart in charts.items():
        tell(f"chart {name}")
        for kind in kinds:
            save_chart(chart, folder / f"{name}{kind}")
    told = [
        f"{folder}: index.html, report.json, report.md, {len(tables)} tables (.csv, .md), "
        f"{len(charts)} charts ({', '.join(kinds)})"
    ]
    if ".png" not in kinds:
        told.append("no .svg and .png were drawn: pip install 'assay[images]'")
    return tuple(told)


def _whole(report: FrontierReport, tables: tuple[Table, ...]) -> str:
    """Return the whole report as Markdown."""
    parts = ["# The capability frontier", report.read.source, denominators(report), *headline(report)]
    parts += [f"**Caution:** {caution}." for caution in cautions(report)]
    parts.append(
        f"In parentheses: {100 * report.settings.level:g} % intervals over other prompts of the same kind."
    )
    parts += [markdown_text(table).rstrip("\n") for table in tables]
    for title, lines in (
        ("What to know of these data", (*report.read.notes, *report.notes)),
        ("What to know of all such figures", report.caveats),
    ):
        if lines:
            parts += [f"## {title}", "\n".join(f"- {line}" for line in lines)]
    return "\n\n".join(parts) + "\n"
