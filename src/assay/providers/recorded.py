"""The recorded provider: a real HTTP server in this process that repeats recorded answers and marks.

A request for an answer looks like any other request; the case is identified by its conversation. A request
for a mark is identified by its `about`. Nothing is made up: if a reply was not recorded, the status is 404.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from aiohttp import web

from assay.core.case import Case
from assay.core.errors import InvalidInput
from assay.core.model import Provider
from assay.core.wording import counted
from assay.providers.reading import storable
from assay.providers.recordings import RecordedAnswer, RecordedMark, Recordings, digest_of
from assay.providers.served import (
    LARGEST_REQUEST,
    ChatRequest,
    Conversation,
    conversation_of,
    json_reply,
    read_request,
    refusal,
    serving,
)
from assay.providers.simulated_verdicts import GEVAL, SimulatedVerdict, geval_verdict, written

MISSING, GONE = 404, 410
"""The statuses of a reply that was not recorded, and of a recorded error. Neither is worth a retry."""


class RecordedServer:
    """A server that answers `chat/completions` from recordings. It knows the conversations of `cases`.

    Each repeated request for a case gets the answer of the next epoch.
    """

    def __init__(self, cases: Iterable[Case], recordings: Recordings) -> None:
        self._cases: dict[Conversation, str] = {conversation_of(case): case.id for case in cases}
        self._recordings = recordings
        self._asked: Counter[tuple[str, str]] = Counter()

    def application(self) -> web.Application:
        """Return the web application."""
        app = web.Application(client_max_size=LARGEST_REQUEST)
        app.router.add_get("/v1/models", self._models)
        app.router.add_post("/v1/chat/completions", self._complete)
        return app

    async def _models(self, request: web.Request) -> web.Response:
        listed = [{"id": name, "object": "model", "owned_by": "recorded"} for name in self._recordings.models]
        return json_reply({"object": "list", "data": listed})

    async def _complete(self, request: web.Request) -> web.Response:
        chat = read_request(await request.read())
        if chat is None:
            return refusal(400, "the body is not a chat completion request")
        return self._mark(chat) if "metric" in chat.about else self._answer(chat)

    def _answer(self, chat: ChatRequest) -> web.Response:
        case = chat.about.get("case") or self._cases.get(chat.conversation)
        if case is None:
            return refusal(MISSING, "recorded: no case of the suite has this conversation")
        key = (chat.model, case)
        answers = self._recordings.answers.get(key, ())
        epoch = int(chat.about["epoch"]) if "epoch" in chat.about else self._asked[key]
        self._asked[key] += 1
        if epoch >= len(answers):
            recorded = counted(len(answers), "answer") if answers else "no answer"
            return refusal(
                MISSING,
                f"recorded: {recorded} of {chat.model!r} to case {case!r} in {self._recordings.path.name}, "
                f"asked for number {epoch + 1}",
            )
        answer = answers[epoch]
        latency = {"recorded": {"latency": answer.latency}}
        if answer.status == "error":
            return refusal(GONE, f"recorded error: {answer.error or 'of unknown kind'}", **latency)
        return json_reply({**_answered(answer), **latency})

    def _mark(self, chat: ChatRequest) -> web.Response:
        about = chat.about
        case, metric = about.get("case", ""), about["metric"]
        place = f"judge {chat.model!r} on {about.get('subject')!r}, case {case!r}, metric {metric!r}"
        for model in _names(about.get("subject", "")):
            answers = self._recordings.answers.get((model, case), ())
            epoch = _epoch(answers, about.get("answer"))
            if epoch is None:
                return refusal(MISSING, f"recorded: no mark of {place}: another answer was recorded")
            mark = self._recordings.marks.get((chat.model, model, case, metric, epoch))
            if mark is not None:
                return _marked(chat, mark)
        return refusal(MISSING, f"recorded: no mark of {place} in {self._recordings.path.name}")


@asynccontextmanager
async def serve_recorded(
    cases: Iterable[Case], recordings: Recordings, *, port: int = 0
) -> AsyncIterator[str]:
    """Serve recordings on 127.0.0.1 and yield the address without `/v1`. Port 0 chooses a free port."""
    async with serving(RecordedServer(cases, recordings).application(), port) as address:
        yield address


def recorded_provider(provider: Provider, address: str) -> Provider:
    """Return a workspace's recorded provider with the address of its server."""
    return replace(provider, base_url=f"{address}/v1")


def _names(subject: str) -> tuple[str, ...]:
    """Return the names that recordings can use for a subject: with and without the provider."""
    upstream = subject.partition("/")[2]
    return (subject, upstream) if upstream else (subject,)


def _epoch(answers: tuple[RecordedAnswer, ...], digest: str | None) -> int | None:
    """Return the epoch of the judged answer: 0 if it cannot be identified, None if it was not recorded."""
    if not answers or digest is None:
        return 0
    return next((answer.epoch for answer in answers if digest_of(storable(answer.text)) == digest), None)


def _answered(answer: RecordedAnswer) -> dict[str, Any]:
    tokens = answer.completion_tokens or 0
    finish = answer.finish_reason or ("length" if not answer.text and tokens else "stop")
    usage = {
        "prompt_tokens": answer.prompt_tokens,
        "completion_tokens": answer.completion_tokens,
        "completion_tokens_details": {"reasoning_tokens": answer.reasoning_tokens},
        **({} if answer.cost is None else {"cost": answer.cost}),
    }
    text = answer.text if answer.status == "ok" else ""
    return _completion(answer.model, SimulatedVerdict(text), finish, usage)


def _marked(chat: ChatRequest, mark: RecordedMark) -> web.Response:
    if mark.value is None:
        return refusal(GONE, f"recorded: the mark is missing: {mark.reason or 'for an unknown reason'}")
    try:
        if chat.about.get("grader") == GEVAL:
            verdict = geval_verdict(mark.value, mark.rationale, logprobs=chat.logprobs)
        else:
            verdict = SimulatedVerdict(written(chat.schema, mark.value, mark.rationale, chat.about))
    except InvalidInput as error:
        return refusal(GONE, f"recorded: {error}")
    return json_reply(_completion(mark.judge, verdict, "stop", {}))


def _completion(
    model: str, verdict: SimulatedVerdict, finish: str, usage: Mapping[str, Any]
) -> dict[str, Any]:
    return {
        "id": "recorded",
        "object": "chat.completion",
        "model": f"recorded/{model}",
        "provider": "Recorded",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": verdict.text},
                "finish_reason": finish,
                **({} if verdict.logprobs is None else {"logprobs": verdict.logprobs}),
            }
        ],
        "usage": usage,
    }
