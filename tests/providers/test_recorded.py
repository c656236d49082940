"""The recorded provider repeats answers and marks as they were, and makes nothing up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from asking import Put, talk

from assay.core.ask import CallStatus, ErrorKind, Message, ModelAsk, ModelReply
from assay.core.case import Case
from assay.core.model import Provider
from assay.core.money import Usage
from assay.providers.reading import Attempt
from assay.providers.recorded import recorded_provider, serve_recorded
from assay.providers.recordings import RecordedAnswer, RecordedMark, Recordings

CASES = tuple(Case(name, "u", (Message("user", f"Question {name}?"),), ()) for name in ("a", "b", "c"))
SCHEMA = {
    "type": "object",
    "properties": {
        "token": {"const": "k"},
        "mark": {"type": "integer", "minimum": 1, "maximum": 5},
        "rationale": {"type": "string"},
    },
}


def recordings(*lines: RecordedAnswer | RecordedMark) -> Recordings:
    """Return recordings of these lines."""
    answers: dict[tuple[str, str], tuple[RecordedAnswer, ...]] = {}
    marks = {}
    for line in lines:
        if isinstance(line, RecordedAnswer):
            answers[line.model, line.case] = (*answers.get((line.model, line.case), ()), line)
        else:
            marks[line.judge, line.model, line.case, line.metric, line.epoch] = line
    return Recordings(Path("replay.jsonl"), answers, marks)


def asked(found: Recordings, model: str, *asks: ModelAsk) -> list[Attempt]:
    """Put asks to a recorded model, one after the other."""

    async def work(put: Put) -> list[Attempt]:
        return [await put(model, ask) for ask in asks]

    provider = Provider("recorded", "http://127.0.0.1/v1", dialect="recorded")
    return talk(
        lambda: serve_recorded(CASES, found), lambda address: recorded_provider(provider, address), work
    )


def question(case: str = "a", about: Mapping[str, str] | None = None) -> ModelAsk:
    """Return a case's question as a run asks it."""
    return ModelAsk("subject", "", (Message("user", f"Question {case}?"),), about=about or {})


def judging(answer: str = "An answer.", **about: str) -> ModelAsk:
    """Return what a run asks a judge about case a."""
    known = {"case": "a", "subject": "recorded/m", "metric": "rubric", "grader": "rubric"}
    digest = sha256(answer.encode()).hexdigest()
    return ModelAsk(
        "judge",
        "",
        (Message("user", "Mark."),),
        {"logprobs": True},
        response_schema=SCHEMA,
        about={**known, "answer": digest, **about},
    )


def mark(**parts: Any) -> RecordedMark:
    """Return judge j's mark for case a of model m."""
    return RecordedMark(
        **{"judge": "j", "model": "m", "case": "a", "metric": "rubric", "value": 4.0, **parts}
    )


def test_an_answer_is_repeated_with_its_tokens_cost_and_latency() -> None:
    """The latency is the recorded one, not that of this process."""
    line = RecordedAnswer(
        model="m",
        case="a",
        text="An answer.",
        prompt_tokens=10,
        completion_tokens=7,
        reasoning_tokens=3,
        cost=0.25,
        latency=12.5,
        finish_reason="stop",
    )
    (attempt,) = asked(recordings(line), "m", question())
    reply = attempt.reply
    assert (reply.status, reply.text, reply.latency, reply.cost) == (CallStatus.OK, "An answer.", 12.5, 0.25)
    assert reply.usage == Usage(10, 7, 3, None)
    assert (reply.served.provider, reply.served.model) == ("Recorded", "recorded/m")


def test_an_empty_answer_after_tokens_were_spent_ran_into_the_limit() -> None:
    """HTTP 200 without text: invalid, truncated; without tokens it is just empty."""

    def repeated(tokens: int) -> ModelReply:
        line = RecordedAnswer(model="m", case="a", completion_tokens=tokens, latency=1)
        return asked(recordings(line), "m", question())[0].reply

    assert (repeated(4096).status, repeated(4096).error) == (CallStatus.INVALID, ErrorKind.TRUNCATED)
    assert repeated(0).error is ErrorKind.EMPTY


