"""Second derivation: the plan after the last mail, parsed out of the prompt and recomputed."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any


def _before(day: date, working_days: int) -> date:
    while working_days:
        day -= timedelta(1)
        working_days -= day.weekday() < 5
    return day


def _clock(text: str, minutes: int) -> str:
    return (datetime.strptime(text, "%H:%M").replace(tzinfo=UTC) + timedelta(minutes=minutes)).strftime(
        "%H:%M"
    )


def offsite(prompt: str) -> dict[str, Any]:
    """Replay the organiser's statements in the order of sending."""
    mails = []
    for part in re.split(r"--- mail \d of \d\n", prompt)[1:]:
        header = re.match(r"From: (.*)\nDate: (.*)\nSubject: .*\n", part)
        assert header
        body = part[header.end() :].split("Return one JSON")[0]
        body = "\n".join(line for line in body.splitlines() if not line.startswith(">"))
        if "Ines Varga" in header[1]:
            mails.append((parsedate_to_datetime(header[2]), body))
    plan: dict[str, Any] = {}
    first: dict[str, str] = {}
    budgets: list[int] = []
    words = {"five": 5, "Seven": 7, "two": 2, "Three": 3, "one": 1, "three": 3, "half an hour": 30}
    for _, body in sorted(mails):
        if found := re.search(r"Thursday (\d+) April(?:,| it is)", body):
            plan["date"] = date(2026, 4, int(found[1]))
        if found := re.search(r"(\d\d:\d\d) to (\d\d:\d\d)", body):
            plan["start"], plan["end"] = first["start"], first["end"] = found[1], found[2]
        if found := re.search(r"Everything (half an hour) later than first announced", body):
            plan["start"], plan["end"] = (_clock(first[key], words[found[1]]) for key in ("start", "end"))
        if found := re.search(r"we start at (\d\d:\d\d)", body):
            plan["start"] = found[1]
        if found := re.search(r"Room (\w+)", body):
            plan["room"] = found[1]
        if found := re.search(r"(\d+) people|headcount to (\d+)", body):
            plan["heads"] = int(found[1] or found[2])
        if found := re.search(r"(\w+) (?:of the lunches are vegetarian|vegetarian lunches)", body):
            plan["vegetarian"] = words[found[1]]
        if found := re.search(r"(\w+) of those vegan", body):
            plan["vegan"] = words[found[1]]
        if found := re.search(
            r"(\w+) people dropped out, and (\w+) of the \w+ had ordered a vegetarian", body
        ):
            plan["heads"] -= words[found[1]]
            plan["vegetarian"] -= words[found[2]]
        if found := re.search(r"EUR ([\d,]+\d)", body):
            budgets.append(int(found[1].replace(",", "")))
        if found := re.search(r"Hotel (\w+) holds", body):
            plan["hotel"] = found[1]
        if found := re.search(r"GRZ-\d+", body):
            plan["block"] = found[0]
        if found := re.search(r"(\w+) opens, (\w+) closes", body):
            plan["opens"], plan["closes"] = found.groups()
        if "Tomasz and Leila swap" in body:
            plan["opens"], plan["closes"] = plan["closes"], plan["opens"]
        if "Slides one week before" in body:
            plan["slides"] = 7
        if found := re.search(r"slides (\w+) working days earlier", body):
            plan["slides_earlier"] = words[found[1]]
        if found := re.search(r"dietary list closes (\w+) working days before", body):
            plan["dietary"] = words[found[1]]
    span = [datetime.strptime(plan[key], "%H:%M").replace(tzinfo=UTC) for key in ("start", "end")]
    return {
        "workshop_date": plan["date"].isoformat(),
        "start_time": plan["start"],
        "end_time": plan["end"],
        "duration_minutes": (span[1] - span[0]).seconds // 60,
        "room": plan["room"],
        "headcount": plan["heads"],
        "vegetarian_lunches": plan["vegetarian"],
        "vegan_lunches": plan["vegan"],
        "budget_eur": budgets[-1],
        "hotel_name": plan["hotel"],
        "hotel_block": plan["block"],
        "opening_speaker": plan["opens"],
        "closing_speaker": plan["closes"],
        "slides_due": _before(plan["date"] - timedelta(plan["slides"]), plan["slides_earlier"]).isoformat(),
        "dietary_list_closes": _before(plan["date"], plan["dietary"]).isoformat(),
        "superseded_budgets": sorted(set(budgets[:-1])),
    }
