"""Who is the same model as whom, of which family, and whose answers a judge does not mark."""

from __future__ import annotations

import pytest
from every_row import every_row

from assay.core.model import Model
from assay.grading.model_family import excluded, family, same_model


def model(name: str, **declared: str) -> Model:
    """Return the model of that name."""
    provider, _, upstream = name.partition("/")
    return Model(provider, upstream, **declared)  # type: ignore[arg-type]


SAME = [
    ("openai/gpt-4.1", "openrouter/openai/gpt-4.1"),
    ("openai/gpt-4o-mini-2024-07-18", "openrouter/openai/gpt-4o-mini"),
    ("openai/gpt-4-0613", "openai/gpt-4"),
    ("openai/gpt-4-1106-preview", "openai/gpt-4"),
    ("openai/gpt-3.5-turbo-0125", "azure/gpt-35-turbo"),
    ("anthropic/claude-sonnet-4-20250514", "vertex/claude-sonnet-4@20250514"),
    ("anthropic/claude-sonnet-4-6", "openrouter/anthropic/claude-sonnet-4.6"),
    ("bedrock/us.anthropic.claude-3-5-sonnet-20241022-v2:0", "openrouter/anthropic/claude-3.5-sonnet"),
    ("google/gemini-2.5-flash-preview-05-20", "openrouter/google/gemini-2.5-flash"),
    ("google/gemini-2.5-pro-exp-03-25", "openrouter/google/gemini-2.5-pro-preview"),
    ("google/gemini-1.5-pro-002", "google/gemini-1.5-pro-latest"),
    ("openrouter/deepseek/deepseek-r1:free", "deepseek/deepseek-r1-0528"),
    ("bedrock/us.deepseek.r1-v1:0", "openrouter/deepseek/deepseek-r1"),
    ("openrouter/anthropic/claude-3.7-sonnet:thinking", "anthropic/claude-3-7-sonnet-latest"),
    ("openrouter/mistralai/mistral-large-2407", "mistral/mistral-large-latest"),
    ("openrouter/cohere/command-r-08-2024", "cohere/command-r"),
    (
        "fireworks/accounts/fireworks/models/llama-v3p1-8b-instruct",
        "together/meta-llama/Meta-Llama-3.1-8B-Instruct",
    ),
    ("vllm/Qwen/Qwen3-32B-AWQ", "openrouter/qwen/qwen3-32b"),
    ("ollama/llama3.1:8b-instruct-q4_K_M", "local/llama-3.1-8b-instruct"),
    ("openrouter/openai/gpt-oss-120b:nitro:free", "groq/openai/gpt-oss-120b"),
]

OTHERS = [
    ("openai/gpt-4.1", "openai/gpt-4.1-mini"),
    ("openai/gpt-4o", "openai/gpt-4"),
    ("openai/o1", "openai/o1-mini"),
    ("openai/gpt-5", "openai/gpt-5-pro"),
    ("anthropic/claude-sonnet-4.6", "anthropic/claude-sonnet-4.5"),
    ("anthropic/claude-3-opus-20240229", "anthropic/claude-3-sonnet-20240229"),
    ("google/gemini-2.5-flash", "google/gemini-2.5-flash-lite"),
    ("ollama/llama3:8b", "ollama/llama3:70b"),
    ("qwen/qwen3-235b-a22b", "qwen/qwen3-30b-a3b"),
    ("openrouter/deepseek/deepseek-r1", "openrouter/deepseek/deepseek-r1-distill-qwen-32b"),
    ("simulated/judge", "simulated/steady"),
]


@every_row("one, other", SAME, ids=lambda name: name)
def test_the_same_weights_are_known_under_other_names(one: str, other: str) -> None:
    """Provider, organisation, date, stage, route and packing make no other model; either way round."""
    assert same_model(model(one), model(other))
    assert same_model(model(other), model(one))


@every_row("one, other", OTHERS, ids=lambda name: name)
def test_other_models_stay_others(one: str, other: str) -> None:
    """Size, version and variant make another model."""
    assert not same_model(model(one), model(other))


