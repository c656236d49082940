"""The simulated provider: a real HTTP server in this process that speaks the protocol and makes up answers.

It answers from the suite's own exemplars. Nothing it says measures a real model; all it sends says so.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from datetime import date
from typing import Any

from aiohttp import web

from assay.core.case import Case, Exemplar
from assay.core.model import Provider
from assay.core.money import MILLION, Prices, Usage
from assay.providers.served import (
    LARGEST_REQUEST,
    Asked,
    Conversation,
    conversation_of,
    json_reply,
    read_request,
    serving,
)
from assay.providers.simulated_candidates import exam_answer, sits_exam
from assay.providers.simulated_judges import JUDGES, Deserts, SimulatedJudge
from assay.providers.simulated_models import HOME, MODELS, Answer, SimulatedModel, day_index, draw
from assay.providers.simulated_statements import statements_answer
from assay.providers.verdicts import Verdict

PRICES = Prices(prompt=0.25, completion=2.0)
TIMEOUT = 3.0
FINGERPRINT = "simulated"
SOON = {"retry-after-ms": "20"}


class SimulatedServer:
    """Answers `chat/completions` for the simulated models and judges.

    `cases` are those it knows answers to. The day is part of the address (`/2026-11-20/v1`); without
    one, `today()` is asked. `start` is the day counted as 0; `seed` changes every draw.
    """

    def __init__(
        self,
        cases: Iterable[Case],
        *,
        today: Callable[[], date],
        start: date | None = None,
        seed: int = 0,
    ) -> None:
        listed = tuple(cases)
        self._cases: dict[Conversation, Case] = {conversation_of(case): case for case in listed}
        self._deserts = Deserts(listed, seed)
        self._today = today
        self._start = start
        self._seed = seed
        self._asked: Counter[tuple[str, str, date]] = Counter()
        self._requests: Counter[str] = Counter()

    def application(self) -> web.Application:
        """Return the web application."""
        app = web.Application(client_max_size=LARGEST_REQUEST)
        app.router.add_get("/v1/models", self._models)
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_get("/{day}/v1/models", self._models)
        app.router.add_post("/{day}/v1/chat/completions", self._complete)
        return app

    async def _models(self, request: web.Request) -> web.Response:
        pricing = {"prompt": str(PRICES.prompt / MILLION), "completion": str(PRICES.completion / MILLION)}
        listed = [
            {"id": name, "object": "model", "owned_by": "simulated", "pricing": pricing}
            for name in (*MODELS, *JUDGES)
        ]
        return json_reply({"object": "list", "data": listed})

    async def _complete(self, request: web.Request) -> web.Response:
        asked = read_request(await request.read())
        if asked is None:
            return _error(400, "the body is no chat completion request")
        name = asked.model
        model, judge = MODELS.get(name), JUDGES.get(name)
        if model is None and judge is None:
            known = ", ".join((*MODELS, *JUDGES))
            return _error(404, f"no simulated model is called {name!r}: there are {known}")
        day = date.fromisoformat(request.match_info["day"]) if "day" in request.match_info else self._today()
        index = day_index(day, self._start)
        self._requests[name] += 1
        if judge is not None:
            return await self._judge(judge, asked, index)
        assert model is not None
        fault = model.fault(index, draw(self._seed, name, "fault", self._requests[name]))
        if fault is not None:
            return await _fault(fault, name, model.served_by(index))
        said = Verdict(self._answer(model, asked, day, index))
        return json_reply(_reply(name, model.served_by(index), said, asked.conversation))

    async def _judge(self, judge: SimulatedJudge, asked: Asked, index: int) -> web.Response:
        fault = judge.fault(self._requests[judge.name])
        if fault is not None:
            return await _fault(fault, judge.name, HOME)
        verdict = judge.verdict(asked, self._deserts, index)
        return json_reply(_reply(judge.name, HOME, verdict, asked.conversation))

    def _answer(self, model: SimulatedModel, asked_for: Asked, day: date, index: int) -> str:
        if sits_exam(asked_for.about):
            return exam_answer(
                self._seed, asked_for.conversation, lambda name: model.answers(self._seed, name, index, 0)
            )
        if (written := statements_answer(asked_for, self._seed)) is not None:
            return written
        case = self._cases.get(asked_for.conversation)
        if case is None or not case.exemplars:
            return "This is a simulated model: it knows answers to the suite's own cases only."
        key = (model.name, case.id, day)
        asked = self._asked[key]
        self._asked[key] += 1
        best, *rest = sorted(case.exemplars, key=_merit, reverse=True)
        kind = model.answers(self._seed, case.id, index, asked)
        if kind is Answer.GOOD or not rest:
            return best.answer
        if kind is Answer.SLIP:
            return rest[0].answer
        return rest[int(draw(self._seed, model.name, case.id, index, "which") * len(rest))].answer


@asynccontextmanager
async def serve_simulated(
    cases: Iterable[Case],
    *,
    today: Callable[[], date],
    start: date | None = None,
    seed: int = 0,
    port: int = 0,
) -> AsyncIterator[str]:
    """Serve the simulated provider on 127.0.0.1 and yield its address, without `/v1`.

    Port 0 takes a free one.
    """
    application = SimulatedServer(cases, today=today, start=start, seed=seed).application()
    async with serving(application, port) as address:
        yield address


def simulated_provider(address: str, day: date | None = None) -> Provider:
    """Return the provider that a served simulation is, on one day or on whatever day it is."""
    base = f"{address}/v1" if day is None else f"{address}/{day.isoformat()}/v1"
    return Provider("simulated", base, dialect="simulated", timeout=TIMEOUT)


def _merit(exemplar: Exemplar) -> tuple[float, float]:
    return exemplar.score, exemplar.marks or 0.0


def _reply(name: str, served_by: str, said: Verdict, conversation: Conversation) -> dict[str, Any]:
    prompt = sum(len(content) for _, content in conversation) // 4 + 8
    completion = len(said.text or said.refusal or "") // 4 + 1
    message = {"role": "assistant", "content": said.text}
    return {
        "id": "simulated",
        "object": "chat.completion",
        "model": f"simulated/{name}",
        "provider": served_by,
        "system_fingerprint": FINGERPRINT,
        "choices": [
            {
                "index": 0,
                "message": message if said.refusal is None else {**message, "refusal": said.refusal},
                "finish_reason": "stop",
                "native_finish_reason": "stop",
                **({} if said.logprobs is None else {"logprobs": said.logprobs}),
            }
        ],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
            "cost": PRICES.cost(Usage(prompt, completion)),
        },
    }


async def _fault(kind: str, name: str, served_by: str) -> web.Response:
    if kind == "slow":
        await asyncio.sleep(1.5 * TIMEOUT)
    if kind == "429":
        return _error(429, "simulated: too many requests")
    if kind == "200-error":
        broken = {"error": {"code": 502, "message": "simulated: the upstream broke off"}}
        return json_reply(broken, headers=SOON)
    if kind == "no-choices":
        return json_reply({"id": "simulated", "choices": []}, headers=SOON)
    if kind == "empty":
        return json_reply(_reply(name, served_by, Verdict(""), ()))
    return _error(500, "simulated: internal error")


def _error(status: int, message: str) -> web.Response:
    body = {"error": {"code": status, "message": message}}
    return json_reply(body, status=status, headers=SOON if status in (429, 500) else None)
