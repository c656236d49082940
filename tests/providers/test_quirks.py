"""Which parameters models refuse or name otherwise."""

from __future__ import annotations

import re

import pytest

from assay.core.model import Model, Provider
from assay.providers.body import parameters
from assay.providers.quirks import _data, bare_name, quirks

ASKED = {"temperature": 0, "max_tokens": 64, "reasoning": {"effort": "low"}}
OPENAI = Provider("openai", "https://example.test/v1")
ROUTER = Provider("openrouter", "https://example.test/v1", dialect="openrouter")


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
    """And they are told the limit by its newer name."""
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
