"""Plausibility of metering."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.ranking.exam.plausibility import Metered, flags

HONEST = [
    Metered(f"True, and this is reason {row}. " * (1 + row % 7), 50, 31 + 7 * row % 90, 3.0, 100.0, 104.0)
    for row in range(60)
]


def kinds(answers: list[Metered]) -> dict[str, tuple[int, int]]:
    """Return the flags' counts by kind."""
    return {flag.kind: (flag.count, flag.n) for flag in flags(answers)}


def test_honest_metering_has_no_flag() -> None:
    """Counts vary and times are consistent."""
    assert flags(HONEST) == ()


def test_undeclared_metering_has_no_flag() -> None:
    """If a candidate declares nothing, only the server's clock is checked."""
    assert flags([replace(one, completion_tokens=None, seconds=None) for one in HONEST]) == ()


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"completion_tokens": 137}, "constant completion tokens"),
        (
            {"completion_tokens": 1, "text": "True, " + "because it follows " * 3},
            "fewer tokens than the text can have",
        ),
        ({"completion_tokens": 40_000}, "impossible speed"),
        ({"received_at": 100.01}, "answered too fast"),
        ({"seconds": 60.0}, "declared time longer than there was"),
        ({"text": "True, because it follows from the definition."}, "identical answers"),
    ],
)
def test_implausible_metering_is_flagged(change: dict[str, object], kind: str) -> None:
    """Each of these changes in all sixty answers gives a flag with its count."""
    assert kinds([replace(one, **change) for one in HONEST])[kind] == (60, 60)


def test_round_counts_are_flagged_unless_they_are_all_one() -> None:
    """40, 50, 60 ... are flagged as round; a constant is flagged as a constant only."""
    rounded = [replace(one, completion_tokens=10 * (3 + row % 9)) for row, one in enumerate(HONEST)]
    assert kinds(rounded) == {"round token counts": (60, 60)}


def test_shares_need_twenty_answers() -> None:
    """With 19 answers a constant is not flagged; a single impossible time is."""
    few = [replace(one, completion_tokens=137) for one in HONEST[:19]]
    assert kinds(few) == {}
    assert kinds([replace(few[0], received_at=100.01, completion_tokens=None, seconds=None), *few[1:]]) == {
        "answered too fast": (1, 19)
    }
