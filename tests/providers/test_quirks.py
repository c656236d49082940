"""Which parameters models refuse or name otherwise."""

from __future__ import annotations

import re

import pytest
from every_row import every_row

from assay.core.model import Model, Provider
from assay.providers.body import parameters
from assay.providers.quirks import ParameterRefusal, _data, bare_name, quirks, refused_parameter

ASKED = {"temperature": 0, "max_tokens": 64, "reasoning": {"effort": "low"}}
OPENAI = Provider("openai", "https://example.test/v1")
ROUTER = Provider("openrouter", "https://example.test/v1", dialect="openrouter")
SENT = ("temperature", "reasoning_effort", "max_tokens", "seed")


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("openai/o3:nitro", "o3"),
        ("GPT-4.1", "gpt-4.1"),
        ("deepseek/deepseek-r1:free", "deepseek-r1"),
        ("llama3:8b", "llama3:8b"),
        ("a/b/c:online", "c"),
    ],
)
def test_names_are_compared_without_organisation_and_suffix(name: str, bare: str) -> None:
    """A routing suffix is no part of a name; a tag such as Ollama's is."""
    assert bare_name(name) == bare


@pytest.mark.parametrize("name", ["o1", "o3-mini", "o4-mini-2025-04-16", "gpt-5", "gpt-5-mini", "gpt-5.1"])
def test_models_that_refuse_a_temperature_are_sent_none(name: str) -> None:
    """They get the limit under its newer name."""
    sent = parameters(Model("openai", name), OPENAI, ASKED)
    assert sent == {"max_completion_tokens": 64, "reasoning_effort": "low"}


@pytest.mark.parametrize("name", ["o1", "openai/gpt-5-mini", "gpt-5:nitro"])
def test_a_router_translates_names_but_not_refusals(name: str) -> None:
    """Through OpenRouter `max_tokens` keeps its name, and the temperature is still left out."""
    sent = parameters(Model("openrouter", name), ROUTER, ASKED)
    assert sent == {"max_tokens": 64, "reasoning": {"effort": "low"}}


def test_models_that_do_not_reason_are_not_asked_to() -> None:
    """GPT-4.1 gets its temperature and the newer name of the limit, and no reasoning effort."""
    assert parameters(Model("openai", "gpt-4.1-mini"), OPENAI, ASKED) == {
        "temperature": 0,
        "max_completion_tokens": 64,
    }
    assert parameters(Model("openai", "gpt-4o"), OPENAI, ASKED) == {"temperature": 0, "max_tokens": 64}


@pytest.mark.parametrize("name", ["claude-opus-4-1", "anthropic/claude-opus-4.5"])
def test_the_newest_opus_takes_no_sampling_parameters(name: str) -> None:
    """Temperature, top_p and top_k are dropped."""
    quirk = quirks(name, "openai")
    assert quirk.apply({"temperature": 0, "top_p": 1, "top_k": 5, "max_tokens": 9}) == {"max_tokens": 9}


@pytest.mark.parametrize("name", ["llama3", "oracle-1", "opus", "gpt-oss-120b", "o2", "mistral-o3"])
def test_names_that_only_look_alike_have_no_quirks(name: str) -> None:
    """Nothing is dropped or renamed for a model that no rule names."""
    assert quirks(name, "openai").apply(ASKED) == ASKED


def test_every_rule_says_why_and_compiles() -> None:
    """Each rule is a pattern, changes something, and gives its reason."""
    for rule in _data()["rules"]:
        re.compile(rule["match"])
        assert rule["why"]
        assert rule.get("drop") or rule.get("rename")


