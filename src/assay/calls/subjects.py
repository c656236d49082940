"""Getting models ready to be asked by a run: their providers' endpoints, keys, paces and prices."""

from __future__ import annotations

import random
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp
from sqlalchemy import Engine

from assay.calls.ask import Caller, ReadyModel, ReadyProvider
from assay.calls.budget import Budget
from assay.calls.code import CodeRunner
from assay.calls.control import RunControl
from assay.calls.pacing import Pace
from assay.calls.record import Recorder
from assay.core.errors import InvalidInput, Problem
from assay.core.model import Model, Provider
from assay.providers.chat import ChatEndpoint
from assay.providers.network import check_network, open_session, proxy_for, uses_tls
from assay.store.locks import Lease
from assay.store.writer import LedgerWriter


@dataclass(frozen=True, slots=True)
class CallContext:
    """The database, providers, environment, clocks and random numbers that calls use.

    `clock` gives UTC seconds since 1970, `monotonic` seconds from an arbitrary start. `concurrency` overrides
    the providers' own limits. Nothing is written of a run after the `lease` on it is lost.
    """

    engine: Engine
    providers: Mapping[str, Provider]
    environment: Mapping[str, str]
    clock: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    rng: random.Random = field(default_factory=random.Random)
    concurrency: int | None = None
    lease: Lease | None = None


@dataclass(frozen=True, slots=True)
class RunCalls:
    """The open connections of one run, with its caller and recorder.

    `workers` is the number of requests that the run's providers allow in flight.
    """

    context: CallContext
    session: aiohttp.ClientSession
    caller: Caller
    recorder: Recorder
    workers: int
    _providers: dict[str, ReadyProvider] = field(default_factory=dict)

    def ready(self, models: Sequence[tuple[int, Model]]) -> list[ReadyModel]:
        """Return models, each with its row, ready to be asked.

        Models of one provider share its endpoint and its limit. Raises InvalidInput like `check_keys`.
        """
        context = self.context
        check_keys([model for _, model in models], context.providers, context.environment)
        return [ReadyModel(model, row, self._provider(model.provider), model.prices) for row, model in models]

    def _provider(self, name: str) -> ReadyProvider:
        if name not in self._providers:
            context, provider = self.context, self.context.providers[name]
            proxy = proxy_for(provider.base_url, context.environment)
            key = key_for(provider, context.environment)
            endpoint = ChatEndpoint(provider, self.session, key, proxy=proxy)
            ceiling = Pace(context.concurrency or provider.concurrency, clock=context.monotonic)
            self._providers[name] = ReadyProvider(endpoint, ceiling, context.monotonic)
        return self._providers[name]


@asynccontextmanager
async def open_calls(
    context: CallContext,
    run: int,
    models: Sequence[Model],
    budget: Budget,
    control: RunControl,
    *,
    sandbox: Callable[[], CodeRunner],
) -> AsyncIterator[RunCalls]:
    """Open the connections of a run to the providers of `models`; all rows are committed when it ends.

    Raises the error of a failed commit.
    """
    names = dict.fromkeys(model.provider for model in models)
    providers = [context.providers[name] for name in names if name in context.providers]
    workers = sum(context.concurrency or provider.concurrency for provider in providers)
    tls = any(uses_tls(provider.base_url, context.environment) for provider in providers)
    progress = control.progress
    async with open_session(workers, context.environment, tls=tls) as session:
        recorder = Recorder(
            LedgerWriter(context.engine, context.lease),
            committed=progress.committed,
            waiting=progress.wait,
            stop=control.stop,
        )
        caller = Caller(
            run,
            recorder,
            budget,
            clock=context.clock,
            rng=context.rng,
            sandbox=sandbox,
            note_retry=progress.retried,
            note_reply=progress.called,
        )
        try:
            yield RunCalls(context, session, caller, recorder, workers)
        finally:
            await recorder.close()


def key_for(provider: Provider, environment: Mapping[str, str]) -> str | None:
    """Return a provider's API key, None if it needs none; InvalidInput if its variable is not set."""
    if provider.api_key_env is None:
        return None
    key = environment.get(provider.api_key_env, "").strip()
    if not key:
        raise InvalidInput(
            f"provider {provider.name!r} needs a key: set the environment variable {provider.api_key_env} "
            "(or write it into .env beside the workspace)"
        )
    return key


def check_keys(
    models: Sequence[Model], providers: Mapping[str, Provider], environment: Mapping[str, str]
) -> None:
    """Raise InvalidInput with all providers that are unknown, lack a key, or have invalid network settings.

    Nothing is sent: proxies and certificate authorities are read from the environment.
    """
    problems = []
    for name in dict.fromkeys(model.provider for model in models):
        if name not in providers:
            known = ", ".join(sorted(providers))
            problems.append(Problem(f"unknown provider {name!r}: add it to the workspace, or use {known}"))
            continue
        try:
            key_for(providers[name], environment)
            check_network([providers[name].base_url], environment)
        except InvalidInput as error:
            problems.extend(error.problems)
    if problems:
        raise InvalidInput(problems)
