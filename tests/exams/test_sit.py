"""A candidate sits: questions in order, answers once, nothing paid for twice, nothing secret told."""

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

from assay.calls.asking import Place
from assay.calls.steering import Steering
from assay.core.errors import Conflict, Denied, InvalidInput
from assay.core.errors import Upstream as UpstreamError
from assay.core.model import Model, Provider
from assay.exams.examiner_line import Credentials
from assay.exams.sit import sit
from assay.exams.sitting import Sitting
from assay.store.runs import read_run
from assay.store.schema import calls

QUESTIONS = [f"Question {number}: what is {number} plus {number}?" for number in range(1, 7)]
MINE = Credentials(USER, SECRET)
Examine = Callable[..., ExamService]


@pytest.fixture
def examine() -> Iterator[Examine]:
    """Serves a session of six questions."""
    with ExitStack() as stack:
        yield lambda **faults: stack.enter_context(examining(ExamService(list(QUESTIONS), **faults)))


def sat(
    engine: Engine,
    service: ExamService,
    answer: Callable[[str, int], Any] = lambda prompt, before: f"Because of {prompt}",
    *,
    upstream: list[Upstream] | None = None,
    told: list[str] | None = None,
    credentials: Credentials = MINE,
    session: str = SESSION,
    steering: Steering | None = None,
    **more: Any,
) -> Sitting:
    """Sit with a scripted model."""

    async def work() -> Sitting:
        async with serving(Upstream(answer)) as model:
            if upstream is not None:
                upstream.append(model)
            provider = Provider("test", model.address, attempts=2, timeout=5.0)
            place = Place(engine, {"test": provider}, {}, rng=random.Random(0))
            return await sit(
                place,
                service.address,
                session,
                Model("test", more.pop("name", "a")),
                credentials,
                steering=steering,
                say=(told if told is not None else []).append,
                **more,
            )

    return asyncio.run(work())


def paid(engine: Engine) -> int:
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(calls)).scalar_one()


def test_every_question_is_answered_in_order_with_what_was_metered(engine: Engine, examine: Examine) -> None:
    """Each answer goes in with its tokens, seconds and finish reason, and a receipt comes back for each."""
    service = examine()
    sitting = sat(engine, service)
    assert list(service.served) == [1, 2, 3, 4, 5, 6]
    assert [body["text"] for body in service.answers.values()] == [f"Because of {one}" for one in QUESTIONS]
    first = service.answers[1]
    assert (first["prompt_tokens"], first["completion_tokens"], first["finish_reason"]) == (10, 5, "stop")
    assert first["seconds"] > 0
    assert (sitting.status, sorted(sitting.tally.receipts), sitting.counts.calls) == (
        "finished",
        [1, 2, 3, 4, 5, 6],
        6,
    )
    assert read_run(engine, sitting.run).status == "finished"


def test_a_paid_answer_that_was_not_delivered_is_delivered_from_the_ledger(
    sqlite: Engine, examine: Examine
) -> None:
    """Where the examiner vanishes before an answer is in, the same answer goes in later, unasked."""
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


def test_a_lost_receipt_is_fetched_by_handing_in_again(sqlite: Engine, examine: Examine) -> None:
    """A reply lost on the way costs a repeated request, and no second answer."""
    service = examine(lose={2, 6})
    sitting = sat(sqlite, service)
    assert (sitting.status, len(sitting.tally.receipts)) == ("finished", 6)
    assert (service.puts[1], service.puts[2], service.puts[6]) == (1, 2, 2)


def test_receipts_of_a_process_that_died_are_fetched_again(sqlite: Engine, examine: Examine) -> None:
    """Answers that the examiner has, and whose receipts were never kept here, are handed in once more."""
    service = examine()
    broken = sat(sqlite, service, lambda prompt, before: 400 if "4" in prompt else "fine")
    with sqlite.begin() as connection:
        connection.exec_driver_sql("UPDATE runs SET plan = json_set(plan, '$.receipts', json('[]'))")
    again = sat(sqlite, service)
    assert broken.standing.completed == 3
    assert sorted(again.tally.receipts) == [1, 2, 3, 4, 5, 6]
    assert paid(sqlite) - 1 == 6


def test_a_token_that_runs_out_is_renewed_by_the_secret(sqlite: Engine, examine: Examine) -> None:
    """A token that expires in the middle is replaced, and the sitting goes on."""
    service = examine()

    def answer(prompt: str, before: int) -> str:
        service.expire = int(prompt.startswith("Question 2"))
        return "fine"

    assert sat(sqlite, service, answer).status == "finished"


def test_a_bare_token_that_runs_out_stops_with_what_to_do(sqlite: Engine, examine: Examine) -> None:
    """Without the secret nothing can be renewed: it says so, and shows no token."""
    service = examine(tokens={"ready-token-91c2"})

    def answer(prompt: str, before: int) -> str:
        service.expire = int(prompt.startswith("Question 2"))
        return "fine"

    sitting = sat(sqlite, service, answer, credentials=Credentials(token="ready-token-91c2"))
    assert isinstance(sitting.error, Denied)
    assert "ASSAY_EXAM_SECRET" in str(sitting.reason)
    assert "ready-token" not in str(sitting.reason)


def test_an_examiner_that_is_away_is_waited_for_aloud(sqlite: Engine, examine: Examine) -> None:
    """503 and a refused connection are tried again after a while, and each time that is said."""
    told: list[str] = []
    assert sat(sqlite, examine(unavailable=2), told=told).status == "finished"
    assert len(told) == 2
    assert all("it answers 503" in line and "trying again in" in line for line in told)


