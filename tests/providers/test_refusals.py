"""What refusals of real endpoints are read as. The texts are shaped like theirs."""

from __future__ import annotations

import pytest

from assay.providers.refusals import Refusal, refused_parameter

SENT = ("temperature", "reasoning_effort", "max_tokens", "seed")


@pytest.mark.parametrize(
    ("status", "detail", "parameter"),
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
    assert refused_parameter(status, detail, SENT) == Refusal(parameter)


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
    assert refused_parameter(400, detail, SENT) == Refusal("max_tokens", "max_completion_tokens")


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
    assert refused_parameter(status, detail, sent) == Refusal("logprobs", along=("top_logprobs",))


def test_what_goes_along_was_sent() -> None:
    """A parameter that was not sent is not told to be left out."""
    detail = "logprobs are not supported with this model"
    assert refused_parameter(400, detail, ("logprobs",)) == Refusal("logprobs")


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
    assert refused_parameter(400, detail, (*SENT, "response_format")) == Refusal("response_format")


def test_a_routing_that_nobody_meets_gives_up_the_form_of_a_reply_alone() -> None:
    """A pin with `require_parameters` refuses all that its provider does not list, with a 404."""
    detail = "No endpoints found that can handle the requested parameters."
    assert refused_parameter(404, detail, (*SENT, "response_format")) == Refusal("response_format")
    assert refused_parameter(404, "No endpoints found for x/y.", (*SENT, "response_format")) is None
