"""Writing a static site: only files that changed, and the pages of models by several processes."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson

from assay.core.errors import InvalidInput
from assay.files.atomic import write_whole
from assay.report.site.static import (
    DAYS,
    NamedFile,
    board_files,
    case_files,
    common_files,
    model_files,
    run_files,
)
from assay.results.site import SiteExport
from assay.runs.site.source import SiteSource
from assay.runs.site.watched import Watched

MANIFEST: Final = "assay-site.json"
"""The list of a site's files with digests of their contents, by which the next export knows them."""
FEWEST_PAGES: Final = 300
"""Pages of days from which several processes write them."""


def write_site(
    source: SiteSource,
    folder: Path,
    *,
    days: int = DAYS,
    address: str | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> SiteExport:
    """Write the site into a folder; files whose content is the same are left alone.

    Feeds link to `address`, where the site will be. Pages that no longer exist are removed. Raises
    InvalidInput for a folder with other files, and for a file.
    """
    target = _Target(folder, _manifest(folder))
    kept = [
        file
        for files in (common_files(source, address), board_files(source), run_files(source))
        for file in target.write(files)
    ]
    for suite in source.overview().suites:
        if suite.watched is not None:
            kept += target.write(case_files(suite.watched))
            kept += _write_models(_Models(source, suite.watched, target, days), progress)
    digests = {file.name: file.digest for file in kept}
    gone = target.known.keys() - digests.keys()
    for name in gone:
        (folder / name).unlink(missing_ok=True)
    write_whole(folder / MANIFEST, orjson.dumps(digests, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2))
    return SiteExport(len(digests), sum(file.written for file in kept), len(gone))


@dataclass(frozen=True, slots=True)
class _KeptFile:
    """A file of the site with the digest of its content, and whether it was written now."""

    name: str
    digest: str
    written: bool


@dataclass(frozen=True, slots=True)
class _Target:
    """The folder of a site, with the digests of the files that it has."""

    folder: Path
    known: dict[str, str]

    def write(self, files: Iterable[NamedFile]) -> Iterator[_KeptFile]:
        """Write the files whose content is new, each completely or not at all."""
        for name, content in files:
            digest = hashlib.sha256(content).hexdigest()
            path = self.folder / name
            new = self.known.get(name) != digest or not path.is_file()
            if new:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, content, durable=False)
            yield _KeptFile(name, digest, new)


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


@dataclass(frozen=True, slots=True)
class _Models:
    """The pages of a watched suite's models, and where they are written to."""

    source: SiteSource
    watched: Watched
    target: _Target
    days: int

    def write(self, place: int) -> list[_KeptFile]:
        """Write the pages of one model."""
        return list(self.target.write(model_files(self.source, self.watched, place, self.days)))


_shared: list[_Models] = []
"""What a forked process writes: it has the histories in its memory, so that they need not be sent."""


def _write_models(models: _Models, progress: Callable[[str], None]) -> list[_KeptFile]:
    """Write the pages of all models, by as many processes as there are processors if that pays."""
    names = models.watched.verdicts.names()
    kept: list[_KeptFile] = []

    def done(place: int, files: list[_KeptFile]) -> None:
        kept.extend(files)
        progress(f"{names[place]}: {place + 1} of {len(names)} models")

    workers = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1, len(names))
    if workers < 2 or len(names) * models.days < FEWEST_PAGES:
        for place in range(len(names)):
            done(place, models.write(place))
        return kept
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(workers, context, initializer=_begin_process, initargs=(models,)) as pool:
        for place, files in enumerate(pool.map(_write_model, range(len(names)))):
            done(place, files)
    return kept


def _begin_process(models: _Models) -> None:
    """Forget the database connections of the parent process, and keep what is written."""
    models.source.engine.dispose(close=False)
    _shared[:] = [models]


def _write_model(place: int) -> list[_KeptFile]:
    return _shared[0].write(place)