def test_another_clients_hold_is_waited_for(
    sqlite: Engine, examine: Examine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session that is open but refused is held by another client, perhaps a killed one: it is free soon."""
    monkeypatch.setattr("assay.exams.examiner_client.LOOK", 0.01)
    told: list[str] = []
    assert sat(sqlite, examine(held=3), told=told).status == "finished"
    assert "the session is in use" in told[0]


def test_a_session_that_is_anothers_says_what_to_do(sqlite: Engine, examine: Examine) -> None:
    """403 Session Invalid for the whole session begins no run and names the session."""
    with pytest.raises(Denied, match=r"Session Invalid.*ask whoever opened the session"):
        sat(sqlite, examine(), session="another")
    with sqlite.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM runs").scalar() == 0


def test_a_session_that_runs_out_stops_and_is_not_called_finished(sqlite: Engine, examine: Examine) -> None:
    """Past its deadline a session takes nothing more: what is answered counts, the rest is told."""
    sitting = sat(sqlite, examine(over_after=4))
    assert (sitting.status, sitting.standing.completed) == ("stopped", 4)
    assert "Session Invalid" in str(sitting.reason)


def test_an_empty_answer_is_handed_in_empty_with_the_reason(sqlite: Engine, examine: Examine) -> None:
    """No visible answer is an answer too: an empty text with its finish reason, never something made up."""
    service = examine()
    empty = {**chat(""), "choices": [{"message": {"content": ""}, "finish_reason": "length"}]}
    sitting = sat(sqlite, service, lambda prompt, before: empty if "Question 2" in prompt else "fine")
    assert (service.answers[2]["text"], service.answers[2]["finish_reason"]) == ("", "length")
    assert (sitting.status, sitting.tally.invalid) == ("finished", 1)


def test_a_model_that_fails_stops_the_sitting_with_nothing_made_up(sqlite: Engine, examine: Examine) -> None:
    """After its retries an upstream error ends the sitting; the question stays pending."""
    service = examine()
    sitting = sat(sqlite, service, lambda prompt, before: 400 if "Question 3" in prompt else "fine")
    assert isinstance(sitting.error, UpstreamError)
    assert sorted(service.answers) == [1, 2]
    assert "question 3" in str(sitting.reason)
    assert f"--session {SESSION}" in sitting.again


def test_the_budget_holds_for_the_whole_sitting(sqlite: Engine, examine: Examine) -> None:
    """What earlier calls spent counts: the second call of the same budget asks nothing."""
    service = examine()
    first = sat(sqlite, service, max_cost=0.0035)
    second = sat(sqlite, service, max_cost=0.0035)
    assert (first.standing.completed, second.standing.completed, second.tally.asked) == (3, 3, 0)
    assert "budget" in str(second.reason)


def test_an_answer_that_is_too_long_is_cut_and_counted(sqlite: Engine, examine: Examine) -> None:
    """The examiner's longest text is kept to, and the candidate is told."""
    service = examine(most_characters=10)
    sitting = sat(sqlite, service)
    assert {len(body["text"]) for body in service.answers.values()} == {10}
    assert (sitting.status, sitting.tally.cut) == ("finished", 6)


def test_one_model_sits_a_session(sqlite: Engine, examine: Examine) -> None:
    """A session that one model began is not gone on with by another."""
    service = examine()
    sat(sqlite, service, lambda prompt, before: 400 if "Question 3" in prompt else "fine")
    with pytest.raises(Conflict, match="begun by test/a in run 1"):
        sat(sqlite, service, name="b")


def test_a_finished_sitting_repeated_asks_nothing(sqlite: Engine, examine: Examine) -> None:
    """The same command after the end tells the receipts again."""
    service, models = examine(), list[Upstream]()
    sat(sqlite, service)
    again = sat(sqlite, service, upstream=models)
    assert (again.status, len(again.tally.receipts), models[0].calls) == ("finished", 6, 0)


def test_a_stop_between_questions_leaves_the_rest(sqlite: Engine, examine: Examine) -> None:
    """The first Ctrl-C lets the answer in flight be handed in, and begins no other."""
    service, steering = examine(), Steering()

    def answer(prompt: str, before: int) -> str:
        if "Question 2" in prompt:
            steering.stop.ask("interrupted")
        return "fine"

    sitting = sat(sqlite, service, answer, steering=steering)
    assert (sitting.status, sitting.reason, sitting.error, service.completed) == (
        "stopped",
        "interrupted",
        None,
        2,
    )


def test_two_processes_never_pass_for_one_client(sqlite: Engine, examine: Examine) -> None:
    """Each call of `sit` names itself anew, and revokes the token that it fetched."""
    service = examine()
    sat(sqlite, service, lambda prompt, before: 400 if "Question 3" in prompt else "fine")
    sat(sqlite, service)
    assert len(service.clients) == service.revoked == 2
    assert all(len(name) == 32 for name in service.clients)


@pytest.mark.parametrize("url", ["exam.example", "ftp://exam", "https://", "https://a:secret@exam"])
def test_what_is_no_address_is_refused(sqlite: Engine, examine: Examine, url: str) -> None:
    """An address without http(s), a host, or with a password is refused, and no password shown."""
    service = examine()
    service.address = url
    with pytest.raises(InvalidInput) as error:
        sat(sqlite, service)
    assert "secret" not in str(error.value)