def test_a_recorded_error_is_an_error_that_is_not_tried_again() -> None:
    """The error is replayed with its text and its latency."""
    line = RecordedAnswer(model="m", case="a", status="error", error="429: too many", latency=2.5)
    (attempt,) = asked(recordings(line), "m", question())
    assert (attempt.reply.status, attempt.again, attempt.reply.latency) == (CallStatus.ERROR, False, 2.5)
    assert "recorded error: 429: too many" in (attempt.reply.detail or "")


def test_what_was_not_recorded_is_a_404_that_says_so() -> None:
    """Another model, another case, another question, one epoch too many."""
    found = recordings(RecordedAnswer(model="m", case="a", text="x", latency=1))
    unknown = ModelAsk("subject", "", (Message("user", "Who are you?"),))
    attempts = [
        *asked(found, "m", question("b"), unknown, question(), question()),
        asked(found, "n", question())[0],
    ]
    assert [attempt.reply.http_status for attempt in attempts] == [404, 404, 200, 404, 404]
    assert not any(attempt.again for attempt in attempts)
    details = [attempt.reply.detail or "" for attempt in attempts]
    assert "no answer of 'm' to case 'b' in replay.jsonl" in details[0]
    assert "no case of the suite" in details[1]
    assert "asked for number 2" in details[3]


def test_epochs_are_repeated_in_order_or_as_the_request_names_them() -> None:
    """The second question to a case is its second epoch."""
    lines = [
        RecordedAnswer(model="m", case="a", epoch=epoch, text=f"answer {epoch}", latency=1)
        for epoch in (0, 1)
    ]
    attempts = asked(recordings(*lines), "m", question(), question(), question(about={"epoch": "1"}))
    assert [attempt.reply.text for attempt in attempts] == ["answer 0", "answer 1", "answer 1"]


def test_a_mark_is_written_by_the_schema_of_the_ask() -> None:
    """The token of the ask, the recorded mark and rationale; the judge's own name served it."""
    reply = asked(recordings(mark(rationale="Fine.")), "j", judging())[0].reply
    assert json.loads(reply.text or "") == {"token": "k", "mark": 4, "rationale": "Fine."}
    assert reply.served.model == "recorded/j"


@pytest.mark.parametrize("subject", ["recorded/m", "imported/m", "m"])
def test_the_subject_may_be_named_with_or_without_a_provider(subject: str) -> None:
    """Recordings know the upstream name."""
    assert asked(recordings(mark()), "j", judging(subject=subject))[0].reply.status is CallStatus.OK


def test_a_geval_mark_comes_with_the_logprobs_that_weigh_it() -> None:
    """0.8734 is a 9 of 10 whose alternatives weigh 8.734."""
    found = recordings(mark(metric="correctness", value=0.8734))
    reply = asked(found, "j", judging(metric="correctness", grader="geval"))[0].reply
    assert json.loads(reply.text or "")["score"] == 9
    assert (reply.logprobs or {})["content"]


def test_a_mark_that_could_not_be_read_stays_unread() -> None:
    """It is an error with the recorded reason, not a mark."""
    found = recordings(mark(value=None, reason="no JSON"))
    (attempt,) = asked(found, "j", judging())
    assert (attempt.reply.status, attempt.again) == (CallStatus.ERROR, False)
    assert "no JSON" in (attempt.reply.detail or "")


def test_a_mark_is_not_repeated_for_another_answer() -> None:
    """The answer that is judged must be the one that was recorded; of several epochs its own mark counts."""
    lines = [
        RecordedAnswer(model="m", case="a", epoch=epoch, text=f"answer {epoch}", latency=1)
        for epoch in (0, 1)
    ]
    found = recordings(*lines, mark(), mark(epoch=1, value=2.0))
    ours, other = asked(found, "j", judging("answer 1"), judging("something else"))
    assert json.loads(ours.reply.text or "")["mark"] == 2
    assert other.reply.http_status == 404
    assert "another answer was recorded" in (other.reply.detail or "")


def test_a_missing_mark_is_told_with_all_that_it_is_about() -> None:
    """Judge, subject, case, metric and file."""
    (attempt,) = asked(recordings(mark()), "k", judging())
    assert attempt.reply.http_status == 404
    assert "no mark of judge 'k' on 'recorded/m', case 'a', metric 'rubric' in replay.jsonl" in (
        attempt.reply.detail or ""
    )
