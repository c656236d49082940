"""The simulated provider: what each named model does over a month, the same every time, and labelled."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from statistics import mean
from typing import Any

import aiohttp
import pytest
from asking import talk as ask_simulated
from small_suite import make_suite

from assay.core.ask import Message, ModelAsk
from assay.providers.reading import Attempt
from assay.providers.served import ChatRequest
from assay.providers.simulated import (
    DENIES,
    PRICES,
    SAYS,
    SLIPS,
    exam_answer,
    serve_simulated,
    simulated_provider,
    statements_answer,
)
from assay.providers.simulated_judges import JUDGES
from assay.providers.simulated_models import ELSEWHERE, HOME, MODELS, AnswerQuality, SimulatedModel, day_index

START = date(2026, 11, 1)
CASES = [f"case-{number}" for number in range(300)]
SUITE = make_suite(use_cases=1, cases=20)
Ask = Callable[..., Awaitable[tuple[int, dict[str, Any]]]]
DAY = date(2026, 2, 10)
"""A day on which the collapsing model has lost much: the forty-first of its cycle."""
STATEMENTS = [f"Answer True or False, and give your reasons.\n\nStatement {n}." for n in range(80)]
MATERIAL = "The clerk wrote it in March. The mayor burned it in April. Nobody saw it again."


def quality(model: SimulatedModel, day: int, seed: int = 0) -> float:
    """Return the share of good answers on a day."""
    return mean(model.answers(seed, case, day, 0) is AnswerQuality.GOOD for case in CASES)


def flips(model: SimulatedModel, days: range) -> float:
    """Return the share of cases whose answer differs from the day before, a day."""
    return mean(
        model.answers(0, case, day, 0) is not model.answers(0, case, day - 1, 0)
        for day in days
        for case in CASES
    )


@pytest.mark.parametrize("name", ["steady", "noisy", "flaky"])
def test_models_that_do_not_change_keep_their_quality(name: str) -> None:
    """The last ten days are as good as the first ten, within two points."""
    model = MODELS[name]
    first, last = (mean(quality(model, day) for day in days) for days in (range(10), range(20, 30)))
    assert abs(first - last) < 0.02
    assert model.degrades_on is None


def test_the_noisy_model_flips_more_than_the_steady_one() -> None:
    """Its answers differ from the day before at least three times as often."""
    assert flips(MODELS["noisy"], range(1, 30)) > 3 * flips(MODELS["steady"], range(1, 30))


def test_the_degrading_model_loses_a_little_more_every_day() -> None:
    """Quality is constant up to day 20, and half of it is lost by day 30."""
    model = MODELS["degrading"]
    before = mean(quality(model, day) for day in range(20))
    after = [quality(model, day) for day in range(20, 30)]
    assert model.degrades_on == 20
    assert all(abs(quality(model, day) - before) < 0.06 for day in range(20))
    assert after[0] > after[4] > after[9]
    assert after[9] < 0.55 * before


def test_the_collapsing_model_loses_it_in_one_day() -> None:
    """On day 25, and not before, six tenths of its quality are gone, and stay gone."""
    model = MODELS["collapsing"]
    before = mean(quality(model, day) for day in range(24))
    assert model.degrades_on == 24
    assert quality(model, 23) > 0.9 * before
    assert all(0.3 * before < quality(model, day) < 0.5 * before for day in range(24, 30))


def test_the_rerouted_model_is_served_by_another_and_worse() -> None:
    """From day 23 on the provider's name changes, and the quality with it; nobody calls that a fall."""
    model = MODELS["rerouted"]
    assert [model.served_by(day) for day in (21, 22, 29)] == [HOME, ELSEWHERE, ELSEWHERE]
    assert quality(model, 25) < 0.8 * quality(model, 15)
    assert model.degrades_on is None


def test_the_flaky_model_fails_in_every_way_and_has_an_outage() -> None:
    """On an ordinary day a tenth of the requests fail; on day 18 nearly all; on day 10 some hang."""
    model, draws = MODELS["flaky"], [place / 1000 for place in range(1000)]
    ordinary = Counter(model.fault(5, draw) for draw in draws)
    assert set(ordinary) == {None, "429", "500", "200-error", "empty", "no-choices"}
    assert ordinary[None] == 890
    assert Counter(model.fault(17, draw) for draw in draws)["500"] == 970
    assert Counter(model.fault(9, draw) for draw in draws)["slow"] > 0
    assert [MODELS["steady"].fault(day, 0.0) for day in range(30)] == [None] * 30


def test_answers_depend_on_the_seed_and_on_nothing_else() -> None:
    """The same seed gives the same month; another seed another one."""

    def month(seed: int) -> list[AnswerQuality]:
        return [MODELS["noisy"].answers(seed, case, day, 0) for case in CASES[:50] for day in range(30)]

    assert month(1) == month(1)
    assert month(1) != month(2)


