"""A small judged suite, and a real HTTP server that is its subjects and its judges at once."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import orjson
from aiohttp import web
from sqlalchemy import Engine
from upstream import chat

from assay.calls.control import RunControl, Stop
from assay.calls.progress import Progress
from assay.core.ask import Message
from assay.core.canonical import digest
from assay.core.case import Case, Exemplar, GraderSpec, Grading
from assay.core.judging import Panel
from assay.core.model import Model, Provider
from assay.core.suite import Suite, UseCase
from assay.files.suite_digest import suite_digest
from assay.grading.registry import grader
from assay.results.runs import RunOutcome
from assay.runs.conduct import RunContext, conduct
from assay.runs.plan import Plan, plan_run
from assay.runs.regrading.regrade import regrade
from assay.sandbox.choose import open_sandbox
from assay.store.runs import StoredRun, keep_models, keep_plan, new_run, read_run
from assay.store.suites import keep_suite

TOKEN = re.compile(r'"token": "(\w+)"')
Said = Any
Judge = Callable[[dict[str, Any], int], Said]
RUBRIC = GraderSpec("rubric", {"rubric": "5 good, 1 bad", "ideal": "right"}, judged=True)


def judged_suite(*, cases: int = 4, check: bool = False, epochs: int = 1, version: str = "1") -> Suite:
    """Return a suite with one judged use case; with `check` every case has a check that only flags."""
    graders = (GraderSpec("response_length", {"max_words": 2}, 0.0), RUBRIC) if check else (RUBRIC,)
    made = tuple(
        Case(
            f"case-{number}",
            "writing",
            (Message("user", f"Write {number}."),),
            graders,
            exemplars=(
                Exemplar(f"fine {number}", 1.0, 5),
                Exemplar(f"fair {number}", 1.0, 3),
                Exemplar(f"poor {number}", 0.0, 1),
            ),
            metadata={"subcategory": "prose", "difficulty": "easy"},
        )
        for number in range(cases)
    )
    use_case = UseCase("writing", "Writing", Grading.JUDGE, epochs, max(epochs, 3), made)
    name = digest({"cases": cases, "check": check, "epochs": epochs, "version": version})
    return Suite("judged", version, "Judged", "public", (use_case,), name, parameters={"temperature": 0})


def loaded(**parts: Any) -> Suite:
    """Return the judged suite with the digest that its content has with today's graders."""
    suite = judged_suite(**parts)
    names = {spec.name for case in suite.cases for spec in case.graders}
    found = suite_digest(
        suite.use_cases,
        name=suite.name,
        version=suite.version,
        parameters=suite.parameters,
        judge=suite.judge,
        versions={name: grader(name).version for name in names},
    )
    return replace(suite, digest=found)


def mark(value: object, body: dict[str, Any]) -> str:
    """Return an honest judge's reply with a mark: the message's token is copied."""
    found = TOKEN.findall(body["messages"][-1]["content"] if "messages" in body else "")
    return json.dumps({"rationale": "because", "mark": value, "token": found[-1] if found else ""})


def always(value: object) -> Judge:
    """Return a judge that always gives this mark."""
    return lambda body, before: mark(value, body)


class Court:
    """Serves subjects and judges by the model's name, and counts what each is asked.

    `judges` maps a judge's name to what it does: a text, an HTTP status, or a whole body. Every other
    model answers `answer(body)`.
    """

    def __init__(
        self, judges: dict[str, Judge], answer: Callable[[dict[str, Any]], Said] | None = None
    ) -> None:
        self.judges = judges
        self.answer = answer or (lambda body: f"{body['model']} on {body['messages'][-1]['content']}")
        self.asked: Counter[str] = Counter()
        self.bodies: dict[str, list[dict[str, Any]]] = {}
        self.address = ""
        self.delay = 0.0

    def noted(self, body: dict[str, Any]) -> None:
        """Take note of a request."""

    async def handle(self, request: web.Request) -> web.Response:
        """Answer one request."""
        body = orjson.loads(await request.read())
        name = body["model"]
        before = self.asked[name]
        self.asked[name] += 1
        self.bodies.setdefault(name, []).append(body)
        self.noted(body)
        await asyncio.sleep(self.delay)
        said = self.judges[name](body, before) if name in self.judges else self.answer(body)
        if said is None:
            await asyncio.sleep(60)
        if isinstance(said, int):
            headers = {"retry-after-ms": "2"} if said in (429, 500, 503) else None
            return web.json_response({"error": {"message": "scripted"}}, status=said, headers=headers)
        return web.json_response(said if isinstance(said, dict) else chat(said))


