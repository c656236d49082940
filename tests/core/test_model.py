"""Models and what identifies them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from assay.core.model import Model, Pin, SuiteExclusion
from assay.core.money import Prices

MODEL = Model("openrouter", "openai/gpt-5-mini", Pin(("openai",)), {"temperature": 0})


def test_a_name_is_provider_and_upstream() -> None:
    """As users type it; the upstream name may hold slashes of its own."""
    assert MODEL.name == "openrouter/openai/gpt-5-mini"


@pytest.mark.parametrize(
    "change",
    [
        {"provider": "local"},
        {"upstream": "openai/gpt-5"},
        {"pin": None},
        {"pin": Pin(("azure",))},
        {"pin": Pin(("openai", "azure"))},
        {"parameters": {"temperature": 1}},
        {"parameters": {}},
    ],
)
def test_what_changes_the_question_changes_the_fingerprint(change: dict[str, Any]) -> None:
    """Name, pin and parameters: a history of one is not continued by the other."""
    assert replace(MODEL, **change).fingerprint != MODEL.fingerprint


@pytest.mark.parametrize(
    "change",
    [
        {"prices": Prices(1.0, 2.0)},
        {"family": "gpt-5"},
        {"released": date(2025, 8, 7)},
        {"weights": "closed"},
        {"exclusions": (SuiteExclusion("daily", "trained on it"),)},
        {"parameters": {"temperature": 0.0}},
    ],
)
def test_what_is_only_known_about_it_does_not(change: dict[str, Any]) -> None:
    """New prices or a release date leave the history whole."""
    assert replace(MODEL, **change).fingerprint == MODEL.fingerprint


def test_the_fingerprint_is_the_same_for_ever() -> None:
    """Databases keep it: it must not change from one version of Assay to the next."""
    assert Model("local", "llama3").fingerprint == (
        "1fecc90699ff35b1baa4027f757cf70f782ced1b23668f9b6010c433973c9697"
    )
