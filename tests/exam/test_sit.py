"""Sitting as a candidate: order, resumption without repeated calls, retries, and secrets."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from exam_service import SECRET, SESSION, USER, ExamService, examining
from sqlalchemy import Engine, func, select
from upstream import Upstream, chat, serving

from assay.calls.asking import AskingContext
from assay.calls.control import RunControl
from assay.core.errors import Conflict, Denied, InvalidInput
from assay.core.errors import Upstream as UpstreamError
from assay.core.model import Model, Provider
from assay.exam.service_client import Credentials, SessionAccess
from assay.exam.sit import sit
from assay.results.exam_marking import SittingProgress
from assay.store.runs import read_run
from assay.store.schema import calls

QUESTIONS = [f"Question {number}: what is {number} plus {number}?" for number in range(1, 7)]
MINE = Credentials(USER, SECRET)
Examine = Callable[..., ExamService]


@pytest.fixture
def examine() -> Iterator[Examine]:
    """Return a function that serves a session of six questions."""
    with ExitStack() as stack:
        yield lambda **faults: stack.enter_context(examining(ExamService(list(QUESTIONS), **faults)))


def sat(
    engine: Engine,
    service: ExamService,
    answer: Callable[[str, int], Any] = lambda prompt, before: f"Because of {prompt}",
    *,
    upstream: list[Upstream] | None = None,
    reports: list[str] | None = None,
    credentials: Credentials = MINE,
    session: str = SESSION,
    control: RunControl | None = None,
    **more: Any,
) -> SittingProgress:
    """Sit with a scripted model."""

    async def work() -> SittingProgress:
        async with serving(Upstream(answer)) as model:
            if upstream is not None:
                upstream.append(model)
            provider = Provider("test", model.address, attempts=2, timeout=5.0)
            context = AskingContext(engine, {"test": provider}, {}, rng=random.Random(0))
            return await sit(
                context,
                SessionAccess(service.address, session, credentials),
                Model("test", more.pop("name", "a")),
                control=control,
                say=(reports if reports is not None else []).append,
                **more,
            )

    return asyncio.run(work())


def paid(engine: Engine) -> int:
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(calls)).scalar_one()


def test_every_question_is_answered_in_order_with_its_metering(engine: Engine, examine: Examine) -> None:
    """Each answer is submitted with tokens, seconds and finish reason, and gets a receipt."""
    service = examine()
    sitting = sat(engine, service)
    assert list(service.served) == [1, 2, 3, 4, 5, 6]
    assert [body["text"] for body in service.answers.values()] == [f"Because of {one}" for one in QUESTIONS]
    first = service.answers[1]
    assert (first["prompt_tokens"], first["completion_tokens"], first["finish_reason"]) == (10, 5, "stop")
    assert first["seconds"] > 0
    assert (sitting.status, sorted(sitting.tally.receipts), sitting.spend.calls) == (
        "finished",
        [1, 2, 3, 4, 5, 6],
        6,
    )
    assert read_run(engine, sitting.run).status == "finished"


def test_a_paid_answer_is_submitted_from_the_ledger(sqlite: Engine, examine: Examine) -> None:
    """If the service fails before an answer is submitted, the same answer is submitted later."""
    service, models = examine(), list[Upstream]()

    def answer(prompt: str, before: int) -> str:
        if prompt.startswith("Question 3"):
            service.unavailable = 1000
        return f"{prompt} {before}"

    first = sat(sqlite, service, answer, upstream=models, patience=0.2)
    assert (first.status, isinstance(first.error, UpstreamError), service.completed) == ("stopped", True, 2)
    service.unavailable = 0
    second = sat(sqlite, service, lambda prompt, before: f"{prompt} {before}", upstream=models)
    assert (second.status, second.run, second.tally.reused, second.tally.asked) == (
        "finished",
        first.run,
        1,
        3,
    )
    assert service.answers[3]["text"] == f"{QUESTIONS[2]} 0"
    assert models[0].calls + models[1].calls == paid(sqlite) == 6


def test_a_lost_receipt_is_fetched_by_submitting_again(sqlite: Engine, examine: Examine) -> None:
    """A lost reply costs a repeated request but no second answer."""
    service = examine(lose={2, 6})
    sitting = sat(sqlite, service)
    assert (sitting.status, len(sitting.tally.receipts)) == ("finished", 6)
    assert (service.puts[1], service.puts[2], service.puts[6]) == (1, 2, 2)


def test_receipts_of_a_process_that_died_are_fetched_again(sqlite: Engine, examine: Examine) -> None:
    """Answers whose receipts are not stored here are submitted once more."""
    service = examine()
    broken = sat(sqlite, service, lambda prompt, before: 400 if "4" in prompt else "fine")
    with sqlite.begin() as connection:
        connection.exec_driver_sql("UPDATE runs SET plan = json_set(plan, '$.receipts', json('[]'))")
    again = sat(sqlite, service)
    assert broken.standing.completed == 3
    assert sorted(again.tally.receipts) == [1, 2, 3, 4, 5, 6]
    assert paid(sqlite) - 1 == 6


def test_an_expired_token_is_renewed_with_the_secret(sqlite: Engine, examine: Examine) -> None:
    """The sitting continues with a new token."""
    service = examine()

    def answer(prompt: str, before: int) -> str:
        service.expire = int(prompt.startswith("Question 2"))
        return "fine"

    assert sat(sqlite, service, answer).status == "finished"


def test_an_expired_token_without_a_secret_stops_the_sitting(sqlite: Engine, examine: Examine) -> None:
    """The message names the remedy and shows no token."""
    service = examine(tokens={"ready-token-91c2"})

    def answer(prompt: str, before: int) -> str:
        service.expire = int(prompt.startswith("Question 2"))
        return "fine"

    sitting = sat(sqlite, service, answer, credentials=Credentials(token="ready-token-91c2"))
    assert isinstance(sitting.error, Denied)
    assert "ASSAY_EXAM_SECRET" in str(sitting.reason)
    assert "ready-token" not in str(sitting.reason)


def test_an_unavailable_service_is_waited_for(sqlite: Engine, examine: Examine) -> None:
    """503 is retried after a while, and each wait is reported."""
    reports: list[str] = []
    assert sat(sqlite, examine(unavailable=2), reports=reports).status == "finished"
    assert len(reports) == 2
    assert all("HTTP 503" in line and "trying again in" in line for line in reports)


def test_another_clients_hold_is_waited_for(
    sqlite: Engine, examine: Examine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session that is open but refused is held by another client, perhaps a killed one."""
    monkeypatch.setattr("assay.exam.service_client.CHECK", 0.01)
    reports: list[str] = []
    assert sat(sqlite, examine(held=3), reports=reports).status == "finished"
    assert "the session is in use" in reports[0]


