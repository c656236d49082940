"""Getting models ready to be asked: their providers' endpoints, keys, paces and prices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import aiohttp

from assay.calls.ask import Lane, Subject
from assay.calls.pacing import Pace
from assay.core.errors import InvalidInput, Problem
from assay.core.model import Model, Provider
from assay.providers.chat import ChatEndpoint
from assay.providers.network import check_network, proxy_for


def key_for(provider: Provider, environment: Mapping[str, str]) -> str | None:
    """Return a provider's API key; InvalidInput, naming the variable, when it is not set."""
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
    """Raise InvalidInput with every provider that is unknown, lacks its key, or cannot be reached from here.

    Nothing is sent: proxies and certificate authorities are read from the environment.
    """
    problems = []
    for name in dict.fromkeys(model.provider for model in models):
        if name not in providers:
            known = ", ".join(sorted(providers))
            problems.append(
                Problem(f"no provider is called {name!r}: add it to the workspace, or use {known}")
            )
            continue
        try:
            key_for(providers[name], environment)
            check_network([providers[name].base_url], environment)
        except InvalidInput as error:
            problems.extend(error.problems)
    if problems:
        raise InvalidInput(problems)


def ready(
    models: Sequence[tuple[int, Model]],
    providers: Mapping[str, Provider],
    session: aiohttp.ClientSession,
    environment: Mapping[str, str],
    *,
    clock: Callable[[], float],
    concurrency: int | None = None,
    lanes: dict[str, Lane] | None = None,
) -> list[Subject]:
    """Return each model ready to be asked; models of one provider share its endpoint and ceiling.

    `concurrency` overrides the providers' own limits. `lanes` are providers that are ready already, by name;
    it is added to.
    """
    check_keys([model for _, model in models], providers, environment)
    lanes = {} if lanes is None else lanes
    subjects = []
    for row, model in models:
        if model.provider not in lanes:
            provider = providers[model.provider]
            proxy = proxy_for(provider.base_url, environment)
            endpoint = ChatEndpoint(provider, session, key_for(provider, environment), proxy=proxy)
            ceiling = Pace(concurrency or provider.concurrency, clock=clock)
            lanes[model.provider] = Lane(endpoint, ceiling, clock)
        subjects.append(Subject(model, row, lanes[model.provider], model.prices))
    return subjects
