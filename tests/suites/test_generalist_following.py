"""The instruction-following cases of the generalist suite: gold answers recomputed, demands counted."""

from __future__ import annotations

import json
import re
from datetime import date, datetime
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from generalist_cases import cases, derivation, failures, solution

from assay.core.case import Case

CASES = cases("instruction-following")


def _prompt(name: str) -> str:
    return CASES[name].messages[-1].content


def _ideal(name: str) -> str:
    ideal: str = next(spec for spec in CASES[name].graders if spec.name == "rubric").parameters["ideal"]
    return ideal.rstrip("\n")


def _best(case: Case) -> list[str]:
    return [exemplar.answer for exemplar in case.exemplars if exemplar.marks == 5]


def _texts(name: str) -> list[str]:
    """Return the ideal answer and the best exemplar."""
    return [_ideal(name), *_best(CASES[name])]


def _tracks() -> list[tuple[str, int, int, bool]]:
    """Return the letter, seconds, year and warning of each track in the prompt, by letter."""
    found = re.findall(r"\b([A-S]) (\d):(\d\d) (\d{4})( x)?", _prompt("following-night-playlist"))
    tracks = [(name, 60 * int(m) + int(s), int(year), bool(x)) for name, m, s, year, x in found]
    return sorted(tracks)


def test_playlist_by_program() -> None:
    """The seven steps, carried out by program, give the expected result."""
    tracks = _tracks()
    assert "".join(track[0] for track in tracks) == "ABCDEFGHIJKLMNOPQRS"
    left = [track for track in tracks if not track[3] and track[1] <= 330]
    left.sort(key=lambda track: (track[2], track[1]))
    if len(left) % 2:
        del left[len(left) // 2]
    fourth = left[3::4]
    left = [track for track in left if track not in fourth] + fourth
    longest = left.index(max(left, key=lambda track: track[1]))
    left[0], left[longest] = left[longest], left[0]
    total, taken = 0, ""
    for name, seconds, _, _ in left:
        if total + seconds > 42 * 60:
            break
        total, taken = total + seconds, taken + name
    result = f"{taken}-{42 * 60 - total}"
    assert result == CASES["following-night-playlist"].graders[0].parameters["expect"]
    assert _ideal("following-night-playlist").endswith(f"Answer: {result}")


def test_playlist_has_no_ties() -> None:
    """No two tracks of a year are equally long and one track is the longest, so that the order is fixed."""
    tracks = [track for track in _tracks() if not track[3] and track[1] <= 330]
    assert len({track[1:3] for track in tracks}) == len(tracks)
    lengths = sorted(track[1] for track in tracks)
    assert lengths[-1] > lengths[-2]


def test_freight_note_values() -> None:
    """The best exemplar and the ideal answer hold the caller's values."""
    wanted: dict[str, Any] = {
        "pickup": {"city": "Maribor", "from": "07:30"},
        "delivery": {"city": "Graz", "date": "2026-02-06"},
        "pallets": 10,
        "weight_kg": 2500,
        "stackable": False,
        "hazardous": None,
        "reference": None,
        "contacts": [{"name": name, "phone": "+38625550190"} for name in ("Katja Zupan", "Miha")],
    }
    for text in (_ideal("following-freight-note"), *_best(CASES["following-freight-note"])):
        found = json.loads(text)
        assert "oil" in " ".join(found.pop("unclear"))
        assert found == wanted


def test_dates_of_the_prompts() -> None:
    """The weekdays named in the prompts are those of the calendar."""
    assert date(2026, 2, 3).strftime("%A") == "Tuesday"
    assert date(2026, 2, 6).strftime("%A") == "Friday"
    assert date(2026, 3, 14).strftime("%A") == "Saturday"


@pytest.mark.parametrize(("when", "hours"), [(datetime(2026, 3, 4, 9), 7), (datetime(2026, 4, 3, 9), 6)])
def test_manila_is_ahead_of_rotterdam(when: datetime, hours: int) -> None:
    """Manila is 7 hours ahead of Rotterdam in early March and 6 in April."""
    there = when.replace(tzinfo=ZoneInfo("Asia/Manila")).utcoffset()
    here = when.replace(tzinfo=ZoneInfo("Europe/Amsterdam")).utcoffset()
    assert there is not None
    assert here is not None
    assert (there - here).total_seconds() == hours * 3_600


def test_badges_agree_with_listed_candidates() -> None:
    """The good exemplar and an implementation by candidates agree on random badges."""
    second = derivation("generalist_badge")
    good = solution(CASES["following-badge-rules"])
    random = Random(9)
    for _ in range(5_000):
        arguments = second.random_badge(random)
        assert good(*arguments) == second.badge(*arguments), arguments


def test_badge_exemplars_pass_or_fail_as_declared() -> None:
    """An exemplar's code fails a unit test exactly when its declared score is 0."""
    case = CASES["following-badge-rules"]
    failed = [bool(failures(case, at)) for at in range(len(case.exemplars))]
    assert failed == [exemplar.score == 0 for exemplar in case.exemplars]


def test_greenhouse_rows() -> None:
    """The ideal table is ordered by temperature, then bay, with one decimal and short actions."""
    lines = _ideal("following-greenhouse-table").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    assert [row[0] for row in rows] == list("BCAFGH")
    assert rows == sorted(rows, key=lambda row: (-float(row[2]), row[0]))
    assert all(re.fullmatch(r"\d\d\.\d", row[2]) and len(row[3].split()) <= 3 for row in rows)
    assert round((82 - 32) * 5 / 9, 1) == 27.8


@pytest.mark.parametrize("answer", _texts("following-climbing-hall"), ids=("ideal", "best"))
def test_climbing_notice_by_hand_written_rules(answer: str) -> None:
    """The best notices hold every demand, counted with rules apart from the check's."""
    assert len(re.findall(r"\.(?=\s|$)", answer)) == 4
    assert 45 <= len(answer.split()) <= 60
    assert answer.endswith("See you on the wall.")
    assert all(word in answer for word in ("auto-belays", "14:30", "north wall", "bouldering", "café"))
    assert not re.search(r"[!?]|sorry|apolog", answer)


@pytest.mark.parametrize("answer", _texts("following-candle-copy"), ids=("ideal", "best"))
def test_candle_texts_by_hand_written_rules(answer: str) -> None:
    """The best texts hold every demand, counted with rules apart from the check's."""
    assert 70 <= len(answer.split()) <= 90
    assert "\n\n" not in answer
    stems = r"\b(?:scent|smell|fragran|arom|candle|evo[kc]|co[sz](?:y|i)|sens|imagin|journey)"
    assert not re.search(stems, answer, re.IGNORECASE)
    assert all(word in answer.lower() for word in ("wet slate", "rain", "moss", "iron", "lemon", "you"))


def test_exemplars_spread_over_the_marks() -> None:
    """The category's calibration set has 25 exemplars or more and every mark from 1 to 5 at least 3 times."""
    marks = [exemplar.marks for case in CASES.values() for exemplar in case.exemplars]
    assert len(marks) >= 25
    assert all(marks.count(mark) >= 3 for mark in (1, 2, 3, 4, 5)), sorted(map(str, marks))