def test_another_candidates_session_is_refused(sqlite: Engine, examine: Examine) -> None:
    """The message names the remedy, and no run begins."""
    with pytest.raises(Denied, match=r"Session Invalid.*ask the person who opened the session"):
        sat(sqlite, examine(), session="another")
    with sqlite.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM runs").scalar() == 0


def test_a_session_past_its_deadline_stops_the_sitting(sqlite: Engine, examine: Examine) -> None:
    """Submitted answers count, and the sitting is not reported as finished."""
    sitting = sat(sqlite, examine(over_after=4))
    assert (sitting.status, sitting.standing.completed) == ("stopped", 4)
    assert "Session Invalid" in str(sitting.reason)


def test_an_empty_answer_is_submitted_with_the_reason(sqlite: Engine, examine: Examine) -> None:
    """A reply without visible text is submitted as an empty text with its finish reason."""
    service = examine()
    empty = {**chat(""), "choices": [{"message": {"content": ""}, "finish_reason": "length"}]}
    sitting = sat(sqlite, service, lambda prompt, before: empty if "Question 2" in prompt else "fine")
    assert (service.answers[2]["text"], service.answers[2]["finish_reason"]) == ("", "length")
    assert (sitting.status, sitting.tally.invalid) == ("finished", 1)


def test_a_failing_model_stops_the_sitting(sqlite: Engine, examine: Examine) -> None:
    """After the retries nothing is submitted, and the question stays pending."""
    service = examine()
    sitting = sat(sqlite, service, lambda prompt, before: 400 if "Question 3" in prompt else "fine")
    assert isinstance(sitting.error, UpstreamError)
    assert sorted(service.answers) == [1, 2]
    assert "question 3" in str(sitting.reason)
    assert f"--session {SESSION}" in sitting.again


