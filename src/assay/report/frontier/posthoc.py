"""A folder with the results of a study of post-hoc selection: the JSON document, tables and charts."""

from __future__ import annotations

from pathlib import Path

import orjson

from assay.core.errors import InvalidInput
from assay.files.atomic import write_whole
from assay.report.frontier.posthoc_charts import posthoc_charts
from assay.report.frontier.posthoc_tables import posthoc_tables
from assay.report.frontier.table import csv_text, markdown_text
from assay.report.save import save_chart
from assay.results.frontier_selection import PosthocResult
from assay.results.published import document
from assay.studies.frontier.posthoc_result import PosthocStudy

CHART_FILES = (".html", ".svg", ".png")


def write_posthoc(study: PosthocStudy, result: PosthocResult, source: str, folder: Path) -> str:
    """Write `posthoc.json`, each table as .csv and .md and each chart as .html, .svg and .png.

    Returns a line that lists the files; InvalidInput if the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"cannot write to {str(folder)!r}: {error.strerror}") from None
    write_whole(folder / "posthoc.json", orjson.dumps(document(result), option=orjson.OPT_INDENT_2) + b"\n")
    tables = posthoc_tables(study)
    for table in tables:
        write_whole(folder / f"{table.key}.csv", csv_text(table).encode())
        write_whole(folder / f"{table.key}.md", markdown_text(table).encode())
    charts = posthoc_charts(study, source)
    for name, chart in charts.items():
        for suffix in CHART_FILES:
            save_chart(chart, folder / f"{name}{suffix}")
    return (
        f"{folder}: posthoc.json; tables {', '.join(table.key for table in tables)} (.csv, .md); "
        f"charts {', '.join(charts)} ({', '.join(CHART_FILES)})"
    )
