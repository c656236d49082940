"""Judges that talk nonsense, refuse what they are sent, or never end: marks are missing, and runs finish."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import orjson
import pytest
from aiohttp import web
from judged import Court, JudgedRun, always, held, judged_suite, mark
from sqlalchemy import Engine
from upstream import chat

from assay.core.case import GraderSpec
from assay.core.judging import Panel
from assay.core.model import Model, Pin, Provider
from assay.results.runs import RunOutcome
from assay.runs.conduct import RunContext, conduct
from assay.runs.judging.bench import MOST_FAILURES
from assay.sandbox.choose import open_sandbox
from assay.store.marks import RunMark, read_marks
from assay.store.samples import read_samples

Said = Callable[[dict[str, Any], int], Any]


def found(run: JudgedRun) -> list[RunMark]:
    """Return the marks of a run."""
    return read_marks(run.engine, [run.run.id])


def verdict(body: dict[str, Any], rationale: str, value: int = 4) -> str:
    """Return a judge's reply with a rationale, as JSON that may hold escapes."""
    return json.dumps({**json.loads(mark(value, body)), "rationale": rationale})


ODD: dict[str, Said] = {
    "no choices": lambda body, before: {"choices": []},
    "choices are null": lambda body, before: {"choices": None},
    "an error in a 200": lambda body, before: {"error": {"message": "overloaded", "code": 503}},
    "an error in a choice": lambda body, before: {"choices": [{"error": {"code": 500, "message": "x"}}]},
    "a message that is a list": lambda body, before: {"choices": [{"message": [1]}]},
    "null": lambda body, before: chat(None),
    "filtered": lambda body, before: {
        "choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]
    },
    "ten thousand objects": lambda body, before: '{"rationale": ' * 10_000,
    "a token and no object": lambda body, before: "x" * 10_000 + mark(4, body).rstrip("}"),
    "alternating": lambda body, before: mark(4, body) if before % 4 == 3 else "Well, 4 I would say.",
}


@pytest.mark.parametrize("name", list(ODD))
def test_nonsense_is_no_mark_and_ends_no_run(sqlite: Engine, name: str) -> None:
    """The other judge's marks stand; every missing one has a reason; the run finishes."""
    run = JudgedRun(sqlite, Court({"kind": always(5), "odd": ODD[name]}))
    outcome = run.execute()
    assert (outcome.status, outcome.counts.ok, outcome.counts.ungraded) == ("finished", 4, 0)
    odd = [each.row for each in found(run) if each.judge == "test/odd"]
    assert len(odd) == 4
    assert all((row.value is None) == (row.reason is not None) for row in odd)
    assert {row.value for row in odd} <= ({None, 4.0} if name == "alternating" else {None})


@pytest.mark.parametrize(
    "rationale",
    ["nul \x00 and \ud800 half", "\ud83d", "\x1b[31mred\x1b[0m\u202e", "𝒜" * 5000],
    ids=["nul", "half", "escapes", "long"],
)
def test_any_rationale_is_stored(engine: Engine, rationale: str) -> None:
    """NUL, half surrogates, control characters and length break no database and no later page."""
    run = JudgedRun(engine, Court({"odd": lambda body, before: verdict(body, rationale)}))
    assert run.execute().status == "finished"
    (row, *_) = [each.row for each in found(run)]
    assert row.value == 4.0
    assert len(row.rationale) <= 1500
    assert not {"\0", "\x1b", "\u202e"} & set(row.rationale)
    row.rationale.encode()


def test_a_model_that_answers_with_nul_is_judged(engine: Engine) -> None:
    """What PostgreSQL cannot hold is replaced before anybody sees it: the mark is found again."""
    court = Court({"kind": always(4)}, answer=lambda body: chat("a\0b \x1b \u202e"))
    run = JudgedRun(engine, court, suite=judged_suite(epochs=2))
    assert run.execute().counts.ungraded == 0
    assert court.asked == {"subject": 8, "kind": 4}


