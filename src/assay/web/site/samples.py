"""The page of samples: its filter comes from the address's query."""

from __future__ import annotations

from datetime import date
from typing import Final

from assay.core.errors import InvalidInput
from assay.report.site.samples import STATUSES, samples_page
from assay.runs.site.browsing import LISTED, READ, BrowsedPage, browse_flipped
from assay.store.browsing import SampleFilter, SamplePlace, browse
from assay.web.site.routes import PageRequest, page_route

LONGEST_TEXT: Final = 200
NAMES: Final = (
    "model", "suite", "use_case", "case", "status", "grader", "below", "from", "to", "run", "text", "flipped",
    "view", "before",
)  # fmt: skip


def samples(asked: PageRequest) -> str:
    """Return the samples that meet the filter in the query."""
    query = {name: asked.query[name] for name in NAMES if asked.query.get(name)}
    chosen = parse_filter(query, reveal=asked.visitor.owner)
    before = _place(query.get("before"))
    reading, flipped = query.get("view") == "read", query.get("flipped") == "yes"
    limit, source = READ if reading else LISTED, asked.source
    if flipped:
        suite = chosen.suite or source.watched_names()[0]
        window = browse_flipped(source.engine, source.watched(suite), chosen, before, limit)
    else:
        window = browse(source.engine, chosen, before, limit)
    texts = source.published(window.samples, reveal=asked.visitor.owner) if reading else ()
    found = BrowsedPage(chosen, flipped, window, texts)
    return samples_page(found, query, source.filter_choices(), asked.site)


def parse_filter(query: dict[str, str], *, reveal: bool) -> SampleFilter:
    """Return the filter of a query. Raises InvalidInput for a value that cannot be read."""
    status = query.get("status")
    if status is not None and status not in STATUSES:
        raise InvalidInput(f"unknown status {status!r}: use {', '.join(STATUSES)}")
    for name in ("from", "to"):
        if name in query:
            _check_day(query[name])
    run = query.get("run")
    if run is not None and not (run.isascii() and run.isdigit() and len(run) < 10):
        raise InvalidInput(f"invalid run {run!r}: give a number")
    if len(query.get("text", "")) > LONGEST_TEXT:
        raise InvalidInput(f"the text has {len(query['text'])} characters: give at most {LONGEST_TEXT}")
    return SampleFilter(
        run=None if run is None else int(run),
        model=query.get("model"),
        suite=query.get("suite"),
        first_day=query.get("from"),
        last_day=query.get("to"),
        use_case=query.get("use_case"),
        case=query.get("case"),
        status=status,
        grader=query.get("grader"),
        below=_share(query.get("below")),
        text=query.get("text"),
        reveal=reveal,
    )


def _check_day(text: str) -> None:
    try:
        date.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"invalid date {text!r}: use YYYY-MM-DD") from None


def _share(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise InvalidInput(f"invalid mark {text!r}: give a number from 0 to 1")
    return value


def _place(text: str | None) -> SamplePlace | None:
    if text is None:
        return None
    run, _, position = text.partition(".")
    if not (run.isascii() and run.isdigit() and len(run) < 10):
        raise InvalidInput(f"invalid place {text!r}: follow a link of this page")
    inside = position.isascii() and position.isdigit() and len(position) < 19
    if not inside and position != "-1":
        raise InvalidInput(f"invalid place {text!r}: follow a link of this page")
    return SamplePlace(int(run), int(position))


ROUTES: Final = (page_route("/samples", samples),)
