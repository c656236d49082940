"""A model's page: its charts, verdict and tests, with a link to the cases of every day."""

from __future__ import annotations

from assay.core.case import SampleStatus
from assay.core.verdict import ModelState
from assay.core.verdict import UseCaseState as State
from assay.report.frame import SiteFrame
from assay.report.site.style import site_page
from assay.report.site.today import ModelLine, last_days
from assay.report.watch.charts import model_columns, scores_chart, sequential_chart
from assay.report.watch.page import labels, suite_view
from assay.runs.site.watched import Watched


def model_page(watched: Watched, row: int, site: SiteFrame) -> str:
    """Return the page of a model, by its row. Raises NotFound for a model that was not measured."""
    verdicts, place = watched.verdicts, watched.position(row)
    last = verdicts.last_day
    view, columns = watched.once(
        ("model", row),
        lambda: (
            suite_view(verdicts, [place], last, watched.changed_at),
            model_columns(verdicts, place, verdicts.stored.history.day_of(last)),
        ),
    )
    suite = verdicts.stored.suite
    data = {
        "first": view.first,
        "titles": [use_case.title for use_case in suite.use_cases],
        "specs": {"scores": scores_chart(), "sequential": sequential_chart()},
        "models": {str(place): columns},
        "days": site.to(site.watch(suite.name, row, "DAY")),
    }
    line = ModelLine(
        row, labels(verdicts.names())[place], view.models[0].report, last_days(watched, place), False
    )
    return site_page(
        "site_model.html",
        view,
        site,
        data=data,
        charts=True,
        scripts=("page.js", "watch.js", "site.js"),
        line=line,
        states=tuple(ModelState),
        use_case_states=tuple(State),
        statuses=tuple(SampleStatus),
    )
