"""The pages of the watch: today, a model, a day, a case, a sample, and two samples side by side."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from assay.core.errors import AssayError, NotFound
from assay.report.site.case import case_page
from assay.report.site.compare import compare_page
from assay.report.site.day import day_page
from assay.report.site.model import model_page
from assay.report.site.sample import PREVIEW_POLICY, is_web_page, preview_page, sample_view_page
from assay.report.site.today import today_page
from assay.runs.site.watched import last_sample, model_day
from assay.web.site.routes import PageRequest, SiteContext, page_route, sample_place


def today(asked: PageRequest) -> str:
    """Return the front page."""
    return today_page(asked.source.overview(), asked.site)


def model(asked: PageRequest) -> str:
    """Return a model's page."""
    watched, row = asked.source.watched(asked.path["suite"]), asked.number("model")
    return asked.context.once(asked, watched, lambda: model_page(watched, row, asked.site))


def day(asked: PageRequest) -> str:
    """Return a model's day."""
    watched = asked.source.watched(asked.path["suite"])
    return day_page(
        watched, model_day(watched, asked.number("model"), watched.day_of(asked.path["day"])), asked.site
    )


def case(asked: PageRequest) -> str:
    """Return a case's history, or the last answers of two chosen models side by side."""
    watched, name = asked.source.watched(asked.path["suite"]), asked.path["case"]
    if not asked.query.get("first"):
        return case_page(watched, name, asked.site)
    rows = [asked.chosen(side) for side in ("first", "second")]
    samples = [last_sample(watched, row, name) for row in rows]
    return _beside([(sample.run, sample.position) for sample in samples], asked)


def sample(asked: PageRequest) -> str:
    """Return a sample's page."""
    return sample_view_page(
        asked.source.sample(*asked.sample_id("sample"), reveal=asked.visitor.owner), asked.site
    )


def compare(asked: PageRequest) -> str:
    """Return two samples side by side."""
    return _beside([asked.sample_id(name) for name in ("first", "second")], asked)


def _beside(ids: list[tuple[int, int]], asked: PageRequest) -> str:
    first, second = (asked.source.sample(*one, reveal=asked.visitor.owner) for one in ids)
    days = asked.source.days_of([run for run, _ in ids])
    return compare_page(first, second, (days.get(ids[0][0]), days.get(ids[1][0])), asked.site)


async def preview(request: Request) -> Response:
    """Return the web page in an answer, which its policy keeps from scripts and the network."""
    context: SiteContext = request.app.state.context
    visitor = context.access.visitor(request)
    answer = None
    try:
        if visitor.role is not None:
            answer = context.source.sample(
                *sample_place(request.path_params["sample"]), reveal=visitor.owner
            ).answer
        if answer is None or not is_web_page(answer):
            raise NotFound("this sample has no web page")
    except AssayError as error:
        return Response(str(error), 404, media_type="text/plain")
    policy = f"{PREVIEW_POLICY}; frame-ancestors 'self'"
    return HTMLResponse(preview_page(answer), headers={"Content-Security-Policy": policy})


ROUTES = (
    page_route("/", today),
    page_route("/watch/{suite}/{model}", model),
    page_route("/watch/{suite}/{model}/{day}", day),
    page_route("/cases/{suite}/{case:path}", case),
    page_route("/samples/{sample}", sample),
    page_route("/compare/{first}/{second}", compare),
    Route("/previews/{sample}", preview, methods=["GET"]),
)
