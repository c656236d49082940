"""Two analysts who disagree on two points: who says what is drawn apart from what is true."""

from __future__ import annotations

import random
from dataclasses import dataclass

from assay.causal.options.crossed import Pair

NAMES = (
    "Adaeze",
    "Aroha",
    "Bongani",
    "Camille",
    "Chidi",
    "Dilnoza",
    "Eero",
    "Farid",
    "Giulia",
    "Hana",
    "Hoa",
    "Ikaika",
    "Inés",
    "Jarek",
    "Kamala",
    "Keiko",
    "Leilani",
    "Linnea",
    "Marisol",
    "Mehmet",
    "Nkechi",
    "Oleksandr",
    "Priya",
    "Quispe",
    "Rania",
    "Ruairí",
    "Sanjay",
    "Sefa",
    "Siobhán",
    "Tamar",
    "Tevita",
    "Ulla",
    "Viktor",
    "Wanjiru",
    "Xiomara",
    "Yusuf",
    "Zanele",
    "Zsófia",
)


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two analysts; `yes` says for each point whether the first (0) or the second (1) affirms it."""

    names: tuple[str, str]
    yes: tuple[int, int]

    def affirms(self, who: int, point: int) -> bool:
        """Return whether an analyst affirms a point."""
        return self.yes[point] == who

    def holder(self, point: int, truth: bool) -> str:
        """Return who holds that a point is so (or is not)."""
        return self.names[self.yes[point] if truth else 1 - self.yes[point]]

    def holders(self, option: Pair) -> tuple[str, str]:
        """Return who is right on each point where this combination is true."""
        return self.holder(0, option[0]), self.holder(1, option[1])


def dispute(rng: random.Random) -> Dispute:
    """Draw two names, and who affirms which point."""
    one, other = rng.sample(NAMES, 2)
    return Dispute((one, other), (rng.randrange(2), rng.randrange(2)))
