"""The recorded provider: a real HTTP server in this process that repeats what was recorded.

Subjects are asked as any model is; their answers are found by the case's conversation. Judges are known by
what a request is about. Nothing is made up: what was not recorded is a 404 that says so.
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
"""Nothing was recorded; what was recorded is an error. Neither is worth a second attempt."""


class RecordedServer:
    """Answers `chat/completions` from recordings. `cases` are those whose conversations it knows.

    A case that is asked again in one serving gives its next epoch.
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
        asked = read_request(await request.read())
        if asked is None:
            return refusal(400, "the body is no chat completion request")
        return self._mark(asked) if "metric" in asked.about else self._answer(asked)

    def _answer(self, asked: ChatRequest) -> web.Response:
        case = asked.about.get("case") or self._cases.get(asked.conversation)
        if case is None:
            return refusal(MISSING, "recorded: no case of the suite has this conversation")
        key = (asked.model, case)
        found = self._recordings.answers.get(key, ())
        wanted = int(asked.about["epoch"]) if "epoch" in asked.about else self._asked[key]
        self._asked[key] += 1
        if wanted >= len(found):
            there = f"{len(found)} answers" if found else "no answer"
            return refusal(
                MISSING,
                f"recorded: {there} of {asked.model!r} to case {case!r} in {self._recordings.path.name}, "
                f"asked for number {wanted + 1}",
            )
        answer = found[wanted]
        told = {"recorded": {"latency": answer.latency}}
        if answer.status == "error":
            return refusal(GONE, f"recorded error: {answer.error or 'of unknown kind'}", **told)
        return json_reply({**_answered(answer), **told})

    def _mark(self, asked: ChatRequest) -> web.Response:
        about = asked.about
        case, metric = about.get("case", ""), about["metric"]
        told = f"judge {asked.model!r} on {about.get('subject')!r}, case {case!r}, metric {metric!r}"
        for model in _names(about.get("subject", "")):
            answers = self._recordings.answers.get((model, case), ())
            epoch = _epoch(answers, about.get("answer"))
            if epoch is None:
                return refusal(MISSING, f"recorded: no mark of {told}: another answer was recorded")
            mark = self._recordings.marks.get((asked.model, model, case, metric, epoch))
            if mark is not None:
                return _marked(asked, mark)
        return refusal(MISSING, f"recorded: no mark of {told} in {self._recordings.path.name}")


@asynccontextmanager
async def serve_recorded(
    cases: Iterable[Case], recordings: Recordings, *, port: int = 0
) -> AsyncIterator[str]:
    """Serve recordings on 127.0.0.1 and yield the address, without `/v1`. Port 0 takes a free one."""
    async with serving(RecordedServer(cases, recordings).application(), port) as address:
        yield address


def recorded_provider(provider: Provider, address: str) -> Provider:
    """Return a workspace's recorded provider as it is served."""
    return replace(provider, base_url=f"{address}/v1")


def _names(subject: str) -> tuple[str, ...]:
    """Return what recordings may call a subject: its whole name, and its name without the provider."""
    upstream = subject.partition("/")[2]
    return (subject, upstream) if upstream else (subject,)


def _epoch(answers: tuple[RecordedAnswer, ...], digest: str | None) -> int | None:
    """Return the epoch of the answer that is judged; 0 where nothing tells, None for an unknown answer."""
    if not answers or digest is None:
        return 0
    return next((answer.epoch for answer in answers if digest_of(storable(answer.text)) == digest), None)


def _answered(answer: RecordedAnswer) -> dict[str, Any]:
    spent = answer.completion_tokens or 0
    finish = answer.finish_reason or ("length" if not answer.text and spent else "stop")
    usage = {
        "prompt_tokens": answer.prompt_tokens,
        "completion_tokens": answer.completion_tokens,
        "completion_tokens_details": {"reasoning_tokens": answer.reasoning_tokens},
        **({} if answer.cost is None else {"cost": answer.cost}),
    }
    text = answer.text if answer.status == "ok" else ""
    return _completion(answer.model, SimulatedVerdict(text), finish, usage)


def _marked(asked: ChatRequest, mark: RecordedMark) -> web.Response:
    if mark.value is None:
        return refusal(GONE, f"recorded: no mark could be read: {mark.reason or 'for an unknown reason'}")
    try:
        if asked.about.get("grader") == GEVAL:
            verdict = geval_verdict(mark.value, mark.rationale, logprobs=asked.logprobs)
        else:
            verdict = SimulatedVerdict(written(asked.schema, mark.value, mark.rationale, asked.about))
    except InvalidInput as error:
        return refusal(GONE, f"recorded: {error}")
    return json_reply(_completion(mark.judge, verdict, "stop", {}))


def _completion(model: str, said: SimulatedVerdict, finish: str, usage: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": "recorded",
        "object": "chat.completion",
        "model": f"recorded/{model}",
        "provider": "Recorded",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": said.text},
                "finish_reason": finish,
                **({} if said.logprobs is None else {"logprobs": said.logprobs}),
            }
        ],
        "usage": usage,
    }
