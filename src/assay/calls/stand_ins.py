"""Serving the simulated and recorded providers of a run while it is executed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import date
from pathlib import Path

from assay.core.case import Case
from assay.core.errors import InvalidInput
from assay.core.model import Model, Provider
from assay.providers.recorded import recorded_provider, serve_recorded
from assay.providers.recordings import read_recordings
from assay.providers.simulated import serve_simulated, simulated_provider

SIMULATED = "simulated"
RECORDED = "recorded"


def stands_in(model: Model, providers: Mapping[str, Provider], dialect: str = SIMULATED) -> bool:
    """Return whether a model's provider is simulated (or of another `dialect`)."""
    provider = providers.get(model.provider)
    return provider is not None and provider.dialect == dialect


@asynccontextmanager
async def serve_stand_ins(
    providers: Mapping[str, Provider],
    models: Sequence[Model],
    cases: Iterable[Case],
    *,
    today: Callable[[], date],
    day: date | None,
    problems: list[str],
) -> AsyncIterator[Mapping[str, Provider]]:
    """Yield the providers, with the addresses of those that this process serves for `models` meanwhile.

    Unusable recordings are described in `problems`; the others are served.
    """
    cases = tuple(cases)
    addressed = dict(providers)
    async with AsyncExitStack() as stack:
        if any(stands_in(model, providers) for model in models):
            address = await stack.enter_async_context(serve_simulated(cases, today=today))
            for name, provider in providers.items():
                if provider.dialect == SIMULATED:
                    addressed[name] = simulated_provider(address, day)
        for name in dict.fromkeys(
            model.provider for model in models if stands_in(model, providers, RECORDED)
        ):
            file = providers[name].recordings
            if file is None:
                raise InvalidInput(f"provider {name!r} has no `recordings`: name a file of recordings")
            recordings = await asyncio.to_thread(read_recordings, Path(file))
            problems.extend(str(problem) for problem in recordings.problems)
            address = await stack.enter_async_context(serve_recorded(cases, recordings))
            addressed[name] = recorded_provider(providers[name], address)
        yield addressed
