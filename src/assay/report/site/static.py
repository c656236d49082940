"""The static site: the pages that `assay serve` shows, as files that any web host carries.

It shows what a reader without a role may see: no prompt, answer or case of a private suite.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import numpy as np
import orjson

from assay.core.errors import InvalidInput
from assay.files.atomic import write_whole
from assay.report.assets import charts_asset, joined, site_asset
from assay.report.frame import SiteFrame
from assay.report.site.case import case_page
from assay.report.site.compare import compare_page
from assay.report.site.day import day_page
from assay.report.site.model import model_page
from assay.report.site.style import ASSETS
from assay.report.site.today import today_page
from assay.results.site import SiteExport
from assay.runs.site.source import SiteSource
from assay.runs.site.watched import ModelDay, Watched, model_day
from assay.store.overview import CaseSample

DAYS: Final = 30
"""Days of each model that a static site has pages of, by default."""
MANIFEST: Final = "assay-site.json"
"""The list of a site's files with digests of their contents, by which the next export knows them."""
SECTIONS: Final = (("Today", ""), ("Boards", "boards"), ("Feeds", "feeds"))


def write_site(
    source: SiteSource,
    folder: Path,
    *,
    days: int = DAYS,
    address: str | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> SiteExport:
    """Write the site into a folder; files whose content is the same are left alone.

    Feeds link to `address`, where the site will be. Pages that no longer exist are removed.
    Raises InvalidInput for a folder with other files, and for a file.
    """
    known = _manifest(folder)
    written, contents = 0, dict[str, str]()
    for name, content in site_files(source, days, progress):
        contents[name] = hashlib.sha256(content).hexdigest()
        path = folder / name
        if known.get(name) == contents[name] and path.is_file():
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content, durable=False)
        written += 1
    gone = known.keys() - contents.keys()
    for name in gone:
        (folder / name).unlink(missing_ok=True)
    write_whole(folder / MANIFEST, orjson.dumps(contents, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2))
    return SiteExport(len(contents), written, len(gone))


def _manifest(folder: Path) -> dict[str, str]:
    """Return the files of the last export into a folder; none for a new or empty one."""
    if folder.exists() and not folder.is_dir():
        raise InvalidInput(f"cannot write the site to {str(folder)!r}: it is a file, give a folder")
    manifest = folder / MANIFEST
    if not manifest.is_file():
        if folder.is_dir() and any(folder.iterdir()):
            raise InvalidInput(
                f"cannot write the site to {str(folder)!r}: it has other files, give a new or empty folder"
            )
        return {}
    known = orjson.loads(manifest.read_bytes())
    inside = {name: value for name, value in known.items() if ".." not in name and not name.startswith("/")}
    return {str(name): str(value) for name, value in inside.items()}


def site_files(source: SiteSource, days: int, progress: Callable[[str], None]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of every file of the site."""
    yield from (
        (f"assets/{asset.name}", asset.content) for asset in (charts_asset(), *map(site_asset, ASSETS))
    )
    yield "icon.svg", joined(("icon.svg",)).encode()
    overview = source.overview()
    yield _page("", today_page(overview, _frame("")))
    for suite in overview.suites:
        if suite.watched is not None:
            yield from _suite_files(source, suite.watched, days, progress)


def _suite_files(
    source: SiteSource, watched: Watched, days: int, progress: Callable[[str], None]
) -> Iterator[tuple[str, bytes]]:
    """Yield the pages of a watched suite: its cases, models, days, and the answers that flipped."""
    stored, judged = watched.verdicts.stored, watched.verdicts.judgement
    suite = stored.suite.name
    if not watched.private:
        for case in stored.history.cases:
            site = _frame(_static.case(suite, case))
            yield _page(site.path, case_page(watched, case, site))
    first = max(0, stored.history.days - days)
    for place, row in enumerate(stored.models):
        progress(f"{watched.verdicts.names()[place]}: {place + 1} of {len(stored.models)} models")
        site = _frame(_static.watch(suite, row))
        yield _page(site.path, model_page(watched, row, site))
        measured = np.flatnonzero(judged.daily.gaps.attempted[place])
        for number in measured[measured >= first].tolist():
            day = model_day(watched, row, stored.history.date_of(number))
            yield from _day_files(source, watched, day)


def _day_files(source: SiteSource, watched: Watched, day: ModelDay) -> Iterator[tuple[str, bytes]]:
    """Yield the page of a model's day, and for each case that flipped the two answers side by side."""
    site = _frame(_static.watch(watched.verdicts.stored.suite.name, day.row, day.report.verdict.day))
    if watched.private:
        yield _page(site.path, day_page(watched, day, site))
        return
    flipped = [case for case in day.cases if case.flipped and case.samples and case.earlier]
    texts = source.samples([sample for case in day.cases for sample in case.samples])
    texts_before = source.samples([case.earlier[0] for case in flipped])
    yield _page(site.path, day_page(watched, day, site, texts))
    for case in flipped:
        first, second = texts_before[_id(case.earlier[0])], texts[_id(case.samples[0])]
        site = _frame(f"compare/{first.sample.id}/{second.sample.id}")
        dates = (day.compared_with, day.report.verdict.day)
        yield _page(site.path, compare_page(first, second, (str(dates[0]), str(dates[1])), site))


def _id(sample: CaseSample) -> str:
    return f"{sample.run}.{sample.position}"


def _frame(path: str) -> SiteFrame:
    return SiteFrame(path, live=False, sections=SECTIONS)


_static: Final = SiteFrame("", live=False)


def _page(path: str, text: str) -> tuple[str, bytes]:
    return f"{path or 'index'}.html", text.encode()