def test_within_a_day_answers_mostly_repeat() -> None:
    """At temperature 0 a second sample of a case is nearly always the first one again."""
    model = MODELS["degrading"]
    same = mean(model.answers(0, case, 25, 0) is model.answers(0, case, 25, 1) for case in CASES)
    assert 0.85 < same < 1.0


def test_days_count_from_the_start_or_go_round() -> None:
    """Without a start the 42 days begin again, so that a provider that is left running goes on."""
    assert day_index(START + timedelta(days=7), START) == 7
    today = date(2027, 5, 5)
    assert day_index(today, None) == day_index(today + timedelta(days=42), None)
    assert 0 <= day_index(date(2020, 1, 1), None) < 42


def talk(work: Callable[[Ask, str], Awaitable[Any]], **options: Any) -> Any:
    """Serve the provider and let `work(ask, address)` talk to it."""

    async def main() -> Any:
        async with (
            serve_simulated(SUITE.cases, today=lambda: START, start=START, **options) as address,
            aiohttp.ClientSession() as session,
        ):

            async def ask(model: str, case: int = 0, day: int | None = None) -> tuple[int, dict[str, Any]]:
                place = "" if day is None else f"/{(START + timedelta(days=day)).isoformat()}"
                turns = [{"role": turn.role, "content": turn.content} for turn in SUITE.cases[case].messages]
                async with session.post(
                    f"{address}{place}/v1/chat/completions", json={"model": model, "messages": turns}
                ) as reply:
                    return reply.status, await reply.json()

            return await work(ask, address)

    return asyncio.run(main())


def test_everything_it_sends_says_that_it_is_simulated() -> None:
    """Model, provider and fingerprint name it in every reply, and so does every error."""

    async def work(ask: Ask, address: str) -> list[dict[str, Any]]:
        replies = [(await ask(name, case, 5))[1] for name in MODELS for case in range(20)]
        replies.append((await ask("flaky", 0, 17))[1])
        return replies

    for body in talk(work):
        if body.get("error"):
            assert body["error"]["message"].startswith("simulated: ")
        elif body["choices"]:
            assert body["model"].startswith("simulated/")
            assert body["provider"].startswith("Simulated ")
            assert body["system_fingerprint"] == "simulated"
        else:
            assert body["id"] == "simulated"


def test_it_answers_from_the_exemplars_and_says_what_it_does_not_know() -> None:
    """Every answer is one of the case's own; an unknown question gets a sentence that says why."""

    async def work(ask: Ask, address: str) -> tuple[set[str], str]:
        answers = {
            (await ask("collapsing", case, 28))[1]["choices"][0]["message"]["content"] for case in range(20)
        }
        async with (
            aiohttp.ClientSession() as session,
            session.post(
                f"{address}/v1/chat/completions",
                json={"model": "steady", "messages": [{"role": "user", "content": "Who are you?"}]},
            ) as reply,
        ):
            return answers, (await reply.json())["choices"][0]["message"]["content"]

    answers, unknown = talk(work)
    assert {"right"} < answers <= {"right", "wrong", "bad"}
    assert "simulated" in unknown


def test_two_servers_give_the_same_month() -> None:
    """Asked the same in the same order, another process gives the same answers, faults included."""

    async def work(ask: Ask, address: str) -> list[tuple[int, dict[str, Any]]]:
        return [await ask(name, case, day) for day in (3, 17, 28) for name in MODELS for case in range(10)]

    assert talk(work, seed=4) == talk(work, seed=4)


def test_the_day_stands_in_the_address() -> None:
    """A provider made for a day is asked for that day; without one it is whatever day it is."""
    dated = simulated_provider("http://127.0.0.1:1", date(2026, 11, 20))
    assert dated.base_url == "http://127.0.0.1:1/2026-11-20/v1"
    assert simulated_provider("http://127.0.0.1:1").base_url == "http://127.0.0.1:1/v1"
    assert dated.dialect == "simulated"

    async def work(ask: Ask, address: str) -> list[str]:
        return [(await ask("rerouted", 0, day))[1]["provider"] for day in (None, 10, 25)]

    assert talk(work) == [HOME, HOME, ELSEWHERE]


def test_costs_are_stated_as_its_made_up_prices_give_them() -> None:
    """Tokens times prices, and the model list states the same prices."""

    async def work(ask: Ask, address: str) -> tuple[dict[str, Any], dict[str, Any]]:
        async with aiohttp.ClientSession() as session, session.get(f"{address}/v1/models") as reply:
            listed = await reply.json()
        return (await ask("steady"))[1]["usage"], listed

    usage, listed = talk(work)
    expected = usage["prompt_tokens"] * PRICES.prompt + usage["completion_tokens"] * PRICES.completion
    assert usage["cost"] == pytest.approx(expected / 1e6)
    assert [entry["id"] for entry in listed["data"]] == [*MODELS, *JUDGES]


@pytest.mark.parametrize("body", [b"", b"[]", b'{"model": "steady"}', b'{"messages": "x", "model": 1}'])
def test_what_is_no_request_is_refused(body: bytes) -> None:
    """A body that cannot be read is a 400 that says so."""

    async def work(ask: Ask, address: str) -> int:
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{address}/v1/chat/completions", data=body) as reply,
        ):
            return reply.status

    assert talk(work) == 400