@pytest.mark.slow
def test_megabytes_are_read_and_kept_short(sqlite: Engine) -> None:
    """Replies just below the bound, with or without a verdict, neither stop the run nor fill the marks."""
    big = "x" * 7_000_000
    run = JudgedRun(
        sqlite,
        Court(
            {
                "before": lambda body, before: big + mark(4, body),
                "within": lambda body, before: verdict(body, big),
                "none": lambda body, before: big,
                "braces": lambda body, before: '{"a": ' * 1_100_000 + mark(4, body),
            }
        ),
        suite=judged_suite(cases=1),
    )
    assert run.execute(providers={}).status == "finished"
    values = {each.judge: each.row.value for each in found(run)}
    assert (values["test/before"], values["test/within"], values["test/none"]) == (4.0, 4.0, None)
    assert all(len(each.row.rationale) <= 1500 for each in found(run))


def refusing(status: int, message: str, wanted: Callable[[dict[str, Any]], bool]) -> Said:
    """Return a judge that refuses bodies unless they are as it wants them."""

    def judge(body: dict[str, Any], before: int) -> Any:
        if wanted(body):
            return mark(4, body)
        return web.json_response({"error": {"message": message}}, status=status)

    return judge


class Strict(Court):
    """A court whose judges may answer with a whole HTTP response."""

    async def handle(self, request: web.Request) -> web.Response:
        """Answer one request."""
        body = orjson.loads(await request.read())
        if body["model"] in self.judges:
            before = self.asked[body["model"]]
            said = self.judges[body["model"]](body, before)
            if isinstance(said, web.Response):
                self.asked[body["model"]] += 1
                self.bodies.setdefault(body["model"], []).append(body)
                return said
        return await super().handle(request)


@pytest.mark.parametrize(
    ("status", "message", "parameter"),
    [
        (400, "This response_format type is unavailable now", "response_format"),
        (400, "json_schema is not supported by this model", "response_format"),
        (400, "Unsupported value: 'temperature' does not support 0 with this model", "temperature"),
    ],
)
def test_what_a_judge_refuses_is_left_out_and_told(
    sqlite: Engine, status: int, message: str, parameter: str
) -> None:
    """Grading goes on without it, the judge is not put aside, and the outcome says so."""
    judge = refusing(status, message, lambda body: parameter not in body)
    run = JudgedRun(sqlite, Strict({"picky": judge}), suite=judged_suite(cases=20))
    outcome = run.execute()
    assert [each.row.value for each in found(run)] == [4.0] * 20
    assert outcome.remarks == (
        f"judge test/picky was sent without {parameter}, because the endpoint refuses it",
    )


def routed(sqlite: Engine, wanted: Callable[[dict[str, Any]], bool]) -> tuple[JudgedRun, RunOutcome]:
    """Execute a run whose judge is pinned on a router that serves only bodies it wants."""
    message = "No endpoints found that can handle the requested parameters."
    court = Strict({"pinned": refusing(404, message, wanted)})
    judge = Model("router", "pinned", pin=Pin(("someone",)))
    run = JudgedRun(
        sqlite, court, suite=judged_suite(cases=60), panel=Panel(("router/pinned",)), judges=[judge]
    )

    async def main() -> RunOutcome:
        async with held(court):
            providers = {
                "test": Provider("test", court.address),
                "router": Provider("router", court.address, dialect="openrouter", concurrency=4),
            }
            setting = RunContext(
                sqlite, providers, {}, rng=random.Random(0), sandbox=lambda: open_sandbox(())
            )
            return await conduct(setting, run.run, run.plan)

    return run, asyncio.run(main())


def test_a_pinned_judge_without_schemas_is_asked_in_words(sqlite: Engine) -> None:
    """The router's 404 for `require_parameters` takes the form of the reply away, and nothing else."""
    run, outcome = routed(sqlite, lambda body: "response_format" not in body)
    assert {each.row.value for each in found(run)} == {4.0}
    assert run.court.bodies["pinned"][-1]["provider"]["require_parameters"] is True
    assert "without response_format" in outcome.remarks[0]


