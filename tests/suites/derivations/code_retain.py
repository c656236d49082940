"""A second implementation of `retain`: count how many later days, weeks and months there are."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any


def _moment(stamp: str) -> datetime:
    text = stamp.removesuffix("!")
    moment = datetime.strptime(text, "%Y-%m-%dT%H:%M")  # naive on purpose: stamps carry no zone
    if moment.isoformat(timespec="minutes") != text:
        raise ValueError(stamp)
    return moment


def retain(stamps: list[str], daily: int, weekly: int, monthly: int) -> list[str]:
    """Keep a backup when few enough later days, weeks or months have one."""
    if daily < 0 or weekly < 0 or monthly < 0:
        raise ValueError((daily, weekly, monthly))
    times = {stamp: _moment(stamp) for stamp in stamps}
    free = [stamp for stamp in times if not stamp.endswith("!")]

    def monday(moment: datetime) -> datetime:
        return datetime(moment.year, moment.month, moment.day) - timedelta(moment.weekday())

    def kept(stamp: str) -> bool:
        mine = times[stamp]
        others = [times[other] for other in free]
        if mine == max(others):
            return True
        days = {other.date() for other in others if other.date() > mine.date()}
        weeks = {monday(other) for other in others if monday(other) > monday(mine)}
        months = {
            other.strftime("%Y%m") for other in others if other.strftime("%Y%m") > mine.strftime("%Y%m")
        }
        last_of_day = not any(o > mine and o.date() == mine.date() for o in others)
        last_of_week = not any(o > mine and monday(o) == monday(mine) for o in others)
        first_of_month = not any(o < mine and (o.year, o.month) == (mine.year, mine.month) for o in others)
        return (
            (last_of_day and len(days) < daily)
            or (last_of_week and len(weeks) < weekly)
            or (first_of_month and len(months) < monthly)
        )

    chosen = [stamp for stamp in times if stamp.endswith("!") or kept(stamp)]
    return sorted(chosen, key=lambda stamp: (times[stamp], stamp.endswith("!")))


def random_input(rng: Random) -> tuple[Any, ...]:
    """Return random stamps around a new year, some pinned, seldom a malformed one."""
    start = datetime(rng.choice([2020, 2024, 2025, 2026]), 12, 1)
    stamps = []
    for _ in range(rng.randint(0, 14)):
        moment = start + timedelta(hours=rng.randint(0, 24 * rng.choice([3, 20, 70])))
        stamps.append(moment.isoformat(timespec="minutes") + ("!" if rng.random() < 0.15 else ""))
    if rng.random() < 0.05:
        stamps.append(rng.choice(["2026-1-05T10:00", "2026-02-29T10:00", "x", "2026-01-05T10:00!!"]))
    return stamps, rng.randint(0, 4), rng.randint(0, 4), rng.randint(0, 3)


def holds(arguments: tuple[Any, ...], result: list[str]) -> bool:
    """The result is a sorted subset with the newest and every pinned backup."""
    stamps = arguments[0]
    free = [stamp for stamp in stamps if not stamp.endswith("!")]
    return (
        result == sorted(set(result))
        and set(result) <= set(stamps)
        and {stamp for stamp in stamps if stamp.endswith("!")} <= set(result)
        and (not free or max(free) in result)
    )
