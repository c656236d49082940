"""The simulated judges: each marks, or misbehaves, in its own way, and says that it is simulated."""

from __future__ import annotations

import json
from datetime import date, timedelta
from hashlib import sha256
from statistics import mean
from typing import Any

import pytest
from asking import Put, talk
from every_row import every_row

from assay.core.ask import CallStatus, ErrorKind, Message, ModelAsk
from assay.core.case import Case, Exemplar, GraderSpec
from assay.providers.reading import Attempt
from assay.providers.simulated import serve_simulated, simulated_provider
from assay.providers.simulated_judges import DRIFT_DAY, HIGHEST, JUDGES, LOWEST, Deserts

START = date(2026, 11, 1)
SCHEMA = {
    "type": "object",
    "properties": {
        "token": {"const": "abc"},
        "rationale": {"type": "string"},
        "mark": {"type": "integer", "minimum": 1, "maximum": 5},
    },
}
CASES = tuple(
    Case(
        f"case-{number}",
        "writing",
        (Message("user", f"Write {number}."),),
        (GraderSpec("rubric"),),
        exemplars=tuple(
            Exemplar(f"answer {number} worth {mark}", 1.0, marks=float(mark)) for mark in (1, 2, 3, 4, 5)
        ),
    )
    for number in range(8)
)


def judge_ask(
    case: str, answer: str, *, grader: str = "rubric", schema: dict[str, Any] | None = None
) -> ModelAsk:
    """Return what a runner sends to a simulated judge."""
    about = {"case": case, "metric": grader, "grader": grader, "subject": "simulated/steady"}
    return ModelAsk(
        "judge",
        "",
        (Message("user", "Mark this."),),
        {"logprobs": True},
        response_schema=SCHEMA if schema is None else schema,
        about={**about, "answer": sha256(answer.encode()).hexdigest()},
    )


def marked(judge: str, *asks: ModelAsk, day: int = 0) -> list[Attempt]:
    """Put asks to a judge on a day, one after the other."""

    async def work(put: Put) -> list[Attempt]:
        return [await put(judge, ask) for ask in asks]

    return talk(
        lambda: serve_simulated(CASES, today=lambda: START, start=START),
        lambda address: simulated_provider(address, START + timedelta(days=day)),
        work,
    )


def marks_of(judge: str, *, day: int = 0) -> dict[tuple[str, float], int]:
    """Return the marks that a judge gives to all exemplars, by case and by what they deserve."""
    asked = [(case.id, exemplar) for case in CASES for exemplar in case.exemplars]
    attempts = marked(judge, *(judge_ask(case, exemplar.answer) for case, exemplar in asked), day=day)
    return {
        (case, exemplar.marks or 0.0): json.loads(attempt.reply.text or "")["mark"]
        for (case, exemplar), attempt in zip(asked, attempts, strict=True)
    }


def test_the_judge_marks_exemplars_as_the_expert_did() -> None:
    """All forty, and its reply follows the schema of the ask."""
    assert all(mark == deserved for (_, deserved), mark in marks_of("judge").items())
    found = json.loads(marked("judge", judge_ask("case-0", "answer 0 worth 4"))[0].reply.text or "")
    assert (found["token"], found["mark"]) == ("abc", 4)


def test_strict_and_lenient_judges_shift_by_a_mark_within_the_scale() -> None:
    """The marks differ by one, within 1 to 5."""
    for judge, shift in (("judge-strict", -1), ("judge-lenient", 1)):
        for (_, deserved), mark in marks_of(judge).items():
            assert mark == min(HIGHEST, max(LOWEST, deserved + shift))


def test_the_drifting_judge_shifts_by_half_a_mark_from_day_20_on() -> None:
    """Before, it marks like the others; then every other mark that has room is one lower."""
    before, after = marks_of("judge-drifting", day=DRIFT_DAY - 1), marks_of("judge-drifting", day=DRIFT_DAY)
    assert before == marks_of("judge")
    moved = [before[key] - after[key] for key in before if before[key] > 1]
    assert set(moved) == {0, 1}
    assert mean(moved) == 0.5


def test_answers_without_room_below_do_not_upset_which_ones_shift() -> None:
    """Every case has a best and a worst answer: of the best ones, every other one moves by half a mark."""
    cases = [
        Case(
            f"c-{number}",
            "u",
            (Message("user", "?"),),
            (),
            exemplars=(Exemplar("worst", 0.0, marks=1.0), Exemplar("best", 1.0, marks=5.0)),
        )
        for number in range(10)
    ]
    deserts, best = Deserts(cases, 0), sha256(b"best").hexdigest()
    given = [deserts.of({"case": case.id, "answer": best}).whole(-0.5) for case in cases]
    assert sorted(given) == [4] * 5 + [5] * 5


