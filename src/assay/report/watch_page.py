"""The watch's page: one file that shows a suite's verdicts and their evidence, and fetches nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from assay.report import numerals
from assay.report.bundle import vega_bundle
from assay.report.chart_rows import model_columns
from assay.report.inline import content_policy, json_block
from assay.report.strip import LETTERS, SEVERITY
from assay.report.watch_charts import scores_chart, sequential_chart
from assay.report.watch_view import suite_view
from assay.runs.verdicts import Verdicts
from assay.watch.wording import describe_change


def watch_page(
    verdicts: Verdicts,
    *,
    made: datetime,
    models: Sequence[int] | None = None,
    day: date | None = None,
) -> str:
    """Return the page as HTML that needs no other file and no network.

    `made` (UTC) is when it says that it was made. `models` are positions (`Verdicts.of`), else all;
    `day` is the last day shown, else the history's. Raises InvalidInput for a day outside the history and
    where the charts' JavaScript was not built.
    """
    shown = tuple(range(len(verdicts.names()))) if models is None else tuple(models)
    last = day or verdicts.last_day
    view = suite_view(verdicts, shown, last, made)
    place = verdicts.stored.history.day_of(last)
    data = json_block(
        {
            "first": view.first,
            "titles": [use_case.title for use_case in verdicts.stored.suite.use_cases],
            "specs": {"scores": scores_chart(), "sequential": sequential_chart()},
            "models": {str(model): model_columns(verdicts, model, place) for model in shown},
        }
    )
    css, script, bundle = _source("watch.css"), _source("watch.js"), vega_bundle()
    return (
        _environment()
        .get_template("watch.html")
        .render(
            page=view,
            letters=[(state.name.lower(), LETTERS[state]) for state in reversed(SEVERITY)],
            policy=content_policy([bundle, script], [css]),
            css=Markup(css),
            script=Markup(script),
            bundle=Markup(bundle),
            data=Markup(data),
        )
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("assay.report"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    for read in (
        numerals.points,
        numerals.signed,
        numerals.percent,
        numerals.probability,
        numerals.level,
        numerals.thousands,
        describe_change,
    ):
        environment.filters[read.__name__] = read
    return environment


def _source(name: str) -> str:
    """Return a script or a style sheet of the page, with line feeds only, as its hash needs it."""
    return files("assay.report").joinpath("templates", name).read_text(encoding="utf-8").replace("\r\n", "\n")
