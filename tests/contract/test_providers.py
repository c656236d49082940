"""What every provider owes to a run: the same requests, the same kinds of replies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from asking import Put, talk
from small_suite import make_suite
from upstream import Upstream, serving

from assay.core.ask import CallStatus, Message, ModelAsk
from assay.core.model import Provider
from assay.providers.chat import ChatEndpoint
from assay.providers.network import open_session
from assay.providers.reading import Attempt
from assay.providers.recorded import recorded_provider, serve_recorded
from assay.providers.recordings import RecordedAnswer, Recordings
from assay.providers.simulated import serve_simulated, simulated_provider

CASES = make_suite(use_cases=1, cases=3).cases
LINES = {
    ("steady", case.id): (
        RecordedAnswer(
            model="steady", case=case.id, text="right", latency=1, prompt_tokens=3, completion_tokens=2
        ),
    )
    for case in CASES
}
ABOUT = {"case": CASES[0].id, "subject": "x/y", "metric": "rubric"}


@asynccontextmanager
async def upstream() -> AsyncIterator[str]:
    """Serve the scripted upstream of tests as an OpenAI-compatible endpoint."""
    async with serving(Upstream(lambda prompt, before: 404 if "?" not in prompt else "right")) as served:
        yield served.address


OPENAI = Provider("mine", "http://127.0.0.1/v1")
RECORDED = Provider("recorded", "http://127.0.0.1/v1", dialect="recorded")
PROVIDERS = {
    "openai": (upstream, lambda address: replace(OPENAI, base_url=address)),
    "simulated": (lambda: serve_simulated(CASES, today=lambda: date(2026, 11, 1)), simulated_provider),
    "recorded": (
        lambda: serve_recorded(CASES, Recordings(Path("replay.jsonl"), LINES)),
        lambda address: recorded_provider(RECORDED, address),
    ),
}


@pytest.fixture(params=sorted(PROVIDERS))
def asked(request: pytest.FixtureRequest) -> Callable[..., list[Attempt]]:
    """Ask one provider after the other."""
    served, provider = PROVIDERS[request.param]

    def ask(model: str, *asks: ModelAsk) -> list[Attempt]:
        async def work(put: Put) -> list[Attempt]:
            return list(await asyncio.gather(*(put(model, each) for each in asks)))

        return talk(served, provider, work)

    return ask


def question(number: int, about: dict[str, str] | None = None) -> ModelAsk:
    """Return a question of the suite."""
    return ModelAsk("subject", "", CASES[number].messages, {"temperature": 0}, about=about or {})


def test_an_answer_has_a_text_and_its_tokens(asked: Callable[..., list[Attempt]]) -> None:
    """Asked side by side, each of the suite's questions is answered."""
    for attempt in asked("steady", *(question(number) for number in range(3))):
        assert (attempt.reply.status, attempt.reply.text) == (CallStatus.OK, "right")
        assert attempt.reply.usage.prompt is not None
        assert attempt.reply.usage.completion is not None
        assert attempt.reply.finish_reason == "stop"


def test_what_cannot_be_answered_is_an_error_that_is_not_tried_again(
    asked: Callable[..., list[Attempt]],
) -> None:
    """A model that is not there is a 404."""
    unknown = ModelAsk("subject", "", (Message("user", "Not in the suite."),))
    (attempt,) = asked("no-such-model", unknown)
    assert (attempt.reply.status, attempt.reply.http_status, attempt.again) == (CallStatus.ERROR, 404, False)


@pytest.mark.parametrize("name", ["simulated", "recorded"])
def test_what_is_no_request_is_refused_in_words(name: str) -> None:
    """A body that is no chat completion is a 400."""
    served, provider = PROVIDERS[name]

    async def main() -> list[Attempt]:
        async with served() as address, open_session(4, {}, tls=False) as session:
            endpoint = ChatEndpoint(provider(address), session, None)
            bodies = (b"", b"[]", b'{"model": "steady"}', b'{"messages": "x", "model": 1}')
            odd = b'{"model": "steady", "messages": [], "about": {"case": ["a"]}}'
            return [await endpoint.attempt(body) for body in (*bodies, odd)]

    for attempt in asyncio.run(main()):
        assert (attempt.reply.http_status, attempt.again) == (400, False)
