"""A frontier's report in a folder: one document, tables, charts, and the page that holds them all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from assay.core.errors import InvalidInput
from assay.files.atomic import write_whole
from assay.report.frontier_headline import denominators, headline
from assay.report.frontier_more_tables import more_tables
from assay.report.frontier_table import Table, csv_text, markdown_text
from assay.report.frontier_tables import paper_tables
from assay.studies.frontier.report_result import FrontierReport


def write_report(report: FrontierReport, document: dict[str, Any], folder: Path) -> tuple[str, ...]:
    """Write the report's files, each whole or not at all, and return what to tell of them.

    `report.json` is the document, `report.md` all tables with the headline, notes and caveats; each table is
    also a file of its own, as CSV and Markdown.
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
    return (f"{folder}: report.json, report.md, {len(tables)} tables (.csv, .md)",)


def _whole(report: FrontierReport, tables: tuple[Table, ...]) -> str:
    """Return the whole report as Markdown."""
    parts = ["# The capability frontier", report.read.source, denominators(report), *headline(report)]
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
