"""Request bodies."""

from __future__ import annotations

import hashlib
from typing import Any, get_args, get_type_hints

import orjson
import pytest

from assay.core.ask import Message, ModelAsk
from assay.core.errors import InvalidInput
from assay.core.model import Model, Pin, Provider
from assay.providers.body import BodyBuilder, RequestHasher, served_as_pinned

OPENROUTER = Provider("openrouter", "https://example.test/v1", dialect="openrouter")
OPENAI = Provider("openai", "https://example.test/v1")
ASK = ModelAsk(
    "subject",
    "",
    (Message("system", "Be brief."), Message("user", "Hello")),
    {"temperature": 0, "reasoning": {"effort": "low"}, "max_tokens": 100},
)


def body(model: Model, provider: Provider, ask: ModelAsk = ASK) -> dict[str, Any]:
    """Return the body that would be sent."""
    built: dict[str, Any] = orjson.loads(BodyBuilder(model, provider).build(ask))
    return built


def test_a_pinned_openrouter_model_may_be_served_by_its_pin_alone() -> None:
    """The routing object has `only`, forbids fallbacks and requires the parameters; there is no `order`."""
    sent = body(Model("openrouter", "a/b", pin=Pin(("deepinfra/fp8",))), OPENROUTER)
    assert sent["provider"] == {
        "only": ["deepinfra/fp8"],
        "allow_fallbacks": False,
        "require_parameters": True,
    }


def test_an_unretained_model_is_served_only_by_endpoints_that_keep_nothing() -> None:
    """OpenRouter is asked for zero data retention, beside a pin too; other endpoints are not."""
    kept_nowhere = {"zdr": True, "data_collection": "deny"}
    model = Model("openrouter", "a/b", unretained=True)
    assert body(model, OPENROUTER)["provider"] == kept_nowhere
    pinned = Model("openrouter", "a/b", pin=Pin(("deepinfra",)), unretained=True)
    assert body(pinned, OPENROUTER)["provider"].items() > kept_nowhere.items()
    assert "provider" not in body(Model("openai", "o3", unretained=True), OPENAI)
    assert "provider" not in body(Model("openrouter", "a/b"), OPENROUTER)


def test_reasoning_is_an_object_on_openrouter_and_an_effort_elsewhere() -> None:
    """OpenRouter takes `reasoning`, OpenAI-compatible endpoints `reasoning_effort`."""
    assert body(Model("openrouter", "a/b"), OPENROUTER)["reasoning"] == {"effort": "low"}
    assert body(Model("openai", "o3"), OPENAI)["reasoning_effort"] == "low"


@pytest.mark.parametrize(
    "name", ["gpt-4o", "gpt-4.1-mini", "gpt-4-turbo", "chatgpt-4o-latest", "gpt-3.5-turbo"]
)
def test_models_that_do_not_reason_are_not_asked_to(name: str) -> None:
    """Neither OpenAI itself nor a router gets a reasoning effort for them; the temperature stays."""
    for provider, upstream in ((OPENAI, name), (OPENROUTER, f"openai/{name}")):
        sent = body(Model(provider.name, upstream), provider)
        assert not {"reasoning", "reasoning_effort"} & sent.keys()
        assert sent["temperature"] == 0


def test_what_an_endpoint_refuses_is_left_out_from_then_on() -> None:
    """The refused parameter goes, the others stay, and the builder says so."""
    builder = BodyBuilder(Model("local", "llama3"), OPENAI)
    builder.learn(ASK, 400, '"llama3" does not support thinking')
    sent = orjson.loads(builder.build(ASK))
    assert "reasoning_effort" not in sent
    assert sent["temperature"] == 0
    assert builder.learned == "sent without reasoning_effort, because the endpoint refuses it"