class JudgedRun:
    """A database with one stored run of a judged suite, executed or graded again against a court."""

    def __init__(
        self,
        engine: Engine,
        court: Court,
        *,
        subjects: Sequence[str] = ("subject",),
        panel: Panel | None = None,
        suite: Suite | None = None,
        kind: str = "run",
        day: date | None = None,
        judges: Sequence[Model] | None = None,
    ) -> None:
        self.engine, self.court = engine, court
        panel = panel or Panel(judges=tuple(f"test/{name}" for name in court.judges))
        models = [Model("test", name) for name in subjects]
        plan = plan_run(suite or judged_suite(), models, panel=panel)
        seated = judges or [Model(*name.split("/", 1)) for name in panel.names]
        self.plan: Plan = replace(plan, judges=keep_models(engine, seated))
        keep_suite(engine, self.plan.suite, clock=time.time)
        self.run: StoredRun = new_run(
            engine,
            kind=kind,
            suite=self.plan.suite.digest,
            subjects=models,
            plan=self.plan.described(),
            day=None if day is None else day.isoformat(),
            simulated=False,
            clock=time.time,
        )

    def execute(self, **options: Any) -> RunOutcome:
        """Execute the run, or go on with it."""
        return self._with(
            lambda context, control: conduct(context, self.run, self.plan, control=control, **options),
            options,
        )

    def grade(self, plan: Plan | None = None, **options: Any) -> RunOutcome:
        """Grade the run's answers again."""
        return self._with(
            lambda context, control: regrade(
                context, read_run(self.engine, self.run.id), plan or self.plan, control=control, **options
            ),
            options,
        )

    def judged_by(self, *names: str) -> None:
        """Put these judges of the court into the run's plan, for grading again."""
        panel = Panel(tuple(f"test/{name}" for name in names))
        seats = keep_models(self.engine, [Model("test", name) for name in names])
        self.plan = replace(self.plan, panel=panel, judges=seats)
        keep_plan(self.engine, self.run.id, self.plan.described())

    def _with(self, work: Callable[[RunContext, RunControl], Any], options: dict[str, Any]) -> RunOutcome:
        control = RunControl(options.pop("progress", Progress(0)), options.pop("stop", Stop()))
        environment = options.pop("environment", {})
        providers = options.pop("providers", {})

        async def main() -> RunOutcome:
            async with held(self.court):
                context = RunContext(
                    self.engine,
                    {"test": provider(self.court), **providers},
                    environment,
                    rng=random.Random(0),
                    sandbox=lambda: open_sandbox(()),
                )
                ended: RunOutcome = await work(context, control)
                return ended

        return asyncio.run(main())


def provider(court: Court, **parts: Any) -> Provider:
    """Return the court's provider: few attempts, a short time-out."""
    return Provider("test", court.address, **{"attempts": 2, "timeout": 2.0, **parts})


class held:  # noqa: N801 - read as a phrase: `async with held(court)`
    """Serves a court on a free port."""

    def __init__(self, court: Court) -> None:
        self.court = court

    async def __aenter__(self) -> Court:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self.court.handle)
        self.runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self.runner.setup()
        await web.TCPSite(self.runner, "127.0.0.1", 0).start()
        self.court.address = f"http://127.0.0.1:{self.runner.addresses[0][1]}/v1"
        return self.court

    async def __aexit__(self, *_: object) -> None:
        await self.runner.cleanup()
