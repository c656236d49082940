"""A frontier's report in a folder, and its page: one file with every figure, chart and caveat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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
from assay.report.frontier.table import (
    CellKind,
    ReportTable,
    Value,
    csv_text,
    ends_text,
    markdown_text,
    shown_columns,
    value_text,
)
from assay.report.frontier.tables import paper_tables
from assay.report.inline import inline_page
from assay.report.save import save_chart
from assay.results.frontier import Estimate
from assay.results.frontier_report import FrontierReportResult
from assay.results.published import document
from assay.studies.frontier.report_result import FrontierReport

SECTIONS = (
    (
        "frontier",
        "The frontier",
        "The best quality for each cost when every prompt goes to the right model, beside every model alone: "
        "an upper bound of what routing can reach.",
        ("frontier", "models"),
        ("table-1", "table-2", "gains", "prices", "models"),
    ),
    (
        "asking",
        "Asking several times",
        "What k answers of each model reach when a perfect, free judge picks, what asking one after the "
        "other costs, and what is left when the judge errs.",
        ("k-shot",),
        ("table-4", "table-5", "k-shot", "sequential", "judges"),
    ),
    (
        "luck",
        "How much was luck",
        "An oracle that picks by few generations picks luck too. How much, by several methods.",
        ("oracle-by-generations", "bias"),
        ("table-6", "methods"),
    ),
    (
        "reliability",
        "Reliability",
        "How alike a model's answers to one prompt are: always or never right is reliable.",
        ("reliability",),
        ("table-3",),
    ),
    (
        "carriers",
        "Who carries the frontier",
        "Which models an oracle needs, and how few keep most of what it gains.",
        ("carriers",),
        ("carriers", "sets"),
    ),
    (
        "topics",
        "Topic entropy",
        "How the gain over the best single model depends on how mixed the prompts are.",
        ("topic-entropy",),
        (),
    ),
)
"""Sections of the page: key, title, lede, charts, tables; what does not exist is left out."""


@dataclass(frozen=True, slots=True)
class _Cell:
    """One cell: its words, its interval below them, its value for sorting, and the text shown on hover."""

    text: str
    ends: str
    raw: float | None
    told: str
    text_only: bool


def report_page(
    report: FrontierReport, tables: Sequence[ReportTable], charts: Mapping[str, Any], *, made: datetime
) -> str:
    """Return the page as HTML that needs no other file and no network.

    `charts` are vega-lite specifications by name, `made` (UTC) is when it says that it was made.
    InvalidInput where the charts' JavaScript was not built.
    """
    return inline_page(
        "frontier_report.html",
        _view(report, tables, charts, made),
        dict(charts),
        styles=("page.css", "board.css", "frontier_report.css"),
        scripts=("page.js", "board.js", "frontier_report.js"),
        filters=(),
    )


def _view(
    report: FrontierReport, tables: Sequence[ReportTable], charts: Mapping[str, Any], made: datetime
) -> dict[str, Any]:
    read, settings = report.read, report.settings
    by_key = {table.key: table for table in tables}
    sections = []
    used: set[str] = set()
    for key, title, lede, drawn, shown in SECTIONS:
        here = [name for name in drawn if name in charts]
        used.update(here)
        there = [_table(by_key[name]) for name in shown if name in by_key]
        more = [name for name in charts if name.startswith("frontier-")] if key == "frontier" else []
        if here or there:
            sections.append(
                {
                    "key": f"part-{key}",
                    "title": title,
                    "lede": lede,
                    "charts": here,
                    "tables": there,
                    "more": more,
                }
            )
    rows = read.rows
    return {
        "headline": headline(report),
        "cautions": cautions(report),
        "measured": denominators(report),
        "method": settings.method
        if settings.method == settings.asked
        else f"{settings.method}, in place of {settings.asked}",
        "level": f"{100 * settings.level:g} %",
        "prices": _prices(report),
        "source": read.source,
        "simulated": read.simulated,
        "digest": read.digest,
        "rows": f"{rows.read:,} rows read, {rows.used:,} used, {rows.errors:,} errors, "
        f"{rows.ungraded:,} ungraded, {rows.left_out:,} left out, {rows.skipped:,} not asked for",
        "made": made,
        "sections": sections,
        "charts": {name: _title(spec) for name, spec in charts.items()},
        "caveats": report.caveats,
        "notes": list(dict.fromkeys((*read.notes, *report.notes))),
        "left_out": [
            f"{each.kind} {each.name!r}: {each.reason} ({each.rows:,} rows)" for each in read.left_out
        ],
    }


def _prices(report: FrontierReport) -> str:
    if report.whole.frontier.points[-1].cost.value is None:
        return "no costs were recorded"
    date = report.settings.prices_date or "not stated"
    return f"{date}; figures are at new prices" if report.settings.repriced else date


def _table(table: ReportTable) -> dict[str, Any]:
    places = shown_columns(table)
    columns = [table.columns[place] for place in places]
    return {
        "key": table.key,
        "title": table.title,
        "columns": [{"title": column.title, "text": column.kind is CellKind.TEXT} for column in columns],
        "rows": [[_cell(row[place], table.columns[place].kind) for place in places] for row in table.rows],
        "notes": table.notes,
    }


def _cell(value: Value, kind: CellKind) -> _Cell:
    text = value_text(value, kind)
    if isinstance(value, Estimate):
        ends, here = ends_text(value.over_prompts, kind), ends_text(value.these_prompts, kind)
        told = f"on these very prompts: {here}" if here else ""
        return _Cell(text, ends if value.value is not None else "", value.value, told, False)
    raw = float(value) if isinstance(value, int | float) else None
    return _Cell(text, "", raw, "", kind is CellKind.TEXT)


def _title(spec: Mapping[str, Any]) -> str:
    title = spec.get("title")
    return str(title["text"]) if isinstance(title, dict) else "chart"


def write_report(
    report: FrontierReport,
    result: FrontierReportResult,
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
    write_whole(folder / "report.json", orjson.dumps(document(result), option=orjson.OPT_INDENT_2) + b"\n")
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


def _whole(report: FrontierReport, tables: tuple[ReportTable, ...]) -> str:
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