def test_a_parameter_known_by_another_name_is_sent_by_that_name() -> None:
    """A renamed parameter is not renamed back if the new name is refused too."""
    builder = BodyBuilder(Model("local", "x"), OPENAI)
    builder.learn(ASK, 400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    builder.learn(ASK, 400, "Unsupported parameter: 'max_completion_tokens'. Use 'max_tokens' instead.")
    sent = orjson.loads(builder.build(ASK))
    assert sent["max_completion_tokens"] == 100
    assert "max_tokens" not in sent


def test_what_the_workspace_sets_for_a_model_is_never_given_up() -> None:
    """A refusal of the user's own parameter stays an error."""
    model = Model("local", "x", parameters={"reasoning": {"effort": "high"}, "temperature": 0.5})
    builder = BodyBuilder(model, OPENAI)
    builder.learn(ASK, 400, "x does not support thinking")
    builder.learn(ASK, 400, "Unsupported value: 'temperature'")
    assert builder.learned is None


def test_effort_and_a_token_budget_are_never_sent_together() -> None:
    """Both at once are refused before anything is sent."""
    model = Model("openrouter", "a/b", parameters={"reasoning": {"effort": "low", "max_tokens": 50}})
    with pytest.raises(InvalidInput, match="both"):
        body(model, OPENROUTER)


@pytest.mark.parametrize("name", ["o3", "o4-mini-2025-04-16", "gpt-5-mini", "gpt-5.1", "o1"])
def test_models_that_refuse_a_temperature_get_none(name: str) -> None:
    """Neither temperature nor max_tokens is sent to them, but max_completion_tokens."""
    sent = body(Model("openai", name), OPENAI)
    assert "temperature" not in sent
    assert sent["max_completion_tokens"] == 100
    assert "max_tokens" not in sent


@pytest.mark.parametrize("name", ["gpt-4o", "llama3", "mistral-o3-like"])
def test_other_models_get_what_the_suite_says(name: str) -> None:
    """Temperature and max_tokens go out as they are."""
    sent = body(Model("openai", name), OPENAI)
    assert (sent["temperature"], sent["max_tokens"]) == (0, 100)


def test_openrouter_translates_names_itself_but_not_refusals() -> None:
    """Through OpenRouter max_tokens keeps its name; a refused temperature is still left out."""
    sent = body(Model("openrouter", "openai/gpt-5-mini:nitro"), OPENROUTER)
    assert sent["max_tokens"] == 100
    assert "temperature" not in sent


def test_a_models_own_parameters_stand_over_the_suites_and_none_removes() -> None:
    """A model may set its own value, or None to have a parameter not sent."""
    sent = body(Model("local", "x", parameters={"temperature": 0.7, "max_tokens": None}), OPENAI)
    assert sent["temperature"] == 0.7
    assert "max_tokens" not in sent


def test_equal_asks_give_equal_bytes_and_hashes() -> None:
    """The ledger's hash names the request and where it goes."""
    model = Model("openai", "gpt-4o")
    one, two = (BodyBuilder(model, OPENAI).build(ASK) for _ in range(2))
    assert one == two
    assert RequestHasher(OPENAI).name(one) == RequestHasher(OPENAI).name(two)
    elsewhere = Provider("other", "https://other.test/v1")
    assert RequestHasher(OPENAI).name(one) != RequestHasher(elsewhere).name(one)


@pytest.mark.parametrize("dialect", get_args(get_type_hints(Provider)["dialect"]))
def test_what_an_ask_is_about_goes_to_simulated_and_recorded_providers_alone(dialect: Any) -> None:
    """Every other dialect's body has no trace of it."""
    ask = ModelAsk("judge", "", (Message("user", "x"),), about={"case": "secret-case", "metric": "rubric"})
    provider = Provider("mine", "https://example.test/v1", dialect=dialect)
    raw = BodyBuilder(Model("mine", "m"), provider).build(ask)
    in_process = dialect in ("simulated", "recorded")
    assert (b"secret-case" in raw) is in_process
    assert ("about" in orjson.loads(raw)) is in_process


def test_an_ask_about_nothing_sends_no_such_field() -> None:
    """A simulated model is asked as any other."""
    provider = Provider("simulated", "http://127.0.0.1/v1", dialect="simulated")
    assert "about" not in body(Model("simulated", "steady"), provider)


def test_a_reply_schema_is_sent_as_a_strict_response_format() -> None:
    """Where a schema is asked for, it goes out as the protocol's json_schema."""
    ask = ModelAsk("judge", "", (Message("user", "x"),), response_schema={"type": "object"})
    sent = body(Model("openai", "gpt-4o"), OPENAI, ask)
    assert sent["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert sent["response_format"]["json_schema"]["strict"] is True


def test_logprobs_are_left_out_with_their_alternatives() -> None:
    """An endpoint that refuses the one is not sent the other either."""
    ask = ModelAsk("geval", "", ASK.messages, {"temperature": 0, "logprobs": True, "top_logprobs": 20})
    builder = BodyBuilder(Model("local", "llama3"), OPENAI)
    builder.learn(ask, 400, "logprobs is not supported with this model")
    assert not {"logprobs", "top_logprobs"} & orjson.loads(builder.build(ask)).keys()
    assert builder.learned == "sent without logprobs, without top_logprobs, because the endpoint refuses it"


@pytest.mark.parametrize("size", [0, 10, 8191, 8192, 20_000])
def test_a_request_has_one_name_however_it_is_hashed(size: int) -> None:
    """Long bodies that begin alike, or do not, get the SHA-256 that hashing them whole gives."""
    provider = Provider("x", "https://example.org/v1")
    hasher = RequestHasher(provider)
    for start in (b"a", b"a", b"b", b"a"):
        for end in (b"1", b"2"):
            body = start * size + end
            whole = hashlib.sha256(b"https://example.org/v1\n" + body).digest()
            assert hasher.name(body) == whole


@pytest.mark.parametrize(
    ("slugs", "served", "same"),
    [
        (("deepinfra",), "DeepInfra", True),
        (("google-vertex",), "Google Vertex", True),
        (("deepinfra/fp8",), "DeepInfra", True),
        (("together", "fireworks"), "Fireworks", True),
        (("deepinfra",), "Together", False),
        (("google-vertex",), "Google", False),
        (("deepinfra",), None, True),
    ],
)
def test_display_names_are_compared_with_slugs(
    slugs: tuple[str, ...], served: str | None, same: bool
) -> None:
    """Spelling differs, the provider must not; a reply that names nobody shows no change."""
    assert served_as_pinned(Pin(slugs), served) is same
