"""The page of samples: its filter comes from the address's query."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

from assay.core.errors import InvalidInput
from assay.report.site.samples import STATUSES, samples_page
from assay.runs.site.browsing import BrowseRequest, browse_page
from assay.store.browsing import SampleFilter, SamplePlace
from assay.web.site.routes import PageRequest, page_route

LONGEST_TEXT: Final = 200
NAMES: Final = (
    "model", "suite", "use_case", "case", "status", "grader", "above", "below", "from", "to", "run", "text",
    "flipped", "view", "before", "after",
)  # fmt: skip


def samples(asked: PageRequest) -> str:
    """Return the samples that meet the filter in the query."""
    query = {name: asked.query[name] for name in NAMES if asked.query.get(name)}
    request = BrowseRequest(
        parse_filter(query, reveal=asked.visitor.owner),
        before=_place(query.get("before")),
        after=None if "before" in query else _place(query.get("after")),
        flipped=query.get("flipped") == "yes",
        reading=query.get("view") == "read",
    )
    found = browse_page(asked.source, request)
    return samples_page(found, query, asked.source.filter_choices(), asked.site)


def parse_filter(query: Mapping[str, str], *, reveal: bool) -> SampleFilter:
    """Return the filter of a query. Raises InvalidInput for a value that cannot be read."""
    for name, text in query.items():
        if len(text) > LONGEST_TEXT:
            raise InvalidInput(f"{name!r} has {len(text)} characters: give at most {LONGEST_TEXT}")
        if "\0" in text:
            raise InvalidInput(f"{name!r} holds the character NUL: leave it out")
    status, run = query.get("status"), query.get("run")
    if status is not None and status not in STATUSES:
        raise InvalidInput(f"unknown status {status!r}: use {', '.join(STATUSES)}")
    if run is not None and not (run.isascii() and run.isdigit() and len(run) < 10):
        raise InvalidInput(f"invalid run {run!r}: give a number")
    return SampleFilter(
        run=None if run is None else int(run),
        model=query.get("model"),
        suite=query.get("suite"),
        first_day=_day(query.get("from")),
        last_day=_day(query.get("to")),
        use_case=query.get("use_case"),
        case=query.get("case"),
        status=status,
        grader=query.get("grader"),
        least=_share(query.get("above")),
        most=_share(query.get("below")),
        text=query.get("text"),
        reveal=reveal,
    )


def _day(text: str | None) -> str | None:
    try:
        return None if text is None else date.fromisoformat(text).isoformat()
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
        raise InvalidInput(f"invalid grade {text!r}: give a number from 0 to 1")
    return value


def _place(text: str | None) -> SamplePlace | None:
    if text is None:
        return None
    run, _, position = text.partition(".")
    digits = position.removeprefix("-")
    for part, longest in ((run, 9), (digits, 18)):
        if not (part.isascii() and part.isdigit() and len(part) <= longest):
            raise InvalidInput(f"invalid place {text!r}: follow a link of this page")
    return SamplePlace(int(run), int(position))


ROUTES: Final = (page_route("/samples", samples),)