@every_row(
    "status, detail, parameter",
    [
        (400, "Unrecognized request argument supplied: reasoning_effort", "reasoning_effort"),
        (
            400,
            "openai does not support parameters: ['reasoning_effort'], for model=gpt-4o",
            "reasoning_effort",
        ),
        (400, '"llama3" does not support thinking', "reasoning_effort"),
        (400, 'think value "low" is not supported for this model', "reasoning_effort"),
        (400, "Unsupported value: 'temperature' does not support 0 with this model", "temperature"),
        (400, "x doesn't support temperature=0 while reasoning_effort is set", "temperature"),
        (400, "`temperature` is deprecated for this model.", "temperature"),
        (422, "body.seed: Extra inputs are not permitted", "seed"),
    ],
)
def test_a_refused_parameter_is_found(status: int, detail: str, parameter: str) -> None:
    """The one that the text names first."""
    assert refused_parameter(status, detail, SENT) == ParameterRefusal(parameter)


def test_a_routing_outage_changes_no_parameter() -> None:
    """That nobody meets a routing names no parameter: what is measured must not change with it."""
    detail = "No endpoints found that can handle the requested parameters."
    for status in (400, 404, 503):
        assert refused_parameter(status, detail, ("temperature", "reasoning")) is None


@pytest.mark.parametrize(
    ("status", "detail"),
    [
        (400, "max_tokens is too large: this model does not support more than 4096 completion tokens"),
        (400, "the prompt is not allowed"),
        (400, "temperature must be a number"),
        (404, "model 'thinking-1' not found"),
        (400, "Unsupported parameter: 'top_p'"),
        (500, "Unrecognized request argument supplied: reasoning_effort"),
        (400, None),
    ],
)
def test_other_errors_refuse_no_parameter(status: int, detail: str | None) -> None:
    """Limits, unknown models, parameters that were not sent and server errors are left alone."""
    assert refused_parameter(status, detail, SENT) is None


def test_the_other_name_counts_only_where_the_text_gives_it() -> None:
    """`max_tokens` is not given up without a successor."""
    assert refused_parameter(400, "Unsupported parameter: 'max_tokens'", SENT) is None
    detail = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    assert refused_parameter(400, detail, SENT) == ParameterRefusal("max_tokens", "max_completion_tokens")


@pytest.mark.parametrize(
    ("status", "detail"),
    [
        (400, "logprobs are not supported with reasoning models."),
        (400, "You are not allowed to request logprobs from this model"),
        (400, "Unsupported parameter: 'top_logprobs' is not supported with this model."),
        (422, "body.logprobs: Extra inputs are not permitted"),
        (400, "groq does not support parameters: ['logprobs', 'top_logprobs'], for model=llama3"),
    ],
)
def test_logprobs_are_given_up_with_their_alternatives(status: int, detail: str) -> None:
    """The two go together: alternatives mean nothing without logprobs."""
    sent = (*SENT, "logprobs", "top_logprobs")
    assert refused_parameter(status, detail, sent) == ParameterRefusal("logprobs", along=("top_logprobs",))


def test_what_goes_along_was_sent() -> None:
    """A parameter that was not sent is not left out."""
    detail = "logprobs are not supported with this model"
    assert refused_parameter(400, detail, ("logprobs",)) == ParameterRefusal("logprobs")


@pytest.mark.parametrize(
    "detail",
    [
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
        "This response_format type is unavailable now",
        "This model does not support response format `json_schema`.",
        "body.response_format.type: literal_error, Input should be 'text' or 'json_object'",
        "'response_format.type' must be one of 'text', 'json_object'",
        "Invalid schema for response_format 'reply': 'description' is not permitted.",
        "structured outputs are not supported by this endpoint",
    ],
)
def test_the_form_of_a_reply_is_given_up(detail: str) -> None:
    """Endpoints without JSON schemas say so in many ways."""
    assert refused_parameter(400, detail, (*SENT, "response_format")) == ParameterRefusal("response_format")


def test_a_routing_that_nobody_meets_gives_up_the_form_of_a_reply_alone() -> None:
    """A pin with `require_parameters` refuses all that its provider does not list, with a 404."""
    detail = "No endpoints found that can handle the requested parameters."
    assert refused_parameter(404, detail, (*SENT, "response_format")) == ParameterRefusal("response_format")
    assert refused_parameter(404, "No endpoints found for x/y.", (*SENT, "response_format")) is None
