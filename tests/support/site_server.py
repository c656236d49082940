"""The pages served over real HTTP, with a plain client that keeps cookies."""

from __future__ import annotations

import http.client
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from assay.runs.site.source import SiteSource
from assay.runs.work import Work
from assay.web.serving import serving_here
from assay.web.site.access import SiteAccess
from assay.web.site.app import create_site


@dataclass(frozen=True, slots=True)
class Page:
    """What the server sent."""

    status: int
    headers: Mapping[str, str]
    text: str


@dataclass
class Site:
    """A served site."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **headers: str) -> Page:
        """Ask for a page."""
        return self.send("GET", path, None, headers)

    def post(self, path: str, form: Mapping[str, str], **headers: str) -> Page:
        """Send a form."""
        return self.send("POST", path, urlencode(form), headers)

    def send(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Page:
        """Send a request with the cookies of earlier replies."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        given: dict[str, str] = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookies:
            given["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection.request(method, path, body, given)
        reply = connection.getresponse()
        text = reply.read().decode()
        for name, value in reply.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        connection.close()
        return Page(reply.status, {name.lower(): value for name, value in reply.getheaders()}, text)


@contextmanager
def served(work: Work, access: SiteAccess | None = None, **settings: Any) -> Iterator[Site]:
    """Serve the pages of a workspace; by default to this machine, without a sign-in."""
    app = create_site(SiteSource(work), access or SiteAccess(), **settings)
    with serving_here(app) as port:
        yield Site(port)
