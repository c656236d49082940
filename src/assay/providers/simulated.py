"""The simulated provider: a real HTTP server in this process that makes up answers.

It answers with the suite's own exemplars. Its answers say nothing about a real model, and every reply is
labelled as simulated.
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
"""The share of statements that a simulated verifier judges wrongly."""
_SENTENCE = re.compile(r"[^.。!！?？;；\n]{8,}")
SPAN = 200


class SimulatedServer:
    """A server that answers `chat/completions` for the simulated models and judges.

    It knows answers to `cases`. The day is part of the address (`/2026-11-20/v1`); without one, `today()`
    gives it. `start` is the day with index 0; `seed` changes every draw.
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
        chat = read_request(await request.read())
        if chat is None:
            return _error(400, "the body is not a chat completion request")
        name = chat.model
        model, judge = MODELS.get(name), JUDGES.get(name)
        if model is None and judge is None:
            return _error(404, f"unknown simulated model {name!r}: use one of {', '.join(SIMULATED_NAMES)}")
        day = date.fromisoformat(request.match_info["day"]) if "day" in request.match_info else self._today()
        index = day_index(day, self._start)
        self._requests[name] += 1
        if judge is not None:
            return await self._judge(judge, chat, index)
        assert model is not None
        fault = model.fault(index, draw(self._seed, name, "fault", self._requests[name]))
        if fault is not None:
            return await _fault(fault, name, model.served_by(index))
        answer = SimulatedVerdict(self._answer(model, chat, day, index))
        return json_reply(_reply(name, model.served_by(index), answer, chat.conversation))

    async def _judge(self, judge: SimulatedJudge, chat: ChatRequest, index: int) -> web.Response:
        fault = judge.fault(self._requests[judge.name])
        if fault is not None:
            return await _fault(fault, judge.name, HOME)
        verdict = judge.verdict(chat, self._deserts, index)
        return json_reply(_reply(judge.name, HOME, verdict, chat.conversation))

    def _answer(self, model: SimulatedModel, chat: ChatRequest, day: date, index: int) -> str:
        case = self._cases.get(chat.conversation)
        if case is None and is_exam_question(chat.about):
            return exam_answer(
                self._seed, chat.conversation, lambda name: model.answers(self._seed, name, index, 0)
            )
        if (statements := statements_answer(chat, self._seed)) is not None:
            return statements
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
    """Serve the simulated provider on 127.0.0.1 and yield its address without `/v1`.

    Port 0 chooses a free port.
    """
    application = SimulatedServer(cases, today=today, start=start, seed=seed).application()
    async with serving(application, port) as address:
        yield address


def simulated_provider(address: str, day: date | None = None) -> Provider:
    """Return the provider of a served simulation, for a fixed day or for the current day."""
    base = f"{address}/v1" if day is None else f"{address}/{day.isoformat()}/v1"
    return Provider("simulated", base, dialect="simulated", timeout=TIMEOUT)


def _merit(exemplar: Exemplar) -> tuple[float, float]:
    return exemplar.score, exemplar.marks or 0.0


def _reply(name: str, served_by: str, answer: SimulatedVerdict, conversation: Conversation) -> dict[str, Any]:
    prompt = sum(len(content) for _, content in conversation) // 4 + 8
    completion = len(answer.text or answer.refusal or "") // 4 + 1
    message = {"role": "assistant", "content": answer.text}
    return {
        "id": "simulated",
        "object": "chat.completion",
        "model": f"simulated/{name}",
        "provider": served_by,
        "system_fingerprint": FINGERPRINT,
        "choices": [
            {
                "index": 0,
                "message": message if answer.refusal is None else {**message, "refusal": answer.refusal},
                "finish_reason": "stop",
                "native_finish_reason": "stop",
                **({} if answer.logprobs is None else {"logprobs": answer.logprobs}),
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


def is_exam_question(about: Mapping[str, str]) -> bool:
    """Return whether a request is a question of an exam."""
    return about.get("instrument") == EXAM


def exam_answer(seed: int, conversation: Conversation, quality: Callable[[str], AnswerQuality]) -> str:
    """Return a made-up answer to an exam question, labelled as such.

    Good models agree: each question has one answer, chosen by a hash of the question, that most of them give.
    `quality` returns how well the model answers a question by the question's hash. On a slip it gives the
    next answer, on a failure none. Whether an answer is right is left to chance.
    """
    text = LAST.split(conversation[-1][1])[-1]
    name = hashlib.sha256(text.encode()).hexdigest()
    kind = quality(name)
    if kind is AnswerQuality.FAILURE:
        return "Simulated: this question is left open, because a simulated model sometimes fails."
    answer = _exam_answer(seed, text, name, slip=kind is AnswerQuality.SLIP)
    return f"{answer}. Simulated: this was picked by a hash of the question, for no reason in the matter."


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


def statements_answer(chat: ChatRequest, seed: int) -> str | None:
    """Return the answer to a request for statements or for their verification, None for other requests."""
    deed = chat.about.get("deed")
    if deed == "write-statements":
        return _written_statements(chat.about["material"], int(chat.about["each"]))
    if deed == "verify-statements":
        return _verified_statements(chat.model, json.loads(chat.about["statements"]), seed)
    return None


def _written_statements(material: str, number_each: int) -> str:
    pieces = [match[0].strip()[:SPAN] for match in _SENTENCE.finditer(material)] or [material[:SPAN]]
    statements = []
    for number in range(2 * number_each):
        piece, true = pieces[number % len(pieces)], number < number_each
        statements.append(
            {
                "text": f"{SAYS if true else DENIES} “{piece}”.",
                "correct": true,
                "span": piece,
                "why": "Simulated: made up of the material's own sentence.",
            }
        )
    return json.dumps({"statements": statements}, ensure_ascii=False)


def _verified_statements(model: str, statements: list[str], seed: int) -> str:
    answers = []
    for number, text in enumerate(statements, 1):
        known = text.startswith((SAYS, DENIES))
        slips = draw(seed, model, text, "verify") < SLIPS
        answer = str(text.startswith(SAYS) is not slips).lower() if known else "unclear"
        answers.append({"number": number, "answer": answer})
    return json.dumps({"answers": answers})
