"""The page of a frontier's report: one file that holds every figure, chart and caveat; it fetches nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from assay.frontier.estimate import Estimate
from assay.report.bundle import vega_bundle
from assay.report.frontier.headline import cautions, denominators, headline
from assay.report.frontier.table import Kind, Table, Value, ends_text, shown_columns, value_text
from assay.report.inline import content_policy, json_block
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
    """One cell: its words, its interval below them, its value for sorting, and what is told on hover."""

    text: str
    ends: str
    raw: float | None
    told: str
    text_only: bool


def report_page(
    report: FrontierReport, tables: Sequence[Table], charts: Mapping[str, Any], *, made: datetime
) -> str:
    """Return the page as HTML that needs no other file and no network.

    `charts` are vega-lite specifications by name, `made` (UTC) is when it says that it was made.
    InvalidInput where the charts' JavaScript was not built.
    """
    css = _source("watch.css") + _source("board.css") + _source("frontier_report.css")
    script, bundle = _source("board.js") + _source("frontier_report.js"), vega_bundle()
    return (
        _environment()
        .get_template("frontier_report.html")
        .render(
            page=_view(report, tables, charts, made),
            policy=content_policy([bundle, script], [css]),
            css=Markup(css),
            script=Markup(script),
            bundle=Markup(bundle),
            data=Markup(json_block(dict(charts))),
        )
    )


def _view(
    report: FrontierReport, tables: Sequence[Table], charts: Mapping[str, Any], made: datetime
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


def _table(table: Table) -> dict[str, Any]:
    places = shown_columns(table)
    columns = [table.columns[place] for place in places]
    return {
        "key": table.key,
        "title": table.title,
        "columns": [{"title": column.title, "text": column.kind is Kind.TEXT} for column in columns],
        "rows": [[_cell(row[place], table.columns[place].kind) for place in places] for row in table.rows],
        "notes": table.notes,
    }


def _cell(value: Value, kind: Kind) -> _Cell:
    text = value_text(value, kind)
    if isinstance(value, Estimate):
        ends, here = ends_text(value.over_prompts, kind), ends_text(value.these_prompts, kind)
        told = f"on these very prompts: {here}" if here else ""
        return _Cell(text, ends if value.value is not None else "", value.value, told, False)
    raw = float(value) if isinstance(value, int | float) else None
    return _Cell(text, "", raw, "", kind is Kind.TEXT)


def _title(spec: Mapping[str, Any]) -> str:
    title = spec.get("title")
    return str(title["text"]) if isinstance(title, dict) else "chart"


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("assay.report"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )


def _source(name: str) -> str:
    """Return a script or a style sheet of the page, with line feeds only, as its hash needs it."""
    return files("assay.report").joinpath("templates", name).read_text(encoding="utf-8").replace("\r\n", "\n")
