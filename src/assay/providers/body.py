"""Building the body of a `chat/completions` request, and the pin to one upstream provider that it carries."""

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

TOLD = frozenset({"simulated", "recorded"})
"""Dialects whose requests say what they ask about; no other endpoint is ever sent that."""
FORM = "response_format"
TOKEN_LIMITS = ("max_tokens", "max_completion_tokens")
"""What limits the tokens of a reply, hidden reasoning included."""
HEAD = 4096
"""Bytes at the start of a long body that are likely to come again."""


def parameters(model: Model, provider: Provider, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the generation parameters to send: the ask's, overridden by the model's own, quirks applied.

    A parameter set to None by the model is not sent. `reasoning` stays an object for OpenRouter, which
    takes `effort` or `max_tokens` but never both, and becomes `reasoning_effort` elsewhere.
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
    """Builds request bodies for one model on one provider; equal asks give equal bytes."""

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
        """Say what the endpoint turned out to refuse, and is therefore asked otherwise; None: nothing."""
        if not self._refused:
            return None
        told = [
            f"without {name}" if instead is None else f"with {instead} for {name}"
            for name, instead in self._refused.items()
        ]
        return f"sent {', '.join(told)}, as the endpoint refuses it"

    def learn(self, ask: ModelAsk, status: int | None, detail: str | None) -> None:
        """Take from the reply to an ask what the endpoint refuses; later bodies do without it.

        What the workspace sets for the model itself is never given up.
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
        if ask.about and self._provider.dialect in TOLD:
            body["about"] = dict(ask.about)
        return orjson.dumps(body)

    def most_tokens(self, ask: ModelAsk) -> int | None:
        """Return how many tokens the replies to an ask can hold together; None where no limit is sent."""
        sent = self._sent(ask.parameters)
        limits = [limit for name in TOKEN_LIMITS if isinstance(limit := sent.get(name), int)]
        replies = sent.get("n")
        return max(limits) * max(1, replies if isinstance(replies, int) else 1) if limits else None

    def sent(self, ask: ModelAsk) -> Mapping[str, Any]:
        """Return the generation parameters that go into an ask's body."""
        return self._sent(ask.parameters)

    def _formed(self, ask: ModelAsk) -> bool:
        """Return whether the form of the reply is asked for; a model's own parameters may set or drop it."""
        known = FORM in self._refused or FORM in self._model.parameters
        return ask.response_schema is not None and not known

    def _sent(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        found = self._parameters.get(id(asked))
        if found is not None and found[0] is asked:
            return found[1]
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
    """Names the requests to one endpoint. How bodies begin, a system prompt say, is hashed once for many."""

    def __init__(self, provider: Provider) -> None:
        self._base = hashlib.sha256(provider.base_url.encode() + b"\n")
        self._head = b""
        self._hashed = self._base

    def name(self, body: bytes) -> bytes:
        """Return the SHA-256 of where the request goes and what it says: its name in the ledger."""
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
    """Return OpenRouter's `provider` object for a model; empty where it has no pin and may be retained.

    A pin allows these providers only, without fallbacks: `order` alone would be a preference that falls back
    to any other provider. An unretained model is served only by endpoints that neither store prompts
    (`zdr`, zero data retention) nor train on them (`data_collection`).
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

    An unnamed provider counts as kept: nothing shows that the routing changed. A slug's variant
    (`deepinfra/fp8`) matches the provider's name alone, which is all that a reply tells.
    """
    if served is None:
        return True
    return _plain(served) in {_plain(slug.split("/", 1)[0]) for slug in pin.only}


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
