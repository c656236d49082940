"""The administration of exams: for the owner, for reading, and without secrets."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from banked import SEALER
from command_line import commands
from exam_room import Room, add_organisation, add_user, room
from fresh_database import fresh_sqlite
from hostile_names import HOSTILE
from lxml import html
from site_server import Page, Site, served
from sqlalchemy import Engine, text

from assay.core.exam import Role
from assay.exam.exposure import change_quota
from assay.exam.issuing import issue
from assay.exam.keys import Keyring
from assay.exam.people import add_user as add_person
from assay.exam.series import NewSeries, make_series
from assay.runs.work import open_work
from assay.store.bank.reviewers import add_reviewer
from assay.store.engine import reading, writing
from assay.web.site.access import SiteAccess

READER, OWNER = "reader-secret-of-16", "owner-secret-of-16"


@dataclass
class Administered:
    """A served site over a database with an exam, and the secrets that no page may show."""

    site: Site
    engine: Engine
    room: Room
    secrets: list[str]

    def page(self, secret: str = OWNER) -> Page:
        """Sign in and return the page."""
        self.site.post("/sign-in", {"secret": secret})
        return self.site.get("/admin")


@pytest.fixture
def administered(tmp_path: Path) -> Iterator[Administered]:
    """A room with people, tokens, a series, sessions and a reviewer; names are hostile where they can be."""
    engine = fresh_sqlite(tmp_path / "assay.db")
    made, now = room(engine, families=2), time.time()
    other = add_organisation(engine, HOSTILE)
    add_user(engine, other, HOSTILE, "examiner")
    with reading(engine) as connection:
        own = connection.execute(text("SELECT name FROM organisations ORDER BY id")).scalars().first()
    person = add_person(engine, "emma", organisation=str(own), role=Role.EXAMINER, now=now)
    keyring = Keyring(engine, SEALER)
    token = issue(engine, keyring, person.user.id, None, now=now, life=3600.0).token
    make_series(engine, NewSeries("spring", f"{own}/a/b", n=10), now=now, by="tester")
    add_reviewer(engine, name="Ada", disciplines=["law"], daily_cap=7, hourly_rate=None, now=now)
    change_quota(engine, str(own), 77)
    made.open(now=now)
    with reading(engine) as connection:
        hashes = connection.execute(text("SELECT secret_hash FROM users")).scalars().all()
        sealed = connection.execute(text("SELECT secret FROM signing_keys")).scalars().all()
    secrets = [person.secret, token, *(each for each in hashes if each != "none")]
    secrets += [bytes(key).decode("latin-1")[:40] for key in sealed]
    work = open_work(tmp_path, environment={"ASSAY_DATABASE": str(tmp_path / "assay.db")})
    with served(work, SiteAccess(READER, OWNER)) as site:
        yield Administered(site, engine, made, secrets)
    engine.dispose()


def rows(page: Page, anchor: str) -> list[list[str]]:
    """Return the cells of a table."""
    return [
        [" ".join(cell.text_content().split()) for cell in row.xpath("./th | ./td")]
        for row in html.fromstring(page.text).xpath(f"//section[@id='{anchor}']//tbody/tr")
    ]


def test_only_the_owner_reads_it(administered: Administered) -> None:
    """Readers are sent to the sign-in, and the bar at the top has it for the owner only."""
    assert administered.site.get("/admin").headers["location"] == "/sign-in?next=/admin"
    assert administered.page(READER).status == 303
    assert 'href="/admin"' not in administered.site.get("/feeds").text
    assert administered.page().status == 200
    assert 'href="/admin"' in administered.site.get("/feeds").text


def test_the_tables_have_what_the_commands_list(administered: Administered) -> None:
    """Organisations, users, tokens, keys, series, sessions, quotas, limits, exposure, bank and reviewers."""
    page = administered.page()
    organisations = {row[0] for row in rows(page, "organisations")}
    assert len(organisations) == 2
    assert [row[1] for row in rows(page, "users")].count("candidate") == 2
    ((_, user, _, kid, _, state),) = rows(page, "tokens")
    assert (user.rpartition("/")[2], state) == ("emma", "valid")
    assert [row[:3] for row in rows(page, "keys")] == [[kid, "signs", "1"]]
    assert rows(page, "series")[0][0] == "spring"
    (session,) = rows(page, "sessions")
    assert session[2:5] == ["simulated/steady", "zero-shot", "open"]
    assert sorted(row[1:] for row in rows(page, "quotas")) == [["3,000", "", "0"], ["77", "yes", "10"]]
    assert rows(page, "limits") == [["20%", "3,000", "30", "25%"]]
    assert rows(page, "bank") == [["0", "0", "0", "20", "0", "0"]]
    assert [row[:3] for row in rows(page, "reviewers")] == [["Ada", "law", "7"]]
    assert "No question was served yet" in page.text
    assert '<p class="notice"><strong>Simulated.</strong>' in page.text


def test_no_secret_and_no_hash_is_on_it(administered: Administered) -> None:
    """Neither secrets of users, nor tokens, nor hashes, nor signing keys."""
    page = administered.page()
    assert len(administered.secrets) == 4
    for secret in administered.secrets:
        assert secret not in page.text
    assert "argon2" not in page.text


def test_hostile_names_are_text(administered: Administered) -> None:
    """Organisations and users have any name."""
    page = administered.page()
    assert "<script>alert" not in page.text
    assert page.text.count("&lt;script&gt;alert") >= 2


def test_reading_changes_nothing(administered: Administered) -> None:
    """An overdue session is not ended by looking at the page."""
    with writing(administered.engine) as connection:
        connection.execute(text("UPDATE sessions SET deadline = 1"))
    (session,) = rows(administered.page(), "sessions")
    assert session[4] == "open"
    assert administered.room.count("SELECT count(*) FROM sessions WHERE state = 'open'") == 1


def test_every_command_on_it_exists(administered: Administered) -> None:
    """With its options."""
    shown = html.fromstring(administered.page().text).xpath("//dd/code/text()")
    assert len(shown) > 25
    known = commands()
    for line in map(str, shown):
        words = line.removeprefix("assay ").split()
        name = next(" ".join(words[:count]) for count in (3, 2) if " ".join(words[:count]) in known)
        options = {option for parameter in known[name].params for option in parameter.opts}
        assert set(re.findall(r"--[\w-]+", line)) <= options, line


def test_long_lists_are_cut(administered: Administered, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page says how many rows it lists."""
    for module in ("assay.exam.administration", "assay.report.site.admin"):
        monkeypatch.setattr(f"{module}.MOST", 2)
    for number in range(2):
        add_user(administered.engine, administered.room.organisation, f"user {number}")
    page = administered.page()
    assert len(rows(page, "users")) == 2
    assert "Only 2 rows are listed" in page.text


def test_an_empty_database_says_what_to_type(tmp_path: Path) -> None:
    """Nobody takes part yet."""
    work = open_work(tmp_path, environment={"ASSAY_DATABASE": str(tmp_path / "assay.db")})
    with served(work, SiteAccess(owner_secret=OWNER)) as site:
        site.post("/sign-in", {"secret": OWNER})
        page = site.get("/admin")
    assert page.status == 200
    assert "assay exam organisation add NAME --operator" in page.text
    assert "No organisation takes part yet" in page.text
    assert "imulated" not in page.text
