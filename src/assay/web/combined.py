"""The application of a worker process: the pages, the exam service, or both."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from starlette.types import ASGIApp

from assay.core.errors import AssayError
from assay.exam.results import results_of_main_judge
from assay.runs.site.fresh import keep_from_collection
from assay.runs.site.source import SiteSource
from assay.runs.work import open_work
from assay.web import app as exam
from assay.web.site.access import SiteAccess
from assay.web.site.app import Beside, create_site

EXAM_ENV: Final = "ASSAY_SERVE_EXAM"
PAGES_ENV: Final = "ASSAY_SERVE_PAGES"
"""Set to the kind of address that is served, `loopback` or `other`, where there are pages."""
WORKSPACE_ENV: Final = "ASSAY_WORKSPACE"
logger = logging.getLogger("assay.site")


def from_environment(environment: Mapping[str, str] | None = None) -> ASGIApp:
    """Return the application that the environment variables of `assay serve` describe."""
    variables = dict(os.environ if environment is None else environment)
    service = exam.from_environment(variables) if variables.get(EXAM_ENV) == "1" else None
    pages = None
    if variables.get(PAGES_ENV):
        source = SiteSource(open_work(Path(), environment=variables), results_of_main_judge)
        threading.Thread(target=_prepare, args=(source,), daemon=True).start()
        access = SiteAccess.from_environment(variables, loopback=variables[PAGES_ENV] == "loopback")
        pages = create_site(source, access, None if service is None else service.openapi)
    return Beside(pages, service)


def _prepare(source: SiteSource) -> None:
    """Compute the front page, so that its first reader need not wait."""
    try:
        source.overview()
        keep_from_collection()
    except AssayError as error:
        logger.warning("the front page cannot be shown: %s", error)