def test_an_unknown_model_is_told_with_the_known_ones() -> None:
    """A 404 lists the simulated models."""

    async def work(ask: Ask, address: str) -> tuple[int, dict[str, Any]]:
        return await ask("stedy")

    status, body = talk(work)
    assert status == 404
    assert "steady, noisy" in body["error"]["message"]


def answers(model: str, prompts: list[str]) -> list[str]:
    """Ask a simulated model exam questions over HTTP."""

    async def work(put):  # type: ignore[no-untyped-def]
        asks = [
            ModelAsk("subject", model, (Message("user", prompt),), about={"instrument": "exam"})
            for prompt in prompts
        ]
        found: list[Attempt] = [await put(model, ask) for ask in asks]
        return [str(each.reply.text) for each in found]

    return ask_simulated(lambda: serve_simulated((), today=lambda: DAY), simulated_provider, work)


def test_statements_get_true_and_false_with_a_labelled_reason() -> None:
    """Both verdicts come up, each answer says that it is simulated, and asking again changes nothing."""
    found = answers("steady", STATEMENTS)
    given = {text.split(".")[0] for text in found if "left open" not in text}
    assert given == {"True", "False"}
    assert all("Simulated" in text for text in found)
    assert answers("steady", STATEMENTS) == found


def test_a_worse_model_fails_more() -> None:
    """A collapsed model leaves more questions open than a steady one."""
    left_open = {
        name: sum("left open" in text for text in answers(name, STATEMENTS))
        for name in ("steady", "collapsing")
    }
    assert left_open["collapsing"] >= left_open["steady"]
    assert 0 < left_open["steady"] < 40


@pytest.mark.parametrize("number", range(5))
def test_a_choice_is_answered_by_letters_that_it_has(number: int) -> None:
    """Letters given are letters of the question, and not those of an exemplar before it."""
    before = "Question:\nOptions:\nY. one\nZ. two\n\nAnswer:\nZ\n\nQuestion:\n"
    text = f"{before}Which {number}?\n\nOptions:\nA. red\nB. green\nC. blue\n\nAnswer:"
    given = exam_answer(0, (("user", text),), lambda name: AnswerQuality.GOOD).split(".")[0]
    assert set(given.split(" and ")) <= {"A", "B", "C"}


def test_a_slip_is_another_answer() -> None:
    """Where a model slips it says the opposite of what the others say."""
    conversation = (("user", STATEMENTS[0]),)
    good, slip = (
        exam_answer(0, conversation, lambda name, kind=kind: kind).split(".")[0]  # type: ignore[misc]
        for kind in (AnswerQuality.GOOD, AnswerQuality.SLIP)
    )
    assert {good, slip} == {"True", "False"}


def test_without_a_mark_of_an_exam_nothing_is_made_up() -> None:
    """Only asks that say they are an exam's are answered so."""

    async def work(put):  # type: ignore[no-untyped-def]
        return (
            await put("steady", ModelAsk("subject", "steady", (Message("user", STATEMENTS[0]),)))
        ).reply.text

    assert "knows answers to the suite's own cases only" in ask_simulated(
        lambda: serve_simulated((), today=lambda: DAY), simulated_provider, work
    )


def written(each: int) -> list[dict[str, object]]:
    """Return what is written about the material."""
    about = {"deed": "write-statements", "material": MATERIAL, "each": str(each)}
    answer = statements_answer(ChatRequest("steady", (), about), 0)
    assert answer is not None
    listed: list[dict[str, object]] = json.loads(answer)["statements"]
    return listed


def test_statements_quote_the_material_and_say_that_they_are_simulated() -> None:
    """There are as many true statements as false ones, each with a sentence of the material."""
    made = written(2)
    assert [one["correct"] for one in made] == [True, True, False, False]
    assert all(str(one["span"]) in MATERIAL and str(one["text"]).startswith("Simulated:") for one in made)


def test_a_simulated_verifier_errs_now_and_then() -> None:
    """It judges by the wording, errs in about one of ten cases, and answers unclear for other texts."""
    texts = [f"{SAYS} “{number}”." for number in range(500)] + [
        f"{DENIES} “{number}”." for number in range(500)
    ]
    about = {"deed": "verify-statements", "statements": json.dumps([*texts, "Something else."])}
    answer = statements_answer(ChatRequest("steady", (), about), 0)
    assert answer is not None
    answers = [one["answer"] for one in json.loads(answer)["answers"]]
    wrong = answers[:500].count("false") + answers[500:1000].count("true")
    assert abs(wrong / 1000 - SLIPS) < 0.03
    assert answers[1000] == "unclear"


def test_other_asks_are_not_for_it() -> None:
    """Other requests are answered elsewhere."""
    assert statements_answer(ChatRequest("steady", (), {}), 0) is None
