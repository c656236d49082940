"""Opening hours by marking minutes, where the exemplar joins sorted spans."""

from __future__ import annotations

from random import Random

DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


def opening_line(week: dict[str, list[tuple[str, str]]]) -> str:
    """Return the week's opening hours on one line."""
    if any(day not in DAYS for day in week):
        raise ValueError("day")
    shown = [_day(week.get(day, [])) for day in DAYS]
    if all(text == shown[0] for text in shown):
        return "closed all week" if shown[0] == "closed" else f"daily {shown[0]}"
    changes = [at for at in range(7) if at == 0 or shown[at] != shown[at - 1]]
    runs = zip(changes, [*changes[1:], 7], strict=True)
    return "; ".join(f"{_label(DAYS[first:last])} {shown[first]}" for first, last in runs)


def _label(days: list[str]) -> str:
    return {1: days[0], 2: ", ".join(days[:2])}.get(len(days), f"{days[0]}-{days[-1]}")


def _day(spans: list[tuple[str, str]]) -> str:
    # Half-minutes: two spans that touch at 12:00 share the mark 720.
    marked = set()
    for start, end in spans:
        first, last = _minute(start), _minute(end)
        if first == last:
            raise ValueError("empty")
        marked |= set(range(2 * first, 2 * (last + (1440 if last < first else 0)) + 1))
    edges = sorted(mark for mark in marked if mark - 1 not in marked or mark + 1 not in marked)
    times = [_time(mark // 2) for mark in edges]
    pairs = zip(times[::2], times[1::2], strict=True)
    return " and ".join(f"{start}-{end}" for start, end in pairs) or "closed"


def _minute(text: str) -> int:
    hours, minutes = text.split(":")
    return 60 * int(hours) + int(minutes)


def _time(minute: int) -> str:
    of_day = minute if minute <= 1440 else minute - 1440
    return f"{of_day // 60:02}:{of_day % 60:02}"


def random_week(random: Random) -> dict[str, list[tuple[str, str]]]:
    """Return a week with few different hours, so that runs occur; no day reaches 24 hours."""
    pool = [[_span(random) for _ in range(random.randint(0, 3))] for _ in range(2)]
    week = {}
    for day in DAYS:
        if random.random() < 0.85:
            spans = list(random.choice(pool))
            random.shuffle(spans)
            week[day] = spans
    return week


def _span(random: Random) -> tuple[str, str]:
    if random.random() < 0.2:
        first, length = random.choice([1080, 1200, 1380]), random.choice([60, 120, 240, 360])
    else:
        first, length = 30 * random.randint(12, 36), 30 * random.randint(1, 8)
    last = first + length
    shown = last if last < 1440 else (random.choice([0, 1440]) if last == 1440 else last - 1440)
    return f"{first // 60:02}:{first % 60:02}", f"{shown // 60:02}:{shown % 60:02}"
