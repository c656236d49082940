"""The shapes of `assay.yaml` as users write it."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, field_validator

from assay.files.shape import StrictShape

Text = Annotated[str, Field(min_length=1)]
Dollars = Annotated[float, Field(ge=0)]
VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
NAME = r"^[a-z0-9][a-z0-9_-]*$"


def _variable(text: str) -> str:
    digits = sum(character.isdigit() for character in text)
    if not VARIABLE.fullmatch(text) or digits > 8:
        raise ValueError(
            "is not the name of an environment variable (value not shown): write a name such as MY_API_KEY"
        )
    return text


def web_address(text: str) -> str:
    """Return an http(s) address without a final slash. Raises ValueError with advice for other texts."""
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018  (raises unless it is a number)
    except ValueError:
        raise ValueError("is not a URL: write one such as https://example.org/v1") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("is not a web address: begin it with http:// or https://")
    if parts.username or parts.password:
        raise ValueError(
            "contains a user or password: set `api_key_env` or `url_env` to the name of a variable instead"
        )
    return text.rstrip("/")


def api_address(text: str) -> str:
    """Return the web address before `/chat/completions`. Raises ValueError if it contains that path."""
    address = web_address(text)
    for path in ("/chat/completions", "/completions", "/models"):
        if address.endswith(path):
            raise ValueError(f"ends in {path}, which Assay adds: write {address.removesuffix(path)}")
    return address


Variable = Annotated[str, AfterValidator(_variable)]
Url = Annotated[str, AfterValidator(web_address)]
ApiUrl = Annotated[str, AfterValidator(api_address)]


class BudgetShape(StrictShape):
    """Limits on spending."""

    max_cost: Dollars | None = Field(None, description="US dollars a run, such as 2.50")


class ProviderShape(StrictShape):
    """An endpoint. A built-in provider keeps its built-in values for keys that are left out."""

    base_url: ApiUrl | None = Field(None, description="the address before /chat/completions")
    api_key_env: Variable | None = Field(None, description="the name of an environment variable")
    dialect: Literal["openai", "openrouter", "simulated", "recorded"] | None = Field(
        None, description="`openai` or `openrouter`"
    )
    concurrency: Annotated[int, Field(ge=1, le=10_000)] | None = Field(
        None, description="a whole number of calls at once, such as 32"
    )
    timeout: Annotated[float, Field(gt=0)] | None = Field(None, description="seconds, such as 300")
    attempts: Annotated[int, Field(ge=1, le=100)] | None = Field(
        None, description="a whole number, such as 6"
    )
    recordings: Text | None = Field(None, description="a file of recordings, such as replay.jsonl")


class PricesShape(StrictShape):
    """US dollars per million tokens; `request` is US dollars a request."""

    prompt: Dollars = Field(description="US dollars per million tokens, such as 0.25")
    completion: Dollars = Field(description="US dollars per million tokens, such as 2")
    cached: Dollars | None = Field(None, description="US dollars per million tokens, such as 0.025")
    cache_write: Dollars | None = Field(None, description="US dollars per million tokens, such as 0.3125")
    request: Dollars = Field(0.0, description="US dollars a request")


class ExclusionShape(StrictShape):
    """A suite that the model is not measured on."""

    suite: Text = Field(description="a suite's name")
    reason: Text = Field(description="why, in a line of text")


class ModelShape(StrictShape):
    """One model."""

    name: Annotated[str, Field(pattern=r"^[^/\s]+/\S+$")] = Field(
        description="`provider/model`, such as openrouter/openai/gpt-5-mini"
    )
    pin: Annotated[list[Text], Field(min_length=1)] | None = Field(
        None, description="a list of OpenRouter's provider slugs, such as [openai]"
    )
    parameters: dict[str, Any] = Field(
        default_factory=dict, description="generation parameters, such as {temperature: 0}"
    )
    prices: PricesShape | None = Field(None, description="{prompt: 0.25, completion: 2}")
    organisation: Text | None = Field(None, description="a name, such as OpenAI")
    family: Text | None = Field(None, description="a name, such as gpt-5")
    series: Text | None = Field(None, description="a name, such as gpt-5-mini")
    released: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")] | None = Field(
        None, description="a date, such as 2025-08-07"
    )
    weights: Literal["open", "closed"] | None = Field(None, description="`open` or `closed`")
    exclusions: list[ExclusionShape] = Field(
        default_factory=list, description="a list of {suite: ..., reason: ...}"
    )


class WatchShape(StrictShape):
    """The daily watch."""

    suite: Text = Field("daily", description="a suite's name or folder, such as daily")
    models: list[Text] = Field(default_factory=list, description="a list of models as `provider/model`")
    schedule: Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")] | None = Field(
        None, description="a time of day in UTC, such as 06:00"
    )
    allow_unpinned: bool = Field(False, description="true or false")


SECRET_ADDRESSES = {"Slack": ("slack.com",), "Discord": ("discord.com", "discordapp.com")}
"""Services whose webhooks are protected by nothing but a secret in the address, by name."""


class WebhookShape(StrictShape):
    """An address that changes of verdicts are sent to."""

    name: Annotated[str, Field(pattern=NAME)] = Field(description="lower-case letters, digits and hyphens")
    url: Url | None = Field(None, description="an address, such as https://example.org/hook")
    url_env: Variable | None = Field(None, description="the name of an environment variable")
    format: Literal["json", "slack", "discord"] = Field("json", description="`json`, `slack` or `discord`")
    secret_env: Variable | None = Field(None, description="the name of an environment variable")
    states: Annotated[
        list[Literal["GAP", "CALIBRATING", "OK", "SUSPICIOUS", "COOKED"]], Field(min_length=1)
    ] = Field(["OK", "SUSPICIOUS", "COOKED"], description="some of GAP, CALIBRATING, OK, SUSPICIOUS, COOKED")

    @field_validator("url")
    @classmethod
    def _secret_in_address(cls, url: str | None) -> str | None:
        host = (urlsplit(url).hostname or "") if url is not None else ""
        for service, domains in SECRET_ADDRESSES.items():
            if any(host == domain or host.endswith(f".{domain}") for domain in domains):
                raise ValueError(
                    f"is a {service} address, which is a secret: set `url_env` to the name of a variable "
                    "instead"
                )
        return url


class WorkspaceShape(StrictShape):
    """`assay.yaml`. Every key is optional."""

    database: Text | None = Field(
        None, description="an SQLite file, or a postgresql:// URL without a password"
    )
    budget: BudgetShape | None = Field(None, description="{max_cost: 2.50}")
    providers: dict[Text, ProviderShape] | None = Field(None, description="a mapping of providers by name")
    models: list[ModelShape] | None = Field(None, description="a list of models, each with a `name`")
    judges: list[Text] | None = Field(None, description="a list of models as `provider/model`")
    geval: Text | None = Field(None, description="the judge of G-Eval as `provider/model`")
    watch: WatchShape | None = Field(None, description="a mapping with suite, models and schedule")
    notify: list[WebhookShape] | None = Field(None, description="a list of webhooks, each with a `name`")

    @field_validator("database")
    @classmethod
    def _password_in_database(cls, database: str | None) -> str | None:
        if database is not None and "://" in database:
            user, at, _ = database.partition("://")[2].rpartition("@")
            if at and ":" in user:
                raise ValueError("contains a password: set ASSAY_DATABASE in the environment or .env instead")
        return database