def test_a_pinned_judge_that_nobody_serves_is_put_aside_with_the_cure(sqlite: Engine) -> None:
    """The temperature of a judge is never given up for an outage: who set the pin must say so."""
    run, outcome = routed(sqlite, lambda body: "temperature" not in body)
    assert {each.row.value for each in found(run)} == {None}
    assert run.court.asked["pinned"] <= 2 * (MOST_FAILURES + 32)
    (told,) = [line for line in outcome.remarks if line.startswith("marks missing") and "put aside" in line]
    assert "null in the judge's `parameters`" in told
    assert "no provider meets the routing" in told


SHAPES: list[Any] = [
    None,
    [],
    "x",
    7,
    {},
    {"content": None},
    {"content": [None]},
    {"content": [{"token": "8"}]},
    {"content": [{"token": "8", "top_logprobs": "x"}]},
    {"content": [{"token": '"score": '}, {"token": "8", "top_logprobs": [{"token": 8, "logprob": "x"}]}]},
    {"content": [{"token": '"score": '}, {"token": "8", "top_logprobs": [{"token": "8", "logprob": 4}]}]},
    {"content": [{"token": '"score": '}, {"token": "8", "top_logprobs": [{"token": "8", "logprob": -9e99}]}]},
    {"content": [{"token": ["8"]}], "refusal": 3},
]


@pytest.mark.skipif(find_spec("deepeval") is None, reason="needs the extra [geval]")
def test_logprobs_of_any_shape_give_the_bare_score(sqlite: Engine) -> None:
    """G-Eval's mark is then the integer, and its rationale says why it was not weighted."""
    spec = GraderSpec("geval", {"metrics": ["coherence"]}, judged=True)
    suite = judged_suite(cases=len(SHAPES), version="g-eval")
    cases = tuple(replace(case, graders=(spec,)) for case in suite.cases)
    suite = replace(suite, use_cases=(replace(suite.use_cases[0], cases=cases),))

    def judge(body: dict[str, Any], before: int) -> Any:
        said = chat('{"reason": "clear", "score": 8}')
        said["choices"][0]["logprobs"] = SHAPES[before]
        return said

    run = JudgedRun(sqlite, Court({"odd": judge}), suite=suite, panel=Panel(geval="test/odd"))
    outcome = run.execute()
    assert outcome.status == "finished"
    assert [each.row.value for each in found(run)] == [0.8] * len(SHAPES)
    assert {each.row.mode for each in found(run)} == {"integer"}
    assert all(sample.row.score == 80.0 for sample in read_samples(sqlite, run.run.id))


def test_a_judge_that_drips_is_cut_off(sqlite: Engine) -> None:
    """A reply that comes byte by byte ends at the time-out; after several such the judge is put aside."""

    class Dripping(Court):
        async def handle(self, request: web.Request) -> web.StreamResponse:  # type: ignore[override]
            body = orjson.loads(await request.read())
            if body["model"] != "slow":
                return await super().handle(request)
            self.asked["slow"] += 1
            response = web.StreamResponse()
            await response.prepare(request)
            while True:
                await response.write(b" ")
                await asyncio.sleep(0.02)

    court = Dripping({"slow": always(4)})
    run = JudgedRun(
        sqlite,
        court,
        suite=judged_suite(cases=12),
        panel=Panel(("slow/slow",)),
        judges=[Model("slow", "slow")],
    )

    async def main() -> RunOutcome:
        async with held(court):
            slow = Provider("slow", court.address, timeout=0.2, attempts=1, concurrency=4)
            setting = RunContext(sqlite, {"test": Provider("test", court.address), "slow": slow}, {})
            return await conduct(setting, run.run, run.plan)

    outcome = asyncio.run(main())
    assert (outcome.status, outcome.counts.ungraded) == ("finished", 12)
    assert "time-out" in " ".join(outcome.remarks)
