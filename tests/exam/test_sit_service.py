"""`sit` against the real exam service."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from exam_room import Room, room
from exam_server import Served, serving
from fresh_database import fresh_sqlite
from sqlalchemy import Engine
from upstream import Upstream
from upstream import serving as answering

from assay.calls.asking import AskingContext
from assay.core.errors import Denied
from assay.core.exam import Prompting, Role
from assay.core.model import Model, Provider
from assay.exam.people import add_user
from assay.exam.service_client import Credentials, SessionAccess
from assay.exam.sit import sit
from assay.results.exam_marking import SittingProgress
from assay.store.engine import reading

pytestmark = pytest.mark.slow


class Hall:
    """A served room with a candidate and its secret, and a clock that can be advanced."""

    def __init__(self, there: Room) -> None:
        self.room = there
        self.ahead = 0.0
        made = add_user(
            there.engine, "carol", organisation="Lovelace Labs", role=Role.CANDIDATE, now=time.time()
        )
        self.who = Credentials(made.user.id, made.secret)
        self.served: Served | None = None

    def clock(self) -> float:
        """Return the service's time."""
        return time.time() + self.ahead

    def open(self, n: int = 10, **more: Any) -> str:
        """Open a session for the candidate."""
        assert self.who.user is not None
        return self.room.open(n, candidate=self.who.user, now=time.time(), **more)

    def answers(self, session: str) -> list[Any]:
        """Return the answers that the service stored for a session."""
        query = (
            "SELECT position, status, text, prompt_tokens, seconds FROM answers WHERE session = ? ORDER BY 1"
        )
        with reading(self.room.engine) as connection:
            return list(connection.exec_driver_sql(query, (session,)))

    def sit(
        self,
        mine: Engine,
        session: str,
        answer: Callable[[str, int], Any] = lambda prompt, before: f"True, because {len(prompt)}",
        *,
        who: Credentials | None = None,
        say: Callable[[str], None] = lambda text: None,
    ) -> SittingProgress:
        """Sit with a scripted model and the candidate's own database."""

        async def work() -> SittingProgress:
            async with answering(Upstream(answer)) as upstream:
                provider = Provider("test", upstream.address, attempts=1, timeout=5.0)
                context = AskingContext(mine, {"test": provider}, {}, rng=random.Random(0))
                assert self.served is not None
                url = f"http://127.0.0.1:{self.served.port}"
                access = SessionAccess(url, session, who or self.who)
                return await sit(context, access, Model("test", "a"), say=say)

        return asyncio.run(work())


@pytest.fixture
def hall(sqlite: Engine) -> Iterator[Hall]:
    """A served room."""
    made = Hall(room(sqlite))
    with serving(made.room, clock=made.clock) as served:
        made.served = served
        yield made


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[Engine]:
    """The candidate's own database."""
    opened = fresh_sqlite(tmp_path / "candidate.db")
    yield opened
    opened.dispose()


def test_a_whole_exam_is_sat(hall: Hall, mine: Engine) -> None:
    """Ten questions get ten metered answers and ten receipts, and the session is finished."""
    session = hall.open()
    sitting = hall.sit(mine, session)
    kept = hall.answers(session)
    assert [row.position for row in kept] == list(range(1, 11))
    assert all((row.status, row.prompt_tokens) == ("answered", 10) and row.seconds > 0 for row in kept)
    assert (sitting.status, sitting.standing.state, len(sitting.tally.receipts)) == (
        "finished",
        "finished",
        10,
    )


def test_few_shot_sessions_reach_the_model_as_few_shot(hall: Hall, mine: Engine) -> None:
    """The model gets the exemplars of the session's prompting."""
    prompts: list[str] = []

    def answer(prompt: str, before: int) -> str:
        prompts.append(prompt)
        return "fine"

    hall.sit(mine, hall.open(prompting=Prompting.FEW_SHOT), answer)
    assert all("answered already" in prompt and prompt.endswith("Answer:") for prompt in prompts)


def test_answers_that_cannot_be_stored_are_repaired(hall: Hall, mine: Engine) -> None:
    """U+0000 is replaced and a very long text is cut; an empty text is accepted."""
    odd = iter(["a\x00b", "", "x" * 70_000])
    session = hall.open()
    sitting = hall.sit(mine, session, lambda prompt, before: next(odd, "fine"))
    texts = [row.text for row in hall.answers(session)]
    assert (sitting.status, sitting.tally.invalid, sitting.tally.cut) == ("finished", 1, 1)
    assert (texts[0], texts[1], len(texts[2])) == ("a\ufffdb", "", 65_536)


def test_a_sitting_stopped_by_its_model_can_be_resumed(hall: Hall, mine: Engine) -> None:
    """The same session continues at once or after the old client's hold ends."""
    session, reports = hall.open(), list[str]()

    def later(line: str) -> None:
        reports.append(line)
        hall.ahead += 61.0

    first = hall.sit(mine, session, lambda prompt, before: 400 if len(hall.answers(session)) == 4 else "fine")
    second = hall.sit(mine, session, say=later)
    assert (first.standing.completed, second.status, second.run) == (4, "finished", first.run)
    assert all("in use" in line for line in reports)
    assert len(second.tally.receipts) == 10


@pytest.mark.parametrize("seconds", [10.0, 70.0])
def test_a_token_that_expires_during_a_sitting_is_renewed(hall: Hall, mine: Engine, seconds: float) -> None:
    """The sitting waits until the hold of the old token ends."""
    assert hall.served is not None
    assert hall.who.user is not None
    session = hall.open()
    short = hall.served.token(hall.who.user, session, life=30.0)

    def answer(prompt: str, before: int) -> str:
        if len(hall.answers(session)) == 3:
            hall.ahead += seconds + 30.0
        return "fine"

    def wait(line: str) -> None:
        hall.ahead += 30.0

    sitting = hall.sit(
        mine, session, answer, who=Credentials(hall.who.user, hall.who.secret, short), say=wait
    )
    assert sitting.status == "finished"


def test_another_candidates_session_is_refused(hall: Hall, mine: Engine) -> None:
    """No run begins, and the message contains neither secret nor token."""
    session = hall.room.open(10, candidate=hall.room.ada, now=time.time())
    with pytest.raises(Denied) as refused:
        hall.sit(mine, session)
    assert str(hall.who.secret) not in str(refused.value)
    assert not hall.answers(session)


def test_a_finished_sitting_is_reported_from_stored_receipts(hall: Hall, mine: Engine) -> None:
    """The service gives no more tokens for a finished session, so no request is sent."""
    session = hall.open()
    first = hall.sit(mine, session)
    again = hall.sit(mine, session, who=Credentials(hall.who.user, "no longer needed"))
    assert (again.status, again.tally.receipts) == ("finished", first.tally.receipts)


def test_a_session_past_its_deadline_is_refused(hall: Hall, mine: Engine) -> None:
    """No token is issued; the message names the cause and the person to ask."""
    session = hall.open(hours=1.0)
    hall.ahead = 3700.0
    with pytest.raises(Denied, match=r"past its deadline.*ask the person who opened it"):
        hall.sit(mine, session)