def test_an_answer_that_is_no_exemplar_gets_the_same_made_up_mark_from_every_judge() -> None:
    """From a hash, so always the same; over many answers all five marks come up."""
    asks = [judge_ask("case-0", f"unknown {number}") for number in range(60)]
    one, two = (
        [json.loads(attempt.reply.text or "")["mark"] for attempt in marked(judge, *asks)]
        for judge in ("judge", "judge-drifting")
    )
    assert one == two
    assert set(one) == {1, 2, 3, 4, 5}


def test_an_exemplar_without_marks_deserves_its_score_on_the_same_scale() -> None:
    """0 is a 1, 1 is a 5."""
    case = Case("c", "u", (Message("user", "?"),), (), exemplars=(Exemplar("yes", 1.0), Exemplar("no", 0.0)))
    deserts = Deserts([case], 0)
    found = [
        deserts.of({"case": "c", "answer": sha256(answer).hexdigest()}).mark for answer in (b"yes", b"no")
    ]
    assert found == [5.0, 1.0]


def test_marks_follow_the_scale_of_the_schema() -> None:
    """Four of five are two of three stars."""
    schema = {
        "type": "object",
        "properties": {"stars": {"type": "integer", "minimum": 0, "maximum": 3}, "why": {"type": "string"}},
    }
    reply = marked("judge", judge_ask("case-1", "answer 1 worth 4", grader="stars", schema=schema))[0].reply
    assert json.loads(reply.text or "")["stars"] == 2


def test_geval_is_answered_in_deepevals_shape_with_logprobs() -> None:
    """Four of five are 7.5 of ten: an 8 whose logprobs weigh 7.5."""
    reply = marked("judge", judge_ask("case-1", "answer 1 worth 4", grader="geval"))[0].reply
    found = json.loads(reply.text or "")
    assert set(found) == {"reason", "score"}
    assert found["score"] in (7, 8)
    tokens = [part["token"] for part in (reply.logprobs or {})["content"]]
    assert str(found["score"]) in tokens


def test_the_judge_that_scores_seven_of_five_goes_beyond_every_scale() -> None:
    """7 by rubric, 12 of 10 by G-Eval."""
    rubric, geval = marked(
        "judge-seven",
        judge_ask("case-0", "answer 0 worth 5"),
        judge_ask("case-0", "answer 0 worth 5", grader="geval"),
    )
    assert json.loads(rubric.reply.text or "")["mark"] == 7
    assert json.loads(geval.reply.text or "")["score"] == 12


def test_prose_and_refusals_hold_no_mark() -> None:
    """Neither reply has a digit that could be taken for one."""
    for judge in ("judge-prose", "judge-refusing"):
        text = marked(judge, judge_ask("case-0", "answer 0 worth 5"))[0].reply.text or ""
        assert text
        assert not any(character.isdigit() for character in text)


def test_the_vanishing_judge_fails_after_its_thirtieth_request() -> None:
    """Thirty verdicts, then server errors that are worth a retry and never end."""
    asks = [judge_ask("case-0", f"answer {number}") for number in range(33)]
    attempts = marked("judge-vanishing", *asks)
    assert [attempt.reply.status for attempt in attempts[:30]] == [CallStatus.OK] * 30
    assert [attempt.reply.error for attempt in attempts[30:]] == [ErrorKind.SERVER] * 3
    assert all(attempt.again for attempt in attempts[30:])


@pytest.mark.slow
def test_the_slow_judge_never_answers_in_time() -> None:
    """Its request runs into the time-out."""
    assert marked("judge-slow", judge_ask("case-0", "x"))[0].reply.error is ErrorKind.TIMEOUT


@every_row("judge", sorted(set(JUDGES) - {"judge-slow"}))
def test_every_judge_says_that_it_is_simulated(judge: str) -> None:
    """In its rationale, its prose, its refusal."""
    for grader in ("rubric", "geval"):
        text = marked(judge, judge_ask("case-0", "answer 0 worth 2", grader=grader))[0].reply.text or ""
        assert "simulated" in text.lower()


def test_a_judge_that_is_asked_as_a_subject_says_what_it_is() -> None:
    """Without a statement of what is judged there is nothing to mark."""
    reply = marked("judge", ModelAsk("subject", "", (Message("user", "Write 1."),)))[0].reply
    assert "simulated judge" in (reply.text or "")
