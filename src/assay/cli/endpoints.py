"""Whether a provider answers: its key variable, its model list, and the models that are to be asked."""

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
    """Return the findings on one provider; nothing is asked of a model."""
    if provider.dialect == "simulated":
        return [
            SystemCheck("provider", CheckState.OK, f"{provider.name}: made up in this process, no real model")
        ]
    if provider.dialect == "recorded":
        return [_recordings(provider)]
    try:
        key = key_for(provider, environment)
    except AssayError as error:
        return [SystemCheck("provider", CheckState.FAIL, str(error))]
    asking = _Asking(provider, key, session, environment, seconds)
    status, listed = await asking.get("/models")
    if status is None or status >= 500:
        told = f"{asking.failure}" if status is None else f"HTTP {status}"
        text = f"{provider.name}: {provider.base_url} does not answer ({told})"
        advice = "is it running, is the address right, is there a proxy between?"
        return [SystemCheck("provider", CheckState.FAIL, text, advice, UNREACHABLE)]
    if status in (401, 403) or (provider.dialect == "openrouter" and await _refused(asking)):
        named = f"the key in {provider.api_key_env}" if key else "a call without a key"
        text = f"{provider.name}: {provider.base_url} refuses {named}"
        return [
            SystemCheck(
                "provider", CheckState.FAIL, text, "check the key, and that it is meant for this address"
            )
        ]
    if status != 200 or listed is None:
        text = f"{provider.name}: {provider.base_url} answers, but lists no models (HTTP {status})"
        return [
            SystemCheck("provider", CheckState.WARN, text, "the first call will tell whether it serves them")
        ]
    found = [
        SystemCheck(
            "provider",
            CheckState.OK,
            f"{provider.name}: {provider.base_url} lists {counted(len(listed), 'model')}",
        )
    ]
    for model in models:
        if not {model.upstream, _plain(model.upstream)} & listed:
            text = f"{model.name} is not in the list of {provider.name}"
            found.append(
                SystemCheck("model", CheckState.WARN, text, "is the name written as the provider writes it?")
            )
    return found


def _recordings(provider: Provider) -> SystemCheck:
    """Whether a provider that repeats recordings has a file of them."""
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


async def _refused(asking: _Asking) -> bool:
    """Whether OpenRouter refuses the key: its model list is open to anybody, its account of a key is not."""
    status, _ = await asking.get("/key")
    return status in (401, 403)


class _Asking:
    """GET requests to one provider; `failure` says why the last one had no answer."""

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
        """Return the HTTP status, None without an answer, and the names of the models it lists, if any."""
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