@every_row(
    "name, expected",
    [
        ("openai/gpt-4.1", "openai"),
        ("openai/o4-mini-high", "openai"),
        ("openrouter/openai/gpt-oss-20b", "openai"),
        ("openrouter/openai/chatgpt-4o-latest", "openai"),
        ("anthropic/claude-opus-4-1", "anthropic"),
        ("google/gemini-2.5-flash", "google"),
        ("local/gemma3:27b", "google"),
        ("openrouter/qwen/qwq-32b", "alibaba"),
        ("openrouter/meta-llama/llama-4-maverick", "meta"),
        ("local/codestral", "mistral"),
        ("local/devstral-small", "mistral"),
        ("openrouter/deepseek/deepseek-chat-v3-0324", "deepseek"),
        ("openrouter/x-ai/grok-4", "xai"),
        ("openrouter/cohere/command-a", "cohere"),
        ("openrouter/cohere/aya-expanse-32b", "cohere"),
        ("openrouter/amazon/nova-pro-v1", "amazon"),
        ("openrouter/microsoft/phi-4", "microsoft"),
        ("local/phi4", "microsoft"),
        ("openrouter/z-ai/glm-4.6", "zhipu"),
        ("openrouter/moonshotai/kimi-k2-0905", "moonshot"),
        ("openrouter/minimax/minimax-m2", "minimax"),
        ("openrouter/ibm-granite/granite-4.0-h-micro", "ibm"),
        ("openrouter/ai21/jamba-large-1.7", "ai21"),
        ("openrouter/baidu/ernie-4.5-300b-a47b", "baidu"),
        ("openrouter/bytedance/seed-oss-36b-instruct", "bytedance"),
        ("local/doubao-1.5-thinking-pro", "bytedance"),
        ("openrouter/tencent/hunyuan-a13b-instruct", "tencent"),
        ("local/yi-34b-chat", "01ai"),
        ("openrouter/deepseek/deepseek-r1-distill-qwen-32b", "deepseek"),
        ("openrouter/nvidia/llama-3.1-nemotron-70b-instruct", "nvidia"),
        ("openrouter/nousresearch/hermes-3-llama-3.1-405b", "nous"),
        ("openrouter/perplexity/r1-1776", "perplexity"),
        ("local/gpt-j-6b", "eleutherai"),
    ],
)
def test_names_tell_families(name: str, expected: str) -> None:
    """Patterns and the organisation's prefix know the usual models; derived ones are their maker's."""
    assert family(model(name)) == expected


@pytest.mark.parametrize("name", ["simulated/steady", "local/philosopher", "local/supernovae", "local/mine"])
def test_an_unknown_name_has_no_family(name: str) -> None:
    """Nothing is guessed from a likeness of letters."""
    assert family(model(name)) is None


def test_what_is_declared_wins_over_the_name() -> None:
    """A fine-tune under another's name belongs to whom its owner says, the family before the organisation."""
    assert family(model("local/llama-acme", family="Acme", organisation="Meta")) == "acme"
    assert family(model("local/llama-acme", organisation="Acme Inc.")) == "acme inc."


@pytest.mark.parametrize("declared", ["Claude", "Anthropic", "claude 3"])
def test_declared_words_are_told_in_the_tables_words(declared: str) -> None:
    """However a family is written, it meets the families of names."""
    assert family(model("local/a", family=declared)) == "anthropic"


def test_a_judge_does_not_mark_its_own_model() -> None:
    """Another provider's name for it does not help."""
    judge, subject = model("openai/gpt-4.1-2025-04-14"), model("openrouter/openai/gpt-4.1")
    assert excluded(judge, subject, "self") == "is the model itself"
    assert excluded(judge, subject, "family") == "is the model itself"


def test_kin_are_excluded_where_families_are() -> None:
    """`family` bars a sibling that `self` allows."""
    judge, subject = model("openai/gpt-4.1"), model("openrouter/openai/o4-mini")
    assert excluded(judge, subject, "self") is None
    assert excluded(judge, subject, "family") == "is of the model's own family (openai)"


def test_models_of_unknown_family_are_nobodys_kin() -> None:
    """Two unknowns are not taken for relatives."""
    assert excluded(model("local/alpha"), model("local/beta"), "family") is None
