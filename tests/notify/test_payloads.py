"""A change is rendered for programs and for Slack."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from assay.core.notification import Notification, UseCaseNote
from assay.core.verdict import ModelState, UseCaseState
from assay.core.workspace import Webhook
from assay.notify.payloads import render, slack, summary, wanted

JSON = Webhook("log", url="https://example.org/hook")
SLACK = Webhook("team", url_env="TEAM_HOOK", format="slack")


def test_the_summary(change: Notification) -> None:
    """One line says who, what, before, when and by which suite."""
    assert summary(change) == (
        "openrouter/openai/gpt-5-mini is COOKED (was OK) on 2026-03-31, suite daily 2.0.0"
    )


def test_what_is_simulated_says_so(change: Notification) -> None:
    """A change on the simulated provider is labelled in every format."""
    simulated = replace(change, simulated=True, before=None)
    bodies = [summary(simulated), render(SLACK, simulated), render(JSON, simulated)]
    assert [("[simulated]" in body, "not judged before" in body) for body in bodies] == [(True, True)] * 3


def test_the_generic_payload(change: Notification) -> None:
    """Programs get every field by name."""
    assert json.loads(render(JSON, change)) == {
        "format": 1,
        "kind": "verdict.changed",
        "event": "verdict/daily/2.0.0/openrouter/openai/gpt-5-mini/2026-03-31/COOKED",
        "summary": summary(change),
        "model": "openrouter/openai/gpt-5-mini",
        "suite": {"name": "daily", "version": "2.0.0"},
        "day": "2026-03-31",
        "before": "OK",
        "after": "COOKED",
        "use_cases": [
            {
                "name": "summarization",
                "state": "SUSPICIOUS",
                "score": 70,
                "mean": 80,
                "z": -2.6,
                "drop": 0.125,
            },
            {
                "name": "code-generation",
                "state": "COOKED",
                "score": 40,
                "mean": 90,
                "z": -12.5,
                "drop": 0.556,
            },
            {"name": "math", "state": "OK", "score": 90, "mean": 90, "z": 0, "drop": 0},
        ],
        "notes": ["two models behind OpenAI fell today"],
        "simulated": False,
    }


def test_the_slack_message(change: Notification) -> None:
    """Slack gets the line, the use cases that fell with the worst first, and the notes."""
    [block] = slack(change)["blocks"]
    assert block["text"]["text"].split("\n") == [
        f":red_circle: *{summary(change)}*",
        "• code-generation COOKED, score 40.0, baseline 90.0, z -12.5, drop 56%",
        "• summarization SUSPICIOUS, score 70.0, baseline 80.0, z -2.6, drop 12%",
        "_two models behind OpenAI fell today_",
    ]


def test_slack_text_is_escaped(change: Notification) -> None:
    """A model's name cannot inject links or mentions."""
    told = render(SLACK, replace(change, model="local/<!channel>&"))
    assert ("<!channel>" in told, "&lt;!channel&gt;&amp;" in told) == (False, True)


def test_a_long_slack_message_is_cut(change: Notification) -> None:
    """Slack refuses sections over 3,000 characters."""
    notes = tuple(UseCaseNote(f"use-case-{number}", UseCaseState.COOKED) for number in range(20))
    long = replace(change, use_cases=notes, notes=("x" * 4000,))
    text = slack(long)["blocks"][0]["text"]["text"]
    assert (len(text), "• and 8 more" in text) == (3000, True)


@pytest.mark.parametrize("state", list(ModelState))
def test_every_state_has_a_slack_mark(state: ModelState, change: Notification) -> None:
    """No state is left without its sign."""
    assert render(SLACK, replace(change, after=state)).count(str(state)) >= 2


def test_a_hook_is_told_of_its_states_only(change: Notification) -> None:
    """By default a gap is not told; a hook may ask for one state alone."""
    gap = replace(change, after=ModelState.GAP)
    only = replace(JSON, states=(ModelState.GAP,))
    assert [wanted(JSON, change), wanted(JSON, gap), wanted(only, change), wanted(only, gap)] == [
        True,
        False,
        False,
        True,
    ]
