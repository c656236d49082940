"""The command line under test: the small suite, a scripted upstream with a model list, workspaces."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from aiohttp import web
from in_thread import in_thread
from typer.main import get_command
from upstream import Answer, Upstream

from assay.cli.app import LazyGroup
from assay.cli.main import app
from assay.providers.served import serving

SCRIPT = Path(sys.executable).with_name("assay")
MANIFEST = """\
name: small
version: 1.0.0
title: A small suite
visibility: public
canary: "assay-canary-0"
parameters: {temperature: 0}
use_cases: [sums.yaml, words.yaml]
"""


def commands_of(command: Any) -> dict[str, Any]:
    """Import a group's commands and return them by name; empty for a command that is not a group."""
    if isinstance(command, LazyGroup):
        return {name: command.loaded(name) for name in command.table}
    return dict(getattr(command, "commands", {}))


@cache
def commands() -> dict[str, Any]:
    """Return every command and group by its words, such as `exam user add`."""
    return dict(_commands(get_command(app), ()))


def _commands(group: Any, words: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for name, command in commands_of(group).items():
        yield " ".join((*words, name)), command
        yield from _commands(command, (*words, name))


def use_case(name: str, answers: dict[str, str]) -> str:
    """Return a use case whose cases ask for one word or number each."""
    cases = "".join(
        f"""\
  - id: {name}-{place}
    prompt: "{question}"
    graders:
      - contains: {{all: ["{answer}"]}}
    exemplars:
      - {{score: 1.0, answer: "It is {answer}."}}
      - {{score: 0.0, answer: "No idea."}}
      - {{score: 0.0, answer: "Nothing."}}
"""
        for place, (question, answer) in enumerate(answers.items())
    )
    return (
        f"name: {name}\ntitle: {name.title()}\ngrading: deterministic\nsamples: {{base: 1, full: 3}}\n"
        f"cases:\n{cases}"
    )


SUMS = use_case("sums", {f"What is {number} plus {number}?": str(2 * number) for number in range(11, 16)})
WORDS = use_case("words", {f"Say {word}.": word for word in ("apple", "birch", "cedar", "daisy", "elder")})


def right(prompt: str, before: int) -> Any:
    """Answer the small suite's questions rightly."""
    words = prompt.rstrip("?.").split()
    return str(2 * int(words[-1])) if words[0] == "What" else words[-1]


@dataclass(frozen=True, slots=True)
class Ended:
    """What a command came to."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.out)


Assay = Callable[..., Ended]


class Served(Upstream):
    """A scripted upstream with a model list, served from a thread of its own."""

    def __init__(self, answer: Answer, *, delay: float = 0.0) -> None:
        super().__init__(answer, delay=delay)
        self.models: Any = [{"id": "a/b"}]
        self.key_status = 200
        self.authorization: list[str | None] = []

    async def listed(self, request: web.Request) -> web.Response:
        """Answer with the model list, or with a status when that is what `models` holds."""
        self.authorization.append(request.headers.get("Authorization"))
        if isinstance(self.models, int):
            return web.Response(status=self.models)
        return web.json_response({"data": self.models})

    async def key(self, request: web.Request) -> web.Response:
        """Answer for the key."""
        return web.json_response({"data": {}}, status=self.key_status)


@contextmanager
def served(answer: Answer = right, *, delay: float = 0.0) -> Iterator[Served]:
    """Serve a scripted upstream on a free port until the end of the block."""
    upstream = Served(answer, delay=delay)
    app = web.Application()
    app.router.add_post("/v1/chat/completions", upstream.handle)
    app.router.add_get("/v1/models", upstream.listed)
    app.router.add_get("/v1/key", upstream.key)
    with in_thread(serving(app, 0)) as address:
        upstream.address = f"{address}/v1"
        yield upstream


def write_workspace(folder: Path, upstream: Served, more: str = "", **settings: object) -> None:
    """Write a workspace whose provider `mine` is this upstream."""
    lines = "".join(f"    {name}: {value}\n" for name, value in {"attempts": 2, **settings}.items())
    text = f"providers:\n  mine:\n    base_url: {upstream.address}\n{lines}{more}"
    (folder / "assay.yaml").write_text(text)
