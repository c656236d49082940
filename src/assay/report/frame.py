"""The frame of a site's page: its place, its links to other pages, and its policy."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlencode

from assay.report.assets import Asset

SITE_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
    )
)
"""The Content-Security-Policy of a page of a site: only the site's own files, and no inline scripts."""


SITE_STYLES: Final = ("site.css",)
"""The style sheets that every page of a site has after its own."""
FILES: Final = (".atom", ".svg", ".json")
"""The endings of files of a site that are no pages."""
_PLAIN: Final = re.compile(r"[A-Za-z0-9_-]{1,100}")


def file_name(name: str) -> str:
    """Return a name that is safe for a file: the name itself, or a digest of one with other characters."""
    return name if _PLAIN.fullmatch(name) else f"x{hashlib.sha256(name.encode()).hexdigest()[:20]}"


@dataclass(frozen=True, slots=True)
class SiteFrame:
    """The place of one page in a site.

    `path` is the page's own address without the ending, such as `watch/daily/7`. A `live` page is served at
    it; a page of a static site is a file with the ending `.html`, and its links are relative. `sections` are
    the names and paths of the pages in the bar at the top. `reveal` is whether the reader may see texts of
    private suites, and `signed_in` whether a session can be ended.
    """

    path: str
    live: bool
    sections: tuple[tuple[str, str], ...] = ()
    reveal: bool = False
    signed_in: bool = False

    @property
    def root(self) -> str:
        """The beginning of every link."""
        return "/" if self.live else "../" * self.path.count("/")

    def to(self, path: str, anchor: str = "", **query: object) -> str:
        """Return the link to a page by its path, which may hold any text in its parts."""
        ending = "" if self.live or path.endswith(FILES) else ".html"
        address = f"{self.root}{quote(path)}{ending}" if path or self.live else f"{self.root}index.html"
        given = {name: value for name, value in query.items() if value not in (None, "")}
        tail = f"?{urlencode(given)}" if given else ""
        return address + tail + (f"#{quote(anchor)}" if anchor else "")

    def case(self, suite: str, case: str) -> str:
        """Return the path of a case's page, whose name is safe for a file in a static site."""
        if self.live:
            return f"cases/{suite}/{case}"
        return f"cases/{file_name(suite)}/{file_name(case)}"

    def watch(self, suite: str, *parts: object) -> str:
        """Return the path of a model's page or day in a watched suite."""
        return "/".join(("watch", suite if self.live else file_name(suite), *map(str, parts)))

    def board(self, name: str, *, exam: bool = False) -> str:
        """Return the path of a board."""
        return f"boards/{'exam/' if exam else ''}{name if self.live else file_name(name)}"

    def frontier(self, suite: str) -> str:
        """Return the path of the frontier of a board's models."""
        return f"frontier/{suite if self.live else file_name(suite)}"

    def asset(self, asset: Asset) -> str:
        """Return the link to a file of styles or scripts."""
        return f"{self.root}assets/{asset.name}"

    def current(self, path: str) -> bool:
        """Return whether a page of the bar at the top is this page or above it."""
        return self.path == path or (path != "" and self.path.startswith(f"{path}/"))
