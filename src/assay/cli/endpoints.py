"""The doctor's checks of one provider: its key, its model list, and the models to call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import aiohttp
import orjson

from assay.calls.subjects import key_for
from assay.core.errors import AssayError
from assay.core.model import Model, Provider
from assay.core.wording import counted
from assay.providers.network import LARGEST_LIST, ReplyTooLarge, proxy_for, receive
from assay.providers.quirks import SUFFIXES
from assay.providers.redaction import Redactor
from assay.results.workspace import CheckState, SystemCheck

UNREACHABLE = 3


async def examine_provider(
    provider: Provider,
    models: Sequence[Model],
    environment: Mapping[str, str],
    session: aiohttp.ClientSession,
    *,
    seconds: float,
) -> list[SystemCheck]:
    """Check one provider; no model is called."""
    if provider.dialect == "simulated":
        text = f"{provider.name}: simulated in this process, no real model"
        return [SystemCheck("provider", CheckState.OK, text)]
    if provider.dialect == "recorded":
        return [_recordings(provider)]
    try:
        key = key_for(provider, environment)
    except AssayError as error:
        return [SystemCheck("provider", CheckState.FAIL, str(error))]
    client = _ProviderClient(provider, key, session, environment, seconds)
    status, listed = await client.get("/models")
    place = f"{provider.name}: {provider.base_url}"
    if status is None or status >= 500:
        text = f"{place} does not answer ({client.failure if status is None else f'HTTP {status}'})"
        advice = "check that it is running, that the address is right, and any proxy in between"
        return [SystemCheck("provider", CheckState.FAIL, text, advice, UNREACHABLE)]
    if status in (401, 403) or (provider.dialect == "openrouter" and await _refuses_key(client)):
        text = f"{place} refuses " + (f"the key in {provider.api_key_env}" if key else "calls without a key")
        advice = "check the key, and that it is meant for this address"
        return [SystemCheck("provider", CheckState.FAIL, text, advice)]
    if status != 200 or listed is None:
        text = f"{place} answers, but lists no models (HTTP {status})"
        advice = "the first call will show whether it serves your models"
        return [SystemCheck("provider", CheckState.WARN, text, advice)]
    checks = [SystemCheck("provider", CheckState.OK, f"{place} lists {counted(len(listed), 'model')}")]
    for model in models:
        if not {model.upstream, _plain(model.upstream)} & listed:
            text = f"{model.name} is not in the list of {provider.name}"
            advice = "check that the name is spelled as in the provider's list"
            checks.append(SystemCheck("model", CheckState.WARN, text, advice))
    return checks


def _recordings(provider: Provider) -> SystemCheck:
    """Check that a provider that repeats recordings has a file of them."""
    if provider.recordings is None:
        text = f"{provider.name}: no recordings are named"
        return SystemCheck(
            "provider", CheckState.FAIL, text, "name their file in `recordings` of this provider"
        )
    if Path(provider.recordings).is_file():
        return SystemCheck(
            "provider", CheckState.OK, f"{provider.name}: repeats {provider.recordings}, no real model"
        )
    text = f"{provider.name}: there are no recordings at {provider.recordings!r}"
    return SystemCheck("provider", CheckState.FAIL, text, "correct the name in `recordings`")


async def _refuses_key(client: _ProviderClient) -> bool:
    """Return whether OpenRouter refuses the key: its model list needs no key, but its key page does."""
    status, _ = await client.get("/key")
    return status in (401, 403)


class _ProviderClient:
    """A client for GET requests to one provider. `failure` explains why the last one had no answer."""

    def __init__(
        self,
        provider: Provider,
        key: str | None,
        session: aiohttp.ClientSession,
        environment: Mapping[str, str],
        seconds: float,
    ) -> None:
        self._base = provider.base_url.rstrip("/")
        self._redactor = Redactor(key)
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._session = session
        self._environment = environment
        self._timeout = aiohttp.ClientTimeout(total=seconds)
        self._seconds = seconds
        self.failure = ""

    async def get(self, path: str) -> tuple[int | None, set[str] | None]:
        """Return the HTTP status (None without an answer) and the names of the listed models, if any."""
        url = self._base + path
        try:
            async with self._session.get(
                url, headers=self._headers, proxy=proxy_for(url, self._environment), timeout=self._timeout
            ) as response:
                return response.status, _names(await receive(response, LARGEST_LIST))
        except TimeoutError:
            self.failure = f"no answer within {self._seconds:g} s"
        except (aiohttp.ClientError, ConnectionError, ReplyTooLarge) as error:
            self.failure = self._redactor.detail(str(error)) or type(error).__name__
        return None, None


def _names(raw: bytes) -> set[str] | None:
    try:
        return {str(entry["id"]).removeprefix("models/") for entry in orjson.loads(raw)["data"]}
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return None


def _plain(upstream: str) -> str:
    for suffix in SUFFIXES:
        upstream = upstream.removesuffix(suffix)
    return upstream
