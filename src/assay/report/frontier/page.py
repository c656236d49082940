"""A frontier report in a folder, and its page: one file with every figure, chart and caveat."""

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
from assay.report.frame import SiteFrame
from assay.report.frontier.charts import report_charts
from assay.report.frontier.headline import cautions, denominators, headline
from assay.report.frontier.more_tables import more_tables
from assay.report.frontier.plane import drawn_singles
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
from assay.report.inline import render_page
from assay.report.save import save_chart
from assay.results.frontier import Estimate
from assay.results.frontier_report import FrontierReportResult
from assay.results.published import document
from assay.studies.frontier.report_result import FrontierReport

POINTS = "points"
"""The name of the slider's data beside the charts'."""
SECTIONS = (
    (
        "frontier",
        "The frontier",
        "The best quality at each cost if every prompt goes to the right model, compared with every single "
        "model. This is an upper bound for routing.",
        ("frontier", "models"),
        ("table-1", "table-2", "gains", "prices", "models"),
    ),
    (
        "asking",
        "Asking several times",
        "The quality of k answers per model if a perfect, free judge picks, the cost of asking one model "
        "after the other, and the effect of a judge that errs.",
        ("k-shot",),
        ("table-4", "table-5", "k-shot", "sequential", "judges"),
    ),
    (
        "luck",
        "Luck",
        "An oracle that picks models by few generations also picks lucky ones. Several methods estimate this "
        "bias.",
        ("oracle-by-generations", "bias"),
        ("table-6", "methods"),
    ),
    (
        "reliability",
        "Reliability",
        "The similarity of a model's answers to one prompt: always right and never right are both reliable.",
        ("reliability",),
        ("table-3",),
    ),
    (
        "carriers",
        "Models that carry the frontier",
        "The models that an oracle needs, and the smallest set that keeps most of its gain.",
        ("carriers",),
        ("carriers", "sets"),
    ),
    (
        "topics",
        "Topic entropy",
        "The gain over the best single model by the mixture of topics among the prompts.",
        ("topic-entropy",),
        (),
    ),
)
"""Sections of the page: key, title, introduction, charts and tables; missing ones are left out."""


@dataclass(frozen=True, slots=True)
class _Cell:
    """One cell: its text, the interval below it, its value for sorting, and the hint shown on hover."""

    text: str
    ends: str
    raw: float | None
    hint: str
    text_only: bool


def report_page(
    report: FrontierReport,
    tables: Sequence[ReportTable],
    charts: Mapping[str, Any],
    *,
    made: datetime,
    site: SiteFrame | None = None,
    board: tuple[str, str] | None = None,
) -> str:
    """Return the page as HTML, a file of its own or a page of `site`.

    `charts` are vega-lite specifications by name, `made` (UTC) is the time of creation to show. `board` has
    the name and title of the site's board with the same models. InvalidInput if the charts' JavaScript was
    not built.
    """
    return render_page(
        "frontier_report.html",
        {**_view(report, tables, charts, made), "board": board},
        {**charts, POINTS: _points(report)},
        styles=("page.css", "board.css", "frontier_report.css"),
        scripts=("page.js", "board.js", "frontier_report.js"),
        filters=(),
        site=site,
    )


def _points(report: FrontierReport) -> list[dict[str, Any]]:
    """Return what the page says of each alpha of the sweep, for its slider."""
    return [
        {
            "alpha": point.alpha,
            "quality": point.quality.value,
            "low": None if point.quality.over_prompts is None else point.quality.over_prompts.low,
            "high": None if point.quality.over_prompts is None else point.quality.over_prompts.high,
            "cost": point.cost.value,
            "latency": point.latency_p95,
            "shares": sorted(
                ([model, share] for model, share in (point.shares or {}).items() if share > 0.0),
                key=lambda pair: -pair[1],
            ),
        }
        for point in report.whole.frontier.points
    ]


def _view(
    report: FrontierReport, tables: Sequence[ReportTable], charts: Mapping[str, Any], made: datetime
) -> dict[str, Any]:
    read, settings = report.read, report.settings
    by_key = {table.key: table for table in tables}
    sections = []
    for key, title, lede, drawn, shown in SECTIONS:
        section_charts = [name for name in drawn if name in charts]
        section_tables = [_table(by_key[name]) for name in shown if name in by_key]
        more = [name for name in charts if name.startswith("frontier-")] if key == "frontier" else []
        if section_charts or section_tables:
            sections.append(
                {
                    "key": f"part-{key}",
                    "title": title,
                    "lede": lede,
                    "charts": section_charts,
                    "tables": section_tables,
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
        else f"{settings.method}, instead of {settings.asked}",
        "level": f"{100 * settings.level:g} %",
        "prices": _prices(report),
        "source": read.source,
        "simulated": read.simulated,
        "digest": read.digest,
        "rows": f"{rows.read:,} rows read, {rows.used:,} used, {rows.errors:,} errors, "
        f"{rows.ungraded:,} ungraded, {rows.left_out:,} left out, {rows.skipped:,} did not meet the "
        "conditions",
        "made": made,
        "sections": sections,
        "charts": {name: _title(spec) for name, spec in charts.items()},
        "slider": len(report.whole.frontier.points) > 1,
        "singles": [single.model for single in drawn_singles(report.whole.frontier)],
        "caveats": report.caveats,
        "notes": list(dict.fromkeys((*read.notes, *report.notes))),
        "left_out": [
            f"{left_out.kind} {left_out.name!r}: {left_out.reason} ({left_out.rows:,} rows)"
            for left_out in read.left_out
        ],
    }


def _prices(report: FrontierReport) -> str:
    if report.whole.frontier.points[-1].cost.value is None:
        return "no costs were recorded"
    date = report.settings.prices_date or "not stated"
    return f"{date}; the figures use new prices" if report.settings.repriced else date


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
        hint = f"interval for these prompts: {here}" if here else ""
        return _Cell(text, ends if value.value is not None else "", value.value, hint, False)
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
    progress: Callable[[str], None] = lambda step: None,
) -> tuple[str, ...]:
    """Write the files of a report and return lines that describe them.

    `index.html` holds everything and needs no network. `report.json` is the document, `report.md` all tables
    with the headline, notes and caveats. Each table is also written as CSV and Markdown, and each chart as
    HTML, SVG and PNG; SVG and PNG need the extra `images`. `made` (UTC) is now by default.
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
        progress(f"chart {name}")
        for kind in kinds:
            save_chart(chart, folder / f"{name}{kind}")
    lines = [
        f"{folder}: index.html, report.json, report.md, {len(tables)} tables (.csv, .md), "
        f"{len(charts)} charts ({', '.join(kinds)})"
    ]
    if ".png" not in kinds:
        lines.append("no .svg and .png were written: run `pip install 'assay[images]'`")
    return tuple(lines)


def _whole(report: FrontierReport, tables: tuple[ReportTable, ...]) -> str:
    """Return the whole report as Markdown."""
    parts = ["# The capability frontier", report.read.source, denominators(report), *headline(report)]
    parts += [f"**Caution:** {caution}." for caution in cautions(report)]
    parts.append(
        f"In parentheses: {100 * report.settings.level:g} % intervals over other prompts of the same kind."
    )
    parts += [markdown_text(table).rstrip("\n") for table in tables]
    for title, lines in (
        ("Notes on these data", (*report.read.notes, *report.notes)),
        ("Caveats", report.caveats),
    ):
        if lines:
            parts += [f"## {title}", "\n".join(f"- {line}" for line in lines)]
    return "\n\n".join(parts) + "\n"
