"""Building the bodies of `chat/completions` requests, including the pin to upstream providers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import orjson

from assay.core.ask import ModelAsk
from assay.core.errors import InvalidInput
from assay.core.model import Model, Pin, Provider
from assay.providers.quirks import quirks, refused_parameter

WITH_ABOUT = frozenset({"simulated", "recorded"})
"""Dialects whose requests contain `about`, the purpose of the request. No other endpoint is sent it."""
FORM = "response_format"
TOKEN_LIMITS = ("max_tokens", "max_completion_tokens")
"""Parameters that limit the tokens of a reply, including hidden reasoning."""
HEAD = 4096
"""Number of bytes at the start of a long body that other bodies are likely to share."""


def parameters(model: Model, provider: Provider, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the generation parameters to send: the ask's, overridden by the model's, with its quirks.

    A parameter that the model sets to None is not sent. `reasoning` stays an object for OpenRouter, which
    accepts either `effort` or `max_tokens`; for other providers it becomes `reasoning_effort`.
    """
    merged = {**asked, **model.parameters}
    merged = {name: value for name, value in merged.items() if value is not None}
    sent = quirks(model.upstream, provider.dialect).apply(merged)
    reasoning = sent.pop("reasoning", None)
    if reasoning:
        if "effort" in reasoning and "max_tokens" in reasoning:
            raise InvalidInput(
                f"model {model.name!r} sets both reasoning.effort and reasoning.max_tokens: keep one of them"
            )
        if provider.dialect == "openrouter":
            sent["reasoning"] = dict(reasoning)
        elif "effort" in reasoning:
            sent["reasoning_effort"] = reasoning["effort"]
    return sent


class BodyBuilder:
    """A builder of request bodies for one model on one provider. Equal asks give equal bytes."""

    def __init__(self, model: Model, provider: Provider) -> None:
        self._model = model
        self._provider = provider
        self._fixed: dict[str, Any] = {"model": model.upstream}
        if provider.dialect == "openrouter" and (preferences := routing(model)):
            self._fixed["provider"] = preferences
        self._parameters: dict[int, tuple[Mapping[str, Any], dict[str, Any]]] = {}
        self._refused: dict[str, str | None] = {}

    @property
    def learned(self) -> str | None:
        """A sentence on the parameters that are sent differently because they were refused, or None."""
        if not self._refused:
            return None
        changes = [
            f"without {name}" if instead is None else f"with {instead} instead of {name}"
            for name, instead in self._refused.items()
        ]
        return f"sent {', '.join(changes)}, because the endpoint refuses it"

    def learn(self, ask: ModelAsk, status: int | None, detail: str | None) -> None:
        """Learn from the reply to an ask which parameter the endpoint refuses; later bodies leave it out.

        A parameter that the workspace sets for the model is never left out.
        """
        own = {"reasoning_effort" if name == "reasoning" else name for name in self._model.parameters}
        sent = self._sent(ask.parameters).keys() - own - self._model.parameters.keys()
        if self._formed(ask):
            sent.add(FORM)
        refusal = refused_parameter(status, detail, sent)
        if refusal is None or refusal.parameter in self._refused.values():
            return
        self._refused[refusal.parameter] = refusal.instead
        self._refused.update(dict.fromkeys(refusal.along))
        self._parameters.clear()

    def build(self, ask: ModelAsk) -> bytes:
        """Return the JSON body for an ask."""
        body = {
            **self._fixed,
            "messages": [{"role": turn.role, "content": turn.content} for turn in ask.messages],
            **self._sent(ask.parameters),
        }
        if self._formed(ask):
            body[FORM] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": ask.response_schema},
            }
        if ask.about and self._provider.dialect in WITH_ABOUT:
            body["about"] = dict(ask.about)
        return orjson.dumps(body)

    def most_tokens(self, ask: ModelAsk) -> int | None:
        """Return the largest number of tokens of all replies to an ask, or None if no limit is sent."""
        sent = self._sent(ask.parameters)
        limits = [limit for name in TOKEN_LIMITS if isinstance(limit := sent.get(name), int)]
        replies = sent.get("n")
        return max(limits) * max(1, replies if isinstance(replies, int) else 1) if limits else None

    def sent(self, ask: ModelAsk) -> Mapping[str, Any]:
        """Return the generation parameters that go into an ask's body."""
        return self._sent(ask.parameters)

    def _formed(self, ask: ModelAsk) -> bool:
        """Return whether to send the ask's schema: not if it was refused or the model sets the format."""
        known = FORM in self._refused or FORM in self._model.parameters
        return ask.response_schema is not None and not known

    def _sent(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        cached = self._parameters.get(id(asked))
        if cached is not None and cached[0] is asked:
            return cached[1]
        sent = parameters(self._model, self._provider, asked)
        for name, instead in self._refused.items():
            value = sent.pop(name, None)
            if instead is not None and value is not None:
                sent[instead] = value
        if len(self._parameters) > 1024:
            self._parameters.clear()
        self._parameters[id(asked)] = (asked, sent)
        return sent


class RequestHasher:
    """A hasher of the requests to one endpoint. A common start, such as a system prompt, is hashed once."""

    def __init__(self, provider: Provider) -> None:
        self._base = hashlib.sha256(provider.base_url.encode() + b"\n")
        self._head = b""
        self._hashed = self._base

    def name(self, body: bytes) -> bytes:
        """Return the SHA-256 of the request's address and body, which is its name in the ledger."""
        if len(body) < 2 * HEAD:
            whole = self._base.copy()
            whole.update(body)
            return whole.digest()
        head = body[:HEAD]
        if head != self._head:
            self._head, self._hashed = head, self._base.copy()
            self._hashed.update(head)
        whole = self._hashed.copy()
        whole.update(body[HEAD:])
        return whole.digest()


def routing(model: Model) -> dict[str, Any]:
    """Return OpenRouter's `provider` object for a model; empty if it has no pin and prompts may be stored.

    A pin allows only its providers, without fallbacks; `order` alone would fall back to other providers. An
    unretained model is served only by endpoints that neither store prompts (`zdr`, zero data retention) nor
    train on them (`data_collection`).
    """
    preferences: dict[str, Any] = {}
    if model.pin is not None:
        preferences |= {"only": list(model.pin.only), "allow_fallbacks": False, "require_parameters": True}
    if model.unretained:
        preferences |= {"zdr": True, "data_collection": "deny"}
    return preferences


@lru_cache(maxsize=4096)
def served_as_pinned(pin: Pin, served: str | None) -> bool:
    """Return whether a served provider's display name is one of the pin's slugs.

    An unnamed provider counts as pinned, because nothing shows that the routing changed. A slug with a
    variant (`deepinfra/fp8`) matches the provider's name, because a reply does not state the variant.
    """
    if served is None:
        return True
    return _plain(served) in {_plain(slug.split("/", 1)[0]) for slug in pin.only}


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
