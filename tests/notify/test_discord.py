"""Messages for Discord: within its limits, and mentioning nobody."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from assay.core.notification import Notification, UseCaseNote
from assay.core.verdict import ModelState, UseCaseState
from assay.core.workspace import Webhook
from assay.notify.webhooks import COLOURS, DISCORD_CONTENT, DISCORD_DESCRIPTION, discord, render

DISCORD = Webhook("players", url_env="PLAYERS_HOOK", format="discord")


def shown(text: str) -> str:
    """Return what Discord shows of a text in which only escapes are formatting."""
    return re.sub(r"\\([^0-9A-Za-z\s])", r"\1", text)


def units(text: str) -> int:
    """Return the number of UTF-16 units of a text."""
    return len(text.encode("utf-16-le")) // 2


def test_a_message_has_the_change_and_what_fell(change: Notification) -> None:
    """The line of the notification, then the use cases, worst first, and the notes."""
    message = discord(change)
    assert shown(message["content"]) == (
        "openrouter/openai/gpt-5-mini is COOKED (was OK) on 2026-03-31, suite daily 2.0.0"
    )
    (embed,) = message["embeds"]
    assert shown(embed["description"]).splitlines() == [
        "• code-generation COOKED, score 40.0, baseline 90.0, z -12.5, drop 56%",
        "• summarization SUSPICIOUS, score 70.0, baseline 80.0, z -2.6, drop 12%",
        "two models behind OpenAI fell today",
    ]
    assert embed["color"] == COLOURS[ModelState.COOKED]


def test_the_body_is_the_message(change: Notification) -> None:
    """The format of the webhook chooses it."""
    assert json.loads(render(DISCORD, change)) == discord(change)


@pytest.mark.parametrize(
    "name", ["@everyone", "<@123>", "<@&5>", "<#7>", "**b** _i_ ~~s~~ ||x|| `c`", "[a](b)", "a\\@here", "# h"]
)
def test_names_are_shown_as_they_are(change: Notification, name: str) -> None:
    """Nothing in them is a mention or formatting, and the message may mention nobody."""
    use_case = UseCaseNote(name, UseCaseState.COOKED)
    message = discord(replace(change, model=name, use_cases=(use_case,), notes=(name,)))
    assert message["allowed_mentions"] == {"parse": []}
    texts = [message["content"], *message["embeds"][0]["description"].splitlines()]
    for text in texts:
        assert name in shown(text)
        assert not re.search(r"(?<!\\)(?:\\\\)*[@<>*_~|`\[\]#]", text), text


def test_addresses_in_names_are_no_links(change: Notification) -> None:
    """An endpoint could name its model so."""
    message = discord(replace(change, notes=("served https://evil.example/x now",)))
    assert "https://" not in message["embeds"][0]["description"]
    assert "https://evil.example/x" in shown(message["embeds"][0]["description"])


@pytest.mark.parametrize("long", ["x" * 9000, "\U0001f600" * 9000, "*" * 9000, "\U0001f600" * 2050])
def test_long_texts_are_cut_at_the_limits(change: Notification, long: str) -> None:
    """Discord refuses longer ones; an emoji counts twice."""
    message = discord(replace(change, model=long, notes=(long,)))
    assert units(message["content"]) in (DISCORD_CONTENT - 1, DISCORD_CONTENT)
    assert message["content"].endswith("…")
    assert units(message["embeds"][0]["description"]) in (DISCORD_DESCRIPTION - 1, DISCORD_DESCRIPTION)


def test_a_simulated_change_says_so(change: Notification) -> None:
    """In the line that the notification area shows."""
    assert shown(discord(replace(change, simulated=True))["content"]).endswith(" [simulated]")


def test_a_change_without_details_has_no_embed(change: Notification) -> None:
    """Discord refuses empty ones."""
    assert "embeds" not in discord(replace(change, use_cases=(), notes=()))


def test_names_stay_on_their_line(change: Notification) -> None:
    """A line break in a name cannot begin a heading or a quotation."""
    message = discord(replace(change, notes=("a\n> b\n# c",)))
    assert len(message["embeds"][0]["description"].splitlines()) == 3
