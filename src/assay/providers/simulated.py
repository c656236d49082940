"""The simulated provider: a real HTTP server in this process that speaks the protocol and makes up answers.

It answers from the suite's own exemplars. Nothing it says measures a real model; all it sends says so.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from datetime import date
from typing import Any, Final

from aiohttp import web

from assay.core.case import Case, Exemplar
from assay.core.model import Provider
from assay.core.money import MILLION, Prices, Usage
from assay.providers.served import (
    LARGEST_REQUEST,
    ChatRequest,
    Conversation,
    conversation_of,
    json_reply,
    read_request,
    serving,
)
from assay.providers.simulated_judges import JUDGES, Deserts, SimulatedJudge
from assay.providers.simulated_models import HOME, MODELS, AnswerQuality, SimulatedModel, day_index, draw
from assay.providers.simulated_verdicts import SimulatedVerdict

SIMULATED_NAMES: Final = (*MODELS, *JUDGES)
PRICES = Prices(prompt=0.25, completion=2.0)
TIMEOUT = 3.0
FINGERPRINT = "simulated"
SOON = {"retry-after-ms": "20"}
EXAM: Final = "exam"
LETTERED: Final = re.compile(r"^([A-Z])\. \S", re.MULTILINE)
STATEMENT: Final = re.compile(r"\bTrue or False\b|“正确”或“错误”")
LAST: Final = re.compile(r"(?:Question:|问题：)\n")
SEVERAL: Final = 0.15
SLIPS = 0.1
"""The share of statements that a simulated verifier gets wrong."""
_SENTENCE = re.compile(r"[^.。!！?？;；\n]{8,}")
SPAN = 200


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
            for name in SIMULATED_NAMES
        ]
        return json_reply({"object": "list", "data": listed})

    async def _complete(self, request: web.Request) -> web.Response:
        asked = read_request(await request.read())
        if asked is None:
            return _error(400, "the body is no chat completion request")
        name = asked.model
        model, judge = MODELS.get(name), JUDGES.get(name)
        if model is None and judge is None:
            return _error(404, f"unknown simulated model {name!r}: use one of {', '.join(SIMULATED_NAMES)}")
        day = date.fromisoformat(request.match_info["day"]) if "day" in request.match_info else self._today()
        index = day_index(day, self._start)
        self._requests[name] += 1
        if judge is not None:
            return await self._judge(judge, asked, index)
        assert model is not None
        fault = model.fault(index, draw(self._seed, name, "fault", self._requests[name]))
        if fault is not None:
            return await _fault(fault, name, model.served_by(index))
        said = SimulatedVerdict(self._answer(model, asked, day, index))
        return json_reply(_reply(name, model.served_by(index), said, asked.conversation))

    async def _judge(self, judge: SimulatedJudge, asked: ChatRequest, index: int) -> web.Response:
        fault = judge.fault(self._requests[judge.name])
        if fault is not None:
            return await _fault(fault, judge.name, HOME)
        verdict = judge.verdict(asked, self._deserts, index)
        return json_reply(_reply(judge.name, HOME, verdict, asked.conversation))

    def _answer(self, model: SimulatedModel, asked_for: ChatRequest, day: date, index: int) -> str:
        case = self._cases.get(asked_for.conversation)
        if case is None and sits_exam(asked_for.about):
            return exam_answer(
                self._seed, asked_for.conversation, lambda name: model.answers(self._seed, name, index, 0)
            )
        if (written := statements_answer(asked_for, self._seed)) is not None:
            return written
        if case is None or not case.exemplars:
            return "This is a simulated model: it knows answers to the suite's own cases only."
        key = (model.name, case.id, day)
        asked = self._asked[key]
        self._asked[key] += 1
        best, *rest = sorted(case.exemplars, key=_merit, reverse=True)
        kind = model.answers(self._seed, case.id, index, asked)
        if kind is AnswerQuality.GOOD or not rest:
            return best.answer
        if kind is AnswerQuality.SLIP:
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


def _reply(name: str, served_by: str, said: SimulatedVerdict, conversation: Conversation) -> dict[str, Any]:
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
        return json_reply(_reply(name, served_by, SimulatedVerdict(""), ()))
    return _error(500, "simulated: internal error")


def _error(status: int, message: str) -> web.Response:
    body = {"error": {"code": status, "message": message}}
    return json_reply(body, status=status, headers=SOON if status in (429, 500) else None)


def sits_exam(about: Mapping[str, str]) -> bool:
    """Whether a request is a question of an exam."""
    return about.get("instrument") == EXAM


def exam_answer(seed: int, conversation: Conversation, how: Callable[[str], AnswerQuality]) -> str:
    """Return a made-up answer to an exam question, labelled as such.

    Good models agree: each question has one answer that most of them give, by a hash of the question. `how`
    says how well the model answers a question of that name: where it slips it gives the next answer, where
    it fails none. Whether any of them is right is chance.
    """
    text = LAST.split(conversation[-1][1])[-1]
    name = hashlib.sha256(text.encode()).hexdigest()
    kind = how(name)
    if kind is AnswerQuality.FAILURE:
        return "Simulated: this question is left open, because a simulated model sometimes fails."
    given = _exam_answer(seed, text, name, slip=kind is AnswerQuality.SLIP)
    return f"{given}. Simulated: this was picked by a hash of the question, for no reason in the matter."


def _exam_answer(seed: int, text: str, name: str, *, slip: bool) -> str:
    letters: list[str] = sorted(set(LETTERED.findall(text)))
    if STATEMENT.search(text):
        return "False" if (draw(seed, name, "statement") < 0.5) ^ slip else "True"
    if not letters:
        return f"Answer {int(1000 * draw(seed, name, 'text', slip))}"
    place = int(draw(seed, name, "choice") * len(letters)) + slip
    if draw(seed, name, "several") < SEVERAL:
        return " and ".join(sorted({letters[place % len(letters)], letters[(place + 1) % len(letters)]}))
    return letters[place % len(letters)]


SAYS, DENIES = "Simulated: the material says", "Simulated: the material denies"


def statements_answer(asked: ChatRequest, seed: int) -> str | None:
    """Return the answer to an ask for statements or for their verification, None for any other ask."""
    deed = asked.about.get("deed")
    if deed == "write-statements":
        return _written_statements(asked.about["material"], int(asked.about["each"]))
    if deed == "verify-statements":
        return _verified_statements(asked.model, json.loads(asked.about["statements"]), seed)
    return None


def _written_statements(material: str, each: int) -> str:
    pieces = [found[0].strip()[:SPAN] for found in _SENTENCE.finditer(material)] or [material[:SPAN]]
    made = []
    for number in range(2 * each):
        piece, true = pieces[number % len(pieces)], number < each
        made.append(
            {
                "text": f"{SAYS if true else DENIES} “{piece}”.",
                "correct": true,
                "span": piece,
                "why": "Simulated: made up of the material's own sentence.",
            }
        )
    return json.dumps({"statements": made}, ensure_ascii=False)


def _verified_statements(model: str, statements: list[str], seed: int) -> str:
    answers = []
    for number, text in enumerate(statements, 1):
        known = text.startswith((SAYS, DENIES))
        slips = draw(seed, model, text, "verify") < SLIPS
        said = str(text.startswith(SAYS) is not slips).lower() if known else "unclear"
        answers.append({"number": number, "answer": said})
    return json.dumps({"answers": answers})
