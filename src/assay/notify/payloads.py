"""What a change of a verdict looks like to its receivers: JSON for programs, a message for Slack."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from assay.core.notification import Notification, UseCaseNote
from assay.core.verdict import ModelState, UseCaseState
from assay.core.workspace import Webhook

FORMAT = 1
SLACK_SECTION = 3000
SHOWN_USE_CASES = 12
MARKS = {
    ModelState.GAP: ":white_circle:",
    ModelState.CALIBRATING: ":hourglass:",
    ModelState.OK: ":large_green_circle:",
    ModelState.SUSPICIOUS: ":large_yellow_circle:",
    ModelState.COOKED: ":red_circle:",
}


def wanted(hook: Webhook, notification: Notification) -> bool:
    """Return whether a webhook is told of this change."""
    return notification.after in hook.states


def render(hook: Webhook, notification: Notification) -> str:
    """Return the body for a webhook, in its format."""
    payload = slack(notification) if hook.format == "slack" else generic(notification)
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def summary(notification: Notification) -> str:
    """Return the change in one line of plain text."""
    before = "not judged before" if notification.before is None else f"was {notification.before}"
    if notification.before == notification.after:
        before = "as before; its conditions changed"
    simulated = " [simulated]" if notification.simulated else ""
    where = f"on {notification.day}, suite {notification.suite} {notification.suite_version}"
    return f"{notification.model} is {notification.after} ({before}) {where}{simulated}"


def generic(notification: Notification) -> dict[str, Any]:
    """Return the payload for programs; docs/how-to/notify.md describes its fields."""
    return {
        "format": FORMAT,
        "kind": "conditions.changed" if notification.before == notification.after else "verdict.changed",
        "event": notification.event,
        "summary": summary(notification),
        "model": notification.model,
        "suite": {"name": notification.suite, "version": notification.suite_version},
        "day": notification.day.isoformat(),
        "before": None if notification.before is None else notification.before.value,
        "after": notification.after.value,
        "use_cases": [
            {
                "name": note.name,
                "state": note.state.name,
                "score": note.score,
                "mean": note.mean,
                "z": note.z,
                "drop": note.drop,
            }
            for note in notification.use_cases
        ],
        "notes": list(notification.notes),
        "simulated": notification.simulated,
    }


def slack(notification: Notification) -> dict[str, Any]:
    """Return a Slack message: one line for the notification area, and a section with the use cases."""
    line = _escaped(summary(notification))
    lines = [f"{MARKS[notification.after]} *{line}*", *_use_cases(notification.use_cases)]
    lines += [f"_{_escaped(note)}_" for note in notification.notes]
    section = "\n".join(lines)
    if len(section) > SLACK_SECTION:
        section = section[: SLACK_SECTION - 1] + "…"
    return {"text": line, "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": section}}]}


def _use_cases(notes: Sequence[UseCaseNote]) -> list[str]:
    """Return a line for each use case that fell, worst first, without more than a screenful."""
    fallen = sorted(
        (note for note in notes if note.state >= UseCaseState.SUSPICIOUS), key=lambda note: -note.state
    )
    lines = [f"• {_use_case(note)}" for note in fallen[:SHOWN_USE_CASES]]
    more = len(fallen) - SHOWN_USE_CASES
    return [*lines, f"• and {more} more"] if more > 0 else lines


def _use_case(note: UseCaseNote) -> str:
    parts = [f"{_escaped(note.name)} {note.state.name}"]
    if note.score is not None:
        parts.append(f"score {note.score:.1f}")
    if note.mean is not None:
        parts.append(f"baseline {note.mean:.1f}")
    if note.z is not None:
        parts.append(f"z {note.z:.1f}")
    if note.drop is not None:
        parts.append(f"drop {note.drop:.0%}")
    return ", ".join(parts)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
