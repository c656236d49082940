"""A number and its noun."""

from __future__ import annotations

from assay.core.wording import counted


def test_the_noun_follows_the_number() -> None:
    """One has the noun itself, everything else a plural; thousands are separated."""
    written = [counted(0, "case"), counted(1, "case"), counted(1200, "case"), counted(2, "entry", "entries")]
    assert written == ["0 cases", "1 case", "1,200 cases", "2 entries"]
