"""Signing in: secrets, sessions, limits, host names, and forms from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from site_server import Site, served
from watched_database import watched_work

from assay.core.errors import InvalidInput
from assay.web.site.access import COOKIE, OWNER_ENV, READER_ENV, SESSION_SECONDS, SiteAccess, is_loopback

READER, OWNER = "reader-secret-of-16", "owner-secret-of-16"


@pytest.fixture
def clock() -> list[float]:
    """A time that tests set."""
    return [1_000_000.0]


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory, clock: list[float]) -> Iterator[Site]:
    """Pages that need a sign-in."""
    work = watched_work(tmp_path_factory.mktemp("site"), days=6)
    with served(work, SiteAccess(READER, OWNER, clock=lambda: clock[0])) as running:
        yield running


def test_a_page_needs_a_sign_in(site: Site) -> None:
    """The reader is sent to the form, and from there back to the page."""
    page = site.get("/watch/small/1")
    assert (page.status, page.headers["location"]) == (303, "/sign-in?next=/watch/small/1")
    signed = site.post("/sign-in?next=/watch/small/1", {"secret": READER})
    assert (signed.status, signed.headers["location"]) == (303, "/watch/small/1")
    cookie = signed.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert site.get("/watch/small/1").status == 200
    assert READER not in cookie


def test_the_sign_in_leads_back_with_the_filter(site: Site) -> None:
    """The address's query is kept, and cannot add a parameter of its own to the sign-in."""
    page = site.get("/samples?model=a%2Fb&text=x")
    assert page.headers["location"] == "/sign-in?next=/samples%3Fmodel%3Da%252Fb%26text%3Dx"
    signed = site.post(page.headers["location"], {"secret": READER})
    assert signed.headers["location"] == "/samples?model=a%2Fb&text=x"


def test_the_bar_offers_to_sign_in_or_out(site: Site) -> None:
    """A page that was kept for one visitor is not shown to another."""
    assert 'href="/sign-in"' in site.get("/sign-in").text
    site.post("/sign-in", {"secret": READER})
    assert 'action="/sign-out"' in site.get("/watch/small/1").text
    site.cookies.clear()
    program = site.get("/watch/small/1", Authorization=f"Bearer {READER}").text
    assert 'action="/sign-out"' not in program


def test_a_session_ends(site: Site, clock: list[float]) -> None:
    """After twelve hours, and when the reader signs out."""
    site.post("/sign-in", {"secret": READER})
    clock[0] += SESSION_SECONDS - 1
    assert site.get("/").status == 200
    clock[0] += 2
    assert site.get("/").status == 303
    site.post("/sign-in", {"secret": READER})
    site.post("/sign-out", {})
    assert site.get("/").status == 303


def test_a_forged_or_foreign_session_is_none(site: Site) -> None:
    """A changed cookie and one signed with other secrets open nothing."""
    site.post("/sign-in", {"secret": READER})
    right = site.cookies[COOKIE]
    for wrong in (right[:-2] + "xx", "eyJhbGciOiJub25lIn0.eyJyb2xlIjoib3duZXIifQ.", ""):
        site.cookies[COOKIE] = wrong
        assert site.get("/").status == 303


def test_wrong_secrets_are_limited(site: Site, clock: list[float]) -> None:
    """After ten wrong ones even the right one waits a minute."""
    for _ in range(10):
        assert site.post("/sign-in", {"secret": "wrong"}).status == 401
    assert site.post("/sign-in", {"secret": READER}).status == 429
    clock[0] += 61
    assert site.post("/sign-in", {"secret": READER}).status == 303


def test_a_form_from_elsewhere_is_refused(site: Site) -> None:
    """A browser tells where a form came from."""
    page = site.post("/sign-in", {"secret": READER}, Origin="https://evil.example")
    assert page.status == 403
    assert COOKIE not in site.cookies


@pytest.mark.parametrize("following", ["//evil.example/", "https://evil.example", "/\\evil.example", ""])
def test_a_sign_in_leads_to_this_site_only(site: Site, following: str) -> None:
    """Other addresses become the front page."""
    signed = site.post(f"/sign-in?next={quote(following)}", {"secret": READER})
    assert signed.headers["location"] == "/"


def test_other_host_names_are_refused_without_a_sign_in(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A page elsewhere cannot point its name at this machine and read the pages."""
    work = watched_work(tmp_path_factory.mktemp("here"), days=6)
    with served(work) as running:
        for host, status in (("evil.example", 421), ("127.0.0.1.evil.example:80", 421), ("localhost:9", 200)):
            assert running.get("/", Host=host).status == status


def test_addresses_that_others_reach_need_a_secret() -> None:
    """No secret, and a short one, are refused with what to do."""
    with pytest.raises(InvalidInput, match=READER_ENV):
        SiteAccess.from_environment({}, loopback=False)
    with pytest.raises(InvalidInput, match="has 5 characters"):
        SiteAccess.from_environment({OWNER_ENV: "short"}, loopback=True)
    assert SiteAccess.from_environment({}, loopback=True).open_here
    assert not SiteAccess.from_environment({READER_ENV: READER}, loopback=False).open_here
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "10.0.0.1")] == [
        True,
        True,
        True,
        False,
        False,
    ]