def test_the_budget_applies_to_the_whole_sitting(sqlite: Engine, examine: Examine) -> None:
    """The cost of earlier calls counts: a second call with the same budget asks nothing."""
    service = examine()
    first = sat(sqlite, service, max_cost=0.0035)
    second = sat(sqlite, service, max_cost=0.0035)
    assert (first.standing.completed, second.standing.completed, second.tally.asked) == (3, 3, 0)
    assert "budget" in str(second.reason)


def test_an_answer_that_is_too_long_is_cut_and_counted(sqlite: Engine, examine: Examine) -> None:
    """It is cut to the service's limit, and the result says how many were cut."""
    service = examine(most_characters=10)
    sitting = sat(sqlite, service)
    assert {len(body["text"]) for body in service.answers.values()} == {10}
    assert (sitting.status, sitting.tally.cut) == ("finished", 6)


def test_another_model_cannot_continue_a_session(sqlite: Engine, examine: Examine) -> None:
    """The refusal names the first model and its run."""
    service = examine()
    sat(sqlite, service, lambda prompt, before: 400 if "Question 3" in prompt else "fine")
    with pytest.raises(Conflict, match="begun by test/a in run 1"):
        sat(sqlite, service, name="b")


def test_repeating_a_finished_sitting_asks_nothing(sqlite: Engine, examine: Examine) -> None:
    """The same call after the end returns the receipts again."""
    service, models = examine(), list[Upstream]()
    sat(sqlite, service)
    again = sat(sqlite, service, upstream=models)
    assert (again.status, len(again.tally.receipts), models[0].calls) == ("finished", 6, 0)


def test_a_stop_submits_the_answer_in_flight(sqlite: Engine, examine: Examine) -> None:
    """The first Ctrl-C submits the answer in flight and requests no other question."""
    service, control = examine(), RunControl()

    def answer(prompt: str, before: int) -> str:
        if "Question 2" in prompt:
            control.stop.request("interrupted")
        return "fine"

    sitting = sat(sqlite, service, answer, control=control)
    assert (sitting.status, sitting.reason, sitting.error, service.completed) == (
        "stopped",
        "interrupted",
        None,
        2,
    )


def test_each_process_is_its_own_client(sqlite: Engine, examine: Examine) -> None:
    """Each call of `sit` uses a new client name and revokes the token that it fetched."""
    service = examine()
    sat(sqlite, service, lambda prompt, before: 400 if "Question 3" in prompt else "fine")
    sat(sqlite, service)
    assert len(service.clients) == service.revoked == 2
    assert all(len(name) == 32 for name in service.clients)


@pytest.mark.parametrize("url", ["exam.example", "ftp://exam", "https://", "https://a:secret@exam"])
def test_an_invalid_address_is_refused(sqlite: Engine, examine: Examine, url: str) -> None:
    """An address without http(s) or host, or with a password, is refused without showing the password."""
    service = examine()
    service.address = url
    with pytest.raises(InvalidInput) as error:
        sat(sqlite, service)
    assert "secret" not in str(error.value)
